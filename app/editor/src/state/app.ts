// What all panels share: the document, the engine, what is selected, which time it is, which pose is shown.
//
// The shown pose is the document's own after an edit; while time is scrubbed or played it is the motion at that time.
// Panels listen to events and call actions; they do not know each other.
import type { Clip, Figure, PoseReport, Sequence } from "limber";
import { Sequence as Keys } from "limber";
import { standsThere } from "../document/balance.js";
import { keyed, setPose } from "../command/commands.js";
import {
  frameTime,
  inForce,
  keyAt,
  lastTime,
  onFrame,
  sceneOf,
  spanOf,
  valueOf,
  type Constraint,
  type Doc,
} from "../document/document.js";
import { inPieces } from "../command/pieces.js";
import { Store, type Cause } from "./store.js";
import { subjectOf, type Engine } from "../engine/engine.js";
import type { Jobs } from "../engine/jobs.js";
import { solveBending } from "../engine/nudge.js";
import { Actions } from "../ui/actions.js";
import { stoodAgain } from "../command/balance_commands.js";

export type Selection =
  | { readonly kind: "nothing" }
  | { readonly kind: "segment"; readonly segment: number }
  | { readonly kind: "constraint"; readonly id: string }
  | { readonly kind: "obstacle"; readonly name: string };

// How much of the figure follows a drag.                                                                  W93 6.2
export type ChainMode = "part" | "branch" | "joint" | "body";

export interface Events {
  document: (doc: Doc, before: Doc, cause: Cause) => void;
  figure: (figure: Figure) => void; // another figure is loaded
  pose: (pose: Float64Array) => void; // what is shown has changed
  time: (time: number) => void;
  playing: (playing: boolean) => void;
  selection: (selection: Selection) => void;
  keys: (range: KeyRange | undefined) => void;
  motion: (state: MotionState) => void; // what is between keys has changed
  report: (report: PoseReport | undefined) => void; // of the last solve
  chain: (mode: ChainMode, joint: number) => void;
  message: (message: Message) => void;
  settings: () => void; // view settings
  limit: (parameter: number) => void; // what holds a constraint back is to be seen
  saved: () => void; // the document stands in a file
  left: () => void; // a pose without a key was left, or brought back
}

export interface KeyRange {
  readonly first: number;
  readonly count: number;
}

export interface Message {
  readonly kind: "info" | "error";
  readonly title: string;
  readonly text?: string;
  readonly button?: { readonly title: string; readonly run: () => void };
}

// What is between keys: interpolated, or with the constraints kept, which takes a moment.
export type MotionState =
  | { kind: "none" }
  | { kind: "interpolated"; pending: boolean }
  | { kind: "kept"; report: Jobs["keep"]["out"]["report"] }
  | { kind: "failed"; why: string };

const sameMetres = 0.01;
const sameRadians = 0.09; // five degrees
const recalculationDelay = 150; // ms after the last change
const settling = 12; // iterations, at least
const clearEnough = 0.0005; // metres
const samePose = 1e-6; // radians, metres: far below what is seen, far above what solving a key again changes

// What keeps clear to less than can be seen is met.
function withClear(report: PoseReport): PoseReport {
  const isMet = ({ met, touches, metres = 0 }: PoseReport["constraints"][number]) =>
    met || (touches !== undefined && metres < clearEnough);
  const constraints = report.constraints.map((one) => (isMet(one) === one.met ? one : { ...one, met: true }));
  return { ...report, constraints, met: constraints.every(({ counted, met }) => met || !counted) };
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value: number, j: number) => Math.abs(value - b[j]!) <= samePose);

export class App {
  readonly actions = new Actions();
  private readonly listeners: { [E in keyof Events]: Set<Events[E]> } = {
    document: new Set(),
    figure: new Set(),
    pose: new Set(),
    time: new Set(),
    playing: new Set(),
    selection: new Set(),
    keys: new Set(),
    motion: new Set(),
    report: new Set(),
    chain: new Set(),
    message: new Set(),
    settings: new Set(),
    limit: new Set(),
    saved: new Set(),
    left: new Set(),
  };
  private pose_: Float64Array;
  private time_ = 0;
  private present_: { doc: Doc; time: number; present: Doc } | undefined;
  private playing_ = false;
  private selection_: Selection = { kind: "nothing" };
  private keyRange_: KeyRange | undefined;
  private chainMode_: ChainMode = "body";
  private chainJoint_ = -1;
  private report_: PoseReport | undefined;
  private motion_: MotionState = { kind: "none" };
  private kept: { clip: Clip; sequence: Sequence; start: number } | undefined;
  private keepTimer: ReturnType<typeof setTimeout> | undefined;
  private keepRound = 0;
  private left_: { time: number; pose: Float64Array } | undefined;
  speed = 1;
  loop = true;
  autoKey = false; // what is posed becomes a key at once

