// What all parts of the editor share: the document, the engine, the selection, the time and the shown pose.
//
// Parts listen to events and call actions; they do not know each other.
import type { Clip, Figure, PoseReport } from "limber";
import { rebalanced } from "../command/balance_commands.js";
import { keyed, setPose } from "../command/commands.js";
import type { Rig } from "../command/key_commands.js";
import { inPieces } from "../command/pieces.js";
import { activeAt, keyAt, lastTime, onFrame, type Doc } from "../document/document.js";
import type { Engine } from "../engine/engine.js";
import { Actions } from "../ui/actions.js";
import { Emitter, type Message } from "./events.js";
import { isOtherMotion, Motion, type MotionState } from "./motion.js";
import { Playback } from "./playback.js";
import { Selected, type ChainMode, type KeyRange, type Selection } from "./selection.js";
import { isSamePose, ShownPose } from "./shown_pose.js";
import { holdsIn, runAndSettle, settle } from "./solving.js";
import type { Cause, Store } from "./store.js";

const isOtherFigure = (doc: Doc, before: Doc) => doc.figure !== before.figure || doc.files !== before.files;

export class App extends Emitter {
  readonly actions = new Actions();
  readonly playback: Playback;
  autoKey = false; // a new pose becomes a key at once
  private readonly selected = new Selected(this);
  private readonly shown: ShownPose;
  private readonly motion_: Motion;
  private present_: { doc: Doc; time: number; present: Doc } | undefined;

  constructor(
    readonly store: Store,
    readonly engine: Engine,
  ) {
    super();
    const docNow = () => this.doc;
    this.shown = new ShownPose(this, store.doc.pose);
    this.motion_ = new Motion(engine, this, docNow, (work) => this.changeMotion(work));
    this.playback = new Playback(
      this,
      docNow,
      () => this.leavePose(),
      (time) => this.showMotion(time),
    );
    store.subscribe((doc, before, cause) => this.changed(doc, before, cause));
    store.refine = (before, doc) => this.refined(before, doc);
  }

  // --- The document

  get doc(): Doc {
    return this.store.doc;
  }
  get figure(): Figure {
    return this.engine.figure(this.doc);
  }
  get rig(): Rig {
    return { figure: this.figure, rotations: this.doc.rotations };
  }
  // The document at the playhead: constraints that are not active then are off. For everything that solves a pose.
  get present(): Doc {
    const { doc, time } = this;
    if (this.present_?.doc !== doc || this.present_.time !== time) {
      const next = activeAt(doc, time);
      const old = this.present_?.doc === doc ? this.present_.present : undefined;
      const isSame = old && old.constraints.every((one, k) => one.enabled === next.constraints[k]!.enabled);
      this.present_ = { doc, time, present: isSame ? old : next };
    }
    return this.present_.present;
  }

  say(kind: Message["kind"], title: string, text?: string): void {
    this.emit("message", text === undefined ? { kind, title } : { kind, title, text });
  }

  // What else follows from a command, in the same step.
  private refined(before: Doc, command: Doc): Doc {
    const doc = this.autoKey ? keyed(before, command, onFrame(command, this.time)) : command;
    const stood = rebalanced(this.engine.figure(doc), before, doc);
    return inPieces(before, stood, this.time, (constraint, pose) => holdsIn(this, constraint, pose));
  }

  // --- The selection

  get selection(): Selection {
    return this.selected.selection;
  }
  get keyRange(): KeyRange | undefined {
    return this.selected.keyRange;
  }
  get chainMode(): ChainMode {
    return this.selected.chainMode;
  }
  get chainJoint(): number {
    return this.selected.chainJoint;
  }
  select(selection: Selection): void {
    this.selected.select(selection);
  }
  selectKeys(range: KeyRange | undefined): void {
    this.selected.selectKeys(range);
  }
  setChain(mode: ChainMode, joint = this.chainJoint): void {
    this.selected.setChain(mode, joint);
  }

  // --- The shown pose

