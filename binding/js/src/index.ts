// Limber in JavaScript: figures, poses that keep what is asked of them, motions. On the C++ library, in WebAssembly.
//
//   const limber = await loadLimber(fetch("limber.wasm"));
//   const figure = limber.figure({ human: {} });
//   const posing = limber.posing(figure, { constraints: [{ handle: { point: "right_palm" }, goal: { position: [-0.4, 1.2, 0.4] } }] });
//   const pose = figure.rest();
//   posing.solve(pose);
//   figure.place(pose);   // where every segment is
//
// Objects live in the module's memory until drop().
import { Module, Numbers, Owned } from "./module.js";
import type {
  BodyMesh,
  ConstraintValue,
  ContentInfo,
  FigureInfo,
  FigureValue,
  Key,
  MotionReport,
  PoseReport,
  SceneValue,
  Span,
} from "./types.js";

export * from "./types.js";
export { Refusal } from "./module.js";

/** A scene whose figure is given apart. */
export type SceneOf = Omit<Partial<SceneValue>, "figure" | "limber">;

const sceneText = (scene: SceneOf) =>
  JSON.stringify({ limber: "scene 1", figure: { human: {} }, ...scene } satisfies SceneValue);

const interpolations = ["step", "linear", "spline"] as const;
const keyNumbers = 8;
const frameNumbers = 12;

/** limber.wasm: its bytes, the module compiled, or the answer of fetch(). */
export type ModuleSource = BufferSource | WebAssembly.Module | Response;

export async function loadLimber(source: ModuleSource | Promise<ModuleSource>): Promise<Limber> {
  const given = await source;
  if (!(given instanceof Response)) return new Limber(await Module.load(given));
  if (!given.ok) throw new Error(`${given.url}: ${given.status} ${given.statusText}`);
  return new Limber(await Module.load(await given.arrayBuffer()));
}

export class Limber {
  readonly methods: { name: string; locks: boolean; rows: boolean }[];
  readonly exits: string[];

  constructor(readonly module: Module) {
    module.calls.limber_constants();
    const constants = module.json<{ methods: Limber["methods"]; exits: string[] }>();
    this.methods = constants.methods;
    this.exits = constants.exits;
  }

  /** A built-in human, a description, or { file: name } of a file that was given. */
  figure(value: FigureValue): Figure {
    const { module } = this;
    const text = JSON.stringify({ limber: "figure 1", figure: value });
    return new Figure(module, module.withText(text, (at, size) => module.accepted(module.calls.limber_figure_read(at, size))));
  }

  posing(figure: Figure, scene: SceneOf): Posing {
    return new Posing(this, figure, scene);
  }

  sequence(figure: Figure, keys: readonly Key[]): Sequence {
    return Sequence.of(figure, keys);
  }

  clip(figure: Figure, frameTime: number, poses: ArrayLike<number>): Clip {
    const { module } = this;
    const frames = poses.length / figure.parameters;
    if (!Number.isInteger(frames)) throw new RangeError(`found ${poses.length} numbers; expected ${figure.parameters} a frame`);
    return new Clip(
      figure,
      module.withNumbers(poses, (at) => module.accepted(module.calls.limber_clip_new(figure.id, frames, frameTime, at))),
    );
  }

  tracker(figure: Figure, options: TrackerOptions): Tracker {
    return new Tracker(figure, options);
  }

  giveFile(name: string, bytes: Uint8Array): void {
    this.module.withText(name, (at, size) =>
      this.module.withBytes(bytes, (begin, count) => this.module.calls.limber_file_give(at, size, begin, count)),
    );
  }

  forgetFiles(): void {
    this.module.calls.limber_files_forget();
  }

  /** Of a file that was given, together with those that it refers to. */
  read(name: string): Content {
    const { module } = this;
    const id = module.withText(name, (at, size) => module.accepted(module.calls.limber_content_read(at, size)));
    return new Content(module, id, module.json<ContentInfo>());
  }

