// Where the bodies of a run are at a time: between two samples positions move straight and rotations turn evenly.

import { Quaternion, Vector3 } from "three";
import { type Arrays, type Body, type Reference, type Run, locate } from "../data";

type Track = { position: Float32Array; orientation: Float32Array; middle: number[] };

export class Motion {
  readonly times: Float32Array;
  readonly count: number;
  sample = 0;
  between = 0;
  private tracks = new Map<string, Track>();

  constructor(
    readonly run: Run,
    readonly arrays: Arrays,
  ) {
    this.times = arrays.get(run.time.values);
    this.count = this.times.length;
    for (const body of run.bodies) this.tracks.set(body.name, this.track(body));
  }

  private track(body: Body): Track {
    return {
      position: this.arrays.get(body.position),
      orientation: this.arrays.get(body.orientation),
      middle: body.middle,
    };
  }

  /** Go to a time, in seconds. */
  seek(time: number): void {
    [this.sample, this.between] = locate(this.times, time - this.run.time.start);
  }

  /** A number of an array over time. */
  value(array: Float32Array, column: number): number {
    const at = column * this.count + this.sample;
    const first = array[at];
    return this.between === 0 || this.count < 2 ? first : first + this.between * (array[at + 1] - first);
  }

  vector(array: Float32Array, out: Vector3, column = 0): Vector3 {
    return out.set(this.value(array, column), this.value(array, column + 1), this.value(array, column + 2));
  }

  get(reference: Reference): Float32Array {
    return this.arrays.get(reference);
  }

  /** Of the ground, which has no track, the identity. */
  pose(name: string, position: Vector3, turn: Quaternion): void {
    const track = this.tracks.get(name);
    if (!track) {
      position.set(0, 0, 0);
      turn.identity();
      return;
    }
    this.vector(track.position, position);
    position.x += track.middle[0];
    position.y += track.middle[1];
    position.z += track.middle[2];
    const q = track.orientation;
    turn.set(this.value(q, 1), this.value(q, 2), this.value(q, 3), this.value(q, 0)).normalize();
  }

  /** A point of a body in the world. */
  point(name: string, at: number[], out: Vector3): Vector3 {
    this.pose(name, PLACE, TURN);
    return out.set(at[0], at[1], at[2]).applyQuaternion(TURN).add(PLACE);
  }

  /** The same at a sample, whatever the time shown. */
  pointAt(sample: number, name: string, at: number[], out: Vector3): Vector3 {
    const kept: [number, number] = [this.sample, this.between];
    this.sample = sample;
    this.between = 0;
    this.point(name, at, out);
    [this.sample, this.between] = kept;
    return out;
  }
}

const PLACE = new Vector3();
const TURN = new Quaternion();