  constructor(
    readonly store: Store,
    readonly engine: Engine,
  ) {
    this.pose_ = Float64Array.from(store.doc.pose);
    store.subscribe((doc, before, cause) => this.changed(doc, before, cause));
    store.refine = (before, doc) => this.refined(before, this.autoKey ? keyed(before, doc, onFrame(doc, this.time_)) : doc);
  }

  private refined(before: Doc, doc: Doc): Doc {
    const stood = stoodAgain(this.engine.figure(doc), before, doc);
    return inPieces(before, stood, this.time_, (constraint, pose) => this.holds(constraint, pose));
  }

  get doc(): Doc {
    return this.store.doc;
  }
  // As it is at the time: constraints that are not in force then are off. For all that solves a pose.
  get present(): Doc {
    const { doc, time_: time } = this;
    if (this.present_?.doc !== doc || this.present_.time !== time) {
      const next = inForce(doc, time);
      const old = this.present_?.doc === doc ? this.present_.present : undefined;
      const isSame = old && old.constraints.every((one, k) => one.enabled === next.constraints[k]!.enabled);
      this.present_ = { doc, time, present: isSame ? old : next };
    }
    return this.present_.present;
  }
  get figure(): Figure {
    return this.engine.figure(this.doc);
  }
  // What is shown. A copy is the caller's to change.
  get pose(): Float64Array {
    return this.pose_;
  }
  get time(): number {
    return this.time_;
  }
  get playing(): boolean {
    return this.playing_;
  }
  get selection(): Selection {
    return this.selection_;
  }
  get keyRange(): KeyRange | undefined {
    return this.keyRange_;
  }
  get chainMode(): ChainMode {
    return this.chainMode_;
  }
  get chainJoint(): number {
    return this.chainJoint_;
  }
  get report(): PoseReport | undefined {
    return this.report_;
  }
  get motion(): MotionState {
    return this.motion_;
  }

  on<E extends keyof Events>(event: E, listener: Events[E]): () => void {
    this.listeners[event].add(listener);
    return () => this.listeners[event].delete(listener);
  }

  emit<E extends keyof Events>(event: E, ...values: Parameters<Events[E]>): void {
    for (const listener of [...this.listeners[event]]) (listener as (...all: Parameters<Events[E]>) => void)(...values);
  }

  say(kind: Message["kind"], title: string, text?: string): void {
    this.emit("message", text === undefined ? { kind, title } : { kind, title, text });
  }

  select(selection: Selection): void {
    if (JSON.stringify(selection) === JSON.stringify(this.selection_)) return;
    this.selection_ = selection;
    this.emit("selection", selection);
  }

  selectKeys(range: KeyRange | undefined): void {
    this.keyRange_ = range;
    this.emit("keys", range);
  }

  setChain(mode: ChainMode, joint = this.chainJoint_): void {
    this.chainMode_ = mode;
    this.chainJoint_ = joint;
    this.emit("chain", mode, joint);
  }

  // Shows a pose without a step in the document: while something is dragged or slid.
  showPose(pose: ArrayLike<number>): void {
    this.pose_ = Float64Array.from(pose);
    this.emit("pose", this.pose_);
  }

  setReport(report: PoseReport | undefined): void {
    this.report_ = report && withClear(report);
    this.emit("report", this.report_);
  }

  // Makes a pose a step of the document, and of the key that stands at the time.
  commitPose(title: string, pose: ArrayLike<number> = this.pose_): void {
    this.store.run(title, (doc) => setPose(doc, pose, this.time_));
  }

  // A few iterations that keep the constraints, from the pose on; the pose becomes the answer.     W93 6.3
  settle(pose: Float64Array, iterations = Math.max(settling, this.doc.iterations)): PoseReport {
    const posing = this.engine.posing(this.present);
    posing.solve(pose, { iterations, restarts: 0, untilMet: true });
    const report = posing.report();
    this.setReport(report);
    return report;
  }

  // Where a constraint or what it asks for has changed: the pose follows, in the same step.
  runAndSettle(title: string, command: (doc: Doc) => Doc): void {
    this.store.run(title, (doc) => {
      const next = command(doc);
      const pose = Float64Array.from(this.pose_);
      const posing = this.engine.posing(inForce(next, this.time_));
      this.setReport(solveBending(posing, pose, { iterations: 100, restarts: 0 }));
      return setPose(next, pose, this.time_);
    });
  }

