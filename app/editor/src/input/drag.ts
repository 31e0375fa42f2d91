// Press on a part and pull: the figure follows in the same frame. A press that does not move selects; a second one, or a
// long one of a finger, pins.
import type { PoseReport } from "limber";
import type { App } from "../app.js";
import { stoodAgain } from "../document/balance.js";
import { setPose } from "../document/commands.js";
import { inForce, type Doc } from "../document/document.js";
import { PointerLabel } from "../view/hover.js";
import { heldText, readable } from "../view/names.js";
import { toWorld, type Hit } from "../view/pick.js";
import type { Stage } from "../view/stage.js";
import { Tether } from "../view/tether.js";
import type { View } from "../view/views.js";
import { movedPins } from "./pins.js";
import { slackOf, type Gesture } from "./pointers.js";
import { grabPoint, Pull } from "./pull.js";

const fingerSlack = 12; // pixels beside a part that a finger may miss it by
const longPress = 600; // ms, of a finger or pen
const secondPress = 400; // ms
const lastIterations = 100;
const overMargin = 0.01; // metres
const outOfReach = 0.008; // metres: what is nearer needs no line
const pinAction = "pin.here";

interface Tools {
  readonly app: App;
  readonly stage: Stage;
  readonly label: PointerLabel;
  readonly tether: Tether;
  begun(drag: PartDrag): void;
  ended(drag: PartDrag): void;
}

class PartDrag implements Gesture {
  private pull: Pull | undefined;
  private pointer: { x: number; y: number };
  private readonly start: { x: number; y: number };
  private offset = { x: 0, y: 0 }; // from the pointer to the dragged point, on the page
  private isNew = false; // there is something to do in the next frame
  private isMoved = false;
  private readonly before: { doc: Doc; pose: Float64Array; report: PoseReport | undefined };
  private readonly timer: ReturnType<typeof setTimeout> | undefined;
  private done = false;

  constructor(
    private readonly tools: Tools,
    private readonly view: View,
    event: PointerEvent,
    private readonly hit: Hit,
  ) {
    this.start = this.pointer = { x: event.clientX, y: event.clientY };
    this.before = { doc: tools.app.doc, pose: Float64Array.from(tools.app.pose), report: tools.app.report };
    // A mouse has the double click.
    if (event.pointerType !== "mouse") this.timer = setTimeout(() => this.pin(), longPress);
  }

  get moved(): boolean {
    return this.pull !== undefined;
  }

  move(event: PointerEvent): void {
    if (this.done) return;
    this.pointer = { x: event.clientX, y: event.clientY };
    if (!this.pull && Math.hypot(this.pointer.x - this.start.x, this.pointer.y - this.start.y) < slackOf(event)) return;
    clearTimeout(this.timer);
    this.pull ??= this.begin();
    this.isNew = this.isMoved = true;
    this.tools.stage.requestRender();
  }

  private begin(): Pull {
    const { app, stage } = this.tools;
    app.play(false);
    app.select({ kind: "segment", segment: this.hit.segment });
    const frames = app.figure.place(app.pose);
    const local = grabPoint(app.figure, frames, this.hit, app.chainMode);
    const at = stage.clientPoint(toWorld(frames, this.hit.segment, local), this.view) ?? this.start;
    this.offset = { x: at.x - this.start.x, y: at.y - this.start.y };
    this.view.element.classList.add("dragging");
    this.tools.begun(this);
    return new Pull(app, this.hit.segment, local);
  }

  // Once a frame, until the figure has come to rest.
  frame(): void {
    const { app, stage } = this.tools;
    if (!this.pull || !this.isNew) return;
    const { pull } = this;
    const ray = this.view.ray(this.pointer.x + this.offset.x, this.pointer.y + this.offset.y);
    const { changed, milliseconds } = pull.step(ray, this.view.nearest, this.isMoved);
    this.isMoved = false;
    stage.timings.add(milliseconds);
    if (changed) {
      if (pull.pins.length > 0) app.store.preview((doc) => movedPins(doc, app.figure, pull.pins, pull.pose));
      app.showPose(pull.pose);
    }
    const report = pull.report();
    app.setReport(report);
    this.explain(report);
    this.isNew = changed;
    if (this.isNew) stage.requestRender();
  }

