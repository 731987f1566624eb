// The time that is shown: one for all runs, plots and insets.

export const SPEEDS = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
const SECONDS = 9; // that a run should take on the screen

export class Player {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  range: [number, number]; // what plays: all, or what the plots are zoomed to [s]
  private listeners: (() => void)[] = [];
  private changes: (() => void)[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
    this.range = [start, end];
    const span = Math.max(end - start, 1e-9);
    const fits = span >= 1.5 && span <= 40;
    this.speed = fits ? 1 : SPEEDS.reduce((a, b) => (Math.abs(Math.log((b * SECONDS) / span)) < Math.abs(Math.log((a * SECONDS) / span)) ? b : a));
  }

  /** Called whenever the time changes. */
  onTime(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Called whenever anything else changes: playing, speed, loop, range. */
  onChange(listener: () => void): void {
    this.changes.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const listener of this.listeners) listener();
  }

  private changed(): void {
    for (const listener of this.changes) listener();
  }

  play(): void {
    if (this.time >= this.range[1] - 1e-12 || this.time < this.range[0]) this.seek(this.range[0]);
    this.playing = true;
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  faster(steps: number): void {
    const nearest = SPEEDS.findIndex((s) => s >= this.speed * 0.999);
    const at = nearest < 0 ? SPEEDS.length - 1 : nearest;
    this.setSpeed(SPEEDS[Math.min(Math.max(at + steps, 0), SPEEDS.length - 1)]);
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.changed();
  }

  setRange(range: [number, number] | null): void {
    this.range = range ? [Math.max(range[0], this.start), Math.min(range[1], this.end)] : [this.start, this.end];
    if (this.playing && (this.time < this.range[0] || this.time > this.range[1])) this.seek(this.range[0]);
    this.changed();
  }

  /** Let so many seconds of the screen pass. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const [from, to] = this.range;
    let next = this.time + seconds * this.speed;
    if (next > to) {
      if (this.loop && to > from) next = from + ((next - from) % (to - from));
      else {
        next = to;
        this.playing = false;
        this.changed();
      }
    }
    this.seek(next);
  }
}
