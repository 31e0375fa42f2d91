// The loaded module, which creates all other objects.
import { Content } from "./content.js";
import { Figure } from "./figure.js";
import { Module } from "./module.js";
import { Clip, Sequence } from "./motion.js";
import { PosedScene } from "./posed_scene.js";
import { Posing, type PosingOptions } from "./posing.js";
import { Reach, Statures, type ReachOptions } from "./reach.js";
import type { SceneOf } from "./scene.js";
import { MarkerTracker, Tracker, type MarkerOptions, type TrackerOptions } from "./tracker.js";
import type { ContentInfo, FileFormat, Key, MotionOptions, MotionReport, SequenceOptions } from "./results.js";
import type { FigureValue, MethodValue, SceneOptions } from "./types.js";

/** limber.wasm: its bytes, the compiled module, or the result of fetch(). */
export type ModuleSource = BufferSource | WebAssembly.Module | Response;

export async function loadLimber(source: ModuleSource | Promise<ModuleSource>): Promise<Limber> {
  const given = await source;
  if (!(given instanceof Response)) return new Limber(await Module.load(given));
  if (!given.ok) throw new Error(`${given.url}: ${given.status} ${given.statusText}`);
  return new Limber(await Module.load(await given.arrayBuffer()));
}

/** A row of the table of solver options: `options` of a scene. `default` is a number: of `names`, its place. */
export interface OptionRow {
  key: Exclude<keyof SceneOptions, "method">;
  kind: "flag" | "whole" | "number" | "name" | "parameters";
  help: string;
  unlimited: boolean;
  default?: number;
  names: string[];
  methods: MethodValue[]; // that use it
}

export class Limber {
  /** `locks`, `rows`: keeps hard constraints, linear limits in its own iterations. `cannot`: what it rejects, a sentence. */
  readonly methods: { name: MethodValue; locks: boolean; rows: boolean; levels: boolean; cannot: string }[];
  readonly options: OptionRow[];
  readonly exits: string[];
  readonly formats: FileFormat[];
  readonly statures: Statures;

  constructor(readonly module: Module) {
    module.calls.limber_constants();
    const constants = module.json<Pick<Limber, "methods" | "options" | "exits" | "formats">>();
    this.methods = constants.methods;
    this.options = constants.options;
    this.exits = constants.exits;
    this.formats = constants.formats;
    this.statures = new Statures(module);
  }

  /** A built-in human, a description, or { file: name } of a file passed to giveFile(). */
  figure(value: FigureValue): Figure {
    const { module } = this;
    const text = JSON.stringify({ limber: "figure 1", figure: value });
    return new Figure(
      module,
      module.withText(text, (at, size) => module.accepted(module.calls.limber_figure_read(at, size))),
    );
  }

  /** A scene that is solved repeatedly. */
  scene(figure: Figure, scene: SceneOf): PosedScene {
    return new PosedScene(this, figure, scene);
  }

  /** A figure whose parts are pulled, from the pose. */
  posing(figure: Figure, pose: ArrayLike<number>, options: PosingOptions = {}): Posing {
    return new Posing(figure, pose, options);
  }

  /** A map of the points that a place can reach, starting from the pose; nothing is solved yet. */
  reach(figure: Figure, scene: SceneOf, pose: ArrayLike<number>, options: ReachOptions): Reach {
    return new Reach(figure, scene, pose, options);
  }

  sequence(figure: Figure, keys: readonly Key[], options: SequenceOptions = {}): Sequence {
    return Sequence.of(figure, keys, options);
  }

  clip(figure: Figure, frameTime: number, poses: ArrayLike<number>): Clip {
    const { module } = this;
    const frames = poses.length / figure.parameters;
    if (!Number.isInteger(frames)) throw new RangeError(`found ${poses.length} numbers; expected ${figure.parameters} per frame`);
    return new Clip(
      figure,
      module.withNumbers(poses, (at) => module.accepted(module.calls.limber_clip_new(figure.id, frames, frameTime, at))),
    );
  }

  /** Runs a motion script (doc/motion_script.md) on a figure, in a scene. */
  animate(figure: Figure, scene: SceneOf, script: string, options: MotionOptions = {}): { clip: Clip; report: MotionReport } {
    return Clip.ofScript(figure, scene, script, options);
  }

  tracker(figure: Figure, options: TrackerOptions): Tracker {
    return new Tracker(figure, options);
  }

  /** The markers of a file read with read(), such as TRC or C3D. */
  markerTracker(figure: Figure, recording: Content, options: MarkerOptions = {}): MarkerTracker {
    return new MarkerTracker(figure, recording, options);
  }

  giveFile(name: string, bytes: Uint8Array): void {
    this.module.withText(name, (at, size) =>
      this.module.withBytes(bytes, (begin, count) => this.module.calls.limber_file_give(at, size, begin, count)),
    );
  }

  forgetFiles(): void {
    this.module.calls.limber_files_forget();
  }

  /** Reads a file passed to giveFile(), which must also have got the files that it refers to. */
  read(name: string): Content {
    const { module } = this;
    const id = module.withText(name, (at, size) => module.accepted(module.calls.limber_content_read(at, size)));
    return new Content(module, id, module.json<ContentInfo>());
  }

  /** Writes a clip in the format of the name; with the content that the figure came from, its skin is preserved. */
  write(
    name: string,
    figure: Figure,
    clip: Clip,
    content?: Content,
  ): { files: { name: string; bytes: Uint8Array }[]; notes: string[] } {
    const { module } = this;
    const count = module.withText(name, (at, size) =>
      module.accepted(module.calls.limber_content_write(content?.id ?? 0, figure.id, clip.id, at, size)),
    );
    const notes = module.json<string[]>();
    const files = [];
    for (let k = 0; k < count; ++k) {
      module.calls.limber_written_name(k);
      const written = module.text();
      module.calls.limber_written_bytes(k);
      files.push({ name: written, bytes: module.bytes() });
    }
    return { files, notes };
  }

  /** The number of objects that were not dropped yet. */
  get objects(): number {
    return this.module.calls.limber_objects();
  }
}
