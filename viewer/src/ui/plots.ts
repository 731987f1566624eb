// Plots of variables over time: all share the time shown, the range zoomed to and the hover.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { type Arrays, type Run, locate } from "../data";
import { button, icon, make } from "../dom";
import { prefixed, quantity, shown, unitShown } from "../format";
import { runColor } from "../palette";
import type { Player } from "../player";
import { Chooser } from "./chooser";

type Curve = { name: string; unit: string; times: Float64Array; values: Float32Array; tone: number; largest: number; dash: number[] };

const CLOSE = "M6 6l12 12M18 6L6 18";
const PLUS = "M12 5v14M5 12h14";
const TOTAL = "mechanical_energy"; // of several runs this one says enough
const FONT = "11px system-ui, sans-serif";
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

export class Plots {
  readonly element: HTMLElement;
  readonly cards: Card[] = [];
  range: [number, number] | null = null;
  hovered: number | null = null;
  private list = make("div", { class: "cards" });
  private chooser: Chooser;
  private times: Float64Array[];

  constructor(
    readonly runs: Run[],
    private arrays: Arrays,
    readonly player: Player,
  ) {
    this.times = runs.map((run) => Float64Array.from(arrays.get(run.plots.time.values), (t) => t + run.plots.time.start));
    const known = new Map<string, string>();
    for (const run of runs) for (const { name, unit } of run.plots.variables) known.set(name, unit);
    this.chooser = new Chooser([...known].map(([name, unit]) => ({ name, unit })));
    const add = button("Add a plot (A)", null, () => this.ask(), { class: "add", id: "add-plot" });
    add.append(icon(PLUS), "Add a plot");
    this.element = make("aside", { class: "plots", "aria-label": "Plots" }, this.list, add, this.chooser.element);
    const suggested = new Map<string, string[]>();
    const several = runs.length > 1;
    const most = [...runs].sort((a, b) => b.plots.suggested.length - a.plots.suggested.length);
    for (const run of most)
      for (const group of run.plots.suggested) {
        const names = several ? (group.includes(TOTAL) ? [TOTAL] : group.slice(0, 2)) : group;
        suggested.set(names.join("\n"), names);
      }
    for (const names of [...suggested.values()].slice(0, 4)) this.add(names);
    player.onTime(() => this.update());
    new ResizeObserver(() => this.cards.forEach((card) => card.resize())).observe(this.list);
  }

  ask(card?: Card): void {
    this.chooser.ask((name) => (card ? card.addCurves([name]) : this.add([name])));
  }

  add(names: string[]): Card {
    const card = new Card(this);
    this.cards.push(card);
    this.list.append(card.element);
    card.addCurves(names);
    return card;
  }

  remove(card: Card): void {
    this.cards.splice(this.cards.indexOf(card), 1);
    card.element.remove();
    card.destroy();
  }

  /** The curves of a variable in all runs; colours tell variables apart, with several runs they tell runs apart. */
  curves(name: string, order: number): Curve[] {
    return this.runs.flatMap((run, k) => {
      const variable = run.plots.variables.find((v) => v.name === name);
      if (!variable) return [];
      const several = this.runs.length > 1;
      return [
        {
          name,
          unit: variable.unit,
          times: this.times[k],
          values: this.arrays.get(variable.values),
          tone: several ? k : order,
          largest: largest(this.arrays.get(variable.values)),
          dash: several ? DASHES[order % DASHES.length] : [],
        },
      ];
    });
  }

  zoom(range: [number, number] | null): void {
    this.range = range;
    this.player.setRange(range);
    for (const card of this.cards) card.show();
  }

  hover(time: number | null): void {
    if (time === this.hovered) return;
    this.hovered = time;
    for (const card of this.cards) card.label();
  }

  update(): void {
    for (const card of this.cards) card.mark();
  }

  restyle(): void {
    for (const card of this.cards) card.build();
  }
}

export class Card {
  readonly element: HTMLElement;
  readonly names: string[] = [];
  private legend = make("div", { class: "legend" });
  private box = make("div", { class: "plot" });
  private marker = make("div", { class: "marker" });
  private labels: HTMLElement[] = [];
  private curves: Curve[] = [];
  private plot: uPlot | null = null;

  constructor(private plots: Plots) {
    const more = button("Add a curve to this plot", icon(PLUS), () => plots.ask(this));
    const close = button("Remove this plot", icon(CLOSE), () => plots.remove(this));
    this.element = make("section", { class: "card" }, make("header", {}, this.legend, make("div", { class: "buttons" }, more, close)), this.box);
  }

