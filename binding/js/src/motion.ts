// Motions: interpolated keys (sequences), and poses at a constant frame rate (clips). Each can be made from the other.
import type { Figure } from "./figure.js";
import { Numbers, Owned } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type {
  Channel,
  Key,
  MotionOptions,
  MotionReport,
  MotionSpan,
  Rotations,
  SequenceOptions,
  Style,
  TimingKnot,
} from "./results.js";

const interpolations = ["step", "linear", "spline"] as const;
const keyNumbers = 8;
const styleNumbers = 7;

const numbersOf = ({ interpolation = "spline", even = false, tension = 0, continuity = 0, bias = 0 }: Style) => [
  interpolations.indexOf(interpolation),
  even ? 1 : 0,
  tension,
  continuity,
  bias,
];

const styleOf = ([style, even, tension, continuity, bias]: Iterable<number> & number[]): Style => ({
  interpolation: interpolations[style!]!,
  ...(even ? { even: true } : {}),
  ...(tension ? { tension } : {}),
  ...(continuity ? { continuity } : {}),
  ...(bias ? { bias } : {}),
});

const rowsOf = (numbers: Float64Array, size: number): number[][] =>
  Array.from({ length: numbers.length / size }, (_, k) => [...numbers.subarray(size * k, size * (k + 1))]);

