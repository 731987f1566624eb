// Names in the picture: of bodies and joints where they are, of the body under the mouse, and of the axes.

import { Vector3 } from "three";
import { make } from "../dom";
import type { RunView } from "../scene/run";
import type { Stage } from "../scene/stage";

const MOST = 40; // names at once; of more bodies and joints the first
const AXES = ["x", "y", "z"] as const;
const TRIAD = 58; // width of the axes [pixels]

type Label = { run: RunView; tile: number; body: string; at: number[]; element: HTMLElement };

export class Labels {
  readonly element = make("div", { class: "labels", "aria-hidden": "true" });
  readonly triad = make("canvas", { class: "triad", "aria-hidden": "true" });
  private labels: Label[] = [];
  private hint = make("span", { class: "hint" });
  private visible = false;

  constructor(private stage: Stage) {
    this.element.append(this.hint);
    this.hint.hidden = true;
    stage.runs.forEach((run, tile) => {
      const { bodies, joints } = run.run;
      bodies.slice(0, MOST).forEach((body, k) => {
        const ends = joints.flatMap((j) => (j.child === body.name ? [j.at_child] : j.parent === body.name ? [j.at_parent] : []));
        const at = ends.length ? [0, 1, 2].map((c) => ends.reduce((sum, p) => sum + p[c], 0) / ends.length) : [0, 0, 0];
        const dot = make("i", {});
        dot.style.background = run.bodyColor(k);
        this.add(run, tile, body.name, at, make("span", { class: "name body" }, dot, body.name));
      });
      for (const joint of joints.slice(0, MOST - Math.min(MOST, bodies.length)))
        this.add(run, tile, joint.child, joint.at_child, make("span", { class: "name joint", title: joint.type }, joint.name));
    });
  }

  private add(run: RunView, tile: number, body: string, at: number[], element: HTMLElement): void {
    element.hidden = true;
    this.labels.push({ run, tile, body, at, element });
    this.element.append(element);
  }

  show(visible: boolean): void {
    this.visible = visible;
    for (const { element } of this.labels) element.hidden = true;
  }

  /** The name of the body under the mouse. */
  hover(x: number, y: number, name: string | null): void {
    this.hint.hidden = name === null;
    if (name === null) return;
    this.hint.textContent = name;
    this.hint.style.transform = `translate(${x + 14}px, ${y + 12}px)`;
  }

  update(): void {
    this.drawTriad();
    if (!this.visible) return;
    const side = this.stage.arrangement === "side";
    for (const { run, tile, body, at, element } of this.labels) {
      const place = side || tile === 0 ? this.stage.screen(run.motion.point(body, at, P), side ? tile : 0) : null;
      element.hidden = place === null;
      if (place) element.style.transform = `translate(-50%, -50%) translate(${place[0].toFixed(1)}px, ${place[1].toFixed(1)}px)`;
    }
  }

  /** Where x, y and z point, seen from here; nearer ones over farther ones. */
  private drawTriad(): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const style = getComputedStyle(this.triad);
    const context = this.triad.getContext("2d")!;
    if (this.triad.width !== TRIAD * ratio) this.triad.width = this.triad.height = TRIAD * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, TRIAD, TRIAD);
    context.translate(TRIAD / 2, TRIAD / 2);
    context.font = "600 10px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 1.6;
    context.lineCap = "round";
    const axes = AXES.map((name, k) => ({ name, to: this.stage.seen(P.set(0, 0, 0).setComponent(k, 1)) }));
    for (const { name, to } of axes.sort((a, b) => a.to[2] - b.to[2])) {
      const [x, y] = [19 * to[0], -19 * to[1]];
      context.strokeStyle = context.fillStyle = style.getPropertyValue(`--${name}`);
      context.globalAlpha = 0.65 + 0.35 * Math.max(0, to[2]);
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(x, y);
      context.stroke();
      const out = Math.hypot(x, y) < 4 ? [7, 7] : [x * 1.34, y * 1.34];
      context.fillText(name, out[0], out[1]);
    }
    context.globalAlpha = 1;
  }
}

const P = new Vector3();
