// A constraint's goal on its way with the pointer, the figure after it: one solve a frame, from the pose of the frame before.
//
// The goal goes to the point of the pointer's ray that is nearest to where it is.                             W93 Fig. 6.3
import type { GoalValue, Posing } from "limber";
import type { App } from "../state/app.js";
import { changeConstraint, setPose } from "../command/commands.js";
import { sceneOf, type Constraint } from "../document/document.js";
import { iterationsOf } from "../command/obstacle_commands.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { FigureFollow, lastIterations } from "./figure_follow.js";
import { solveBending } from "../engine/nudge.js";

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
  ended(): void;
}

// Whatever is done to the goal of a constraint by the pointer: once a frame there is a new one, and the figure follows.
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

  // Where the pointer wants it now.
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
    // One that is off has a goal, but nothing follows it.
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

// Its point goes where the pointer is.
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
    return goalAt(this.constraint.goal!, this.point);
  }
}
