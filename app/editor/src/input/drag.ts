// Drags a part: the figure follows in the same frame. A click selects; a double click, or a long press of a finger, pins. A
// second finger drags another part at the same time; all of it is one step.
import type { FigureInfo, PoseReport } from "limber";
import { setPose } from "../command/commands.js";
import { frameOf } from "../document/places.js";
import { Footprint } from "../view/footprint.js";
import { PointerLabel } from "../view/hover.js";
import { heldText, readable } from "../view/names.js";
import { toWorld, type Hit } from "../view/pick.js";
import type { Editor, Stage } from "../view/stage.js";
import { Tether } from "../view/tether.js";
import type { View } from "../view/views.js";
import { Follow } from "./follow.js";
import { movedPins } from "./pins.js";
import type { Gesture } from "../view/pointers.js";
import { grabPoint, Pull, type Aim, type Grip } from "./pull.js";

const fingerSlack = 12; // pixels by which a finger may miss a part
const longPress = 600; // ms, of a finger
const secondPress = 400; // ms
const outOfReach = 0.008; // metres: below this no line is shown
const pinAction = "pin.here";
const stepPatience = 250; // ms of rest before a step is looked for
const printLength = 0.16; // of a foot, relative to the figure's length

// The label and the line of a finger.
class Sign {
  readonly label: PointerLabel;
  readonly tether: Tether;

  constructor(stage: Stage) {
    this.label = new PointerLabel(stage);
    this.label.element.classList.add("held");
    this.tether = new Tether(stage.scene);
  }

  hide(): void {
    this.label.hide();
    this.tether.hide();
  }
}

// Where a foot would have to step for a part that is held out of reach: tried once the pointer has rested.
class StepSign {
  private readonly print: Footprint;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: Editor) {
    this.print = new Footprint(app.stage.scene);
  }

  await(pull: Pull): void {
    this.hide();
    this.timer = setTimeout(() => this.show(pull), stepPatience);
  }

  private show(pull: Pull): void {
    const { app } = this;
    const step = pull.suggestStep();
    if (!step) return;
    const { p, x } = frameOf(app.figure, step.foot, pull.pose);
    this.print.show([p[0], 0, p[2]], x, step.by, printLength * app.figure.info.length);
    app.stage.requestRender();
  }

  hide(): void {
    clearTimeout(this.timer);
    this.print.hide();
  }
}

// Parts that share parameters are dragged as one, such as all of a spine that bends as a whole.
export function areOne({ segments, freedoms }: FigureInfo, a: number, b: number): boolean {
  const own = (segment: number): number[] => {
    for (let at = segment; at >= 0; at = segments[at]!.parent) {
      const [from, to] = segments[at]!.freedoms;
      if (to > from) return freedoms.slice(from, to).flatMap(({ terms }) => terms);
    }
    return [-1];
  };
  const ofA = new Set(own(a));
  return own(b).some((parameter) => ofA.has(parameter));
}

// One finger, or the mouse, on a part.
class PartDrag extends Follow {
  readonly grip: Grip;
  private readonly timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly all: Dragging,
    view: View,
    event: PointerEvent,
    private readonly hit: Hit,
  ) {
    super(all.app, view, event);
    const frames = this.app.figure.place(this.app.pose);
    this.grip = { segment: hit.segment, local: grabPoint(this.app.figure, frames, hit, this.app.chainMode) };
    this.hold(toWorld(frames, hit.segment, this.grip.local));
    // Mouse and pen have the double click.
    if (event.pointerType === "touch" && all.fingers.length === 0) this.timer = setTimeout(() => this.pin(), longPress);
    all.add(this);
  }

  // A second finger while this one is down.
  join(view: View, event: PointerEvent): Gesture | undefined {
    if (event.pointerType !== "touch") return undefined;
    const hit = this.all.hitAt(view, event);
    return hit && !this.all.has(hit.segment) ? new PartDrag(this.all, view, event, hit) : undefined;
  }

  override get moved(): boolean {
    return this.all.isPulling;
  }

  // Whether it has moved since the last frame.
  takeMove(): boolean {
    const { isNew } = this;
    this.isNew = false;
    return isNew;
  }

  get at(): { readonly x: number; readonly y: number } {
    return this.pointer;
  }

  stopWaiting(): void {
    clearTimeout(this.timer);
  }

  protected begin(): void {
    this.all.begin(this);
  }

  protected last(): void {
    this.all.frame();
  }

  protected complete(): void {
    this.all.lift(this);
  }

  protected takeBack(): void {
    this.all.cancel();
  }

  protected release(): void {
    clearTimeout(this.timer);
  }

  protected click(): void {
    const { app } = this;
    this.all.lift(this);
    const isSecond = performance.now() - lastClick.time < secondPress && lastClick.segment === this.hit.segment;
    lastClick = { time: isSecond ? 0 : performance.now(), segment: this.hit.segment };
    app.select({ kind: "segment", segment: this.hit.segment });
    if (isSecond) runPin(app);
  }

  private pin(): void {
    if (this.isDone || this.all.isPulling || !hasPin(this.app)) return;
    this.finish();
    this.all.lift(this);
    this.app.select({ kind: "segment", segment: this.hit.segment });
    runPin(this.app);
  }
}

// All fingers that are down together, and what they drag.
class Dragging {
  readonly fingers: PartDrag[] = [];
  private pull: Pull | undefined;
  private isOnItsWay = false;
  private readonly before: { pose: Float64Array; report: PoseReport | undefined };
  private readonly names = new Set<string>(); // of the dragged parts

