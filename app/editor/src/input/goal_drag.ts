// A drag of the goal of a constraint; the figure follows, from the pose where the drag began. The goal of a pin takes its part
// along as if that were dragged.
//
// The goal moves to the point of the pointer's ray that is nearest to it.                                     W93 Fig. 6.3
import type { GoalValue, PoseReport, Posing } from "limber";
import { changeConstraint, setPose } from "../command/commands.js";
import type { Constraint } from "../document/document.js";
import { goalPoint } from "../document/goal_point.js";
import { isPin, withTarget } from "../document/goals.js";
import { placesOf } from "../document/handles.js";
import { placeOf, segmentOf } from "../document/places.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import type { Editor } from "../view/stage.js";
import { FigureFollow } from "./figure_follow.js";
import { withAxesAt } from "./pins.js";
import { posingOf } from "./pull.js";

export interface GoalDragTools {
  readonly app: Editor;
  readonly title: string; // of the constraint
  begun(drag: GoalDrag): void;
  ended(): void;
}

// Base of all drags of a goal: a new goal per frame, and the figure follows.
export abstract class GoalDrag extends FigureFollow {
  protected posing: Posing | undefined; // none where the figure does not follow, since the constraint is off
  private goal: GoalValue | undefined;

  constructor(
    protected readonly tools: GoalDragTools,
    view: View,
    protected readonly constraint: Constraint,
    event: PointerEvent,
  ) {
    super(tools.app, view, event);
    tools.begun(this);
  }

  // The goal for the current pointer.
  protected abstract next(): GoalValue;
  protected abstract readonly verb: string;

  protected begin(): void {
    const { app, constraint } = this;
    app.select({ kind: "constraint", id: constraint.id });
    const moves = app.present.constraints.findIndex(({ id }) => id === constraint.id);
    if (app.present.constraints[moves]?.enabled === false) return;
    const [place] = placesOf(constraint.handle);
    const segment = place === undefined ? 0 : Math.max(0, segmentOf(app.figure, place));
    this.posing = posingOf(app, app.present, app.pose, segment, this.options(moves));
    this.grab(this.posing);
  }

  protected options(moves: number): { moves?: number; eases?: boolean } {
    return { moves, eases: false };
  }
  protected grab(_posing: Posing): void {
    // The constraint itself moves.
  }
  protected ask(posing: Posing, goal: GoalValue): void {
    posing.setGoal({ handle: this.constraint.handle!, goal });
  }

  frame(): void {
    const { posing, constraint, app } = this;
    if (!this.moved || !this.isNew) return;
    let goal = this.next();
    this.isNew = false;
    if (posing) {
      this.ask(posing, goal);
      const begun = performance.now();
      this.isNew = !posing.frame();
      app.stage.timings.add(performance.now() - begun);
      this.pose.set(posing.pose);
      this.report = this.reportOf(posing);
      goal = this.turned(goal);
    }
    this.goal = goal;
    app.store.preview((doc) => changeConstraint(doc, constraint.id, { goal }));
    if (posing) this.show();
  }

  protected reportOf(posing: Posing): PoseReport {
    return posing.report();
  }

  // With the directions that its part has.
  protected turned(goal: GoalValue): GoalValue {
    return goal;
  }

  protected click(): void {
    this.app.select({ kind: "constraint", id: this.constraint.id });
  }

  protected complete(): void {
    const { app, goal, pose, constraint } = this;
    app.store.run(`${this.verb} ${this.tools.title}`, (doc) =>
      setPose(changeConstraint(doc, constraint.id, { goal }), pose, app.time),
    );
  }

  protected release(): void {
    this.posing?.drop();
    this.tools.ended();
  }
}

// Moves its point to the pointer.
export class GoalMove extends GoalDrag {
  protected readonly verb = "Move";
  private readonly from: Point | undefined;
  private grip = -1;

  constructor(tools: GoalDragTools, view: View, constraint: Constraint, event: PointerEvent) {
    super(tools, view, constraint, event);
    this.from = goalPoint(constraint);
    if (this.from) this.hold(this.from);
  }

  override move(event: PointerEvent): void {
    if (this.from) super.move(event);
  }

  // The place of a pin.
  private get place(): string | undefined {
    return isPin(this.constraint.goal) ? placeOf(this.constraint.handle) : undefined;
  }

  protected override options(moves: number): { moves?: number; eases?: boolean } {
    return this.place === undefined ? super.options(moves) : {};
  }
  protected override grab(posing: Posing): void {
    if (this.place !== undefined) this.grip = posing.grab(this.place);
  }
  protected override ask(posing: Posing, goal: GoalValue): void {
    if (this.grip < 0) super.ask(posing, goal);
    else posing.move(this.grip, goalPoint({ ...this.constraint, goal })!);
  }

  // Of its part, instead of a grip.
  protected override reportOf(posing: Posing): PoseReport {
    const report = posing.report();
    const grip = report.constraints.find(({ drag }) => drag);
    const at = this.app.doc.constraints.findIndex(({ id }) => id === this.constraint.id);
    const own = report.constraints.filter(({ drag }) => !drag);
    return { ...report, constraints: own.map((one, k) => (grip && k === at ? { ...grip, name: one.name, drag: false } : one)) };
  }

  protected override turned(goal: GoalValue): GoalValue {
    return this.place === undefined ? goal : withAxesAt(goal, this.app.figure, this.place, this.pose);
  }

  protected next(): GoalValue {
    const { ray, nearest } = this.aim();
    return withTarget(this.constraint.goal!, [...nearestOnRay(ray, this.from!, nearest)]);
  }
}
