// What there is to know of the runs: how they ended, what was left out of the page, and the keys.

import type { Run } from "../data";
import { button, icon, make } from "../dom";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "a sample back or on; with shift ten"],
  [", .", "contact before, next contact"],
  ["+ −", "faster, slower"],
  ["home end", "beginning, end"],
  ["L", "loop"],
  ["1 2 3 4 0", "3D, front, side, top, fit"],
  ["F T C M N", "forces, traces, contacts, magnified joints, names"],
  ["[ ]", "shorter, longer arrows"],
  ["G", "runs side by side or as ghosts"],
  ["P A", "plots, add a plot"],
  ["D", "light, dark"],
];
const FACTS: Record<string, string> = {
  end: "End",
  solver: "Solver",
  steps: "Steps",
  freedoms: "Freedoms",
  samples: "Samples",
  contacts: "Contacts",
};

export class About {
  readonly element: HTMLDialogElement;

  constructor(runs: Run[]) {
    const close = button("Close", icon("M6 6l12 12M18 6L6 18"), () => this.element.close(), { class: "close" });
    this.element = make("dialog", { class: "about", "aria-label": "About this run" }, close);
    for (const run of runs) {
      const list = make("dl", {});
      for (const [key, label] of Object.entries(FACTS)) {
        const value = run.facts[key];
        if (value !== null && value !== undefined && value !== "") list.append(make("dt", {}, label), make("dd", {}, String(value)));
      }
      this.element.append(make("h2", {}, runs.length > 1 ? `${run.name}: ${run.system}` : run.system), list);
      if (run.notes.length) this.element.append(make("ul", { class: "notes" }, ...run.notes.map((note) => make("li", {}, note))));
    }
    const keys = make("dl", { class: "keys" });
    for (const [key, what] of KEYS) keys.append(make("dt", {}, key), make("dd", {}, what));
    this.element.append(
      make("h2", {}, "Keys"),
      keys,
      make("p", {}, "Drag turns the scene, the wheel zooms, two fingers or the right button move it. Click a plot to jump there, drag in it to zoom, double-click to see all. Double-click a body to trace that point."),
      make("p", { class: "made" }, "Made with gudgeon; drawn by three.js and uPlot. This page needs no network."),
    );
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  open(): void {
    this.element.showModal();
  }
}
