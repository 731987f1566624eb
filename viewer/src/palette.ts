// Colours: few, muted, told apart also by those who see fewer of them.

const BODIES = ["#4f759b", "#c4794b", "#6d9475", "#b9983f", "#84638a", "#45898b", "#a8585c", "#7f8794"];
const RUNS = ["#3f6fb0", "#d0703c", "#4e9a6b", "#9566a8", "#b08a2e", "#3c979b", "#b9545a", "#6b7583"];
const RUNS_DARK = ["#6ea3ea", "#f0945c", "#6fc391", "#bd92d6", "#d6b257", "#5cc0c4", "#ea8186", "#a3aebd"]; // the same, on dark
/** A chain of many bodies: neighbours are alike, the way along it is a walk through these. */
const MANY = ["#3f6791", "#45898b", "#6d9475", "#b9983f", "#c4794b", "#a8585c", "#84638a"];
export const PIN = "#cdd2d8";
export const DARK = "#5c636d";
export const GROUND = "#9aa1ab";
export const CONTACT = "#e4572e";
export const REACTION = "#d1495b";
export const LOAD = "#2e86ab";

/** From little to much: pale sand, ochre, brick, wine. */
const STRESS = ["#e9e4d4", "#e5c98a", "#dd9a55", "#c5603f", "#8a2f3d", "#4d1532"];
/** From touching to far: red, sand, blue. */
const GAP = ["#a8323a", "#d98f6a", "#ece6d8", "#9dbbd0", "#5986b0", "#2f5484"];

function channels(hex: string): [number, number, number] {
  const n = parseInt(hex.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

function linear(x: number): number {
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
}

/** 256 colours in linear light, three numbers each. */
function table(stops: string[]): Float32Array {
  const out = new Float32Array(3 * 256);
  for (let k = 0; k < 256; k++) {
    const place = (k / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    const a = channels(stops[low]);
    const b = channels(stops[low + 1]);
    for (let c = 0; c < 3; c++) out[3 * k + c] = linear(a[c] + (place - low) * (b[c] - a[c]));
  }
  return out;
}

/** The colour of a run or of a curve. */
export function runColor(k: number, dark: boolean): string {
  return (dark ? RUNS_DARK : RUNS)[k % RUNS.length];
}

/** The colour of body k of so many. */
export function bodyColor(k: number, count: number): string {
  if (count <= 2 * BODIES.length) return BODIES[k % BODIES.length];
  const place = (k / (count - 1)) * (MANY.length - 1);
  const low = Math.min(Math.floor(place), MANY.length - 2);
  const [a, b] = [channels(MANY[low]), channels(MANY[low + 1])];
  const shade = k % 2 ? 1 : 0.88; // links that alternate are told apart
  const mixed = a.map((x, c) => Math.round(255 * shade * (x + (place - low) * (b[c] - x))));
  return `#${mixed.map((x) => x.toString(16).padStart(2, "0")).join("")}`;
}

export const SCALES = {
  flexible: { stops: STRESS, table: table(STRESS) },
  surface: { stops: GAP, table: table(GAP) },
};