  // Whether a pose meets a constraint, as far as the eye can tell.
  private holds(constraint: Constraint, pose: readonly number[]): boolean {
    if (constraint.balance) return standsThere(this.figure, constraint, pose);
    const posing = this.engine.limber.posing(this.figure, { constraints: [valueOf(constraint)] });
    posing.solve(Float64Array.from(pose), { iterations: 0, restarts: 0 });
    const [report] = posing.report().constraints;
    posing.drop();
    return (report?.metres ?? 0) <= sameMetres && (report?.radians ?? 0) <= sameRadians;
  }

  // All the way, in the worker.
  async solveFully(signal?: AbortSignal): Promise<void> {
    const { doc } = this;
    try {
      const { pose, report } = await this.engine.run(
        "solve",
        { subject: subjectOf(doc), scene: sceneOf(this.present), pose: [...this.pose_] },
        undefined,
        signal,
      );
      if (this.doc !== doc) return;
      this.setReport(report);
      this.commitPose("Solve", pose);
    } catch (error) {
      const why = String(error instanceof Error ? error.message : error);
      this.say(why === "abandoned" ? "info" : "error", "Solve", why);
    }
  }

  // --- Time

  get start(): number {
    return this.doc.keys[0]?.time ?? 0;
  }
  get end(): number {
    return lastTime(this.doc);
  }

  // The motion at a time; nothing where there are no keys.
  poseAt(time: number): Float64Array | undefined {
    if (this.kept) return this.kept.sequence.at(time - this.kept.start);
    return this.engine.sequence(this.doc)?.at(time);
  }

  // A pose that was no key when the playhead left it, until something else is done.
  get left(): { readonly time: number } | undefined {
    return this.left_;
  }

  // Back to it.
  returnToLeft(): void {
    const { left_: left } = this;
    if (!left) return;
    this.setLeft(undefined);
    this.play(false);
    this.time_ = left.time;
    this.emit("time", left.time);
    this.showPose(left.pose);
  }

  private setLeft(left: App["left_"]): void {
    if (left === this.left_) return;
    this.left_ = left;
    this.emit("left");
  }

  // Before the playhead goes from a pose that is no key.
  private leave(): void {
    if (this.doc.keys.length > 0 && keyAt(this.doc, this.time_) < 0 && this.isPosed)
      this.setLeft({ time: this.time_, pose: this.pose_ });
  }

  // Scrubs: the motion at that time is shown.
  setTime(time: number): void {
    if (!this.playing_ && time !== this.time_) this.leave();
    this.time_ = Math.max(0, time);
    this.emit("time", this.time_);
    const pose = this.poseAt(this.time_);
    if (pose) this.showPose(pose);
  }