  /** A clip in the format of the name; with the content that the figure came from, its skin comes along. */
  write(name: string, figure: Figure, clip: Clip, content?: Content): { files: { name: string; bytes: Uint8Array }[]; notes: string[] } {
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

  /** How many objects there are that were not dropped. */
  get objects(): number {
    return this.module.calls.limber_objects();
  }
}

export class Figure {
  readonly info: FigureInfo;
  readonly parameters: number;
  readonly segments: number;
  private readonly theta: Numbers;
  private readonly frames: Numbers;
  private readonly axesRoom: Numbers;
  private readonly owned: Owned;

  constructor(
    readonly module: Module,
    id: number,
  ) {
    module.accepted(module.calls.limber_figure_describe(id));
    this.info = module.json<FigureInfo>();
    this.parameters = this.info.parameters.length;
    this.segments = this.info.segments.length;
    this.theta = new Numbers(module, this.parameters);
    this.frames = new Numbers(module, frameNumbers * this.segments);
    this.axesRoom = new Numbers(module, 6 * this.info.freedoms.length);
    this.owned = new Owned(module, id, this.theta, this.frames, this.axesRoom);
  }

  get id(): number {
    return this.owned.id;
  }

  rest(): Float64Array {
    this.module.calls.limber_figure_rest(this.id, this.theta.address);
    return this.theta.view.slice();
  }

  /** Within all limits: the nearest pose that is. */
  bounded(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_bound(this.id, this.theta.address);
    return this.theta.view.slice();
  }

  mirrored(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.accepted(this.module.calls.limber_figure_mirror(this.id, this.theta.address, this.theta.address));
    return this.theta.view.slice();
  }

  /** Twelve numbers a segment: its x, y and z axis and its origin. Valid until the next call of this figure. */
  place(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_place(this.id, this.theta.address, this.frames.address);
    return this.frames.view;
  }

  /** Six numbers a freedom: its axis and a point on it. Valid until the next call of this figure. */
  axes(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_axes(this.id, this.theta.address, this.axesRoom.address);
    return this.axesRoom.view;
  }

  massCentre(pose: ArrayLike<number>): [number, number, number] {
    this.theta.fill(pose);
    return this.module.withNumbers([0, 0, 0], (at) => {
      this.module.calls.limber_figure_mass_centre(this.id, this.theta.address, at);
      const [x, y, z] = new Float64Array(this.module.calls.memory.buffer, at, 3);
      return [x!, y!, z!];
    });
  }

  /** The joint where a chain to the segment begins: that of the part alone, or the nearest branch.  W93 6.2 */
  chain(segment: number, mode: "part" | "branch"): number {
    return this.module.calls.limber_figure_chain(this.id, segment, mode === "part" ? 0 : 1);
  }

  /** As a "figure 1" document. */
  document(): string {
    this.module.accepted(this.module.calls.limber_figure_write(this.id));
    return this.module.text();
  }

  body(detail = 16): BodyMesh {
    this.module.accepted(this.module.calls.limber_figure_body(this.id, detail));
    const { buffer } = this.module.bytes();
    const [vertices, triangles] = new Int32Array(buffer, 0, 2) as unknown as [number, number];
    let at = 8;
    const ints = (count: number) => new Int32Array(buffer, (at += 4 * count) - 4 * count, count);
    const floats = (count: number) => new Float32Array(buffer, (at += 4 * count) - 4 * count, count);
    return {
      segment: ints(vertices),
      position: floats(3 * vertices),
      normal: floats(3 * vertices),
      triangle: ints(3 * triangles),
      part: ints(triangles),
      material: ints(triangles),
    };
  }

  drop(): void {
    this.owned.drop();
  }
}

export interface SolveOptions {
  iterations?: number; // at most
  restarts?: number;
  untilMet?: boolean;
}

/** A scene that is solved again and again. */
export class Posing {
  private readonly module: Module;
  private readonly theta: Numbers;
  private readonly owned: Owned;
  private readonly usual: Required<SolveOptions>;

  constructor(
    private readonly limber: Limber,
    readonly figure: Figure,
    scene: SceneOf,
  ) {
    this.module = figure.module;
    const { module } = this;
    const id = module.withText(sceneText(scene), (at, size) =>
      module.accepted(module.calls.limber_posing_new(figure.id, at, size)),
    );
    this.theta = new Numbers(module, figure.parameters);
    this.owned = new Owned(module, id, this.theta);
    const { iterations = 1000, restarts = 4, until_met: untilMet = false } = scene.options ?? {};
    this.usual = { iterations, restarts, untilMet };
  }

