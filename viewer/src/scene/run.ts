// One run in the scene: its ground, bodies, springs, fields, arrows, traces and flashes.

import { Box3, DoubleSide, Group, LineBasicMaterial, type Matrix4, Mesh, MeshStandardMaterial, Vector3 } from "three";
import type { Arrays, Part, Run } from "../data";
import { bodyColor, GROUND, PIN, runColor } from "../palette";
import { Arrows } from "./arrows";
import { FieldView } from "./fields";
import { Flashes } from "./flashes";
import { merged, partBox } from "./geometry";
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
  private groundParts: Box3[];
  private material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.46, metalness: 0.08 });
  private glass = new MeshStandardMaterial({ vertexColors: true, roughness: 0.4, transparent: true, opacity: 0.34, depthWrite: false, side: DoubleSide });
  private steel = new MeshStandardMaterial({ color: PIN, roughness: 0.35, metalness: 0.3 });
  private line = new LineBasicMaterial({ color: "#2b2f36", transparent: true, opacity: 0.35 });

  constructor(
    readonly run: Run,
    readonly index: number,
    arrays: Arrays,
  ) {
    this.color = runColor(index, false);
    this.motion = new Motion(run, arrays);
    this.group.add(this.ground);
    this.fill(this.ground, run.ground, GROUND, arrays);
    this.groundParts = run.ground.map((part) => partBox(part, arrays));
    run.bodies.forEach((body, k) => {
      const holder = new Group();
      holder.userData.body = body.name;
      this.fill(holder, body.parts, this.bodyColor(k), arrays);
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

  bodyColor(k: number): string {
    return bodyColor(k, this.run.bodies.length);
  }

  /** Solids as one mesh; mere surfaces can be seen through, and so can hollow parts where gaps are shown within. */
  private fill(holder: Group, parts: Part[], color: string, arrays: Arrays): void {
    const shown = this.run.fields.some((field) => field.kind === "surface");
    const clear = (part: Part) => part.clear || part.kind === "sheet" || (shown && (part.kind === "tube" || part.kind === "cup"));
    const solids = merged(parts.filter((part) => !clear(part)), color, arrays);
    const sheets = merged(parts.filter(clear), color, arrays);
    if (solids) holder.add(this.shadowed(new Mesh(solids, this.material)));
    if (sheets) holder.add(new Mesh(sheets, this.glass));
  }

  private shadowed(mesh: Mesh): Mesh {
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  /** Points around all bodies through the whole motion, and around the ground's parts, three numbers each [m]. */
  outline(): number[] {
    const points: number[] = [];
    const around = ({ min, max }: Box3, place?: Matrix4) => {
      for (let k = 0; k < 8; k++) {
        P.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
        if (place) P.applyMatrix4(place);
        points.push(P.x, P.y, P.z);
      }
    };
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
        if (mine) around(mine, holder.matrix);
      }
      for (const view of this.fields)
        if (view.field.kind === "flexible") for (let n = 0; n < view.nodes; n++) points.push(...view.node(n, P).toArray());
    }
    for (const part of this.groundParts) around(part);
    return points;
  }

  /** Once the size of the whole scene is known [m]. */
  furnish(size: number): void {
    this.springs = new Springs(this.motion, this.run.springs, 0.8 * size, this.steel);
    this.arrows = new Arrows(this.motion, size);
    this.arrows.group.visible = false;
    this.flashes = new Flashes(this.motion, this.fields, Math.min(Math.max(this.run.radius, 0.008 * size), 0.016 * size));
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
        this.traces.add(body.name, at, this.bodyColor(k));
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

const P = new Vector3();