  addCurves(names: string[]): void {
    for (const name of names) {
      if (this.names.includes(name)) continue;
      this.curves.push(...this.plots.curves(name, this.names.length));
      this.names.push(name);
    }
    this.build();
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  build(): void {
    this.destroy();
    const style = getComputedStyle(this.element);
    const ink = style.getPropertyValue("--muted");
    const rule = style.getPropertyValue("--rule");
    const units = [...new Set(this.curves.map((c) => c.unit))];
    const [factor, unit] = units.length === 1 ? prefixed(Math.max(...this.curves.map((c) => c.largest)), units[0]) : [1, ""];
    this.labels = this.curves.map(() => make("b", {}));
    this.legend.replaceChildren(...this.names.flatMap((name) => this.chips(name)));
    const axis = { stroke: ink, font: FONT, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 } };
    const { data } = this.joined();
    this.plot = new uPlot(
      {
        width: Math.max(this.box.clientWidth, 60),
        height: this.height,
        legend: { show: false },
        padding: [8, 16, 0, 0],
        cursor: { drag: { x: true, y: false, dist: 6 }, points: { size: 6 }, sync: { key: "gudgeon" }, y: false },
        select: { show: true, left: 0, top: 0, width: 0, height: 0 },
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 26, values: (_, ticks) => ticks.map((t) => (Math.abs(t) >= 1e4 ? t.toExponential(1) : String(Number(t.toPrecision(6))))) },
          { ...axis, size: 54, label: unit, labelSize: unit ? 16 : 0, labelFont: FONT, values: (_, ticks) => ticks.map((v) => tick(v / factor)) },
        ],
        series: [{}, ...this.curves.map((c) => ({ stroke: this.color(c), width: 1.5, dash: c.dash, spanGaps: true, pxAlign: 0, points: { show: false } }))],
        hooks: {
          setCursor: [(u) => this.plots.hover(u.cursor.left !== undefined && u.cursor.left! >= 0 ? u.posToVal(u.cursor.left!, "x") : null)],
          setSelect: [(u) => this.select(u)],
          setSize: [() => this.mark()],
        },
      },
      data,
      this.box,
    );
    this.plot.over.append(this.marker);
    this.listen(this.plot);
    this.show();
    this.mark();
  }

  private color(curve: Curve): string {
    return runColor(curve.tone, document.documentElement.dataset.theme === "dark");
  }

  /** A variable and its value in every run. */
  private chips(name: string): HTMLElement[] {
    const mine = this.curves.map((curve, k) => ({ curve, k })).filter(({ curve }) => curve.name === name);
    if (!mine.length) return [];
    const chip = make("span", { class: "chip", title: `${name} [${unitShown(mine[0].curve.unit)}]` });
    const dot = (color: string) => {
      const mark = make("i", {});
      mark.style.background = color;
      return mark;
    };
    const several = this.plots.runs.length > 1;
    if (!several) chip.append(dot(this.color(mine[0].curve)));
    chip.append(make("span", {}, name.replaceAll("_", " ")));
    for (const { curve, k } of mine) {
      if (several) chip.append(dot(this.color(curve)));
      chip.append(this.labels[k]);
    }
    return [chip];
  }

  /** All curves over one row of times; runs that were sampled alike share it. */
  private joined(): { data: uPlot.AlignedData } {
    const first = this.curves[0]?.times;
    if (this.curves.every((c) => c.times === first || same(c.times, first))) {
      return { data: [first ?? [0, 1], ...this.curves.map((c) => c.values)] as unknown as uPlot.AlignedData };
    }
    const tables = this.curves.map((c) => [c.times, c.values] as unknown as uPlot.AlignedData);
    return { data: uPlot.join(tables) };
  }

  private select(u: uPlot): void {
    if (u.select.width > 6) {
      const range: [number, number] = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
      u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      this.plots.zoom(range);
    }
  }

  /** A click jumps there, a double click shows all again; a finger scrubs. */
  private listen(u: uPlot): void {
    let pressed: number | null = null;
    const seek = (event: PointerEvent) =>
      this.plots.player.seek(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x"));
    u.over.addEventListener("pointerdown", (event) => {
      pressed = event.clientX;
      if (event.pointerType === "touch") seek(event);
    });
    u.over.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" && pressed !== null) seek(event);
    });
    u.over.addEventListener("pointerup", (event) => {
      if (pressed !== null && Math.abs(event.clientX - pressed) < 4) seek(event);
      pressed = null;
    });
    u.over.addEventListener("dblclick", () => this.plots.zoom(null));
  }

  /** The range of times, and values that fit it. */
  show(): void {
    const range = this.plots.range ?? [this.plots.player.start, this.plots.player.end];
    this.plot?.setScale("x", { min: range[0], max: range[1] });
    this.mark();
  }

  private get height(): number {
    return this.element.closest(".inline") ? 150 : Math.max(128, Math.min(190, window.innerHeight / 4.6));
  }

  resize(): void {
    this.plot?.setSize({ width: Math.max(this.box.clientWidth, 60), height: this.height });
  }

  /** The line at the time shown, and the values there. */
  mark(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.plots.player.time, "x");
    this.marker.style.transform = `translateX(${Number.isFinite(x) ? x : -9}px)`;
    if (this.plots.hovered === null) this.label();
  }

  label(): void {
    const time = this.plots.hovered ?? this.plots.player.time;
    this.curves.forEach((curve, k) => {
      const [at, between] = locate(curve.times as unknown as Float32Array, time);
      const value = curve.values[between < 0.5 ? at : Math.min(at + 1, curve.values.length - 1)];
      const beside = Math.max(...this.curves.map((other) => (other.unit === curve.unit ? other.largest : 0)));
      const nothing = Math.abs(value) < 1e-9 * beside;
      this.labels[k].textContent = value === undefined ? "" : quantity(nothing ? 0 : value, curve.unit, 4);
    });
  }
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most;
}

function tick(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? shown(Number(value.toPrecision(3)), 2) : String(Number(value.toPrecision(5))).replace("-", "−");
}

function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a[0] === b[0] && a[a.length - 1] === b[b.length - 1];
}
