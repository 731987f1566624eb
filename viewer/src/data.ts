// What the page was given: a description and a block of arrays (view/scene in the Python package writes both).

export type Reference = { at: number; shape: number[]; whole?: boolean };
export type Times = { start: number; end: number; values: Reference };
export type Part = {
  kind: "box" | "cylinder" | "tube" | "cone" | "gear" | "ring" | "rack" | "ball" | "cup" | "mesh" | "sheet";
  size: number[];
  at: number[];
  turn: number[];
  tone: "body" | "pin" | "dark" | "ground";
  color?: string;
  clear?: boolean; // seen through
  points?: Reference;
  triples?: Reference;
};
export type Body = { name: string; parts: Part[]; middle: number[]; position: Reference; orientation: Reference };
export type Spring = {
  name: string;
  first: string;
  second: string;
  at_first: number[];
  at_second: number[];
  radius: number;
};
export type Force = { name: string; body: string; at: number[]; axes: "world" | "body"; force: Reference };
export type Joint = {
  name: string;
  type: string;
  model: string;
  parent: string;
  child: string;
  at_parent: number[];
  at_child: number[];
  force: Reference | null;
};
export type Field = {
  kind: "flexible" | "surface";
  body: string;
  name: string;
  unit: string;
  range: number[];
  values: Reference;
  origin?: number[];
  turn?: number[];
  rest?: number[][];
  quads?: number[][];
  depth?: number;
  shift?: number;
  displacement?: Reference;
  points?: Reference;
  grid?: number[];
  closed?: boolean[];
};
export type Inset = {
  kind: "path" | "guide";
  joint: string;
  clearance: number | null;
  outline?: number[][]; // of the free play, where that is no circle [m]
  largest?: number;
  path?: Reference;
  contact?: Reference | null;
  along?: number[];
  upper?: boolean[];
  gap?: Reference;
};
export type Events = {
  places: { joint: string; contact: string; body?: string; at?: number[]; node?: number }[];
  where: number[];
  begin: number[];
  end: (number | null)[];
  impact_speed: (number | null)[];
  peak_force: (number | null)[];
};
export type Variable = { name: string; unit: string; values: Reference };
export type Run = {
  name: string;
  system: string;
  time: Times;
  up: number[];
  radius: number;
  ground: Part[];
  bodies: Body[];
  springs: Spring[];
  forces: Force[];
  joints: Joint[];
  insets: Inset[];
  fields: Field[];
  events: Events;
  crossings: { name: string[]; time: number[] };
  plots: { time: Times; variables: Variable[]; suggested: string[][] };
  notes: string[];
  facts: Record<string, string | number | null>;
};
export type Scene = { format: number; title: string; runs: Run[] };

export class Arrays {
  private kept = new Map<number, Float32Array | Uint32Array>();

  constructor(private bytes: Uint8Array) {}

  /** Numbers column by column: value k of column c is at c * shape[0] + k. */
  get(reference: Reference): Float32Array {
    return this.unshuffled(reference) as Float32Array;
  }

  whole(reference: Reference): Uint32Array {
    return this.unshuffled(reference) as Uint32Array;
  }

  private unshuffled(reference: Reference): Float32Array | Uint32Array {
    const known = this.kept.get(reference.at);
    if (known) return known;
    const count = reference.shape.reduce((a, b) => a * b, 1);
    const out = new Uint8Array(4 * count);
    for (let plane = 0; plane < 4; plane++) {
      const from = reference.at + plane * count;
      for (let k = 0; k < count; k++) out[4 * k + plane] = this.bytes[from + k];
    }
    const array = reference.whole ? new Uint32Array(out.buffer) : new Float32Array(out.buffer);
    this.kept.set(reference.at, array);
    return array;
  }
}

/** Rows of a small array of points. */
export function rows(values: Float32Array, count: number, width: number): Float32Array {
  const out = new Float32Array(count * width);
  for (let c = 0; c < width; c++) for (let k = 0; k < count; k++) out[width * k + c] = values[c * count + k];
  return out;
}

export async function unpack(text: string): Promise<Arrays> {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) packed[k] = letters.charCodeAt(k);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Arrays(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Where a time is among sorted times: the sample before it, and how far on towards the next. */
export function locate(times: Float32Array, time: number): [number, number] {
  const last = times.length - 1;
  if (last < 1 || !(time > times[0])) return [0, 0];
  if (time >= times[last]) return [last - 1, 1];
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const step = times[high] - times[low];
  return [low, step > 0 ? (time - times[low]) / step : 0];
}
