// Numbers and units as people read them.

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];
const PREFIXED = new Set(["m", "N", "Pa", "J", "W", "s", "N*m", "m/s"]);

export function shown(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return text.replace("e+", "e").replace("-", "−");
}

export function unitShown(unit: string): string {
  if (unit === "1") return "";
  return unit
    .replace(/\*/g, "·")
    .replace(/\^2/g, "²")
    .replace(/\^3/g, "³");
}

/** A quantity with a prefix that keeps it between 1 and 1000. */
export function quantity(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || !PREFIXED.has(unit)) return `${shown(value, digits)} ${unitShown(unit)}`.trim();
  const size = Math.abs(value);
  const [factor, prefix] = PREFIXES.find(([f]) => size >= 0.9995 * f) ?? PREFIXES[PREFIXES.length - 1];
  const number = Number((value / factor).toPrecision(digits));
  return `${String(number).replace("-", "−")} ${prefix}${unitShown(unit)}`;
}

/** What a prefix stands for, and the unit with it, so that numbers up to this one are short. */
export function prefixed(largest: number, unit: string): [number, string] {
  if (!(largest > 0) || !Number.isFinite(largest) || !PREFIXED.has(unit)) return [1, unitShown(unit)];
  const [factor, prefix] = PREFIXES.find(([f]) => largest >= 2 * f) ?? PREFIXES[PREFIXES.length - 1];
  return [factor, prefix + unitShown(unit)];
}

/** 1, 2 or 5 times a power of ten, not above the value. */
export function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** A time with as many decimals as its range needs. */
export function clock(time: number, span: number): string {
  const decimals = Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(Math.max(span, 1e-12)))));
  return time.toFixed(decimals).replace("-", "−");
}
