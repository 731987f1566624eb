// The page: scene, bar, plots and insets put together, keys, and what happens in every frame.

import type { Arrays, Scene } from "../data";
import { make } from "../dom";
import { quantity } from "../format";
import { runColor, SCALES } from "../palette";
import { Player } from "../player";
import { type Detail, Stage } from "../scene/stage";
import { About } from "./about";
import { type InsetView, insetViews } from "./insets";
import { Labels } from "./labels";
import { Plots } from "./plots";
import { type Toggle, Toolbar } from "./toolbar";
import { Transport } from "./transport";

export class App {
  readonly player: Player;
  readonly stage: Stage;
  readonly plots: Plots;
  readonly scriptTimes: number[] = []; // of the last frames [ms]
  frames = 0;
  private insets: InsetView[];
  private toolbar: Toolbar;
  private transport: Transport;
  private about: About;
  private labels: Labels;
  private tiles = make("div", { class: "tiles" });
  private legend = make("div", { class: "lengths" });
  private corner = make("div", { class: "corner" });
  private view: HTMLElement;
  private interval = 30; // between frames, on average while playing [ms]
  private detail: Detail = "plain"; // while it plays
  private finest: Detail = "fine"; // that this machine keeps up with
  private on: Record<Toggle, boolean> = { forces: false, traces: false, contacts: true, insets: true, names: false };
  private dirty = true;
  private asked = false;
  private last = 0;
  private timeChanged = true;

