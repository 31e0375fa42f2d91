// Rotation rings on the selected joint, one per rotation. Dragging a ring changes the parameter that drives the rotation;
// the constraints are kept, as with the sliders.
import type { PoseReport } from "limber";
import { Turn } from "../input/turn.js";
import { slackOf, type Gesture } from "../view/pointers.js";
import { h } from "../ui/dom.js";
import { dialsOf, placed, type Dial, type Placed } from "./dials.js";
import { RingBoard } from "./ring_board.js";
import { isEdgeOn, type Sweep } from "./sweep.js";
import type { Target } from "./targets.js";
import type { View } from "../view/views.js";
import { degrees } from "../document/angle.js";
import type { Editor } from "../view/stage.js";

const heldBack = 0.01; // radians between the requested and the reached value that are reported
const onLine = 2; // pixels within which a ring is picked even where it crosses the selected part

export const shown = (value: number) =>
  `${degrees(value)
    .toFixed(1)
    .replace(/^-(0\.0)$/, "$1")}°`;

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
    if (!this.moved && Math.hypot(event.clientX - this.press.clientX, event.clientY - this.press.clientY) < slackOf(event))
      return;
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

  // Once per frame.
  frame(): void {
    if (!this.turn || !this.isNew) return;
    this.isNew = false;
    this.turn.to(this.asked);
    const { app, targets } = this.rings;
    const value = app.pose[this.one.dial.parameter]!;
    const isHeld = Math.abs(value - this.asked) > heldBack;
    targets.label.show(
      this.pointer.clientX,
      this.pointer.clientY,
      this.one.dial.title,
      h("span", { class: "faint" }, shown(value)),
      isHeld ? h("span", { class: "faint" }, "held by constraints") : undefined,
    );
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

class Rings extends RingBoard<RingDrag> {
  private dials: readonly Dial[] = [];

  constructor(app: Editor) {
    super(app, 1);
    app.on("selection", () => this.choose());
    app.on("figure", () => this.choose());
  }

  private choose(): void {
    const { selection, figure, pose, stage } = this.app;
    const isOf = selection.kind === "segment" && pose.length === figure.parameters;
    this.dials = isOf ? dialsOf(figure, pose, selection.segment) : [];
    stage.requestRender();
  }

  protected place(): readonly Placed[] {
    const { app, dials } = this;
    return dials.length > 0 ? placed(dials, app.figure, app.pose, app.stage.figureView.frames) : [];
  }

  protected keyOf({ dial }: Placed): string {
    return `ring ${dial.parameter}`;
  }

  protected find(view: View, x: number, y: number, slack: number): Target | undefined {
    const near = this.nearest(view, x, y, slack + 2);
    if (!near) return undefined;
    const { one, layer, distance, radius } = near;
    // A part that is larger than the ring can be pressed elsewhere.
    const isLarge = this.app.figure.info.segments[one.dial.segment]!.length * layer.scaleAt(one.centre) > 2 * radius;
    const isSure = isLarge && distance <= onLine && !isEdgeOn(one, layer);
    if (!isSure && this.isOnPart(view, x, y)) return undefined;
    return {
      key: this.keyOf(one),
      distance,
      label: () => [
        one.dial.title,
        h("span", { class: "faint" }, shown(one.value)),
        h("span", { class: "faint" }, rangeText(this.app, one)),
      ],
      press: (event) => new RingDrag(this, one, view, near.sweep(event), event),
    };
  }

  // A press on the selected part drags the part, even where a ring crosses it.
  private isOnPart(view: View, x: number, y: number): boolean {
    const { selection, stage } = this.app;
    const box = view.element.getBoundingClientRect();
    return selection.kind === "segment" && stage.pick(view, box.x + x, box.y + y)?.segment === selection.segment;
  }
}

function rangeText(app: Editor, { dial, isAtLimit }: Placed): string {
  const { lower, upper } = app.figure.info.parameters[dial.parameter]!;
  if (lower === null && upper === null) return "no limits";
  const end = (value: number | null) => (value === null ? "any" : `${Math.round(degrees(value))}°`);
  return `${isAtLimit ? "at its limit, " : ""}${end(lower)} to ${end(upper)}`;
}

export function mountRings(app: Editor): void {
  new Rings(app);
}
