// Paths of points: the whole path faint, what has been gone through in full.

import { Group, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Motion } from "./motion";

const MOST = 2000; // points of a path
const WIDTH = 1.8; // [pixels]

type Trace = { gone: LineGeometry; stride: number };

export class Traces {
  readonly group = new Group();
  private traces: Trace[] = [];

  constructor(private motion: Motion) {}

  get count(): number {
    return this.traces.length;
  }

  add(body: string, at: number[], color: string): void {
    const stride = Math.max(1, Math.ceil(this.motion.count / MOST));
    const points: number[] = [];
    for (let k = 0; k < this.motion.count; k += stride) points.push(...this.motion.pointAt(k, body, at, P).toArray());
    if (points.length < 6) return;
    const gone = new LineGeometry().setPositions(points);
    for (const [geometry, opacity, order] of [[new LineGeometry().setPositions(points), 0.25, 1], [gone, 0.95, 2]] as const) {
      const line = new Line2(geometry, new LineMaterial({ color, linewidth: WIDTH, transparent: true, opacity, depthWrite: false }));
      line.frustumCulled = false;
      line.renderOrder = order;
      this.group.add(line);
    }
    this.traces.push({ gone, stride });
  }

  clear(): void {
    for (const child of [...this.group.children] as Line2[]) {
      child.geometry.dispose();
      this.group.remove(child);
    }
    this.traces = [];
  }

  update(): void {
    if (!this.group.visible) return;
    for (const { gone, stride } of this.traces) gone.instanceCount = Math.floor(this.motion.sample / stride) + 1;
  }
}

const P = new Vector3();
