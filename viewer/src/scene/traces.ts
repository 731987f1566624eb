// Paths of points: the whole path faint, what has been gone through in full.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import type { Motion } from "./motion";

const MOST = 2000; // points of a path

type Trace = { body: string; at: number[]; gone: Line; stride: number };

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
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    const whole = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity: 0.22, depthWrite: false }));
    const gone = new Line(geometry.clone(), new LineBasicMaterial({ color, transparent: true, opacity: 0.9 }));
    whole.frustumCulled = gone.frustumCulled = false;
    this.group.add(whole, gone);
    this.traces.push({ body, at, gone, stride });
  }

  clear(): void {
    for (const child of [...this.group.children] as Line[]) {
      child.geometry.dispose();
      this.group.remove(child);
    }
    this.traces = [];
  }

  update(): void {
    if (!this.group.visible) return;
    for (const { gone, stride } of this.traces)
      gone.geometry.setDrawRange(0, Math.floor(this.motion.sample / stride) + 2);
  }
}

const P = new Vector3();
