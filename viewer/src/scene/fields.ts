// Meshes with a value at every corner, in colours: flexible bodies by stress, surfaces by gap.

import { BufferAttribute, BufferGeometry, DoubleSide, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, Group, Quaternion, Vector3 } from "three";
import { type Field, rows } from "../data";
import { SCALES } from "../palette";
import type { Motion } from "./motion";

export class FieldView {
  readonly group = new Group();
  readonly nodes: number;
  private geometry = new BufferGeometry();
  private edges: LineSegments | null = null;
  private values: Float32Array;
  private displacement: Float32Array | null;

  constructor(
    private motion: Motion,
    readonly field: Field,
    material: MeshStandardMaterial,
    line: LineBasicMaterial,
  ) {
    this.values = motion.get(field.values);
    this.displacement = field.displacement ? motion.get(field.displacement) : null;
    this.nodes = field.kind === "flexible" ? field.rest!.length : field.points!.shape[0];
    if (field.kind === "flexible") this.plate(line);
    else this.sheet();
    const own = material.clone();
    own.side = DoubleSide;
    own.polygonOffset = field.kind === "surface"; // colours lie on the surface of their body
    own.polygonOffsetFactor = own.polygonOffsetUnits = -3;
    const mesh = new Mesh(this.geometry, own);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    if (field.kind === "flexible") {
      this.group.position.set(...(field.origin as [number, number, number]));
      const [w, x, y, z] = field.turn!;
      this.group.quaternion.copy(new Quaternion(x, y, z, w));
    }
  }

  /** Both faces of a plate and its rim: nodes of the front, of the back, then both again for the rim. */
  private plate(line: LineBasicMaterial): void {
    const { quads, rest } = this.field;
    const n = this.nodes;
    const index: number[] = [];
    const sides = new Map<string, [number, number]>();
    for (const quad of quads!) {
      const [a, b, c, d] = quad;
      index.push(a, b, c, a, c, d, n + a, n + c, n + b, n + a, n + d, n + c);
      for (let k = 0; k < 4; k++) {
        const [p, q] = [quad[k], quad[(k + 1) % 4]];
        if (!sides.delete(`${q} ${p}`)) sides.set(`${p} ${q}`, [p, q]);
      }
    }
    for (const [p, q] of sides.values()) index.push(2 * n + p, 3 * n + p, 3 * n + q, 2 * n + p, 3 * n + q, 2 * n + q);
    this.geometry.setIndex(index);
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(12 * n), 3));
    this.geometry.setAttribute("normal", new BufferAttribute(new Float32Array(12 * n), 3));
    this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(12 * n), 3));
    const normal = this.geometry.getAttribute("normal");
    const middle = [0, 1].map((c) => rest!.reduce((sum, p) => sum + p[c], 0) / n);
    for (let k = 0; k < n; k++) {
      normal.setXYZ(k, 0, 0, 1);
      normal.setXYZ(n + k, 0, 0, -1);
      const out = new Vector3(rest![k][0] - middle[0], rest![k][1] - middle[1], 0).normalize();
      for (const row of [2, 3]) normal.setXYZ(row * n + k, out.x, out.y, 0);
    }
    const pairs: number[] = [];
    for (const quad of quads!) for (let k = 0; k < 4; k++) pairs.push(quad[k], quad[(k + 1) % 4]);
    const grid = new BufferGeometry();
    grid.setIndex(pairs);
    grid.setAttribute("position", new BufferAttribute(new Float32Array(3 * n), 3));
    this.edges = new LineSegments(grid, line);
    this.edges.frustumCulled = false;
    this.group.add(this.edges);
  }

  private sheet(): void {
    const { grid, closed } = this.field;
    const [n1, n2] = grid!;
    const index: number[] = [];
    const [rows1, rows2] = [closed![0] ? n1 : n1 - 1, closed![1] ? n2 : n2 - 1];
    for (let i = 0; i < rows1; i++) {
      for (let j = 0; j < rows2; j++) {
        const at = (p: number, q: number) => (p % n1) * n2 + (q % n2);
        const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        index.push(a, b, c, a, c, d);
      }
    }
    this.geometry.setIndex(index);
    const points = rows(this.motion.get(this.field.points!), this.nodes, 3);
    this.geometry.setAttribute("position", new BufferAttribute(points, 3));
    this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * this.nodes), 3));
    this.geometry.computeVertexNormals();
  }

  /** A node of a flexible body, in the world. */
  node(k: number, out: Vector3): Vector3 {
    out.set(
      this.field.rest![k][0] + this.motion.value(this.displacement!, 2 * k),
      this.field.rest![k][1] + this.motion.value(this.displacement!, 2 * k + 1),
      this.field.shift ?? 0,
    );
    return out.applyQuaternion(this.group.quaternion).add(this.group.position);
  }

  update(): void {
    const n = this.nodes;
    const [low, high] = this.field.range;
    const { table } = SCALES[this.field.kind];
    const color = this.geometry.getAttribute("color") as BufferAttribute;
    const colors = color.array as Float32Array;
    const layers = colors.length / (3 * n);
    for (let k = 0; k < n; k++) {
      const value = this.motion.value(this.values, k);
      const place = Math.min(Math.max((value - low) / (high - low || 1), 0), 1);
      const at = 3 * Math.round(255 * place);
      for (let layer = 0; layer < layers; layer++) {
        const to = 3 * (layer * n + k);
        for (let c = 0; c < 3; c++) colors[to + c] = Number.isNaN(value) ? 0.35 : table[at + c];
      }
    }
    color.needsUpdate = true;
    if (this.displacement) this.bend();
    else {
      this.motion.pose(this.field.body, this.group.position, this.group.quaternion);
    }
  }

  private bend(): void {
    const n = this.nodes;
    const half = 0.5 * this.field.depth!;
    const middle = this.field.shift ?? 0;
    const position = this.geometry.getAttribute("position") as BufferAttribute;
    const lines = this.edges!.geometry.getAttribute("position") as BufferAttribute;
    for (let k = 0; k < n; k++) {
      const x = this.field.rest![k][0] + this.motion.value(this.displacement!, 2 * k);
      const y = this.field.rest![k][1] + this.motion.value(this.displacement!, 2 * k + 1);
      position.setXYZ(k, x, y, middle + half);
      position.setXYZ(n + k, x, y, middle - half);
      position.setXYZ(2 * n + k, x, y, middle + half);
      position.setXYZ(3 * n + k, x, y, middle - half);
      lines.setXYZ(k, x, y, middle + 1.01 * half);
    }
    position.needsUpdate = lines.needsUpdate = true;
  }
}