  private explain(report: PoseReport): void {
    const { app, label, tether } = this.tools;
    const { pull, pointer } = this;
    if (!pull || pull.distance < outOfReach) {
      tether.hide();
      return label.hide();
    }
    tether.show(pull.point, pull.goal);
    const held = report.constraints.find(({ drag }) => drag)?.held ?? [];
    const isPinned = app.chainMode === "body" && report.constraints.some(({ drag, counted }) => !drag && counted);
    label.show(pointer.x, pointer.y, heldText(held, app.figure.info.parameters) ?? (isPinned ? "held by what is pinned" : "out of reach"));
  }

  end(event: PointerEvent): void {
    if (this.done) return;
    if (!this.pull) return this.click();
    if (event.clientX !== this.pointer.x || event.clientY !== this.pointer.y) this.move(event);
    this.frame();
    const { app } = this.tools;
    const { pull } = this;
    const name = readable(app.figure.info.segments[pull.segment]!.name);
    this.finish();
    app.store.run(`Drag ${name}`, (doc) => this.putDown(setPose(movedPins(doc, app.figure, pull.pins, pull.pose), pull.pose, app.time)));
    pull.drop();
  }

  // A foot that was moved carries again: the balance is over where it is now, and the body gets there. So it does where
  // the pull has drawn it over the margin.
  private putDown(doc: Doc): Doc {
    const { app } = this.tools;
    const stood = stoodAgain(app.figure, this.before.doc, doc);
    const pose = Float64Array.from(doc.pose);
    const posing = app.engine.posing(inForce(stood, app.time));
    posing.solve(pose, { iterations: 0, restarts: 0 });
    const { constraints } = posing.report();
    const isOver = app.chainMode === "body" && stood.constraints.some((one, k) => one.balance && constraints[k]?.counted && !constraints[k].met && (constraints[k].metres ?? Infinity) < overMargin);
    if (stood === doc && !isOver) return doc;
    posing.solve(pose, { iterations: lastIterations, restarts: 0, untilMet: true });
    app.setReport(posing.report());
    return setPose(stood, pose, app.time);
  }

  private click(): void {
    this.finish();
    const { app } = this.tools;
    const isSecond = performance.now() - lastClick.time < secondPress && lastClick.segment === this.hit.segment;
    lastClick = { time: isSecond ? 0 : performance.now(), segment: this.hit.segment };
    app.select({ kind: "segment", segment: this.hit.segment });
    if (isSecond) runPin(app);
  }

  private pin(): void {
    if (this.pull || this.done || !hasPin(this.tools.app)) return;
    this.finish();
    this.tools.app.select({ kind: "segment", segment: this.hit.segment });
    runPin(this.tools.app);
  }

  cancel(): void {
    if (this.done) return;
    const { app } = this.tools;
    const { pull } = this;
    this.finish();
    if (!pull) return;
    if (pull.pins.length > 0) app.store.cancel();
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
    pull.drop();
  }

  private finish(): void {
    this.done = true;
    clearTimeout(this.timer);
    this.tools.label.hide();
    this.tools.tether.hide();
    this.view.element.classList.remove("dragging");
    this.tools.ended(this);
    this.tools.stage.requestRender();
  }
}

let lastClick = { time: 0, segment: -1 };

const hasPin = (app: App) => app.actions.all.some(({ id }) => id === pinAction);
const runPin = (app: App) => hasPin(app) && app.actions.run(pinAction);

export function mountDrag(app: App, stage: Stage): void {
  const label = new PointerLabel(stage);
  label.element.classList.add("held");
  let current: PartDrag | undefined;
  const tools: Tools = {
    app, stage, label, tether: new Tether(stage.scene),
    begun: (drag) => (current = drag),
    ended: (drag) => current === drag && (current = undefined),
  };
  stage.onFrame(() => current?.frame());
  stage.onPress((view, event) => {
    if (current) return undefined;
    const hit = stage.pick(view, event.clientX, event.clientY, event.pointerType === "touch" ? fingerSlack : 0);
    return hit?.figureView === stage.figureView ? new PartDrag(tools, view, event, hit) : undefined;
  });
  // Undo, another file and the like while something is dragged: the drag is of what is gone.
  app.on("document", (_doc, _before, cause) => {
    if (current && cause !== "preview") stage.pointers.cancel();
  });
}
