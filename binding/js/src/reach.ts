// The points that a place of a figure can reach, as a closed surface with a pose for each vertex.
import type { Figure } from "./figure.js";
import { Numbers, Owned, type Module } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type { ReachNumbers, ReachSurface } from "./results.js";
import type { Vec3 } from "./types.js";

export interface ReachOptions {
  handle: string; // a site, a segment or a joint
  from?: string; // the first joint that may move; default: all joints, and a constraint must fix the figure in space
  resolution?: number; // metres: edge length of the finest cells
  tolerance?: number; // metres; default: a hundredth of the resolution
  orientation?: boolean; // the handle keeps its orientation of the pose
  region?: { least: Vec3; most: Vec3 }; // only this box is mapped: its min and max corner
}

export type ReachMeasure = "limits" | "comfort";
const measures: readonly ReachMeasure[] = ["limits", "comfort"];

/** A map that is computed wave by wave, so that a caller can show progress, and stop. */
export class Reach {
  private readonly module: Module;
  private readonly room: Numbers;
  private readonly owned: Owned;

  /** All constraints of the scene hold at every reached point; constraints on the handle itself are ignored. */
  constructor(
    readonly figure: Figure,
    scene: SceneOf,
    pose: ArrayLike<number>,
    { region, ...asked }: ReachOptions,
  ) {
    this.module = figure.module;
    const { module } = this;
    if (pose.length !== figure.parameters) throw new RangeError(`found ${pose.length} numbers; expected ${figure.parameters}`);
    const id = module.withText(sceneText(scene), (at, size) =>
      module.withText(JSON.stringify({ ...asked, ...region }), (begin, count) =>
        module.withNumbers(pose, (theta) =>
          module.accepted(module.calls.limber_reach_new(figure.id, at, size, begin, count, theta)),
        ),
      ),
    );
    this.room = new Numbers(module, 3);
    this.owned = new Owned(module, id, this.room);
  }

  get id(): number {
    return this.owned.id;
  }

  /** Runs at most this many more waves; returns whether the map is finished. */
  go(waves = 1): boolean {
    return this.module.accepted(this.module.calls.limber_reach_go(this.id, waves)) === 2;
  }

  /** Cells so far, and those still to be solved; both may grow. */
  progress(): { cells: number; open: number; solves: number } {
    this.module.accepted(this.module.calls.limber_reach_progress(this.id, this.room.address));
    const [cells, open, solves] = this.room.view;
    return { cells: cells!, open: open!, solves: solves! };
  }

  /** The numbers of the map so far. */
  numbers(): ReachNumbers {
    this.module.accepted(this.module.calls.limber_reach_summary(this.id));
    return this.module.json<ReachNumbers>();
  }

  surface(): ReachSurface {
    this.module.accepted(this.module.calls.limber_reach_surface(this.id));
    const { buffer } = this.module.bytes();
    const [vertices, triangles, witnesses, moving] = new Int32Array(buffer, 0, 4) as unknown as [number, number, number, number];
    let at = 16;
    const doubles = (count: number) => new Float64Array(buffer, (at += 8 * count) - 8 * count, count).slice();
    const ints = (count: number) => new Int32Array(buffer, (at += 4 * count) - 4 * count, count).slice();
    const floats = (count: number) => new Float32Array(buffer, (at += 4 * count) - 4 * count, count);
    const poses = doubles(witnesses * moving);
    const parameters = ints(moving);
    const each = floats(8 * vertices);
    const column = (first: number, count: number) =>
      Float32Array.from({ length: count * vertices }, (_, k) => each[8 * Math.floor(k / count) + first + (k % count)]!);
    return {
      position: column(0, 3),
      normal: column(3, 3),
      limits: column(6, 1),
      comfort: column(7, 1),
      witness: ints(vertices),
      triangle: ints(3 * triangles),
      parameters,
      poses,
    };
  }

  /** The surface as a file, .glb or .ply, coloured from red (0) to green (1). */
  file(name: string, measure: ReachMeasure = "limits"): Uint8Array {
    const { module } = this;
    module.withText(name, (at, size) =>
      module.accepted(module.calls.limber_reach_write(this.id, measures.indexOf(measure), at, size)),
    );
    return module.bytes();
  }

  drop(): void {
    this.owned.drop();
  }
}

/** Statures of British adults, by sex; percentiles from 0 to 100. */
export class Statures {
  constructor(private readonly module: Module) {}

  at(sex: "male" | "female", percentile: number): number {
    return this.module.calls.limber_stature(sex === "female" ? 1 : 0, percentile);
  }
  percentile(sex: "male" | "female", stature: number): number {
    return this.module.calls.limber_stature_percentile(sex === "female" ? 1 : 0, stature);
  }
  /** The default stature of the built-in human. */
  usual(sex: "male" | "female"): number {
    return this.module.calls.limber_stature_usual(sex === "female" ? 1 : 0);
  }
}
