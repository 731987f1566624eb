// Springs as coils that stretch between their two points.

import { Curve, Mesh, type Material, Quaternion, TubeGeometry, Vector3, Group } from "three";
import type { Spring } from "../data";
import type { Motion } from "./motion";

const TURNS = 9;
const Z = new Vector3(0, 0, 1);

class Coil extends Curve<Vector3> {
  constructor(
    private radius: number,
    private length: number,
  ) {
    super();
  }

  getPoint(t: number, out = new Vector3()): Vector3 {
    const ends = 0.09; // straight pieces at both ends
    const inside = Math.min(Math.max((t - ends) / (1 - 2 * ends), 0), 1);
    const rise = Math.min(1, inside * 12, (1 - inside) * 12);
    const angle = 2 * Math.PI * TURNS * inside;
    return out.set(this.radius * rise * Math.cos(angle), this.radius * rise * Math.sin(angle), this.length * t);
  }
}

export class Springs {
  readonly group = new Group();
  private coils: { spring: Spring; mesh: Mesh; length: number }[] = [];

  /** `most` is the length beyond which only the end at the second body is drawn. */
  constructor(
    private motion: Motion,
    springs: Spring[],
    private most: number,
    material: Material,
  ) {
    for (const spring of springs) {
      const length = Math.min(this.ends(spring), most) || spring.radius;
      const radius = Math.min(spring.radius, 0.16 * length);
      const mesh = new Mesh(new TubeGeometry(new Coil(radius, length), 40 * TURNS, 0.16 * radius, 8), material);
      mesh.castShadow = true;
      this.coils.push({ spring, mesh, length });
      this.group.add(mesh);
    }
  }

  private ends(spring: Spring): number {
    this.motion.point(spring.first, spring.at_first, A);
    this.motion.point(spring.second, spring.at_second, B);
    return A.distanceTo(B);
  }

  update(): void {
    for (const { spring, mesh, length } of this.coils) {
      const apart = Math.min(this.ends(spring), this.most);
      A.sub(B).normalize();
      mesh.position.copy(B);
      mesh.quaternion.copy(TURN.setFromUnitVectors(Z, A));
      mesh.scale.set(1, 1, apart / length);
    }
  }
}

const A = new Vector3();
const B = new Vector3();
const TURN = new Quaternion();
