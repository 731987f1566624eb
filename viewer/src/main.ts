// Starts the viewer in the page, and lets scripts look into it: window.gudgeon.

import { Vector3 } from "three";
import "./style.css";
import { type Scene, unpack } from "./data";
import { make } from "./dom";
import { App } from "./ui/app";

declare global {
  interface Window {
    gudgeon: Hook;
  }
}

/** What tests and the console can ask: `await gudgeon.ready`, then seek, play, and read back what is drawn. */
class Hook {
  ready: Promise<boolean>;
  app: App | null = null;

  constructor() {
    this.ready = this.start();
  }

  private async start(): Promise<boolean> {
    const root = document.getElementById("gudgeon");
    if (!root) return false;
    try {
      const scene = JSON.parse(document.getElementById("gudgeon-scene")!.textContent!) as Scene;
      const arrays = await unpack(document.getElementById("gudgeon-data")!.textContent!);
      this.app = new App(root, scene, arrays);
      return true;
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
      root.replaceChildren(make("p", { class: "failed" }, `This picture cannot be shown here: ${why}. It needs a browser with WebGL of 2023 or later.`));
      return false;
    }
  }

  /** Position [m] and quaternion, scalar first, of a body as it is drawn. */
  pose(run: number, body: string): number[] {
    const holder = this.app!.stage.runs[run].bodies.get(body)!;
    const { position: p, quaternion: q } = holder;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  /** A node of a flexible body as it is drawn, but for where its plane is shown [m]. */
  node(run: number, body: string, k: number): number[] {
    const view = this.app!.stage.runs[run].fields.find(({ field }) => field.body === body && field.kind === "flexible")!;
    const shift = new Vector3(0, 0, view.field.shift ?? 0).applyQuaternion(view.group.quaternion);
    return view.node(k, new Vector3()).sub(shift).toArray();
  }

  /** Where the joints of a run are in the picture [pixels]. */
  screen(run: number): ([number, number] | null)[] {
    const { stage } = this.app!;
    const { motion } = stage.runs[run];
    const tile = stage.arrangement === "side" ? run : 0;
    return motion.run.joints.map((joint) => stage.screen(motion.point(joint.child, joint.at_child, new Vector3()), tile));
  }

  /** Script time of the frames drawn so far [ms]. */
  get scriptTimes(): number[] {
    return this.app!.scriptTimes;
  }

  /** Go to a time and draw it. */
  seek(time: number): void {
    const { player, stage } = this.app!;
    player.pause();
    player.seek(time);
    for (const run of stage.runs) run.update(player.time, player.speed);
    stage.setDetail("fine");
    stage.render();
  }

  get time(): number {
    return this.app!.player.time;
  }

  /** The times of the samples of a run [s]. */
  times(run: number): number[] {
    const { motion } = this.app!.stage.runs[run];
    return Array.from(motion.times, (t) => t + motion.run.time.start);
  }
}

window.gudgeon = new Hook();
