// The bar below the scene: play, step from contact to contact, scrub, speed, loop.

import { button, icon, make } from "../dom";
import { clock } from "../format";
import { type Player, SPEEDS } from "../player";
import { CONTACT } from "../palette";

const PLAY = "M7 4.5v15l12-7.5z";
const PAUSE = "M7 4.5h3.6v15H7zM13.4 4.5H17v15h-3.6z";

export class Transport {
  readonly element: HTMLElement;
  private range: HTMLInputElement;
  private ticks: HTMLCanvasElement;
  private readout: HTMLElement;
  private playing: HTMLButtonElement;
  private speed: HTMLSelectElement;
  private loop: HTMLButtonElement;

  constructor(
    private player: Player,
    private contacts: number[],
  ) {
    this.playing = button("Play (space)", null, () => player.toggle(), { class: "primary", id: "play" });
    const before = button("Contact before (,)", icon("M6 5v14M19 5.5v13L9 12z"), () => this.step(-1), { id: "event-before" });
    const after = button("Next contact (.)", icon("M18 5v14M5 5.5v13L15 12z"), () => this.step(1), { id: "event-after" });
    for (const each of [before, after]) each.disabled = !contacts.length;
    this.range = make("input", { type: "range", min: "0", max: "1", step: "any", "aria-label": "Time", id: "scrub" });
    this.range.addEventListener("input", () => player.seek(player.start + Number(this.range.value) * this.span));
    this.ticks = make("canvas", { class: "ticks", "aria-hidden": "true" });
    this.readout = make("output", { class: "time" });
    this.speed = make("select", { "aria-label": "Speed", title: "Speed (+ −)", id: "speed" });
    for (const value of SPEEDS) this.speed.append(make("option", { value: String(value) }, value === 1 ? "real time" : `× ${value}`));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    this.loop = button("Loop (L)", icon("M17 3l3.5 3.5L17 10M20 6.5H8a4.5 4.5 0 00-4.5 4.5v1M7 21l-3.5-3.5L7 14M4 17.5h12a4.5 4.5 0 004.5-4.5v-1"), () => player.setLoop(!player.loop), { id: "loop" });
    this.element = make(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      make("div", { class: "buttons" }, before, this.playing, after),
      this.readout,
      make("div", { class: "scrub" }, this.ticks, this.range),
      make("div", { class: "buttons" }, this.speed, this.loop),
    );
    player.onTime(() => this.update());
    player.onChange(() => this.changed());
    new ResizeObserver(() => this.draw()).observe(this.ticks);
    this.changed();
    this.update();
  }

  private get span(): number {
    return Math.max(this.player.end - this.player.start, 1e-12);
  }

  step(direction: number): void {
    const { player, contacts } = this;
    player.pause();
    const tiny = 1e-9 * this.span;
    const next = direction > 0 ? contacts.find((t) => t > player.time + tiny) : contacts.findLast((t) => t < player.time - tiny);
    if (next !== undefined) player.seek(next);
  }

  private update(): void {
    const { player } = this;
    const done = (player.time - player.start) / this.span;
    this.range.value = String(done);
    this.range.style.setProperty("--done", `${100 * done}%`);
    this.readout.textContent = `${clock(player.time, this.span)} s`;
    this.range.setAttribute("aria-valuetext", this.readout.textContent);
  }

  private changed(): void {
    const { player } = this;
    this.playing.replaceChildren(icon(player.playing ? PAUSE : PLAY));
    this.playing.setAttribute("aria-label", player.playing ? "Pause (space)" : "Play (space)");
    this.speed.value = String(player.speed);
    this.loop.setAttribute("aria-pressed", String(player.loop));
    this.draw();
  }

  /** Contacts as ticks, and the piece that plays. */
  private draw(): void {
    const { ticks, player } = this;
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [width, height] = [ticks.clientWidth * ratio, ticks.clientHeight * ratio];
    if (!width) return;
    ticks.width = width;
    ticks.height = height;
    const context = ticks.getContext("2d")!;
    const at = (time: number) => ((time - player.start) / this.span) * width;
    if (player.range[0] > player.start || player.range[1] < player.end) {
      context.fillStyle = "rgba(120,140,170,0.22)";
      context.fillRect(at(player.range[0]), 0, at(player.range[1]) - at(player.range[0]), height);
    }
    const columns = new Float32Array(Math.ceil(width) + 1);
    for (const time of this.contacts) columns[Math.min(Math.max(Math.floor(at(time)), 0), columns.length - 1)]++;
    context.fillStyle = CONTACT;
    columns.forEach((count, x) => {
      if (!count) return;
      context.globalAlpha = Math.min(0.85, 0.3 + 0.12 * count);
      context.fillRect(x, 0, Math.max(1, ratio * 0.75), height * 0.3);
    });
    context.globalAlpha = 1;
  }
}