  constructor(
    readonly app: Editor,
    private readonly signs: Sign[],
    private readonly step: StepSign,
    private readonly ended: () => void,
  ) {
    this.before = { pose: Float64Array.from(app.pose), report: app.report };
  }

  get isPulling(): boolean {
    return this.pull !== undefined;
  }

  hitAt(view: View, event: PointerEvent): Hit | undefined {
    const { stage } = this.app;
    const hit = stage.pick(view, event.clientX, event.clientY, event.pointerType === "touch" ? fingerSlack : 0);
    return hit?.figureView === stage.figureView ? hit : undefined;
  }

  has(segment: number): boolean {
    return this.fingers.some(({ grip }) => areOne(this.app.figure.info, grip.segment, segment));
  }

  add(finger: PartDrag): void {
    for (const one of this.fingers) one.stopWaiting();
    this.fingers.push(finger);
    if (!this.pull) return;
    this.pull.grab(finger.grip);
    this.name(finger);
  }

  begin(finger: PartDrag): void {
    if (this.pull) return;
    const { app } = this;
    app.select({ kind: "segment", segment: finger.grip.segment });
    this.pull = new Pull(
      app,
      this.fingers.map(({ grip }) => grip),
    );
    for (const one of this.fingers) this.name(one);
    app.stage.requestRender();
  }

  private name({ grip: { segment } }: PartDrag): void {
    this.names.add(readable(this.app.figure.info.segments[segment]!.name));
  }

  // Once per frame, until the pose is the answer.
  frame(): void {
    const { app, pull } = this;
    if (!pull) return;
    const aims = new Map<Grip, Aim>();
    for (const finger of this.fingers) if (finger.takeMove()) aims.set(finger.grip, finger.aim());
    if (aims.size === 0 && !this.isOnItsWay) return;
    const begun = performance.now();
    this.isOnItsWay = !pull.step(aims);
    app.stage.timings.add(performance.now() - begun);
    if (pull.pins.length > 0) app.store.preview((doc) => movedPins(doc, app.figure, pull.pins, pull.pose));
    app.showPose(pull.pose);
    const report = pull.report();
    app.setReport(report);
    this.explain(pull, report);
    if (this.isOnItsWay) app.stage.requestRender();
    const isFar = this.fingers.some(({ grip }) => pull.stateOf(grip).error >= outOfReach);
    if (isFar && app.chainMode === "body") this.step.await(pull);
    else this.step.hide();
  }

  private explain(pull: Pull, report: PoseReport): void {
    const { app } = this;
    const isPinned = app.chainMode === "body" && report.constraints.some(({ drag, counted }) => !drag && counted);
    const pulled = report.constraints.filter(({ drag }) => drag);
    const obstacles = [
      ...new Set(report.constraints.flatMap(({ touches = [] }) => touches.flatMap(({ obstacle }) => obstacle ?? []))),
    ];
    this.fingers.forEach((finger, k) => {
      const { point, goal, error } = pull.stateOf(finger.grip);
      const sign = (this.signs[k] ??= new Sign(app.stage));
      if (error < outOfReach) return sign.hide();
      const { x, y } = finger.at;
      sign.tether.show(point, goal);
      sign.label.show(
        x,
        y,
        heldText(pulled[k]?.held_back_by ?? [], app.figure.info.parameters) ??
          (obstacles.length > 0 ? `held by ${obstacles.join(" and ")}` : isPinned ? "held by pinned parts" : "out of reach"),
      );
    });
  }

  // A finger is lifted; the last one ends the drag.
  lift(finger: PartDrag): void {
    this.fingers.splice(this.fingers.indexOf(finger), 1);
    for (const sign of this.signs) sign.hide();
    const { app, pull, names } = this;
    if (this.fingers.length > 0) return pull?.release(finger.grip);
    this.finish();
    if (!pull) return;
    const { pins, pose } = pull;
    app.store.run(`Drag ${[...names].join(" and ")}`, (doc) => setPose(movedPins(doc, app.figure, pins, pose), pose, app.time));
    pull.drop();
  }

  cancel(): void {
    const { app, pull } = this;
    const others = this.fingers.splice(0);
    this.finish();
    for (const one of others) one.cancel();
    if (!pull) return;
    app.store.cancel();
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
    pull.drop();
  }

  private finish(): void {
    this.pull = undefined;
    this.step.hide();
    for (const sign of this.signs) sign.hide();
    this.ended();
  }
}

let lastClick = { time: 0, segment: -1 };

const hasPin = (app: Editor) => app.actions.all.some(({ id }) => id === pinAction);
const runPin = (app: Editor) => hasPin(app) && app.actions.run(pinAction);

export function mountDrag(app: Editor): void {
  const { stage } = app;
  const signs: Sign[] = [];
  const step = new StepSign(app);
  let current: Dragging | undefined;
  stage.onFrame(() => current?.frame());
  stage.onPress((view, event) => {
    if (current) return undefined;
    const all = new Dragging(app, signs, step, () => (current = undefined));
    const hit = all.hitAt(view, event);
    if (!hit) return undefined;
    current = all;
    return new PartDrag(all, view, event, hit);
  });
  // Undo and similar changes cancel a drag: its document is gone.
  app.on("document", (_doc, _before, cause) => {
    if (current?.isPulling && cause !== "preview") stage.pointers.cancel();
  });
}
