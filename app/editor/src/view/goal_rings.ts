// Rotation rings at the goal of the selected constraint, where it asks for directions: dragging one turns the goal, and the
// figure follows.
import "./gizmo.css";
import type { GoalValue } from "limber";
import type { App } from "../app.js";
import type { Constraint } from "../document/document.js";
import { axesOfGoal, turnedGoal } from "../document/goal_axes.js";
import { GoalDrag, type GoalDragTools } from "../input/goal_drag.js";
import { nameOf } from "../panel/constraint_row.js";
import { h } from "../ui/dom.js";
import { type Dial, type Placed } from "./dials.js";
import { seenOf, whereNow } from "./goals.js";
import { layersOf, type Layer } from "./layer.js";
import { DialBoard, FlatDial, ringRadius } from "./limits.js";
import type { Point } from "./pick.js";
import { shown } from "./rings.js";
import { nearestAngle, Sweep } from "./sweep.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "./views.js";

const part = 0.72; // of the rings of a joint
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

  override frame(iterations?: number): void {
    super.frame(iterations);
    if (this.moved && !this.isDone) targetsOf(this.app.stage).label.show(this.pointer.x, this.pointer.y, this.one.dial.title, h("span", { class: "faint" }, shown(this.angle)));
  }

  protected override release(): void {
    targetsOf(this.app.stage).label.hide();
    super.release();
  }
}

class GoalRings {
  private readonly targets;
  private readonly layers: readonly Layer[];
  private readonly board: DialBoard;
  private placed: readonly Placed[] = [];
  private held: GoalTurn | undefined;

  constructor(private readonly app: App) {
    const { stage } = app;
    this.targets = targetsOf(stage);
    this.layers = layersOf(stage);
    this.board = new DialBoard(this.layers);
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    stage.onFrame(() => this.frame());
    app.on("selection", () => stage.requestRender());
    app.on("document", (_doc, _before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
    });
  }

  private get constraint(): Constraint | undefined {
    const { selection, doc } = this.app;
    return selection.kind === "constraint" ? doc.constraints.find(({ id }) => id === selection.id) : undefined;
  }

  private frame(): void {
    const { app } = this;
    this.held?.frame();
    const isShown = !app.playing && (this.held !== undefined || !app.stage.pointers.busy) && app.stage.figureView.figure === app.figure;
    this.placed = isShown ? this.place() : [];
    if (this.placed.length === 0) return this.board.hide();
    const held = this.held?.one.dial.style;
    this.board.show(this.placed, part, ({ dial: { style } }) => {
      if (held !== undefined) return style === held ? "held" : "aside";
      return this.targets.over === keyOf(style) ? "over" : "";
    });
  }

  private place(): Placed[] {
    const { app, constraint } = this;
    const axes = constraint && axesOfGoal(constraint.goal);
    const centre = axes && whereNow(app, seenOf(app.figure, constraint, 0), app.stage.figureView.frames)?.icon;
    return axes && centre ? axes.turns.map((k) => placedAt(centre, axes.frame, k)) : [];
  }

  private find(view: View, x: number, y: number, slack: number): Target | undefined {
    const layer = this.layers.find((one) => one.view === view);
    const { constraint } = this;
    if (!layer || !constraint || this.held) return undefined;
    let best: Target | undefined;
    for (const one of this.placed) {
      const flat = new FlatDial(layer, one, part * ringRadius(layer));
      if (!flat.isSeen) continue;
      const { distance, angle } = nearestAngle(flat, one, x, y);
      if (distance > slack || distance >= (best?.distance ?? Infinity)) continue;
      best = {
        key: keyOf(one.dial.style),
        distance,
        label: () => [nameOf(constraint), h("span", { class: "faint" }, one.dial.title)],
        press: (event) => this.press(view, constraint, event, one, new Sweep(layer, one, flat, angle, event)),
      };
    }
    return best;
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

// A ring about an axis of the goal, without limits; its needle is the axis that comes next.
function placedAt(centre: Point, frame: readonly [Point, Point, Point], k: 0 | 1 | 2): Placed {
  const dial: Dial = { parameter: -1, freedom: -1, segment: -1, style: k, title: `turn about its ${names[k]} axis`, sense: 1, needle: [1, 0, 0] };
  const [u, v] = [frame[(k + 1) % 3]!, frame[(k + 2) % 3]!];
  return { dial, centre, axis: frame[k], u, v, value: 0, from: -Math.PI, to: Math.PI, hasLimits: false, isAtLimit: false };
}

const keyOf = (axis: number) => `goal ring ${axis}`;

export function mountGoalRings(app: App): void {
  new GoalRings(app);
}
