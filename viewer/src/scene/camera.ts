// Where one looks from: named views, and how far away everything is in the picture.

import { type Box3, type PerspectiveCamera, Vector3 } from "three";

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

/** How far from the middle of a box a camera has to be, to see all of it. */
export function distance(box: Box3, camera: PerspectiveCamera, towards: Vector3, aspect: number): number {
  const middle = box.getCenter(new Vector3());
  const side = new Vector3().crossVectors(camera.up, towards).normalize();
  const upright = new Vector3().crossVectors(towards, side);
  const vertical = Math.tan((camera.fov * Math.PI) / 360);
  const horizontal = vertical * aspect;
  let far = 0;
  for (let k = 0; k < 8; k++) {
    const corner = new Vector3(
      k & 1 ? box.max.x : box.min.x,
      k & 2 ? box.max.y : box.min.y,
      k & 4 ? box.max.z : box.min.z,
    ).sub(middle);
    const depth = corner.dot(towards);
    far = Math.max(far, depth + Math.abs(corner.dot(side)) / horizontal, depth + Math.abs(corner.dot(upright)) / vertical);
  }
  return 1.04 * far;
}
