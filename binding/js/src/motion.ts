// Motions: interpolated keys (sequences), and poses at a constant frame rate (clips). Each can be made from the other.
import type { Figure } from "./figure.js";
import { Numbers, Owned } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type { Key, MotionReport, Span } from "./results.js";

const interpolations = ["step", "linear", "spline"] as const;
const keyNumbers = 8;

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

  /** Enforces the constraints of a scene, each during its span; frames in `kept` do not change. */
  keep(
    scene: SceneOf,
    spans: readonly Span[],
    kept: readonly number[] = [],
    iterations = 30,
  ): { clip: Clip; report: MotionReport } {
    const { module } = this.figure;
    const asked = scene.constraints?.length ?? 0;
    if (spans.length !== asked) throw new RangeError(`found ${spans.length} spans; expected ${asked}, one per constraint`);
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
