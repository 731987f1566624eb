// Where one looks from: named views, and how far away everything is in the picture.

import { type PerspectiveCamera, Vector3 } from "three";

export type ViewName = "iso" | "front" | "top" | "side";

/** Axes of the picture: up, to the right seen from the front, towards the viewer. */
export class Views {
  readonly right: Vector3;
  readonly front: Vector3;

  constructor(
    readonly up: Vector3,
    readonly flat: boolean,
  ) {
    this.right = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.right.addScaledVector(up, -this.right.dot(up)).normalize();
    this.front = new Vector3().crossVectors(this.right, up);
  }

  /** From the middle of the scene towards the camera. */
  direction(name: ViewName): Vector3 {
    const mix = (r: number, f: number, u: number) =>
      new Vector3().addScaledVector(this.right, r).addScaledVector(this.front, f).addScaledVector(this.up, u).normalize();
    if (name === "front") return mix(0, 1, 0);
    if (name === "top") return mix(0, 0.001, 1);
    if (name === "side") return mix(1, 0, 0);
    return this.flat ? mix(0.34, 1, 0.3) : mix(0.85, 1, 0.62);
  }
}

/** What covers the picture from its edges on, as parts of its width and height. */
export type Margins = { left: number; right: number; top: number; bottom: number };

/**
 * Where a camera has to be, to see all points between the margins as large as can be; also the point it turns about.
 * Every side of the picture is a plane through the camera: each is moved until it touches the outermost point.
 */
export function placement(points: Float32Array, camera: PerspectiveCamera, towards: Vector3, aspect: number, margins: Margins): { position: Vector3; target: Vector3 } {
  const side = new Vector3().crossVectors(camera.up, towards).normalize();
  const upright = new Vector3().crossVectors(towards, side);
  const vertical = Math.tan((camera.fov * Math.PI) / 360);
  const slopes = [
    vertical * aspect * (1 - 2 * margins.right),
    vertical * aspect * (1 - 2 * margins.left),
    vertical * (1 - 2 * margins.top),
    vertical * (1 - 2 * margins.bottom),
  ];
  const most = [-Infinity, -Infinity, -Infinity, -Infinity];
  let [near, far] = [-Infinity, Infinity];
  for (let k = 0; k < points.length; k += 3) {
    P.set(points[k], points[k + 1], points[k + 2]);
    const [u, v, w] = [P.dot(side), P.dot(upright), P.dot(towards)];
    most[0] = Math.max(most[0], u + slopes[0] * w);
    most[1] = Math.max(most[1], -u + slopes[1] * w);
    most[2] = Math.max(most[2], v + slopes[2] * w);
    most[3] = Math.max(most[3], -v + slopes[3] * w);
    near = Math.max(near, w);
    far = Math.min(far, w);
  }
  const away = Math.max((most[0] + most[1]) / (slopes[0] + slopes[1]), (most[2] + most[3]) / (slopes[2] + slopes[3]), near + 0.1);
  const across = 0.5 * (most[0] - slopes[0] * away + slopes[1] * away - most[1]);
  const high = 0.5 * (most[2] - slopes[2] * away + slopes[3] * away - most[3]);
  const at = (w: number) => new Vector3().addScaledVector(side, across).addScaledVector(upright, high).addScaledVector(towards, w);
  return { position: at(away), target: at(0.5 * (near + far)) };
}

const P = new Vector3();
