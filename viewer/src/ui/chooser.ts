// A list of all variables with a field to search in.

import { make } from "../dom";
import { unitShown } from "../format";

const MOST = 300; // lines at once

export class Chooser {
  readonly element: HTMLDialogElement;
  private input: HTMLInputElement;
  private list: HTMLElement;
  private chosen: (name: string) => void = () => {};

  constructor(private variables: { name: string; unit: string }[]) {
    this.input = make("input", { type: "search", placeholder: "Search: body, joint, force …", "aria-label": "Search variables" });
    this.list = make("ul", { role: "listbox", "aria-label": "Variables" });
    this.element = make("dialog", { class: "chooser", "aria-label": "Choose a variable" }, this.input, this.list);
    this.input.addEventListener("input", () => this.fill());
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  ask(chosen: (name: string) => void): void {
    this.chosen = chosen;
    this.input.value = "";
    this.fill();
    this.element.showModal();
    this.input.focus();
  }

  private fill(): void {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.variables.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    this.list.replaceChildren(
      ...matching.slice(0, MOST).map(({ name, unit }) => {
        const line = make("button", { type: "button", role: "option" }, make("span", {}, name), make("small", {}, unitShown(unit)));
        line.addEventListener("click", () => {
          this.element.close();
          this.chosen(name);
        });
        return make("li", {}, line);
      }),
    );
    if (matching.length > MOST) this.list.append(make("li", { class: "more" }, `${matching.length - MOST} more: search on`));
    if (!matching.length) this.list.append(make("li", { class: "more" }, "nothing of that name"));
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    const lines = [...this.list.querySelectorAll("button")];
    const at = lines.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "ArrowDown") lines[Math.min(at + 1, lines.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? lines[at - 1] : this.input).focus();
    else if (event.key === "Enter" && at < 0) lines[0]?.click();
    else return;
    event.preventDefault();
  }
}