/** Key poses with interpolation. An edit returns a new sequence; the old one does not change. */
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

  static of(figure: Figure, keys: readonly Key[], { timing, rotations = "joints" }: SequenceOptions = {}): Sequence {
    const { module } = figure;
    const styles = new Float64Array(keyNumbers * keys.length);
    const poses = new Float64Array(figure.parameters * keys.length);
    keys.forEach((key, k) => {
      if (key.pose.length !== figure.parameters)
        throw new RangeError(`key ${k}: found ${key.pose.length} numbers; expected ${figure.parameters}`);
      const { time, easeIn = 0, easeOut = 0 } = key;
      styles.set([time, easeIn, easeOut, ...numbersOf(key)], keyNumbers * k);
      poses.set(key.pose, figure.parameters * k);
    });
    const id = module.withNumbers(styles, (at) =>
      module.withNumbers(poses, (begin) => module.accepted(module.calls.limber_sequence_new(figure.id, keys.length, at, begin))),
    );
    let made = new Sequence(figure, id);
    // Each step makes another sequence, and the one before is not needed any more.
    const next = (step: (from: Sequence) => Sequence) => {
      const from = made;
      try {
        made = step(from);
      } finally {
        from.drop();
      }
    };
    if (rotations === "balls") next((from) => from.withRotations(rotations));
    if (keys.some(({ channels }) => channels)) next((from) => from.withChannelStyles(keys));
    if (timing && timing.length > 0) next((from) => from.retime(timing));
    return made;
  }

  private withChannelStyles(keys: readonly Key[]): Sequence {
    const channels = new Map(this.channels().map(({ name }, c) => [name, c]));
    const rows = keys.flatMap(({ channels: styles = {} }, k) =>
      Object.entries(styles).map(([name, style]) => {
        const c = channels.get(name);
        if (c === undefined)
          throw new RangeError(
            `key ${k}: found "${name}"; expected a channel, such as ${[...channels.keys()].slice(0, 3).join(", ")}`,
          );
        return [k, c, ...numbersOf(style)];
      }),
    );
    const { module } = this.figure;
    return this.edited(module.withNumbers(rows.flat(), (at) => this.calls.limber_sequence_set_styles(this.id, rows.length, at)));
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
    const ofChannels = this.channelStyles();
    const keys = rowsOf(styles.view, keyNumbers).map(([time, easeIn, easeOut, ...style], k): Key => {
      const channels = ofChannels.get(k);
      return {
        time: time!,
        pose: [...poses.view.subarray(figure.parameters * k, figure.parameters * (k + 1))],
        ...styleOf(style),
        ...(easeIn ? { easeIn } : {}),
        ...(easeOut ? { easeOut } : {}),
        ...(channels ? { channels } : {}),
      };
    });
    styles.drop();
    poses.drop();
    return keys;
  }

  // By key, then by channel.
  private channelStyles(): Map<number, Record<string, Style>> {
    const found = new Map<number, Record<string, Style>>();
    const count = this.calls.limber_sequence_styles(this.id);
    if (count === 0) return found;
    const channels = this.channels();
    const numbers = new Numbers(this.figure.module, styleNumbers * count);
    this.calls.limber_sequence_read_styles(this.id, numbers.address);
    for (const [key, channel, ...style] of rowsOf(numbers.view, styleNumbers)) {
      if (!found.has(key!)) found.set(key!, {});
      found.get(key!)![channels[channel!]!.name] = styleOf(style);
    }
    numbers.drop();
    return found;
  }

  get rotations(): Rotations {
    return this.calls.limber_sequence_rotations(this.id) === 1 ? "balls" : "joints";
  }

  channels(): Channel[] {
    const { module } = this.figure;
    module.accepted(this.calls.limber_sequence_channels(this.id));
    return module.json<Channel[]>();
  }

  timing(): TimingKnot[] {
    const numbers = new Numbers(this.figure.module, 2 * this.calls.limber_sequence_knots(this.id));
    this.calls.limber_sequence_timing(this.id, numbers.address);
    const knots = rowsOf(numbers.view, 2).map(([time, shows]) => ({ time: time!, shows: shows! }));
    numbers.drop();
    return knots;
  }

  /** The same keys, with other rotations interpolated as one. */
  withRotations(rotations: Rotations): Sequence {
    return this.edited(this.calls.limber_sequence_rotate(this.id, rotations === "balls" ? 1 : 0));
  }

  /** Another timing curve; an empty one removes it. */
  retime(timing: readonly TimingKnot[]): Sequence {
    const { module } = this.figure;
    const numbers = timing.flatMap(({ time, shows }) => [time, shows]);
    return this.edited(module.withNumbers(numbers, (at) => this.calls.limber_sequence_retime(this.id, timing.length, at)));
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
  /** Keys at an even rate. */
  resample(seconds: number): Sequence {
    return this.edited(this.calls.limber_sequence_resample(this.id, seconds));
  }
  /** Part of the way, 0 to 1, towards the other sequence at the same time. */
  blend(other: Sequence, weight: number): Sequence {
    return this.edited(this.calls.limber_sequence_blend(this.id, other.id, weight));
  }
  /** Goes over into the next sequence, which begins so many seconds before the end of this one. */
  crossFade(next: Sequence, seconds: number): Sequence {
    return this.edited(this.calls.limber_sequence_cross_fade(this.id, next.id, seconds));
  }
  /** Reduces the keys to few, within a tolerance. */
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

// Infinite ends are left out: JSON has no such number.
const spanValue = ({ from, to, easeIn, easeOut, path }: MotionSpan) => ({
  ...(Number.isFinite(from) ? { from } : {}),
  ...(Number.isFinite(to) ? { to } : {}),
  ...(easeIn ? { ease_in: easeIn } : {}),
  ...(easeOut ? { ease_out: easeOut } : {}),
  ...(path ? { path } : {}),
});

const howText = ({ iterations, eachFrame }: MotionOptions, spans?: readonly MotionSpan[], kept?: readonly number[]) =>
  JSON.stringify({
    ...(spans ? { spans: spans.map(spanValue) } : {}),
    ...(kept ? { kept } : {}),
    ...(iterations === undefined ? {} : { iterations }),
    ...(eachFrame ? { each: true } : {}),
  });

/** Poses at a constant frame rate. */
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

  /** A copy of all poses, frame after frame. */
  poses(): Float64Array {
    const size = this.frames * this.figure.parameters;
    return new Float64Array(this.calls.memory.buffer, this.calls.limber_clip_poses(this.id), size).slice();
  }

  /**
   * Enforces the constraints of a scene, each during its span, all frames together or frame by frame; frames in `kept` do
   * not change. The report has a note for each constraint that does not count in a motion.
   */
  keep(
    scene: SceneOf,
    spans: readonly MotionSpan[],
    kept: readonly number[] = [],
    options: MotionOptions = {},
  ): { clip: Clip; report: MotionReport } {
    const { module } = this.figure;
    const asked = scene.constraints?.length ?? 0;
    if (spans.length !== asked) throw new RangeError(`found ${spans.length} spans; expected ${asked}, one per constraint`);
    const id = module.withText(sceneText(scene), (at, size) =>
      module.withText(howText(options, spans, kept), (how, howSize) =>
        module.accepted(module.calls.limber_clip_keep(this.id, at, size, how, howSize)),
      ),
    );
    return { clip: new Clip(this.figure, id), report: module.json<MotionReport>() };
  }

  /** The motion of a script on a figure, in a scene: its pose, and constraints that hold all the time. */
  static ofScript(
    figure: Figure,
    scene: SceneOf,
    script: string,
    options: MotionOptions = {},
  ): { clip: Clip; report: MotionReport } {
    const { module } = figure;
    const id = module.withText(sceneText(scene), (at, size) =>
      module.withText(script, (begin, length) =>
        module.withText(howText(options), (how, howSize) =>
          module.accepted(module.calls.limber_clip_of_script(figure.id, at, size, begin, length, how, howSize)),
        ),
      ),
    );
    return { clip: new Clip(figure, id), report: module.json<MotionReport>() };
  }

  /** The same motion of the figure hung from another segment: `figure` is made by Figure.hungFrom(). */
  placedAs(figure: Figure): Clip {
    return new Clip(figure, this.figure.module.accepted(this.calls.limber_clip_placed_as(this.id, figure.id)));
  }

  /** Removes foot sliding. */
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
