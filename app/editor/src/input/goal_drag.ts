// A drag of the goal of a constraint; the figure follows by one solve per frame, starting from the pose of the last frame.
//
// The goal moves to the point of the pointer's ray that is nearest to it.                                     W93 Fig. 6.3
import type { GoalValue, Posing } from "limber";
import { changeConstraint, setPose } from "../command/commands.js";
import { sceneOf, type Constraint } from "../document/document.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { FigureFollow, lastIterations } from "./figure_follow.js";
import { solveBending } from "../engine/nudge.js";
import { iterationsOf } from "../document/obstacle.js";
import { goalPoint } from "../document/goal_point.js";
import { withTarget } from "../document/goals.js";
import type { Editor } from "../view/stage.js";

export interface GoalDragTools {
  readonly app: Editor;
  readonly title: string; // of the constraint
  begun(drag: GoalDrag): void;
  ended(): void;
}

// Base of all drags of a goal: a new goal per frame, and the figure follows.
export abstract class GoalDrag extends FigureFollow {
  private posing: Posing | undefined;
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
    const { app } = this;
    app.select({ kind: "constraint", id: this.constraint.id });
    this.posing = app.engine.limber.posing(app.figure, sceneOf(app.present));
  }

  private get index(): number {
    return this.app.doc.constraints.findIndex(({ id }) => id === this.constraint.id);
  }

  frame(iterations = iterationsOf(this.app.present)): void {
    const { posing, constraint, app } = this;
    if (!posing || !this.isNew) return;
    this.isNew = false;
    const goal = (this.goal = this.next());
    const { index } = this;
    // The figure does not follow a constraint that is off.
    const isOn = app.present.constraints[index]?.enabled !== false;
    if (isOn) this.solve(posing, index, iterations);
    app.store.preview((doc) => changeConstraint(doc, constraint.id, { goal }));
    if (isOn) this.show();
  }

  private solve(posing: Posing, index: number, iterations: number): void {
    this.settle(() => {
      posing.setGoal(index, { handle: this.constraint.handle!, goal: this.goal! });
      return solveBending(
        posing,
        this.pose,
        { iterations, restarts: 0, untilMet: iterations < lastIterations, resumes: true },
        true,
      );
    });
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
  private point: Point | undefined;

  constructor(tools: GoalDragTools, view: View, constraint: Constraint, event: PointerEvent) {
    super(tools, view, constraint, event);
    this.point = goalPoint(constraint);
    if (this.point) this.hold(this.point);
  }

  override move(event: PointerEvent): void {
    if (this.point) super.move(event);
  }

  protected next(): GoalValue {
    const { ray, nearest } = this.aim();
    this.point = nearestOnRay(ray, this.point!, nearest);
    return withTarget(this.constraint.goal!, [...this.point]);
  }
}
