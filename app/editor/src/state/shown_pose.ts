// The pose that is shown, and how well it meets the constraints. It is the document's own after an edit, and the motion at
// the playhead while time is scrubbed or played.
import type { PoseReport } from "limber";
import type { Emitter } from "./events.js";

const samePose = 1e-6; // radians, metres: far below what is seen, far above what solving a key again changes

export const isSamePose = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value: number, j: number) => Math.abs(value - b[j]!) <= samePose);

interface Unkeyed {
  readonly time: number;
  readonly pose: Float64Array;
}

export class ShownPose {
  private pose_: Float64Array;
  private report_: PoseReport | undefined;
  private unkeyed_: Unkeyed | undefined;

  constructor(
    private readonly events: Emitter,
    pose: ArrayLike<number>,
  ) {
    this.pose_ = Float64Array.from(pose);
  }

  get pose(): Float64Array {
    return this.pose_;
  }
  get report(): PoseReport | undefined {
    return this.report_;
  }
  // A pose without a key that the playhead has left, until something else is done.
  get unkeyed(): Unkeyed | undefined {
    return this.unkeyed_;
  }

  show(pose: ArrayLike<number>): void {
    this.pose_ = Float64Array.from(pose);
    this.events.emit("pose", this.pose_);
  }

  setReport(report: PoseReport | undefined): void {
    this.report_ = report;
    this.events.emit("report", this.report_);
  }

  setUnkeyed(unkeyed: Unkeyed | undefined): void {
    if (unkeyed === this.unkeyed_) return;
    this.unkeyed_ = unkeyed;
    this.events.emit("unkeyed");
  }

  // For another figure. Emits no event: the figure event follows.
  reset(pose: ArrayLike<number>): void {
    this.pose_ = Float64Array.from(pose);
    this.report_ = undefined;
  }
}
