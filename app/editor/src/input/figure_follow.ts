// A gesture that moves something the figure reacts to: one solve per frame, starting from the pose of the last frame, until
// all is met or the figure is at rest.
import type { PoseReport } from "limber";
import type { View } from "../view/views.js";
import { Follow } from "./follow.js";
import type { Editor } from "../view/stage.js";

export const lastIterations = 100; // at the end: constraints are met to rounding error
const atRest = 2e-5; // radians or metres: a pose that changes less is at rest

export abstract class FigureFollow extends Follow {
  protected readonly pose: Float64Array;
  private readonly before: { pose: Float64Array; report: PoseReport | undefined };
  protected report: PoseReport | undefined;

  constructor(app: Editor, view: View, event: PointerEvent) {
    super(app, view, event);
    this.pose = Float64Array.from(app.pose);
    this.before = { pose: Float64Array.from(app.pose), report: app.report };
  }

  // Once per frame.
  abstract frame(iterations?: number): void;

  // `solve` changes the pose and returns its report.
  protected settle(solve: () => PoseReport): void {
    const before = Float64Array.from(this.pose);
    const begun = performance.now();
    this.report = solve();
    this.app.stage.timings.add(performance.now() - begun);
    this.isNew = !this.report.met && this.pose.some((value, k) => Math.abs(value - before[k]!) > atRest);
  }

  protected show(): void {
    const { app } = this;
    app.showPose(this.pose);
    app.setReport(this.report);
    if (this.isNew) app.stage.requestRender();
  }

  protected last(): void {
    this.isNew = true;
    this.frame(lastIterations);
  }

  protected takeBack(): void {
    if (!this.moved) return;
    const { app } = this;
    app.store.cancel();
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
  }
}
