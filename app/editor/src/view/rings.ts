// Rotation rings on the selected joint: one a rotation. Dragging a ring turns what drives that rotation; the constraints
// are kept as they are by the sliders.
import "./gizmo.css";
import type { PoseReport } from "limber";
import type { App } from "../app.js";
import { Turn } from "../input/turn.js";
import { slackOf, type Gesture } from "../input/pointers.js";
import { degrees, h } from "../ui/dom.js";
import { dialsOf, placed, type Dial, type Placed } from "./dials.js";
import { layersOf, type Layer } from "./layer.js";
import { DialBoard, FlatDial, ringRadius } from "./limits.js";
import { isEdgeOn, nearestAngle, Sweep } from "./sweep.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "./views.js";

const heldBack = 0.01; // radians between what is asked and what is reached that are worth a word
const onLine = 2; // pixels within which a ring is meant even where it crosses the selected part

export const shown = (value: number) => `${degrees(value).toFixed(1).replace(/^-(0\.0)$/, "$1")}°`;

class RingDrag implements Gesture {
  moved = false;
  private turn: Turn | undefined;
  private asked: number;
  private isNew = false;
  private isDone = false;
  private pointer: PointerEvent;
  private readonly from: number;
  private readonly report: PoseReport | undefined;

  constructor(
    private readonly rings: Rings,
    readonly one: Placed,
    private readonly view: View,
    private readonly sweep: Sweep,
    private readonly press: PointerEvent,
  ) {
    this.from = this.asked = one.value;
    this.pointer = press;
    this.report = rings.app.report;
    rings.held = this;
  }

  move(event: PointerEvent): void {
    if (this.isDone) return;
    this.pointer = event;
    if (!this.moved && Math.hypot(event.clientX - this.press.clientX, event.clientY - this.press.clientY) < slackOf(event)) return;
    if (!this.moved) this.view.element.classList.add("dragging");
    this.moved = true;
    const { app } = this.rings;
    const { parameter, sense } = this.one.dial;
    this.turn ??= new Turn(app, parameter);
    const { lower, upper } = app.figure.info.parameters[parameter]!;
    this.asked = Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, this.from + sense * this.sweep.to(event)));
    this.isNew = true;
    app.stage.requestRender();
  }

  // Once a frame.
  frame(): void {
    if (!this.turn || !this.isNew) return;
    this.isNew = false;
    this.turn.to(this.asked);
    const { app, targets } = this.rings;
    const value = app.pose[this.one.dial.parameter]!;
    const isHeld = Math.abs(value - this.asked) > heldBack;
    targets.label.show(this.pointer.clientX, this.pointer.clientY, this.one.dial.title, h("span", { class: "faint" }, shown(value)), isHeld ? h("span", { class: "faint" }, "held by what is constrained") : undefined);
  }

  end(event: PointerEvent): void {
    if (this.isDone) return;
    if (this.moved) this.move(event);
    this.frame();
    const { turn } = this;
    this.finish();
    turn?.end(`Turn ${this.one.dial.title}`);
  }

  cancel(): void {
    if (this.isDone) return;
    const { turn } = this;
    this.finish();
    if (!turn) return;
    turn.cancel();
    this.rings.app.setReport(this.report);
  }

  private finish(): void {
    this.isDone = true;
    this.rings.held = undefined;
    this.rings.targets.label.hide();
    this.view.element.classList.remove("dragging");
    this.rings.app.stage.requestRender();
  }
}

export class Rings {
  held: RingDrag | undefined;
  readonly targets;
  private readonly layers: readonly Layer[];
  private readonly board: DialBoard;
  private dials: readonly Dial[] = [];
  private placed: readonly Placed[] = [];

  constructor(readonly app: App) {
    const { stage } = app;
    this.targets = targetsOf(stage);
    this.layers = layersOf(stage);
    this.board = new DialBoard(this.layers);
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    stage.onFrame(() => this.frame());
    app.on("selection", () => this.choose());
    app.on("figure", () => this.choose());
    // Undo and the like while a ring is dragged: the drag is of what is gone.
    app.on("document", (_doc, _before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
    });
  }

  private choose(): void {
    const { selection, figure, pose, stage } = this.app;
    const isOf = selection.kind === "segment" && pose.length === figure.parameters;
    this.dials = isOf ? dialsOf(figure, pose, selection.segment) : [];
    stage.requestRender();
  }

  private get isShown(): boolean {
    const { app, dials } = this;
    return dials.length > 0 && !app.playing && (this.held !== undefined || !app.stage.pointers.busy);
  }

  private frame(): void {
    const { app, targets } = this;
    this.held?.frame();
    if (!this.isShown || app.stage.figureView.figure !== app.figure) {
      this.placed = [];
      return this.board.hide();
    }
    this.placed = placed(this.dials, app.figure, app.pose, app.stage.figureView.frames);
    const held = this.held?.one.dial.parameter;
    this.board.show(this.placed, 1, ({ dial: { parameter } }) => {
      if (held !== undefined) return parameter === held ? "held" : "aside";
      return targets.over === keyOf(parameter) ? "over" : "";
    });
  }

  private find(view: View, x: number, y: number, slack: number): Target | undefined {
    const layer = this.layers.find((one) => one.view === view);
    if (!layer || this.held) return undefined;
    let best: Target | undefined;
    let isSure = false;
    for (const one of this.placed) {
      const flat = new FlatDial(layer, one, ringRadius(layer));
      if (!flat.isSeen) continue;
      const { distance, angle } = nearestAngle(flat, one, x, y);
      if (distance > slack + 2 || distance >= (best?.distance ?? Infinity)) continue;
      // A part that is larger than the ring can be pressed elsewhere.
      const isLarge = this.app.figure.info.segments[one.dial.segment]!.length * layer.scaleAt(one.centre) > 2 * ringRadius(layer);
      isSure = isLarge && distance <= onLine && !isEdgeOn(one, layer);
      best = {
        key: keyOf(one.dial.parameter),
        distance,
        label: () => [one.dial.title, h("span", { class: "faint" }, shown(one.value)), h("span", { class: "faint" }, rangeText(this.app, one))],
        press: (event) => new RingDrag(this, one, view, new Sweep(layer, one, flat, angle, event), event),
      };
    }
    return best && !isSure && this.isOnPart(view, x, y) ? undefined : best;
  }

  // Whoever presses the selected part wants to drag it, though a ring may cross it.
  private isOnPart(view: View, x: number, y: number): boolean {
    const { selection, stage } = this.app;
    const box = view.element.getBoundingClientRect();
    return selection.kind === "segment" && stage.pick(view, box.x + x, box.y + y)?.segment === selection.segment;
  }
}

const keyOf = (parameter: number) => `ring ${parameter}`;

function rangeText(app: App, { dial, isAtLimit }: Placed): string {
  const { lower, upper } = app.figure.info.parameters[dial.parameter]!;
  if (lower === null && upper === null) return "no limits";
  const end = (value: number | null) => (value === null ? "any" : `${Math.round(degrees(value))}°`);
  return `${isAtLimit ? "at its limit, " : ""}${end(lower)} to ${end(upper)}`;
}

export function mountRings(app: App): void {
  new Rings(app);
}
