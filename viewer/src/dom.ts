// Elements made without HTML text: names of bodies are never read as markup.

type Child = Node | string | null | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing of 24 × 24, from paths. */
export function icon(...paths: string[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

export function button(label: string, content: Child, act: () => void, more: Record<string, string> = {}): HTMLButtonElement {
  const element = make("button", { type: "button", "aria-label": label, title: label, ...more }, content);
  element.addEventListener("click", act);
  return element;
}