  get id(): number {
    return this.owned.id;
  }

  /** Solves from the pose and leaves the answer there. How it ended. What is not said is as in the scene's options. */
  solve(pose: Float64Array, options: SolveOptions = {}): string {
    const { iterations, restarts, untilMet } = { ...this.usual, ...options };
    this.theta.fill(pose);
    const exit = this.module.calls.limber_posing_solve(this.id, this.theta.address, iterations, restarts, untilMet ? 1 : 0);
    pose.set(this.theta.view);
    return this.limber.exits[exit]!;
  }

  /** Of the last solve. */
  report(): PoseReport {
    this.module.accepted(this.module.calls.limber_posing_report(this.id));
    return this.module.json<PoseReport>();
  }

  get met(): boolean {
    return this.module.calls.limber_posing_met(this.id) !== 0;
  }

  get iterations(): number {
    return this.module.calls.limber_posing_iterations(this.id);
  }

  /** The goal of a constraint of the scene, by its place there. */
  setGoal(index: number, constraint: ConstraintValue): void {
    const { module } = this;
    module.withText(sceneText({ constraints: [constraint] }), (at, size) =>
      module.accepted(module.calls.limber_posing_set_goal(this.id, index, at, size)),
    );
  }

  /** Where the handle of a constraint is: a point, a direction …, three numbers each. Empty for what has none. */
  handle(index: number, pose: ArrayLike<number>): number[] {
    this.theta.fill(pose);
    return this.module.withNumbers(new Float64Array(9), (at) => {
      const count = this.module.calls.limber_posing_handle(this.id, index, this.theta.address, at);
      return [...new Float64Array(this.module.calls.memory.buffer, at, 3 * count)];
    });
  }

  /**
   * What a constraint is to be inside of, such as the support of a balance: a point and the normal that points out, six
   * numbers a face. Empty for others.
   */
  faces(index: number): number[] {
    this.module.accepted(this.module.calls.limber_posing_faces(this.id, index));
    return this.module.json<number[]>();
  }

  /** A point of a segment is to follow the pointer, from the pose on. */
  grab(segment: number, local: readonly [number, number, number], pose: ArrayLike<number>, { from = -1, weight = 1, calm = 0 } = {}): void {
    this.theta.fill(pose);
    this.module.accepted(
      this.module.calls.limber_posing_grab(this.id, segment, ...local, from, weight, calm, this.theta.address),
    );
  }

  /** One more point, for another finger: its place among those that are dragged, after the first, which has 0. */
  grabMore(segment: number, local: readonly [number, number, number], pose: ArrayLike<number>, { from = -1, weight = 1 } = {}): number {
    this.theta.fill(pose);
    const { module } = this;
    return module.accepted(module.calls.limber_posing_grab_more(this.id, segment, ...local, from, weight, this.theta.address)) - 1;
  }

  drag(x: number, y: number, z: number, grab = 0): void {
    this.module.accepted(this.module.calls.limber_posing_drag(this.id, grab, x, y, z));
  }

  letGo(): void {
    this.module.calls.limber_posing_let_go(this.id);
  }

  drop(): void {
    this.owned.drop();
  }
}

/** Keys, and what is between them. Editing gives another sequence; the old one is as it was. */
export class Sequence {
  private readonly theta: Numbers;
  private readonly owned: Owned;

  private constructor(
    readonly figure: Figure,
    id: number,
  ) {
    this.theta = new Numbers(figure.module, figure.parameters);
    this.owned = new Owned(figure.module, id, this.theta);
  }

  get id(): number {
    return this.owned.id;
  }

  static of(figure: Figure, keys: readonly Key[]): Sequence {
    const { module } = figure;
    const styles = new Float64Array(keyNumbers * keys.length);
    const poses = new Float64Array(figure.parameters * keys.length);
    keys.forEach((key, k) => {
      if (key.pose.length !== figure.parameters)
        throw new RangeError(`key ${k}: found ${key.pose.length} numbers; expected ${figure.parameters}`);
      const { time, easeIn = 0, easeOut = 0, interpolation = "spline", even = false } = key;
      const { tension = 0, continuity = 0, bias = 0 } = key;
      const style = interpolations.indexOf(interpolation);
      styles.set([time, easeIn, easeOut, style, even ? 1 : 0, tension, continuity, bias], keyNumbers * k);
      poses.set(key.pose, figure.parameters * k);
    });
    const id = module.withNumbers(styles, (at) =>
      module.withNumbers(poses, (begin) => module.accepted(module.calls.limber_sequence_new(figure.id, keys.length, at, begin))),
    );
    return new Sequence(figure, id);
  }

