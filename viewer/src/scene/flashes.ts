// Contacts flash where they begin, brighter the faster they meet, and glow as long as they last.

import { CanvasTexture, Group, Sprite, SpriteMaterial, Vector3 } from "three";
import { CONTACT } from "../palette";
import type { FieldView } from "./fields";
import type { Motion } from "./motion";

const SECONDS = 0.35; // that a flash is seen, of the screen's time
const MOST = 24; // at once

function glow(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const context = canvas.getContext("2d")!;
  const gradient = context.createRadialGradient(64, 64, 0, 64, 64, 64);
  gradient.addColorStop(0, "rgba(255,255,255,1)");
  gradient.addColorStop(0.18, "rgba(255,255,255,0.85)");
  gradient.addColorStop(0.45, "rgba(255,255,255,0.22)");
  gradient.addColorStop(1, "rgba(255,255,255,0)");
  context.fillStyle = gradient;
  context.fillRect(0, 0, 128, 128);
  return new CanvasTexture(canvas);
}

export class Flashes {
  readonly group = new Group();
  private sprites: Sprite[] = [];
  private strength: Float32Array;
  private longest = 0; // contact [s]

  /** `radius` is that of bars: flashes are some times larger. */
  constructor(
    private motion: Motion,
    private fields: FieldView[],
    private radius: number,
  ) {
    const { events } = motion.run;
    const speeds = events.impact_speed.map((v) => v ?? 0);
    const fastest = speeds.reduce((a, b) => Math.max(a, b), 1e-12);
    this.strength = Float32Array.from(speeds, (v) => 0.35 + 0.65 * Math.sqrt(v / fastest));
    for (let k = 0; k < events.begin.length; k++) {
      const end = events.end[k] ?? motion.run.time.end;
      this.longest = Math.max(this.longest, end - events.begin[k]);
    }
    if (!events.begin.length) return;
    const map = glow();
    for (let k = 0; k < MOST; k++) {
      const sprite = new Sprite(new SpriteMaterial({ map, color: CONTACT, transparent: true, depthTest: false, depthWrite: false, toneMapped: false }));
      sprite.visible = false;
      sprite.renderOrder = 10;
      this.sprites.push(sprite);
      this.group.add(sprite);
    }
  }

  /** `speed` is that of playing: flashes are seen as long at any speed. */
  update(time: number, speed: number): void {
    if (!this.group.visible || !this.sprites.length) return;
    const { begin, end, where, places } = this.motion.run.events;
    const fade = SECONDS * speed;
    let high = begin.length;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begin[middle] <= time) low = middle + 1;
      else high = middle;
    }
    const best = new Map<number, number>(); // brightness by place
    const earliest = time - Math.max(fade, this.longest);
    for (let k = low - 1; k >= 0 && begin[k] >= earliest && low - k < 4000; k--) {
      const last = end[k] ?? this.motion.run.time.end;
      const since = time - begin[k];
      let light = since < fade ? this.strength[k] * (1 - since / fade) : 0;
      if (time <= last) light = Math.max(light, 0.16);
      if (light > (best.get(where[k]) ?? 0)) best.set(where[k], light);
    }
    let used = 0;
    for (const [place, light] of best) {
      if (used >= MOST) break;
      const sprite = this.sprites[used];
      if (!this.at(places[place], sprite.position)) continue;
      sprite.visible = true;
      sprite.scale.setScalar(this.radius * (3 + 7 * light));
      sprite.material.opacity = Math.min(1, 0.25 + light);
      used++;
    }
    for (let k = used; k < this.sprites.length; k++) this.sprites[k].visible = false;
  }

  private at(place: { body?: string; at?: number[]; node?: number }, out: Vector3): boolean {
    if (place.node !== undefined) {
      const field = this.fields.find((view) => view.field.body === place.body && view.field.kind === "flexible");
      if (!field) return false;
      field.node(place.node, out);
      return true;
    }
    if (!place.body || !place.at) return false;
    this.motion.point(place.body, place.at, out);
    return true;
  }
}
