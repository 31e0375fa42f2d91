// Rotation rings at the goal of the selected constraint, if the goal has directions: dragging a ring rotates the goal, and
// the figure follows.
import type { GoalValue } from "limber";
import type { Constraint } from "../document/document.js";
import { axesOfGoal, turnedGoal } from "../document/goal_axes.js";
import { GoalDrag, type GoalDragTools } from "../input/goal_drag.js";
import { h } from "../ui/dom.js";
import { type Dial, type Placed } from "./dials.js";
import { seenOf, whereNow } from "./goals.js";
import type { Point } from "../view/pick.js";
import { RingBoard } from "./ring_board.js";
import { shown } from "./rings.js";
import type { Sweep } from "./sweep.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "../view/views.js";
import { nameOf } from "../ui/constraint_text.js";
import type { Editor } from "../view/stage.js";

const part = 0.72; // of the size of joint rings
const names = ["x", "y", "z"] as const;

class GoalTurn extends GoalDrag {
  protected readonly verb = "Turn";
  private angle = 0;

  constructor(
    tools: GoalDragTools,
    view: View,
    constraint: Constraint,
    event: PointerEvent,
    readonly one: Placed,
    private readonly sweep: Sweep,
  ) {
    super(tools, view, constraint, event);
  }

  override move(event: PointerEvent): void {
    super.move(event);
    if (this.moved && !this.isDone) this.angle = this.sweep.to(event);
  }

  protected next(): GoalValue {
    return turnedGoal(this.constraint.goal!, this.one.axis, this.angle);
  }

  override frame(): void {
    super.frame();
    if (this.moved && !this.isDone)
      targetsOf(this.app.stage).label.show(
        this.pointer.x,
        this.pointer.y,
        this.one.dial.title,
        h("span", { class: "faint" }, shown(this.angle)),
      );
  }

  protected override release(): void {
    targetsOf(this.app.stage).label.hide();
    super.release();
  }
}

class GoalRings extends RingBoard<GoalTurn> {
  constructor(app: Editor) {
    super(app, part);
    app.on("selection", () => app.stage.requestRender());
  }

  private get constraint(): Constraint | undefined {
    const { selection, doc } = this.app;
    return selection.kind === "constraint" ? doc.constraints.find(({ id }) => id === selection.id) : undefined;
  }

  protected place(): readonly Placed[] {
    const { app, constraint } = this;
    const axes = constraint && axesOfGoal(constraint.goal);
    const centre = axes && whereNow(app, seenOf(app.figure, constraint, 0), app.stage.figureView.frames)?.icon;
    return axes && centre ? axes.turns.map((k) => placedAt(centre, axes.frame, k)) : [];
  }

  protected keyOf({ dial }: Placed): string {
    return `goal ring ${dial.style}`;
  }

  protected find(view: View, x: number, y: number, slack: number): Target | undefined {
    const { constraint } = this;
    const near = constraint && this.nearest(view, x, y, slack);
    if (!near) return undefined;
    const { one, distance } = near;
    return {
      key: this.keyOf(one),
      distance,
      label: () => [nameOf(constraint), h("span", { class: "faint" }, one.dial.title)],
      press: (event) => this.press(view, constraint, event, one, near.sweep(event)),
    };
  }

  private press(view: View, constraint: Constraint, event: PointerEvent, one: Placed, sweep: Sweep): GoalTurn {
    const tools: GoalDragTools = {
      app: this.app,
      title: nameOf(constraint),
      begun: (drag) => (this.held = drag as GoalTurn),
      ended: () => (this.held = undefined),
    };
    return new GoalTurn(tools, view, constraint, event, one, sweep);
  }
}

// A ring about an axis of the goal, without limits; its needle is the next axis.
function placedAt(centre: Point, frame: readonly [Point, Point, Point], k: 0 | 1 | 2): Placed {
  const dial: Dial = {
    parameter: -1,
    freedom: -1,
    segment: -1,
    style: k,
    title: `turn about its ${names[k]} axis`,
    sense: 1,
    needle: [1, 0, 0],
  };
  const [u, v] = [frame[(k + 1) % 3]!, frame[(k + 2) % 3]!];
  return { dial, centre, axis: frame[k], u, v, value: 0, from: -Math.PI, to: Math.PI, hasLimits: false, isAtLimit: false };
}

export function mountGoalRings(app: Editor): void {
  new GoalRings(app);
}
