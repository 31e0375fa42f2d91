// An obstacle on its way with the pointer; the figure gives way: one solve a frame, from the pose of the frame before.
import type { PoseReport, Vec3 } from "limber";
import type { App } from "../app.js";
import { setPose } from "../document/commands.js";
import { moveObstacle, obstacleCalled } from "../document/obstacle_commands.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { Follow } from "./follow.js";

const leastIterations = 12; // a frame
const lastIterations = 100; // at the end: what can be met is met to rounding
const atRest = 2e-5; // radians or metres: a pose that changes less has come to rest

export class ObstacleDrag extends Follow {
  private readonly pose: Float64Array;
  private readonly before: { pose: Float64Array; report: PoseReport | undefined };
  private readonly from: Point; // its origin
  private readonly held: Point; // what of it was pressed
  private at: Point; // where that is now
  private report: PoseReport | undefined;

  constructor(
    app: App,
    view: View,
    event: PointerEvent,
    private readonly name: string,
    pressed: Point,
    private readonly ended: () => void,
  ) {
    super(app, view, event);
    this.pose = Float64Array.from(app.pose);
    this.before = { pose: Float64Array.from(app.pose), report: app.report };
    this.from = obstacleCalled(app.doc, name)?.p ?? [0, 0, 0];
    this.held = this.at = pressed;
    this.hold(pressed);
  }

  protected begin(): void {
    this.click();
  }

  protected click(): void {
    this.app.select({ kind: "obstacle", name: this.name });
  }

  private get place(): Vec3 {
    const { from, held, at } = this;
    return [0, 1, 2].map((k) => from[k]! + at[k]! - held[k]!) as Vec3;
  }

  // Once a frame, until all is met or the figure has come to rest.
  frame(iterations = Math.max(leastIterations, this.app.doc.iterations)): void {
    const { app } = this;
    if (!this.moved || !this.isNew) return;
    this.isNew = false;
    const { ray, nearest } = this.aim();
    this.at = nearestOnRay(ray, this.at, nearest);
    const { place } = this;
    app.store.preview((doc) => moveObstacle(doc, this.name, place));
    if (app.doc.constraints.length === 0) return;
    const before = Float64Array.from(this.pose);
    const begun = performance.now();
    const posing = app.engine.posing(app.present);
    posing.solve(this.pose, { iterations, restarts: 0, untilMet: true });
    app.stage.timings.add(performance.now() - begun);
    this.report = posing.report();
    this.isNew = !this.report.met && this.pose.some((value, k) => Math.abs(value - before[k]!) > atRest);
    app.showPose(this.pose);
    app.setReport(this.report);
    if (this.isNew) app.stage.requestRender();
  }

  protected last(): void {
    this.isNew = true;
    this.frame(lastIterations);
  }

  protected complete(): void {
    const { app, pose, place, name } = this;
    app.store.run(`Move ${name}`, (doc) => setPose(moveObstacle(doc, name, place), pose, app.time));
  }

  protected takeBack(): void {
    if (!this.moved) return;
    const { app } = this;
    app.store.cancel();
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
  }

  protected release(): void {
    this.ended();
  }
}
