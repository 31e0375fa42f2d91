// The motion of the document: its keys, interpolated; where constraints are to be kept between keys, the worker computes
// that motion and it replaces the interpolated one.
import { Sequence, type Clip } from "limber";
import { frameTime, spanOf, type Doc } from "../document/document.js";
import { subjectOf, type Engine } from "../engine/engine.js";
import type { Jobs } from "../engine/jobs.js";
import { reasonOf } from "./attempt.js";
import type { Emitter } from "./events.js";

export type MotionState =
  | { kind: "none" }
  | { kind: "interpolated"; pending: boolean }
  | { kind: "kept"; report: Jobs["keep"]["out"]["report"] }
  | { kind: "failed"; why: string };

const recalculationDelay = 150; // ms after the last change

// What is affected by the keys and settings of a motion.
export const isOtherMotion = (doc: Doc, before: Doc) =>
  doc.keys !== before.keys ||
  doc.rotations !== before.rotations ||
  doc.keep !== before.keep ||
  doc.frameRate !== before.frameRate;

const isSolvedAnew = (doc: Doc, before: Doc) =>
  doc.constraints !== before.constraints ||
  doc.obstacles !== before.obstacles ||
  doc.rigidity !== before.rigidity ||
  doc.stiffness !== before.stiffness;

export class Motion {
  private state_: MotionState = { kind: "none" };
  private kept: { clip: Clip; sequence: Sequence; start: number } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(
    private readonly engine: Engine,
    private readonly events: Emitter,
    private readonly docNow: () => Doc,
    // Runs a change of the motion; what is shown of the motion follows it.
    private readonly change: (work: () => void) => void,
  ) {}

  get state(): MotionState {
    return this.state_;
  }

  // The pose at a time; undefined where there are no keys. While a motion is kept, `doc` has no say.
  poseAt(time: number, doc = this.docNow()): Float64Array | undefined {
    if (this.kept) return this.kept.sequence.at(time - this.kept.start);
    return this.engine.sequence(doc)?.at(time);
  }

  // After a change of the document. Where only the constraints have changed, the motion that kept the old ones is shown
  // until the new one arrives.
  update(doc: Doc, before: Doc, isOtherFigure: boolean): void {
    const isOther = isOtherFigure || isOtherMotion(doc, before);
    if (!isOther && !isSolvedAnew(doc, before)) return;
    ++this.round;
    clearTimeout(this.timer);
    const isWanted = doc.keep && doc.keys.length >= 2 && doc.constraints.some((one) => one.enabled !== false);
    if (isOther || !isWanted) this.drop();
    this.set(doc.keys.length === 0 ? { kind: "none" } : { kind: "interpolated", pending: isWanted });
    if (isWanted) this.timer = setTimeout(() => void this.keepConstraints(), recalculationDelay);
  }

  // Waits for a motion that is being computed.
  async whenKept(): Promise<void> {
    while (this.state_.kind === "interpolated" && this.state_.pending) await new Promise((done) => setTimeout(done, 20));
  }

  // The whole motion at the frame rate, as it is played; of a document without keys, a single pose.
  clip(pose: Float64Array): Clip {
    const doc = this.docNow();
    const { limber } = this.engine;
    const figure = this.engine.figure(doc);
    if (this.kept) return limber.clip(figure, frameTime(doc), this.kept.clip.poses());
    return this.engine.sequence(doc)?.sample(frameTime(doc)) ?? limber.clip(figure, frameTime(doc), pose);
  }

  private set(state: MotionState): void {
    this.state_ = state;
    this.events.emit("motion", state);
  }

  private drop(): void {
    this.kept?.sequence.drop();
    this.kept?.clip.drop();
    this.kept = undefined;
  }

  private async keepConstraints(): Promise<void> {
    const { round, engine } = this;
    const doc = this.docNow();
    try {
      const {
        poses,
        frameTime: step,
        start,
        report,
      } = await engine.run("keep", {
        subject: subjectOf(doc),
        scene: engine.movingScene(doc),
        spans: doc.constraints.map(spanOf),
        keys: doc.keys,
        rotations: doc.rotations ?? "joints",
        frameTime: frameTime(doc),
      });
      if (round !== this.round) return;
      this.change(() => {
        this.drop();
        const clip = engine.limber.clip(engine.figure(doc), step, poses);
        this.kept = { clip, sequence: Sequence.ofClip(clip), start };
        this.state_ = { kind: "kept", report };
      });
    } catch (error) {
      if (round !== this.round) return;
      this.drop();
      this.state_ = { kind: "failed", why: reasonOf(error) };
    }
    this.events.emit("motion", this.state_);
  }
}
