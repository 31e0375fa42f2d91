// A constraint's goal on its way to the pointer, the figure after it: one solve a frame, from the pose of the frame before.
//
// The goal goes to the point of the pointer's ray that is nearest to where it is.                             W93 Fig. 6.3
import type { GoalValue, PoseReport, Posing } from "limber";
import type { App } from "../app.js";
import { changeConstraint, setPose } from "../document/commands.js";
import { sceneOf, type Constraint } from "../document/document.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { solveBending } from "./nudge.js";
import { slackOf, type Gesture } from "./pointers.js";

const lastIterations = 100; // at the end: what can be met is met to rounding

const atRest = 2e-5; // radians or metres: a pose that changes less has come to rest

type Vec = [number, number, number];
const isDifference = ({ handle }: Constraint) => typeof handle === "object" && "difference" in handle;

// The point of a goal that can be dragged; nothing where it has none of its own.
export function goalPoint(constraint: Constraint): Point | undefined {
  const { goal } = constraint;
  if (!goal || isDifference(constraint)) return undefined;
  if ("position" in goal) return goal.position;
  if ("placement" in goal) return goal.placement.p;
  if ("aim_at" in goal) return Array.isArray(goal.aim_at) ? goal.aim_at : goal.aim_at.p;
  if ("plane" in goal) return goal.plane.p;
  if ("line" in goal) return goal.line.p;
  if ("half_space" in goal) return goal.half_space.p;
  return undefined;
}

export function goalAt(goal: GoalValue, [x, y, z]: Point): GoalValue {
  const p: Vec = [x, y, z];
  if ("position" in goal) return { position: p };
  if ("placement" in goal) return { placement: { ...goal.placement, p } };
  if ("aim_at" in goal) return { aim_at: Array.isArray(goal.aim_at) ? p : { ...goal.aim_at, p } };
  if ("plane" in goal) return { plane: { ...goal.plane, p } };
  if ("line" in goal) return { line: { ...goal.line, p } };
  if ("half_space" in goal) return { half_space: { ...goal.half_space, p } };
  return goal;
}

export interface GoalDragTools {
  readonly app: App;
  readonly title: string; // of the constraint
  begun(drag: GoalDrag): void;
  ended(drag: GoalDrag, event: PointerEvent | undefined): void;
}

export class GoalDrag implements Gesture {
  private posing: Posing | undefined;
  private readonly pose: Float64Array;
  private readonly before: { pose: Float64Array; report: PoseReport | undefined };
  private goal: GoalValue | undefined;
  private report: PoseReport | undefined;
  private isNew = false; // there is something to do in the next frame
  private isDone = false;
  private pointer: { x: number; y: number };
  private readonly start: { x: number; y: number };
  private readonly offset: { x: number; y: number }; // from the pointer to the goal, on the page
  private point: Point | undefined;

  constructor(
    private readonly tools: GoalDragTools,
    private readonly view: View,
    private readonly constraint: Constraint,
    event: PointerEvent,
  ) {
    const { app } = tools;
    this.start = this.pointer = { x: event.clientX, y: event.clientY };
    this.pose = Float64Array.from(app.pose);
    this.before = { pose: Float64Array.from(app.pose), report: app.report };
    this.point = goalPoint(constraint);
    const at = this.point && app.stage.clientPoint(this.point, view);
    this.offset = at ? { x: at.x - this.start.x, y: at.y - this.start.y } : { x: 0, y: 0 };
    tools.begun(this);
  }

  get moved(): boolean {
    return this.posing !== undefined;
  }

  move(event: PointerEvent): void {
    if (this.isDone || !this.point) return;
    this.pointer = { x: event.clientX, y: event.clientY };
    if (!this.posing && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < slackOf(event)) return;
    this.posing ??= this.begin();
    this.isNew = true;
    this.tools.app.stage.requestRender();
  }

  private begin(): Posing {
    const { app } = this.tools;
    app.play(false);
    app.select({ kind: "constraint", id: this.constraint.id });
    this.view.element.classList.add("dragging");
    return app.engine.limber.posing(app.figure, sceneOf(app.present));
  }

  private get index(): number {
    return this.tools.app.doc.constraints.findIndex(({ id }) => id === this.constraint.id);
  }

  // Once a frame, until all is met or the figure has come to rest.
  frame(iterations = this.tools.app.doc.iterations): void {
    const { posing, constraint } = this;
    if (!posing || !this.isNew || !this.point) return;
    this.isNew = false;
    const { app } = this.tools;
    const ray = this.view.ray(this.pointer.x + this.offset.x, this.pointer.y + this.offset.y);
    this.point = nearestOnRay(ray, this.point, this.view.nearest);
    this.goal = goalAt(constraint.goal!, this.point);
    const { goal, index } = this;
    // One that is off has a goal, but nothing follows it.
    const isOn = app.present.constraints[index]?.enabled !== false;
    if (isOn) this.solve(posing, index, iterations);
    app.store.preview((doc) => changeConstraint(doc, constraint.id, { goal }));
    if (!isOn) return;
    app.showPose(this.pose);
    app.setReport(this.report);
    if (this.isNew) app.stage.requestRender();
  }

  private solve(posing: Posing, index: number, iterations: number): void {
    const before = Float64Array.from(this.pose);
    const begun = performance.now();
    posing.setGoal(index, { handle: this.constraint.handle!, goal: this.goal! });
    this.report = solveBending(posing, this.pose, { iterations, restarts: 0, untilMet: iterations < lastIterations }, true);
    this.tools.app.stage.timings.add(performance.now() - begun);
    this.isNew = !this.report.met && this.pose.some((value, k) => Math.abs(value - before[k]!) > atRest);
  }

  end(event: PointerEvent): void {
    if (this.isDone) return;
    if (!this.posing) {
      this.finish(event);
      return this.tools.app.select({ kind: "constraint", id: this.constraint.id });
    }
    this.move(event);
    this.frame(lastIterations);
    const { app } = this.tools;
    const { goal, pose, constraint } = this;
    this.finish(event);
    app.store.run(`Move ${this.tools.title}`, (doc) => setPose(changeConstraint(doc, constraint.id, { goal }), pose, app.time));
  }

  cancel(): void {
    if (this.isDone) return;
    const { app } = this.tools;
    const had = this.posing !== undefined;
    this.finish(undefined);
    if (!had) return;
    app.store.cancel();
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
  }

  private finish(event: PointerEvent | undefined): void {
    this.isDone = true;
    this.posing?.drop();
    this.view.element.classList.remove("dragging");
    this.tools.ended(this, event);
    this.tools.app.stage.requestRender();
  }
}
