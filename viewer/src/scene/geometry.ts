// Parts of bodies as triangles; all parts of a body become one mesh with a colour at every corner.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  Matrix4,
  Path,
  Quaternion,
  Shape,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { mergeGeometries, toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { type Arrays, type Part, rows } from "../data";
import { DARK, GROUND, PIN } from "../palette";

const CREASE = 0.6; // edges sharper than this are seen as edges [rad]
const ROUND = 56; // sides of what is turned
const known = new Map<string, BufferGeometry>();

/** The triangles of a part, in its own axes. */
function solid(part: Part, arrays: Arrays): BufferGeometry {
  if (part.kind === "mesh" || part.kind === "sheet") return surface(part, arrays);
  const key = `${part.kind} ${part.size.join(" ")}`;
  let found = known.get(key);
  if (!found) known.set(key, (found = primitive(part)));
  return found.clone();
}

function primitive(part: Part): BufferGeometry {
  const [a, b, c] = part.size;
  switch (part.kind) {
    case "box":
      return new RoundedBoxGeometry(a, b, c, 2, 0.11 * Math.min(a, b, c));
    case "cylinder":
      return chamfered(a, b);
    case "tube":
      return turned([[c, -b / 2], [a, -b / 2], [a, b / 2], [c, b / 2], [c, -b / 2]]);
    case "cone":
      return turned([[0, -b / 2], [a, -b / 2], [c, b / 2], [0, b / 2]]);
    case "gear":
      return gear(a, b, Math.round(c), part.size[3] > 0.5);
    case "ring":
      return ring(a, b, Math.round(c), part.size[3] > 0.5);
    case "rack":
      return rack(a, b, c, part.size[3]);
    case "ball":
      return new SphereGeometry(a, 48, 32).toNonIndexed();
    case "cup":
      return cup(a, b, c);
    default:
      return new CylinderGeometry(a, a, a).toNonIndexed();
  }
}

/** A profile (radius, height) turned about z. */
function turned(profile: number[][]): BufferGeometry {
  const lathe = new LatheGeometry(
    profile.map(([r, h]) => new Vector2(r, h)),
    ROUND,
  );
  lathe.rotateX(Math.PI / 2);
  lathe.deleteAttribute("uv");
  return creased(lathe);
}

/** Smooth but for its edges. Three.js takes points nearer than 0.01 for one: it is given something large. */
function creased(geometry: BufferGeometry): BufferGeometry {
  geometry.computeBoundingSphere();
  const large = 1000 / (geometry.boundingSphere!.radius || 1);
  const out = toCreasedNormals(geometry.scale(large, large, large), CREASE);
  return out.scale(1 / large, 1 / large, 1 / large);
}

/** The outline of trapezoidal teeth on a circle, heads outwards or (`out` = −1) inwards; with `gap` a gap is on +x. */
function teethAround<T extends Path>(path: T, radius: number, teeth: number, gap: boolean, out: number): T {
  const depth = out * Math.min((2 * radius) / teeth, 0.2 * radius); // the module: heads and feet of teeth
  const step = (2 * Math.PI) / teeth;
  for (let k = 0; k < teeth; k++) {
    const middle = step * (k + (gap ? 0.5 : 0));
    for (const [at, high] of TOOTH) {
      const [r, angle] = [radius + high * depth, middle + at * step];
      const [x, y] = [r * Math.cos(angle), r * Math.sin(angle)];
      if (path.curves.length || path.currentPoint.length()) path.lineTo(x, y);
      else path.moveTo(x, y);
    }
  }
  path.closePath();
  return path;
}

/** Of a tooth: along the pitch, of which it is one, and from the pitch line, in modules. */
const TOOTH = [[-0.29, -1.1], [-0.14, 0.9], [0.14, 0.9], [0.29, -1.1]];

function gear(radius: number, width: number, teeth: number, gap: boolean): BufferGeometry {
  if (teeth < 3) return chamfered(radius, width);
  return extruded(teethAround(new Shape(), radius, teeth, gap, 1), width);
}

/** A wheel with teeth inside. */
function ring(radius: number, width: number, teeth: number, gap: boolean): BufferGeometry {
  const shape = new Shape();
  shape.absarc(0, 0, 1.16 * radius, 0, 2 * Math.PI, false);
  shape.holes.push(teeth < 3 ? new Path().absarc(0, 0, radius, 0, 2 * Math.PI, true) : teethAround(new Path(), radius, teeth, gap, -1));
  return extruded(shape, width);
}

/** A toothed bar along x, its pitch line on y = 0 and its teeth towards +y; a gap is at the middle. */
function rack(length: number, high: number, width: number, pitch: number): BufferGeometry {
  const module = pitch / Math.PI;
  const shape = new Shape();
  shape.moveTo(-length / 2, -high);
  shape.lineTo(-length / 2, -1.1 * module);
  const count = Math.floor(length / (2 * pitch) - 0.29);
  for (let k = -count; k < count; k++) for (const [at, up] of TOOTH) shape.lineTo((k + 0.5 + at) * pitch, up * module);
  shape.lineTo(length / 2, -1.1 * module);
  shape.lineTo(length / 2, -high);
  shape.closePath();
  return extruded(shape, width);
}

function extruded(shape: Shape, width: number): BufferGeometry {
  const solid = new ExtrudeGeometry(shape, { depth: width, bevelEnabled: false, curveSegments: ROUND });
  solid.translate(0, 0, -width / 2);
  return solid.index ? solid.toNonIndexed() : solid;
}

function chamfered(radius: number, length: number): BufferGeometry {
  const edge = 0.13 * Math.min(radius, length / 2);
  const h = length / 2;
  return turned([
    [0, -h],
    [radius - edge, -h],
    [radius, -h + edge],
    [radius, h - edge],
    [radius - edge, h],
    [0, h],
  ]);
}

/** A socket: a shell between two spheres, from its pole on +z as far as an angle. */
function cup(inner: number, outer: number, reach: number): BufferGeometry {
  const profile: number[][] = [];
  const steps = 18;
  for (let k = 0; k <= steps; k++) profile.push([outer * Math.sin((reach * k) / steps), outer * Math.cos((reach * k) / steps)]);
  for (let k = steps; k >= 0; k--) profile.push([inner * Math.sin((reach * k) / steps), inner * Math.cos((reach * k) / steps)]);
  profile[0][0] = profile[profile.length - 1][0] = 0;
  return turned(profile.reverse());
}

function surface(part: Part, arrays: Arrays): BufferGeometry {
  const geometry = new BufferGeometry();
  const count = part.points!.shape[0];
  geometry.setAttribute("position", new BufferAttribute(rows(arrays.get(part.points!), count, 3), 3));
  const triangles = part.triples!.shape[0];
  const columns = arrays.whole(part.triples!);
  const index = new Uint32Array(3 * triangles);
  for (let c = 0; c < 3; c++) for (let k = 0; k < triangles; k++) index[3 * k + c] = columns[c * triangles + k];
  geometry.setIndex(new BufferAttribute(index, 1));
  if (part.kind === "sheet") {
    geometry.computeVertexNormals();
    return geometry.toNonIndexed();
  }
  return creased(geometry);
}

/** The box around a part, where it is on its body. */
export function partBox(part: Part, arrays: Arrays): Box3 {
  const piece = solid(part, arrays);
  piece.computeBoundingBox();
  return piece.boundingBox!.clone().applyMatrix4(placeOf(part));
}

function placeOf(part: Part): Matrix4 {
  const [w, x, y, z] = part.turn;
  return new Matrix4().compose(new Vector3(...part.at), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

/** All parts of a body as one geometry. */
export function merged(parts: Part[], color: string, arrays: Arrays): BufferGeometry | null {
  const pieces = parts.map((part) => {
    const piece = solid(part, arrays);
    for (const name of Object.keys(piece.attributes))
      if (name !== "position" && name !== "normal") piece.deleteAttribute(name);
    piece.applyMatrix4(placeOf(part));
    const tones = { body: color, pin: PIN, dark: DARK, ground: GROUND };
    const shade = new Color(part.color ?? tones[part.tone]);
    const count = piece.getAttribute("position").count;
    const colors = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) shade.toArray(colors, 3 * k);
    piece.setAttribute("color", new BufferAttribute(colors, 3));
    return piece;
  });
  return pieces.length ? mergeGeometries(pieces) : null;
}
