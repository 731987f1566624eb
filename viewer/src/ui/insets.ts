// What is too small to be seen, magnified: the path of a ball in its socket, a slider between the walls of its guide.

import type { Inset } from "../data";
import { make } from "../dom";
import { quantity } from "../format";
import { CONTACT, runColor } from "../palette";
import type { Motion } from "../scene/motion";

const TAIL = 220; // samples that the bright end of a path has

type Layer = { inset: Inset; motion: Motion; run: number };

/** One joint, of all runs that have it. */
export class InsetView {
  readonly element: HTMLElement;
  private canvas = make("canvas", { role: "img" });
  private whole: HTMLCanvasElement | null = null;

  constructor(private layers: Layer[]) {
    const { inset } = layers[0];
    const play = inset.clearance;
    const note = play !== null ? `play ${quantity(play, "m")}` : `±${quantity(inset.largest!, "m", 2)}`;
    this.canvas.setAttribute("aria-label", `Magnified motion in ${inset.joint}`);
    this.element = make("figure", { class: "inset" }, make("figcaption", {}, make("b", {}, inset.joint), make("span", {}, note)), this.canvas);
  }

  /** After a change of size or colours. */
  reset(): void {
    this.whole = null;
  }

  private get isDark(): boolean {
    return document.documentElement.dataset.theme === "dark";
  }

  private color(run: number): string {
    return runColor(run, this.isDark);
  }

  private get ink(): { rule: string; muted: string; text: string } {
    const style = getComputedStyle(this.element);
    return {
      rule: style.getPropertyValue("--rule"),
      muted: style.getPropertyValue("--muted"),
      text: style.getPropertyValue("--text"),
    };
  }

  draw(): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const size = this.canvas.clientWidth * ratio;
    const height = this.canvas.clientHeight * ratio;
    if (!size || !height) return;
    if (this.canvas.width !== size || this.canvas.height !== height) {
      this.canvas.width = size;
      this.canvas.height = height;
      this.whole = null;
    }
    const context = this.canvas.getContext("2d")!;
    context.clearRect(0, 0, size, height);
    context.lineJoin = "round";
    if (this.layers[0].inset.kind === "guide") this.guide(context, size, height, ratio);
    else this.paths(context, size, height, ratio);
  }

  private paths(context: CanvasRenderingContext2D, width: number, height: number, ratio: number): void {
    const radius = 0.43 * Math.min(width, height);
    const far = Math.max(...this.layers.map(({ inset }) => Math.max(inset.clearance ?? 0, inset.largest!, ...(inset.outline ?? []).map(([x, y]) => Math.hypot(x, y))))) * 1.02;
    const scale = radius / far;
    if (!this.whole) this.whole = this.background(width, height, scale, ratio);
    context.drawImage(this.whole, 0, 0);
    context.translate(width / 2, height / 2);
    for (const { inset, motion, run } of this.layers) {
      const color = this.color(run);
      const path = motion.get(inset.path!);
      const n = motion.count;
      const from = Math.max(0, motion.sample - TAIL);
      context.lineWidth = 1.5 * ratio;
      context.strokeStyle = color;
      for (let k = from; k < motion.sample; k++) {
        context.globalAlpha = 0.9 * ((k - from) / TAIL);
        context.beginPath();
        context.moveTo(path[k] * scale, -path[n + k] * scale);
        context.lineTo(path[k + 1] * scale, -path[n + k + 1] * scale);
        context.stroke();
      }
      context.globalAlpha = 1;
      const touches = inset.contact ? motion.get(inset.contact)[motion.sample] > 0.5 : false;
      context.fillStyle = touches ? CONTACT : color;
      context.beginPath();
      context.arc(motion.value(path, 0) * scale, -motion.value(path, 1) * scale, 4 * ratio, 0, 7);
      context.fill();
    }
    context.resetTransform();
  }

  /** The circle (or another outline) of free play and the whole path, faint: drawn once. */
  private background(width: number, height: number, scale: number, ratio: number): HTMLCanvasElement {
    const canvas = make("canvas", {});
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d")!;
    const { rule, muted } = this.ink;
    context.translate(width / 2, height / 2);
    context.strokeStyle = rule;
    context.lineWidth = ratio;
    context.beginPath();
    context.moveTo(-width, 0);
    context.lineTo(width, 0);
    context.moveTo(0, -height);
    context.lineTo(0, height);
    context.stroke();
    for (const { inset, motion, run } of this.layers) {
      const path = motion.get(inset.path!);
      const n = motion.count;
      context.strokeStyle = this.color(run);
      context.globalAlpha = this.isDark ? 0.3 : 0.22;
      context.lineWidth = 0.7 * ratio;
      context.beginPath();
      for (let k = 0; k < n; k++) context.lineTo(path[k] * scale, -path[n + k] * scale);
      context.stroke();
      context.globalAlpha = 1;
    }
    const { clearance: play, outline } = this.layers[0].inset;
    context.strokeStyle = muted;
    context.lineWidth = 1.4 * ratio;
    context.beginPath();
    if (outline) {
      for (const [x, y] of outline) context.lineTo(x * scale, -y * scale);
      context.closePath();
    } else if (play !== null) context.arc(0, 0, play * scale, 0, 7);
    context.stroke();
    return canvas;
  }

  private guide(context: CanvasRenderingContext2D, width: number, height: number, ratio: number): void {
    const { muted } = this.ink;
    const wall = 0.12 * height;
    context.fillStyle = muted;
    context.globalAlpha = 0.35;
    context.fillRect(0, 0, width, wall);
    context.fillRect(0, height - wall, width, wall);
    context.globalAlpha = 1;
    for (const { inset, motion, run } of this.layers) {
      const color = this.color(run);
      const gap = motion.get(inset.gap!);
      const play = inset.clearance!;
      const along = inset.along!;
      const [low, high] = [Math.min(...along), Math.max(...along)];
      const at = (k: number): [number, number] => {
        const x = width * (0.12 + (0.76 * (along[k] - low)) / (high - low || 1));
        const away = Math.min(Math.max(motion.value(gap, k) / play, -0.4), 2.4) * 0.14 * height;
        return [x, inset.upper![k] ? wall + away : height - wall - away];
      };
      const order = along.map((_, k) => k).sort((a, b) => along[a] - along[b]);
      const upper = order.filter((k) => inset.upper![k]);
      const lower = order.filter((k) => !inset.upper![k]).reverse();
      context.strokeStyle = color;
      context.fillStyle = color;
      context.lineWidth = 1.6 * ratio;
      context.beginPath();
      for (const k of [...upper, ...lower]) context.lineTo(...at(k));
      context.closePath();
      context.globalAlpha = 0.12;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
      for (const k of [...upper, ...lower]) {
        context.fillStyle = motion.value(gap, k) <= 0 ? CONTACT : color;
        context.beginPath();
        context.arc(...at(k), 2.6 * ratio, 0, 7);
        context.fill();
      }
    }
  }
}

export function insetViews(motions: Motion[]): InsetView[] {
  const byJoint = new Map<string, Layer[]>();
  motions.forEach((motion, k) => {
    for (const inset of motion.run.insets) {
      const layers = byJoint.get(`${inset.kind} ${inset.joint}`) ?? [];
      layers.push({ inset, motion, run: k });
      byJoint.set(`${inset.kind} ${inset.joint}`, layers);
    }
  });
  return [...byJoint.values()].slice(0, 4).map((layers) => new InsetView(layers));
}