  constructor(
    private root: HTMLElement,
    private scene: Scene,
    arrays: Arrays,
  ) {
    const { runs } = scene;
    this.player = new Player(Math.min(...runs.map((r) => r.time.start)), Math.max(...runs.map((r) => r.time.end)));
    const canvas = make("canvas", { class: "stage", tabindex: "0", "aria-label": `Moving picture of ${scene.title}` });
    const view = (this.view = make("main", { class: "view" }, canvas));
    root.append(view);
    this.stage = new Stage(canvas, scene, arrays, () => this.redraw());
    const scales = this.stage.runs.map((run) => run.arrows).filter((arrows) => arrows.count);
    const common = Math.min(...scales.map((arrows) => arrows.scale)); // forces of all runs compare
    for (const arrows of scales) arrows.scale = common;
    this.insets = insetViews(this.stage.runs.map((run) => run.motion));
    const contacts = [...new Set(runs.flatMap((run) => [...run.events.begin, ...run.crossings.time]))].sort((a, b) => a - b);
    this.transport = new Transport(this.player, contacts);
    this.plots = new Plots(runs, arrays, this.player);
    this.about = new About(runs);
    this.toolbar = new Toolbar({
      look: (name) => (this.stage.look(name), this.settled()),
      fit: () => this.stage.fit(),
      toggle: (what) => this.toggle(what),
      arrange: () => this.arrange(),
      theme: () => this.setTheme(!this.stage.isDark),
      plots: () => this.togglePlots(),
      about: () => this.about.open(),
    });
    this.labels = new Labels(this.stage);
    this.corner.append(...this.insets.map((inset) => inset.element));
    this.corner.classList.toggle("many", this.insets.length > 2);
    const right = make("div", { class: "scales" }, this.labels.triad, ...this.colorBars(), this.legend);
    const heading = make("div", { class: "heading" }, make("h1", {}, scene.title));
    view.append(this.labels.element, this.tiles, heading, this.toolbar.element, this.corner, right);
    root.append(this.transport.element, this.plots.element, this.about.element);
    this.player.onTime(() => ((this.timeChanged = true), this.redraw()));
    this.player.onChange(() => this.redraw());
    new ResizeObserver(() => this.resized()).observe(view);
    window.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("dblclick", (event) => this.trace(event));
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.labels.hover(0, 0, null));
    this.dark(window.matchMedia("(prefers-color-scheme: dark)").matches);
    window.addEventListener("beforeprint", () => this.frame(performance.now()));
    if (scene.runs.length > 1 && root.dataset.arrangement === "side") this.arrange();
    this.resized();
    this.settled();
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm && window.top === window && !root.classList.contains("inline")) this.player.play();
  }

  private dark(preferred: boolean): void {
    const asked = this.root.dataset.theme;
    this.setTheme(asked ? asked === "dark" : preferred);
  }

  setTheme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.stage.setTheme(dark);
    for (const inset of this.insets) inset.reset();
    this.plots.restyle();
    this.redraw();
  }

  private togglePlots(): void {
    this.root.classList.toggle("without-plots");
    this.settled();
  }

  toggle(what: Toggle): void {
    this.on[what] = !this.on[what];
    for (const run of this.stage.runs) {
      run.arrows.group.visible = this.on.forces;
      run.flashGroup.visible = this.on.contacts;
      run.traces.group.visible = this.on.traces;
      if (this.on.traces && !run.traces.count) run.traceJoints();
    }
    this.corner.classList.toggle("without-insets", !this.on.insets);
    if (what === "insets") this.cover();
    this.labels.show(this.on.names);
    this.settled();
  }

  private arrange(): void {
    this.stage.arrange(this.stage.arrangement === "side" ? "ghosts" : "side");
    this.cover();
    this.settled();
  }

  private hover(event: PointerEvent): void {
    const still = event.pointerType === "mouse" && !event.buttons && !this.player.playing;
    const hit = still ? this.stage.pick(event.offsetX, event.offsetY) : null;
    this.labels.hover(event.offsetX, event.offsetY, hit?.body ?? null);
  }

  /** The path of the point of a body that was clicked. */
  private trace(event: MouseEvent): void {
    const hit = this.stage.pick(event.offsetX, event.offsetY);
    if (!hit) return;
    const color = hit.run.bodyColor(hit.run.run.bodies.findIndex((body) => body.name === hit.body));
    if (!this.on.traces) for (const run of this.stage.runs) run.traces.clear();
    for (const run of this.stage.runs) if (run.bodies.has(hit.body)) run.traces.add(hit.body, hit.at, run.index ? run.color : color);
    if (!this.on.traces) {
      this.on.traces = true;
      for (const run of this.stage.runs) run.traces.group.visible = true;
    }
    this.settled();
  }

  /** Names of runs over their pictures, or in one list. */
  private label(): void {
    const { runs, arrangement } = this.stage;
    const side = arrangement === "side";
    const [columns, rows] = this.stage.tiles;
    this.tiles.className = side ? "tiles side" : "tiles";
    this.tiles.style.gridTemplate = side ? `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)` : "";
    this.tiles.replaceChildren(
      ...(runs.length < 2
        ? []
        : runs.map((run) => {
            const name = make("span", { class: "run" }, make("i", {}), run.run.name);
            (name.firstChild as HTMLElement).style.background = runColor(run.index, this.stage.isDark);
            return make("div", {}, name);
          })),
    );
  }

  private colorBars(): HTMLElement[] {
    const seen = new Set<string>();
    return this.stage.runs.flatMap((run) =>
      run.fields.flatMap(({ field }) => {
        if (seen.has(field.name)) return [];
        seen.add(field.name);
        const bar = make("div", { class: "bar" });
        bar.style.background = `linear-gradient(90deg, ${SCALES[field.kind].stops.join(",")})`;
        const ends = make("div", { class: "ends" }, make("span", {}, quantity(field.range[0], field.unit, 2)), make("span", {}, quantity(field.range[1], field.unit, 2)));
        return [make("figure", { class: "inset colors" }, make("figcaption", {}, make("b", {}, field.name), make("span", {}, field.body)), bar, ends)];
      }),
    );
  }

  /** How long things in the picture are: a square of the grid, an arrow. */
  private scales(): void {
    const pixels = this.stage.pixelsPerMetre();
    const lines = [scaleBar(this.stage.cell, pixels, quantity(this.stage.cell, "m"), "")];
    if (this.on.forces) {
      const { force, length, cut } = this.stage.runs[0].arrows.legend;
      lines.push(scaleBar(length, pixels, quantity(force, "N"), "arrow"), make("div", {}, `arrows are cut at ${quantity(cut, "N", 2)}`));
    }
    this.legend.replaceChildren(...lines);
  }

  private settled(): void {
    this.label();
    this.toolbar.update({
      view: this.stage.looks,
      on: this.on,
      has: {
        forces: this.stage.runs.some((run) => run.arrows.count > 0),
        traces: true,
        contacts: this.scene.runs.some((run) => run.events.begin.length > 0),
        insets: this.insets.length > 0,
        names: true,
      },
      several: this.stage.runs.length > 1,
      side: this.stage.arrangement === "side",
      plots: !this.root.classList.contains("without-plots"),
    });
    this.timeChanged = true;
    this.redraw();
  }

  /** The mechanism stands beside what covers the picture. */
  private cover(): void {
    const bar = this.toolbar.element.getBoundingClientRect();
    const box = this.view.getBoundingClientRect();
    const insets = this.on.insets && this.insets.length ? this.corner.getBoundingClientRect() : null;
    const width = box.width / this.stage.tiles[0];
    const wide = insets !== null && (insets.width > 0.34 * width || width < 560);
    this.stage.cover({ top: bar.bottom - box.top + 14, bottom: wide ? box.bottom - insets.top + 8 : 56 });
  }

  private resized(): void {
    this.stage.resize();
    this.cover();
    for (const inset of this.insets) inset.reset();
    this.label();
    this.timeChanged = true;
    this.redraw();
  }

  redraw(): void {
    this.dirty = true;
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.asked = false;
    const began = performance.now();
    const passed = Math.min((now - this.last) / 1000, 0.1);
    if (this.player.playing) this.pace(now - this.last);
    this.last = now;
    if (this.player.playing) this.player.advance(passed);
    const moving = this.stage.settle();
    if (this.dirty) {
      this.dirty = false;
      if (this.timeChanged) {
        for (const run of this.stage.runs) run.update(this.player.time, this.player.speed);
        if (this.on.insets) for (const inset of this.insets) inset.draw();
        this.timeChanged = false;
      }
      this.stage.setDetail(this.player.playing || moving ? this.detail : "fine");
      this.stage.render();
      this.labels.update();
      this.scales();
    }
    this.frames++;
    this.scriptTimes.push(performance.now() - began);
    if (this.scriptTimes.length > 600) this.scriptTimes.shift();
    if (this.player.playing || moving) this.redraw();
  }

  /** How fine pictures are while they move: as this machine can. */
  private pace(milliseconds: number): void {
    this.interval += 0.06 * (Math.min(milliseconds, 200) - this.interval);
    if (this.interval > 45) {
      this.finest = this.detail === "fine" ? "plain" : "coarse";
      this.detail = this.finest;
      this.interval = 30;
    } else if (this.interval < 18) this.detail = this.finest;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range") return;
    if (document.querySelector("dialog[open]")) return;
    const { player } = this;
    const times = this.stage.runs[0].motion;
    const step = (player.end - player.start) / Math.max(times.count - 1, 1);
    const onButton = target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    const acts: Record<string, () => void> = {
      " ": () => player.toggle(),
      ArrowLeft: () => (player.pause(), player.seek(player.time - step * (event.shiftKey ? 10 : 1))),
      ArrowRight: () => (player.pause(), player.seek(player.time + step * (event.shiftKey ? 10 : 1))),
      Home: () => player.seek(player.range[0]),
      End: () => player.seek(player.range[1]),
      ",": () => this.transport.step(-1),
      ".": () => this.transport.step(1),
      "+": () => player.faster(1),
      "=": () => player.faster(1),
      "-": () => player.faster(-1),
      l: () => player.setLoop(!player.loop),
      "1": () => (this.stage.look("iso"), this.settled()),
      "2": () => (this.stage.look("front"), this.settled()),
      "3": () => (this.stage.look("side"), this.settled()),
      "4": () => (this.stage.look("top"), this.settled()),
      "0": () => this.stage.fit(),
      f: () => this.toggle("forces"),
      t: () => this.toggle("traces"),
      c: () => this.toggle("contacts"),
      m: () => this.toggle("insets"),
      n: () => this.toggle("names"),
      "[": () => this.stretch(0.5),
      "]": () => this.stretch(2),
      g: () => this.stage.runs.length > 1 && this.arrange(),
      p: () => this.togglePlots(),
      a: () => this.plots.ask(),
      d: () => this.setTheme(!this.stage.isDark),
      "?": () => this.about.open(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || onButton) return;
    event.preventDefault();
    act();
  }

  private stretch(factor: number): void {
    const scale = this.stage.runs[0].arrows.scale * factor;
    for (const run of this.stage.runs) run.arrows.scale = scale;
    this.settled();
  }
}

function scaleBar(length: number, pixels: number, text: string, kind: string): HTMLElement {
  const bar = make("i", { class: kind });
  bar.style.width = `${Math.max(2, Math.min(length * pixels, 240)).toFixed(1)}px`;
  return make("div", { class: "scale" }, bar, text);
}