  // A copy is the caller's to change.
  get pose(): Float64Array {
    return this.shown.pose;
  }
  get report(): PoseReport | undefined {
    return this.shown.report;
  }
  // Shows a pose without a step in the document: while something is dragged or slid.
  showPose(pose: ArrayLike<number>): void {
    this.shown.show(pose);
  }
  setReport(report: PoseReport | undefined): void {
    this.shown.setReport(report);
  }
  // Makes a pose a step of the document, and of the key at the playhead.
  commitPose(title: string, pose: ArrayLike<number> = this.pose): void {
    this.store.run(title, (doc) => setPose(doc, pose, this.time));
  }
  settle(pose: Float64Array, iterations?: number): PoseReport {
    return settle(this, pose, iterations);
  }
  runAndSettle(title: string, command: (doc: Doc) => Doc): void {
    runAndSettle(this, title, command);
  }

  // Whether the shown pose was edited, and is not the motion at the playhead.
  get isPosed(): boolean {
    return this.isPosedIn(this.doc);
  }
  private isPosedIn(doc: Doc): boolean {
    const at = this.motion_.poseAt(this.time, doc);
    return !at || !isSamePose(at, this.pose);
  }

  // A pose without a key that the playhead has left.
  get unkeyed(): { readonly time: number } | undefined {
    return this.shown.unkeyed;
  }
  returnToUnkeyed(): void {
    const { unkeyed } = this.shown;
    if (!unkeyed) return;
    this.shown.setUnkeyed(undefined);
    this.play(false);
    this.playback.moveTo(unkeyed.time);
    this.showPose(unkeyed.pose);
  }
  private leavePose(): void {
    const { doc, time, pose } = this;
    if (doc.keys.length > 0 && keyAt(doc, time) < 0 && this.isPosed) this.shown.setUnkeyed({ time, pose });
  }

  // --- Time and motion

  get time(): number {
    return this.playback.time;
  }
  get playing(): boolean {
    return this.playback.playing;
  }
  get start(): number {
    return this.playback.start;
  }
  get end(): number {
    return this.playback.end;
  }
  setTime(time: number): void {
    this.playback.setTime(time);
  }
  play(playing: boolean): void {
    this.playback.play(playing);
  }

  get motion(): MotionState {
    return this.motion_.state;
  }
  // The motion at a time; undefined where there are no keys.
  poseAt(time: number): Float64Array | undefined {
    return this.motion_.poseAt(time);
  }
  whenKept(): Promise<void> {
    return this.motion_.whenKept();
  }
  clip(): Clip {
    return this.motion_.clip(this.pose);
  }

  private showMotion(time: number): void {
    const pose = this.poseAt(time);
    if (pose) this.showPose(pose);
  }
  private changeMotion(work: () => void): void {
    const { isPosed } = this;
    work();
    if (!isPosed && !this.playing) this.showMotion(this.time);
  }

  // --- What follows from a change of the document

  private changed(doc: Doc, before: Doc, cause: Cause): void {
    const isOther = isOtherFigure(doc, before);
    this.shown.setUnkeyed(undefined);
    this.selected.update(doc, isOther);
    const wasPosed = !isOther && this.isPosedIn(before);
    if (isOther) {
      this.shown.reset(doc.pose);
      this.playback.rewindBeyond(lastTime(doc));
      this.emit("figure", this.engine.figure(doc));
    }
    this.motion_.update(doc, before, isOther);
    this.emit("document", doc, before, cause);
    this.showChanged(doc, before, cause, wasPosed || !(isOther || isOtherMotion(doc, before)));
    this.selected.announce();
  }

  // A pose that was edited is shown; where keys have changed, so has the motion. A pose that undo restores to a key is seen
  // at the time of that key and not at another; the pose of a key whose setting is undone stays, without a key.
  private showChanged(doc: Doc, before: Doc, cause: Cause, stays: boolean): void {
    const isStep = cause === "undo" || cause === "redo";
    const hasOtherKeys = doc.keys !== before.keys && doc.keys.length > 0;
    if (isOtherFigure(doc, before) || (doc.pose !== before.pose && !(isStep && hasOtherKeys))) {
      if (this.playing) this.play(false);
      this.showPose(doc.pose);
    } else if (doc.keys.length > 0 && !stays && !this.playing) {
      const isUnset = isStep && doc.keys.length < before.keys.length && isSamePose(doc.pose, this.pose);
      if (!isUnset) this.showMotion(this.time);
    }
  }
}
