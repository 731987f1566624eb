// Forces as arrows, all in one scale; longer ones than the scene are cut, which the legend says.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { roundNumber } from "../format";
import { LOAD, REACTION } from "../palette";
import type { Motion } from "./motion";

const Z = new Vector3(0, 0, 1);
const SHAFT = new CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const HEAD = new ConeGeometry(2.6, 7, 20).rotateX(Math.PI / 2).translate(0, 0, 3.5);
const SHORTEST = 0.004; // of the scene's size, not drawn below
const LONGEST = 0.8; // of the scene's size, cut there

type Arrow = { force: Float32Array; body: string; at: number[]; turns: boolean; group: Group; shaft: Mesh; head: Mesh };

export class Arrows {
  readonly group = new Group();
  scale: number; // metres in a newton
  private arrows: Arrow[] = [];

  /** `size` is that of the scene [m]. */
  constructor(
    private motion: Motion,
    private size: number,
  ) {
    // over everything: joints are within their hubs, and what acts there has to be seen
    const seen = { roughness: 0.5, depthTest: false, transparent: true, emissiveIntensity: 0.35 };
    const reaction = new MeshStandardMaterial({ color: REACTION, emissive: REACTION, ...seen });
    const load = new MeshStandardMaterial({ color: LOAD, emissive: LOAD, ...seen });
    for (const joint of motion.run.joints)
      if (joint.force) this.add(motion.get(joint.force), joint.child, joint.at_child, false, reaction);
    for (const force of motion.run.forces)
      this.add(motion.get(force.force), force.body, force.at, force.axes === "body", load);
    this.scale = (0.3 * size) / this.typical();
  }

  private add(force: Float32Array, body: string, at: number[], turns: boolean, material: MeshStandardMaterial): void {
    const group = new Group();
    const shaft = new Mesh(SHAFT, material);
    const head = new Mesh(HEAD, material);
    shaft.renderOrder = 5;
    head.renderOrder = 6;
    group.add(shaft, head);
    this.group.add(group);
    this.arrows.push({ force, body, at, turns, group, shaft, head });
  }

  /** A force that is large, but no single peak: nine tenths of all samples are below. */
  private typical(): number {
    const sizes: number[] = [];
    const n = this.motion.count;
    for (const { force } of this.arrows)
      for (let k = 0; k < n; k += Math.max(1, n >> 8)) {
        const size = Math.hypot(force[k], force[n + k], force[2 * n + k]);
        if (Number.isFinite(size)) sizes.push(size);
      }
    sizes.sort((a, b) => a - b);
    return Math.max(sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 1, 1e-12);
  }

  get count(): number {
    return this.arrows.length;
  }

  /** A round force and the length of its arrow [m], and the force from which on arrows are cut. */
  get legend(): { force: number; length: number; cut: number } {
    const force = roundNumber((0.25 * this.size) / this.scale);
    return { force, length: force * this.scale, cut: (LONGEST * this.size) / this.scale };
  }

  update(): void {
    if (!this.group.visible) return;
    const thick = 0.0042 * this.size;
    for (const { force, body, at, turns, group, shaft, head } of this.arrows) {
      this.motion.vector(force, F);
      if (turns) {
        this.motion.pose(body, P, Q);
        F.applyQuaternion(Q);
      }
      const length = Math.min(F.length() * this.scale, LONGEST * this.size);
      group.visible = length > SHORTEST * this.size;
      if (!group.visible) continue;
      this.motion.point(body, at, group.position);
      group.quaternion.setFromUnitVectors(Z, F.normalize());
      const tip = Math.min(7 * thick, 0.6 * length);
      shaft.scale.set(thick, thick, Math.max(length - tip, 1e-9));
      head.scale.setScalar(tip / 7);
      head.position.z = length - tip;
    }
  }
}

const F = new Vector3();
const P = new Vector3();
const Q = new Quaternion();