  private edited(id: number): Sequence {
    return new Sequence(this.figure, this.figure.module.accepted(id));
  }

  private get calls() {
    return this.figure.module.calls;
  }

  get start(): number {
    return this.calls.limber_sequence_start(this.id);
  }

  get end(): number {
    return this.calls.limber_sequence_end(this.id);
  }

  keys(): Key[] {
    const { figure, calls } = this;
    const { module } = figure;
    const count = calls.limber_sequence_keys(this.id);
    const styles = new Numbers(module, keyNumbers * count);
    const poses = new Numbers(module, figure.parameters * count);
    calls.limber_sequence_read(this.id, styles.address, poses.address);
    const keys: Key[] = [];
    for (let k = 0; k < count; ++k) {
      const [time, easeIn, easeOut, style, even, tension, continuity, bias] = styles.view.subarray(keyNumbers * k);
      const pose = [...poses.view.subarray(figure.parameters * k, figure.parameters * (k + 1))];
      keys.push({
        time: time!,
        pose,
        interpolation: interpolations[style!]!,
        ...(easeIn ? { easeIn } : {}),
        ...(easeOut ? { easeOut } : {}),
        ...(even ? { even: true } : {}),
        ...(tension ? { tension } : {}),
        ...(continuity ? { continuity } : {}),
        ...(bias ? { bias } : {}),
      });
    }
    styles.drop();
    poses.drop();
    return keys;
  }

  at(time: number, pose: Float64Array = new Float64Array(this.figure.parameters)): Float64Array {
    this.calls.limber_sequence_at(this.id, time, this.theta.address);
    pose.set(this.theta.view);
    return pose;
  }

  sample(frameTime: number): Clip {
    return new Clip(this.figure, this.figure.module.accepted(this.calls.limber_sequence_sample(this.id, frameTime)));
  }

  /** `move`: later keys move along. */
  erase(first: number, count: number, move = false): Sequence {
    return this.edited(this.calls.limber_sequence_erase(this.id, first, count, move ? 1 : 0));
  }
  copy(first: number, count: number): Sequence {
    return this.edited(this.calls.limber_sequence_copy(this.id, first, count));
  }
  paste(keys: Sequence, time: number, move = false): Sequence {
    return this.edited(this.calls.limber_sequence_paste(this.id, keys.id, time, move ? 1 : 0));
  }
  stretch(first: number, count: number, factor: number, about: number): Sequence {
    return this.edited(this.calls.limber_sequence_stretch(this.id, first, count, factor, about));
  }
  slide(first: number, count: number, seconds: number, move = false): Sequence {
    return this.edited(this.calls.limber_sequence_slide(this.id, first, count, seconds, move ? 1 : 0));
  }
  reverse(first: number, count: number): Sequence {
    return this.edited(this.calls.limber_sequence_reverse(this.id, first, count));
  }
  mirror(first: number, count: number): Sequence {
    return this.edited(this.calls.limber_sequence_mirror(this.id, first, count));
  }
  /** As few keys as are found within a tolerance. */
  reduce(degrees = 1, metres = 0.005): Sequence {
    return this.edited(this.calls.limber_sequence_reduce(this.id, (degrees * Math.PI) / 180, metres));
  }

  drop(): void {
    this.owned.drop();
  }

  static ofClip(clip: Clip, every = 1): Sequence {
    const { module } = clip.figure;
    return new Sequence(clip.figure, module.accepted(module.calls.limber_sequence_of_clip(clip.id, every)));
  }
}

/** Poses at an even rate. */
export class Clip {
  private readonly owned: Owned;

  constructor(
    readonly figure: Figure,
    id: number,
  ) {
    this.owned = new Owned(figure.module, id);
  }

  get id(): number {
    return this.owned.id;
  }

  private get calls() {
    return this.figure.module.calls;
  }

