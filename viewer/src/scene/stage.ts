// The stage: renderer, lights, ground, camera, and the runs on it, one picture for all or one beside the other.

import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PMREMGenerator,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Arrays, Scene as Description } from "../data";
import { roundNumber } from "../format";
import { placement, type ViewName, Views } from "./camera";
import { Ground } from "./ground";
import { RunView } from "./run";

export type Arrangement = "ghosts" | "side";

export type Detail = "fine" | "plain" | "coarse";

const FINE = 1.75; // pixels drawn for one of the screen
const COARSE = 1;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly runs: RunView[];
  readonly size: number; // of the whole scene [m]
  readonly cell: number; // width of a square of the grid [m]
  arrangement: Arrangement = "ghosts";
  private scene = new Scene();
  private camera = new PerspectiveCamera(28, 1, 0.02, 60);
  private controls: OrbitControls;
  private views: Views;
  private ground: Ground;
  private box: Box3; // of the bodies, in the scene's own unit
  private outline: Float32Array; // points around all that is to be seen, in the scene's own unit
  private covered = { left: 24, right: 24, top: 66, bottom: 56 }; // by what stands over the picture [pixels]
  private dark = false;
  private view: ViewName | null = "iso";
  private world = new Group();

  constructor(
    readonly canvas: HTMLCanvasElement,
    description: Description,
    arrays: Arrays,
    private changed: () => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.setScissorTest(true);
    this.renderer.setClearColor(new Color(0), 0);
    this.runs = description.runs.map((run, k) => new RunView(run, k, arrays));
    const outline = this.runs.flatMap((run) => run.outline());
    const box = new Box3().setFromArray(outline.length ? outline : [-1, -1, -1, 1, 1, 1]);
    const extent = box.getSize(new Vector3());
    this.size = extent.length() || 1;
    // the scene is drawn in a unit of its own, in which it is about two wide: light, ground and lenses fit any size
    const scale = 2 / this.size;
    const middle = box.getCenter(new Vector3());
    this.world.scale.setScalar(scale);
    this.world.position.copy(middle).multiplyScalar(-scale);
    for (const run of this.runs) {
      run.furnish(this.size);
      this.world.add(run.group);
    }
    this.box = new Box3(box.min.clone().sub(middle).multiplyScalar(scale), box.max.clone().sub(middle).multiplyScalar(scale));
    this.outline = Float32Array.from(outline.length ? outline : [-1, -1, -1, 1, 1, 1], (x, k) => (x - middle.getComponent(k % 3)) * scale);
    const up = new Vector3(...description.runs[0].up).normalize();
    this.camera.up.copy(up);
    this.views = new Views(up, this.isFlat(up, extent));
    this.cell = roundNumber(0.11 * this.size);
    const lowest = Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => this.corner(k).dot(up)));
    this.ground = new Ground(up, lowest - 0.02, this.cell * scale);
    this.shade(up, lowest);
    this.scene.add(this.world, this.ground.group);
    this.light(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.minDistance = 0.25;
    this.controls.maxDistance = 20;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", this.changed);
    this.controls.addEventListener("start", () => (this.view = null));
    this.arrange("ghosts");
  }

  /** Shadows are part of the picture, too, for the greater part. */
  private shade(up: Vector3, height: number): void {
    const light = this.lightFrom(up);
    const points = Float32Array.from(this.outline);
    const [at, shadow] = [new Vector3(), new Vector3()];
    for (let k = 0; k < points.length; k += 3) {
      at.fromArray(points, k);
      shadow.copy(at).addScaledVector(light, -(at.dot(up) - height) / light.dot(up));
      at.lerp(shadow, 0.7).toArray(points, k);
    }
    this.outline = Float32Array.from([...this.outline, ...points]);
  }

  private lightFrom(up: Vector3): Vector3 {
    return up.clone().multiplyScalar(3.1).addScaledVector(this.views.right, -0.8).addScaledVector(this.views.front, 1.05);
  }

  private corner(k: number): Vector3 {
    const { min, max } = this.box;
    return new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
  }

  /** Whether all that moves does so across the direction one looks from the front. */
  private isFlat(up: Vector3, extent: Vector3): boolean {
    const front = new Views(up, false).front;
    const through = Math.abs(front.x) * extent.x + Math.abs(front.y) * extent.y + Math.abs(front.z) * extent.z;
    return through < 0.22 * extent.length();
  }

  private light(up: Vector3): void {
    const pmrem = new PMREMGenerator(this.renderer);
    this.scene.environment = pmrem.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.42;
    pmrem.dispose();
    const sky = new HemisphereLight("#ffffff", "#b9b2a6", 0.75);
    sky.position.copy(up);
    const key = new DirectionalLight("#fffaf2", 2.3);
    key.position.copy(this.lightFrom(up));
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 7;
    key.shadow.bias = -0.0004;
    key.shadow.normalBias = 0.006;
    const frustum = key.shadow.camera;
    frustum.left = frustum.bottom = -1.7;
    frustum.right = frustum.top = 1.7;
    frustum.near = 0.1;
    frustum.far = 7;
    const fill = new DirectionalLight("#dfe8f5", 0.55);
    fill.position.copy(this.views.right).multiplyScalar(2).addScaledVector(this.views.front, 1).addScaledVector(up, 0.4);
    this.scene.add(sky, key, fill);
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
    this.ground.setTheme(dark);
    this.scene.environmentIntensity = dark ? 0.4 : 0.42;
    this.renderer.toneMappingExposure = dark ? 1.02 : 1.0;
    this.changed();
  }

  get isDark(): boolean {
    return this.dark;
  }

  arrange(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    this.runs.forEach((run, k) => run.setGhost(arrangement === "ghosts" && k > 0));
    this.resize();
    if (this.view) this.look(this.view);
    this.changed();
  }

  /** Columns and rows of pictures. */
  get tiles(): [number, number] {
    if (this.arrangement === "ghosts" || this.runs.length < 2) return [1, 1];
    const { clientWidth, clientHeight } = this.canvas;
    const n = this.runs.length;
    let best: [number, number] = [1, n];
    let largest = 0;
    for (let columns = 1; columns <= n; columns++) {
      const rows = Math.ceil(n / columns);
      const smaller = Math.min(clientWidth / columns, clientHeight / rows);
      if (smaller > 1.02 * largest) [best, largest] = [[columns, rows], smaller];
    }
    return best;
  }

  private get aspect(): number {
    const [columns, rows] = this.tiles;
    return this.canvas.clientWidth / columns / Math.max(this.canvas.clientHeight / rows, 1);
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = this.aspect;
    this.camera.updateProjectionMatrix();
    if (this.view) this.look(this.view);
    this.changed();
  }

  /** Look from a named direction, at everything. */
  look(name: ViewName): void {
    this.view = name;
    this.fit(this.views.direction(name));
  }

  /** Everything into the picture, from here. */
  fit(towards = this.camera.position.clone().sub(this.controls?.target ?? new Vector3()).normalize()): void {
    if (!this.controls) return;
    const [columns, rows] = this.tiles;
    const width = this.canvas.clientWidth / columns || 1;
    const height = this.canvas.clientHeight / rows || 1;
    const part = (pixels: number, of: number) => Math.min(pixels / of, 0.3);
    const { left, right, top, bottom } = this.covered;
    const margins = { left: part(left, width), right: part(right, width), top: part(top, height), bottom: part(bottom, height) };
    const { position, target } = placement(this.outline, this.camera, towards, this.aspect, margins);
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    this.controls.update();
    this.changed();
  }

  /** What stands over the picture, from its edges [pixels]. */
  cover(covered: Partial<Stage["covered"]>): void {
    this.covered = { ...this.covered, ...covered };
    if (this.view) this.look(this.view);
  }

  get looks(): ViewName | null {
    return this.view;
  }

  /** The body at a place of the canvas, and the point hit, in the body's axes. */
  pick(x: number, y: number): { run: RunView; body: string; at: number[] } | null {
    const [columns, rows] = this.tiles;
    const width = this.canvas.clientWidth / columns;
    const height = this.canvas.clientHeight / rows;
    const tile = Math.floor(x / width) + columns * Math.floor(y / height);
    const place = new Vector2(((x % width) / width) * 2 - 1, 1 - ((y % height) / height) * 2);
    const run = this.runs[this.arrangement === "side" ? tile : 0];
    if (!run) return null;
    const ray = new Raycaster();
    ray.setFromCamera(place, this.camera);
    const [hit] = ray.intersectObjects([...run.bodies.values()], true);
    const holder = hit?.object.parent;
    if (!hit || !holder) return null;
    return { run, body: holder.userData.body as string, at: holder.worldToLocal(hit.point.clone()).toArray() };
  }

  /** Where a point of the world [m] is on the canvas [pixels]; null behind the camera. */
  screen(point: Vector3, tile: number): [number, number] | null {
    const [columns, rows] = this.tiles;
    const width = this.canvas.clientWidth / columns;
    const height = this.canvas.clientHeight / rows;
    const at = this.world.localToWorld(point).project(this.camera);
    if (at.z > 1) return null;
    return [((tile % columns) + 0.5 + 0.5 * at.x) * width, (Math.floor(tile / columns) + 0.5 - 0.5 * at.y) * height];
  }

  /** A direction of the world as the camera sees it: right, up, towards it. */
  seen(direction: Vector3): number[] {
    return direction.transformDirection(this.camera.matrixWorldInverse).toArray();
  }

  /** Finer than the screen, so that edges are smooth, as fine as it, or coarser. */
  setDetail(detail: Detail): void {
    const own = Math.min(window.devicePixelRatio, 2);
    const ratio = detail === "fine" ? Math.max(own, FINE) : detail === "coarse" ? Math.min(own, COARSE) : own;
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  /** How many pixels a metre is, at the middle of the scene. */
  pixelsPerMetre(): number {
    const away = this.camera.position.distanceTo(this.controls.target);
    const [, rows] = this.tiles;
    const height = this.canvas.clientHeight / rows;
    return ((2 / this.size) * height) / (2 * away * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  /** Whether the camera still moves. */
  settle(): boolean {
    return this.controls.update();
  }

  render(): void {
    const [columns, rows] = this.tiles;
    const width = this.canvas.clientWidth / columns;
    const height = this.canvas.clientHeight / rows;
    const tiled = this.arrangement === "side" && this.runs.length > 1;
    if (tiled) {
      this.renderer.setScissor(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
      this.renderer.clear();
    }
    for (let k = 0; k < (tiled ? this.runs.length : 1); k++) {
      if (tiled) this.runs.forEach((run, other) => (run.group.visible = other === k));
      const left = (k % columns) * width;
      const bottom = this.canvas.clientHeight - (Math.floor(k / columns) + 1) * height;
      this.renderer.setViewport(left, bottom, width, height);
      this.renderer.setScissor(left, bottom, width, height);
      this.renderer.render(this.scene, this.camera);
    }
    if (tiled) for (const run of this.runs) run.group.visible = true;
  }
}