  play(playing: boolean): void {
    if (playing === this.playing_ || (playing && this.doc.keys.length < 2)) return;
    if (playing) this.leave();
    this.playing_ = playing;
    this.emit("playing", playing);
    if (!playing) return this.setTime(onFrame(this.doc, this.time_));
    if (this.time_ >= this.end || this.time_ < this.start) this.setTime(this.start);
    let last = performance.now();
    const step = (now: number) => {
      if (!this.playing_) return;
      if (this.doc.keys.length < 2) return this.play(false);
      let time = this.time_ + ((now - last) / 1000) * this.speed;
      last = now;
      if (time >= this.end && this.loop)
        time = this.start + ((time - this.start) % Math.max(frameTime(this.doc), this.end - this.start));
      this.setTime(Math.min(time, this.end));
      if (time >= this.end && !this.loop) return this.play(false);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // --- What follows from a change of the document

  private changed(doc: Doc, before: Doc, cause: Cause): void {
    const isOther = doc.figure !== before.figure || doc.files !== before.files;
    this.setLeft(undefined);
    if (isOther) {
      this.selection_ = { kind: "nothing" };
      this.keyRange_ = undefined;
      this.report_ = undefined;
      this.pose_ = Float64Array.from(doc.pose); // whoever hears of the figure finds a pose of it
      if (this.time_ > lastTime(doc)) this.time_ = 0;
    }
    if (this.selection_.kind === "constraint") {
      const { id } = this.selection_;
      if (!doc.constraints.some((one) => one.id === id)) this.selection_ = { kind: "nothing" };
    }
    if (this.selection_.kind === "obstacle") {
      const { name } = this.selection_;
      if (!doc.obstacles.some((one) => one.name === name)) this.selection_ = { kind: "nothing" };
    }
    if (this.keyRange_ && this.keyRange_.first + this.keyRange_.count > doc.keys.length) this.keyRange_ = undefined;
    const posed = !isOther && this.isPosedIn(before);
    if (isOther) {
      const figure = this.engine.figure(doc);
      this.pose_ = Float64Array.from(doc.pose); // the old one is of the old figure
      this.emit("figure", figure);
    }
    const isOtherMotion = isOther || doc.keys !== before.keys || doc.keep !== before.keep || doc.frameRate !== before.frameRate;
    if (
      isOtherMotion ||
      doc.constraints !== before.constraints ||
      doc.rigidity !== before.rigidity ||
      doc.stiffness !== before.stiffness
    )
      this.renewMotion(isOtherMotion);
    this.emit("document", doc, before, cause);
    this.showChanged(doc, before, cause, posed || !isOtherMotion);
    this.emit("selection", this.selection_);
    this.emit("keys", this.keyRange_);
  }

  // A pose that was edited is shown; where keys have changed, so has the motion. What undo brings back of a key is seen
  // at the time of that key and not at another; the pose of a key whose setting is undone stays, without a key.
  private showChanged(doc: Doc, before: Doc, cause: Cause, stays: boolean): void {
    const isOther = doc.figure !== before.figure || doc.files !== before.files;
    const isStep = cause === "undo" || cause === "redo";
    const hasOtherKeys = doc.keys !== before.keys && doc.keys.length > 0;
    if (isOther || (doc.pose !== before.pose && !(isStep && hasOtherKeys))) {
      if (this.playing_) this.play(false);
      this.showPose(doc.pose);
    } else if (doc.keys.length > 0 && !stays && !this.playing_) {
      const isUnset = isStep && doc.keys.length < before.keys.length && isSame(doc.pose, this.pose_);
      if (!isUnset) this.showPose(this.poseAt(this.time_)!);
    }
  }

  private forgetMotion(): void {
    if (this.kept) for (const one of [this.kept.sequence, this.kept.clip]) one.drop();
    this.kept = undefined;
  }

  // Where only the constraints are others, the motion that kept the old ones is shown until the new one is there.
  private renewMotion(isOther: boolean): void {
    ++this.keepRound;
    clearTimeout(this.keepTimer);
    const { doc } = this;
    const wants = doc.keep && doc.keys.length >= 2 && doc.constraints.some((one) => one.enabled !== false);
    if (isOther || !wants) this.forgetMotion();
    this.motion_ = doc.keys.length === 0 ? { kind: "none" } : { kind: "interpolated", pending: wants };
    this.emit("motion", this.motion_);
    if (wants) this.keepTimer = setTimeout(() => void this.keepConstraints(), recalculationDelay);
  }

  // The kept motion when it is there; waits for one that is on its way.
  async whenKept(): Promise<void> {
    while (this.motion_.kind === "interpolated" && this.motion_.pending) await new Promise((done) => setTimeout(done, 20));
  }

  private async keepConstraints(): Promise<void> {
    const round = this.keepRound;
    const { doc } = this;
    try {
      const {
        poses,
        frameTime: step,
        start,
        report,
      } = await this.engine.run("keep", {
        subject: subjectOf(doc),
        scene: this.engine.movingScene(doc),
        spans: doc.constraints.map(spanOf),
        keys: doc.keys,
        frameTime: frameTime(doc),
      });
      if (round !== this.keepRound) return;
      const posed = this.isPosed;
      this.forgetMotion();
      const clip = this.engine.limber.clip(this.figure, step, poses);
      this.kept = { clip, sequence: Keys.ofClip(clip), start };
      this.motion_ = { kind: "kept", report };
      if (!posed && !this.playing_) this.showPose(this.poseAt(this.time_)!);
    } catch (error) {
      if (round !== this.keepRound) return;
      this.forgetMotion();
      this.motion_ = { kind: "failed", why: error instanceof Error ? error.message : String(error) };
    }
    this.emit("motion", this.motion_);
  }

  // Whether what is shown is a pose that was edited, and not the motion at the time.
  get isPosed(): boolean {
    return this.isPosedIn(this.doc);
  }

  private isPosedIn(doc: Doc): boolean {
    const at = this.kept ? this.poseAt(this.time_) : this.engine.sequence(doc)?.at(this.time_);
    return !at || !isSame(at, this.pose_);
  }

  // The whole motion at the frame rate, as it is played: for export.
  clip(): Clip {
    if (this.kept) return this.engine.limber.clip(this.figure, frameTime(this.doc), this.kept.clip.poses());
    const sequence = this.engine.sequence(this.doc);
    if (sequence) return sequence.sample(frameTime(this.doc));
    return this.engine.limber.clip(this.figure, frameTime(this.doc), this.pose_);
  }
}