  get frames(): number {
    return this.calls.limber_clip_frames(this.id);
  }
  get frameTime(): number {
    return this.calls.limber_clip_frame_time(this.id);
  }

  /** All of them, a frame after the other: a copy. */
  poses(): Float64Array {
    const size = this.frames * this.figure.parameters;
    return new Float64Array(this.calls.memory.buffer, this.calls.limber_clip_poses(this.id), size).slice();
  }

  /** With the constraints of a scene kept, each in its span; frames that are `kept` stay. */
  keep(scene: SceneOf, spans: readonly Span[], kept: readonly number[] = [], iterations = 30): { clip: Clip; report: MotionReport } {
    const { module } = this.figure;
    const asked = scene.constraints?.length ?? 0;
    if (spans.length !== asked) throw new RangeError(`found ${spans.length} spans; expected ${asked}, one a constraint`);
    const numbers = spans.flatMap(({ from, to, easeIn, easeOut }) => [from, to, easeIn, easeOut]);
    const id = module.withText(sceneText(scene), (at, size) =>
      module.withNumbers(numbers, (begin) =>
        module.withNumbers(kept, (keptAt) =>
          module.accepted(module.calls.limber_clip_keep(this.id, at, size, begin, kept.length, keptAt, iterations)),
        ),
      ),
    );
    return { clip: new Clip(this.figure, id), report: module.json<MotionReport>() };
  }

  /** Without the sliding of its feet. */
  clean(): { clip: Clip; report: MotionReport } {
    const { module } = this.figure;
    const id = module.accepted(this.calls.limber_clip_clean(this.id));
    return { clip: new Clip(this.figure, id), report: module.json<MotionReport>() };
  }

  retarget(figure: Figure): { clip: Clip; report: MotionReport } {
    const { module } = this.figure;
    const id = module.accepted(this.calls.limber_clip_retarget(this.id, figure.id));
    return { clip: new Clip(figure, id), report: module.json<MotionReport>() };
  }

  drop(): void {
    this.owned.drop();
  }
}

export class Content {
  private readonly owned: Owned;

  constructor(
    private readonly module: Module,
    id: number,
    readonly info: ContentInfo,
  ) {
    this.owned = new Owned(module, id);
  }

  get id(): number {
    return this.owned.id;
  }

  /** With common names for its places, and mirror pairs where its rig is known. */
  figure(): Figure {
    return new Figure(this.module, this.module.accepted(this.module.calls.limber_content_figure(this.id)));
  }

  /** A motion of figure(). */
  clip(figure: Figure, index = 0): Clip {
    return new Clip(figure, this.module.accepted(this.module.calls.limber_content_clip(this.id, index)));
  }

  drop(): void {
    this.owned.drop();
  }
}

export interface TrackerOptions {
  places: readonly string[];
  method?: string;
  iterations?: number;
  root_given?: boolean;
  orientations?: boolean;
}

/** A figure that follows a few places of a reference.  EE09 */
export class Tracker {
  private readonly reference: Numbers;
  private readonly theta: Numbers;
  private readonly owned: Owned;

  constructor(
    readonly figure: Figure,
    options: TrackerOptions,
  ) {
    const { module } = figure;
    const id = module.withText(JSON.stringify(options), (at, size) =>
      module.accepted(module.calls.limber_tracker_new(figure.id, at, size)),
    );
    this.reference = new Numbers(module, figure.parameters);
    this.theta = new Numbers(module, figure.parameters);
    this.owned = new Owned(module, id, this.reference, this.theta);
  }

  /** Solves from the pose and leaves the answer there; distances in metres. */
  follow(reference: ArrayLike<number>, pose: Float64Array): { mean: number; largest: number } {
    const { module } = this.figure;
    this.reference.fill(reference);
    this.theta.fill(pose);
    return module.withNumbers([0, 0], (at) => {
      module.calls.limber_tracker_follow(this.owned.id, this.reference.address, this.theta.address, at);
      pose.set(this.theta.view);
      const [mean, largest] = new Float64Array(module.calls.memory.buffer, at, 2);
      return { mean: mean!, largest: largest! };
    });
  }

  drop(): void {
    this.owned.drop();
  }
}

export { Module, Numbers };
