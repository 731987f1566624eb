// The ground: a grid that fades away, and the shadows on it.

import { Color, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3 } from "three";

const VERTEX = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = `
uniform vec3 color;
uniform float cell;
uniform float strength;
varying vec2 place;
float lines(vec2 at, float width) {
  vec2 edge = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-6));
  return 1.0 - min(min(edge.x, edge.y) / width, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.8, 3.6, length(place));
  float fine = lines(place / cell, 1.0) * 0.38;
  float coarse = lines(place / (5.0 * cell), 1.3);
  float alpha = max(fine, coarse) * fade * fade * strength;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
}`;

export class Ground {
  readonly group = new Group();
  private grid: ShaderMaterial;
  private shadow = new ShadowMaterial({ opacity: 0.24 });

  /** `cell` is the width of a small square, in the scene's own unit; `height` is that of the ground along `up`. */
  constructor(up: Vector3, height: number, cell: number) {
    this.grid = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { color: { value: new Color() }, cell: { value: cell }, strength: { value: 1 } },
      transparent: true,
      depthWrite: false,
    });
    const plane = new PlaneGeometry(12, 12);
    const lines = new Mesh(plane, this.grid);
    const shade = new Mesh(plane, this.shadow);
    lines.renderOrder = -2;
    shade.renderOrder = -1;
    shade.receiveShadow = true;
    lines.position.z = -0.001;
    this.group.add(lines, shade);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    this.group.position.copy(up).multiplyScalar(height);
  }

  setTheme(dark: boolean): void {
    this.grid.uniforms.color.value.set(dark ? "#a9b6ca" : "#5d6b80");
    this.grid.uniforms.strength.value = dark ? 0.27 : 0.2;
    this.shadow.opacity = dark ? 0.42 : 0.17;
  }
}
