// The buttons over the scene: views, what is shown, how runs are arranged, light and dark, and what there is to know.

import { button, icon, make } from "../dom";
import type { ViewName } from "../scene/camera";

export type Toggle = "forces" | "traces" | "contacts" | "insets" | "names";
export type Actions = {
  look(view: ViewName): void;
  fit(): void;
  toggle(what: Toggle): void;
  arrange(): void;
  theme(): void;
  plots(): void;
  about(): void;
};
export type Shown = {
  view: ViewName | null;
  on: Record<Toggle, boolean>;
  has: Record<Toggle, boolean>;
  several: boolean;
  side: boolean;
  plots: boolean;
};

const VIEWS: [ViewName, string, string][] = [
  ["iso", "3D", "1"],
  ["front", "Front", "2"],
  ["side", "Side", "3"],
  ["top", "Top", "4"],
];
const TOGGLES: [Toggle, string, string, string[]][] = [
  ["forces", "Forces", "F", ["M5 19L19 5M10 5h9v9"]],
  ["traces", "Traces", "T", ["M4 17c4 0 4-10 8-10s4 10 8 10"]],
  ["contacts", "Contacts", "C", ["M12 3v4M12 17v4M3 12h4M17 12h4M6 6l2.5 2.5M15.5 15.5L18 18M18 6l-2.5 2.5M8.5 15.5L6 18"]],
  ["insets", "Magnified joints", "M", ["M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20.5 20.5"]],
  ["names", "Names", "N", ["M4 5h8.5L20 12.5 12.5 20 4 11.5z", "M8.3 9.3v.02"]],
];

export class Toolbar {
  readonly element = make("nav", { class: "toolbar", "aria-label": "View" });
  private views = new Map<ViewName, HTMLButtonElement>();
  private toggles = new Map<Toggle, HTMLButtonElement>();
  private arrangement: HTMLButtonElement;
  private plots: HTMLButtonElement;

  constructor(actions: Actions) {
    const views = make("div", { class: "segment" });
    for (const [view, label, key] of VIEWS) {
      const each = button(`${label} view (${key})`, label, () => actions.look(view), { id: `view-${view}` });
      this.views.set(view, each);
      views.append(each);
    }
    views.append(button("Fit everything (0)", icon("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"), () => actions.fit(), { id: "fit" }));
    const shown = make("div", { class: "segment" });
    for (const [what, label, key, paths] of TOGGLES) {
      const each = button(`${label} (${key})`, icon(...paths), () => actions.toggle(what), { id: `toggle-${what}` });
      this.toggles.set(what, each);
      shown.append(each);
    }
    this.arrangement = button("Side by side or as ghosts (G)", icon("M4 5h7v14H4zM13 5h7v14h-7z"), () => actions.arrange(), { id: "arrange" });
    this.plots = button("Plots (P)", icon("M4 4v16h16M8 14l4-5 3 3 4-6"), () => actions.plots(), { id: "toggle-plots" });
    const page = make(
      "div",
      { class: "segment" },
      this.arrangement,
      this.plots,
      button("Light or dark (D)", icon("M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17z", "M12 3.5v17a8.5 8.5 0 000-17z"), () => actions.theme(), { id: "theme", class: "half" }),
      button("About this run (?)", icon("M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 11v5.5M12 7.4v.4"), () => actions.about(), { id: "about" }),
    );
    this.element.append(views, shown, page);
  }

  update(shown: Shown): void {
    for (const [view, each] of this.views) each.setAttribute("aria-pressed", String(view === shown.view));
    for (const [what, each] of this.toggles) {
      each.hidden = !shown.has[what];
      each.setAttribute("aria-pressed", String(shown.on[what]));
    }
    this.arrangement.hidden = !shown.several;
    this.arrangement.setAttribute("aria-pressed", String(shown.side));
    this.plots.setAttribute("aria-pressed", String(shown.plots));
  }
}
