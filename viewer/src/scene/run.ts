// One run in the scene: its ground, bodies, springs, fields, arrows, traces and flashes.

import { Box3, DoubleSide, Group, LineBasicMaterial, Mesh, MeshStandardMaterial, Vector3 } from "three";
import type { Arrays, Part, Run } from "../data";
import { BODIES, GROUND, PIN, RUNS } from "../palette";
import { Arrows } from "./arrows";
import { FieldView } from "./fields";
import { Flashes } from "./flashes";
import { merged } from "./geometry";
import { Motion } from "./motion";
import { Springs } from "./springs";
import { Traces } from "./traces";

const LOOKS = 48; // instants at which the size of the scene is measured

export class RunView {
  readonly group = new Group();
  readonly motion: Motion;
  readonly bodies = new Map<string, Group>();
  readonly fields: FieldView[] = [];
  readonly traces: Traces;
  readonly color: string;
  arrows!: Arrows;
  private springs!: Springs;
  private flashes!: Flashes;
  private ground = new Group();
  private material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.46, metalness: 0.08 });
  private glass = new MeshStandardMaterial({ vertexColors: true, roughness: 0.4, transparent: true, opacity: 0.45, depthWrite: false, side: DoubleSide });
  private steel = new MeshStandardMaterial({ color: PIN, roughness: 0.35, metalness: 0.3 });
  private line = new LineBasicMaterial({ color: "#2b2f36", transparent: true, opacity: 0.35 });

  constructor(
    readonly run: Run,
    readonly index: number,
    arrays: Arrays,
  ) {
    this.color = RUNS[index % RUNS.length];
    this.motion = new Motion(run, arrays);
    this.group.add(this.ground);
    this.fill(this.ground, run.ground, GROUND, arrays);
    run.bodies.forEach((body, k) => {
      const holder = new Group();
      holder.userData.body = body.name;
      this.fill(holder, body.parts, BODIES[k % BODIES.length], arrays);
      this.bodies.set(body.name, holder);
      this.group.add(holder);
    });
    for (const field of run.fields) {
      const view = new FieldView(this.motion, field, this.material, this.line);
      this.fields.push(view);
      this.group.add(view.group);
    }
    this.traces = new Traces(this.motion);
    this.traces.group.visible = false;
    this.group.add(this.traces.group);
  }

  /** Solids as one mesh; surfaces that are only that can be seen through. */
  private fill(holder: Group, parts: Part[], color: string, arrays: Arrays): void {
    const solids = merged(parts.filter((part) => part.kind !== "sheet"), color, arrays);
    const sheets = merged(parts.filter((part) => part.kind === "sheet"), color, arrays);
    if (solids) holder.add(this.shadowed(new Mesh(solids, this.material)));
    if (sheets) holder.add(new Mesh(sheets, this.glass));
  }

  private shadowed(mesh: Mesh): Mesh {
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  /** The box that holds all bodies through the whole motion, and the joint points of the ground [m]. */
  bounds(): Box3 {
    const box = new Box3();
    const own = new Map<string, Box3>();
    for (const [name, holder] of this.bodies)
      for (const mesh of holder.children as Mesh[]) {
        mesh.geometry.computeBoundingBox();
        own.set(name, (own.get(name) ?? new Box3()).union(mesh.geometry.boundingBox!));
      }
    const last = this.motion.count - 1;
    for (let k = 0; k <= LOOKS; k++) {
      this.motion.sample = Math.round((last * k) / LOOKS);
      this.motion.between = 0;
      for (const [name, holder] of this.bodies) {
        this.motion.pose(name, holder.position, holder.quaternion);
        holder.updateMatrix();
        const mine = own.get(name);
        if (mine) box.union(BOX.copy(mine).applyMatrix4(holder.matrix));
      }
      for (const view of this.fields)
        if (view.field.kind === "flexible") for (let n = 0; n < view.nodes; n++) box.expandByPoint(view.node(n, P));
    }
    for (const mesh of this.ground.children as Mesh[]) {
      mesh.geometry.computeBoundingBox();
      box.union(mesh.geometry.boundingBox!);
    }
    return box;
  }

  /** Once the size of the whole scene is known [m]. */
  furnish(size: number): void {
    this.springs = new Springs(this.motion, this.run.springs, 0.8 * size, this.steel);
    this.arrows = new Arrows(this.motion, size);
    this.arrows.group.visible = false;
    this.flashes = new Flashes(this.motion, this.fields, Math.max(this.run.radius, 0.008 * size));
    this.group.add(this.springs.group, this.arrows.group, this.flashes.group);
  }

  get flashGroup(): Group {
    return this.flashes.group;
  }

  /** Traces of the points of all joints that move, or of centres of mass where there are none. */
  traceJoints(): void {
    const seen = new Set<string>();
    this.run.bodies.forEach((body, k) => {
      const ends = this.run.joints.filter((j) => (j.child === body.name && j.parent !== "ground") || j.parent === body.name);
      const points = ends.map((j) => (j.child === body.name ? j.at_child : j.at_parent));
      for (const [which, at] of (points.length ? points : [[0, 0, 0]]).entries()) {
        const name = ends[which]?.name ?? body.name;
        if (seen.has(name)) continue;
        seen.add(name);
        this.traces.add(body.name, at, BODIES[k % BODIES.length]);
      }
    });
  }

  /** As a ghost: pale and see-through, in the colour of its run; its ground is that of the first run. */
  setGhost(ghost: boolean): void {
    this.material.transparent = ghost;
    this.material.opacity = ghost ? 0.36 : 1;
    this.material.depthWrite = !ghost;
    this.material.vertexColors = !ghost;
    this.material.color.set(ghost ? this.color : "#ffffff");
    this.material.needsUpdate = true;
    this.ground.visible = !ghost;
    this.group.traverse((thing) => {
      if (thing instanceof Mesh && thing.material === this.material) thing.castShadow = !ghost;
    });
  }

  update(time: number, speed: number): void {
    this.motion.seek(time);
    for (const [name, holder] of this.bodies) this.motion.pose(name, holder.position, holder.quaternion);
    for (const field of this.fields) field.update();
    this.springs.update();
    this.arrows.update();
    this.traces.update();
    this.flashes.update(time, speed);
  }
}

const BOX = new Box3();
const P = new Vector3();
