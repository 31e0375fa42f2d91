// A figure that follows a motion.
import type { Content } from "./content.js";
import type { Figure } from "./figure.js";
import { Numbers, Owned } from "./module.js";
import type { Vec3 } from "./types.js";

export interface TrackerOptions {
  places: readonly string[];
  method?: string;
  iterations?: number;
  root_given?: boolean;
  orientations?: boolean;
}

/** A marker of a recording, and where on the figure it is fixed. */
export interface Attachment {
  marker: string;
  place: string; // a site, segment or joint
  at?: Vec3; // in its frame
  weight?: number;
}

/** Markers that are not listed are fixed to the sites of their names. */
export interface MarkerOptions {
  markers?: readonly Attachment[];
  turn_degrees?: number; // of the recording, about the vertical
  method?: string;
  iterations?: number;
}

/** A figure that follows recorded markers, frame after frame. */
export class MarkerTracker {
  readonly frames: number;
  readonly rate: number; // per second
  private readonly theta: Numbers;
  private readonly owned: Owned;

  constructor(
    readonly figure: Figure,
    recording: Content,
    options: MarkerOptions = {},
  ) {
    const { module } = figure;
    const id = module.withText(JSON.stringify(options), (at, size) =>
      module.accepted(module.calls.limber_tracker_of_markers(figure.id, recording.id, at, size)),
    );
    ({ frames: this.frames, rate: this.rate } = module.json<{ frames: number; rate: number }>());
    this.theta = new Numbers(module, figure.parameters);
    this.owned = new Owned(module, id, this.theta);
  }

  /** Solves from `pose` and writes the result to it; returns distances in metres. The first frame moves the root there. */
  follow(frame: number, pose: Float64Array): { mean: number; largest: number } {
    const { module } = this.figure;
    this.theta.fill(pose);
    return module.withNumbers([0, 0], (at) => {
      module.accepted(module.calls.limber_tracker_follow_markers(this.owned.id, frame, this.theta.address, at));
      pose.set(this.theta.view);
      const [mean, largest] = new Float64Array(module.calls.memory.buffer, at, 2);
      return { mean: mean!, largest: largest! };
    });
  }

  drop(): void {
    this.owned.drop();
  }
}

/** A figure that follows a few places of a reference pose.  EE09 */
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

  /** Solves from `pose` and writes the result to it; returns distances in metres. */
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
