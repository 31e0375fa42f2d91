// A handle at a key on its way to the pointer: the pose of that key follows, with all constraints of its time kept. At the
// end that key alone has changed.
import { Sequence, type Key, type PoseReport, type Posing } from "limber";
import type { App } from "../app.js";
import { changeKeys } from "../document/commands.js";
import { inForce, sceneOf } from "../document/document.js";
import { nearestOnRay, toWorld, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { slackOf, type Gesture } from "./pointers.js";

const calm = 1e-3; // weight of staying as it was, against 1 of the pull
const atRest = 2e-5; // radians or metres: a pose that changes less has come to rest
const lastIterations = 100;

export interface Handle {
  readonly segment: number;
  readonly local: Point;
  readonly name: string;
}

export interface KeyDragTools {
  readonly app: App;
  readonly handle: Handle;
  begun(drag: KeyDrag): void;
  moved(keys: readonly Key[]): void; // as they would be
  ended(drag: KeyDrag): void;
}

export class KeyDrag implements Gesture {
  private posing: Posing | undefined;
  private readonly key: Key;
  private readonly pose: Float64Array;
  private point: Point;
  private isNew = false;
  private isDone = false;
  private pointer: { x: number; y: number };
  private readonly start: { x: number; y: number };
  private readonly offset: { x: number; y: number };
  private readonly before: { pose: Float64Array; time: number; report: PoseReport | undefined };

  constructor(
    private readonly tools: KeyDragTools,
    private readonly view: View,
    readonly index: number,
    event: PointerEvent,
  ) {
    const { app, handle } = tools;
    this.key = app.doc.keys[index]!;
    this.pose = Float64Array.from(this.key.pose);
    this.before = { pose: Float64Array.from(app.pose), time: app.time, report: app.report };
    this.start = this.pointer = { x: event.clientX, y: event.clientY };
    this.point = toWorld(app.figure.place(this.pose), handle.segment, handle.local);
    const at = app.stage.clientPoint(this.point, view) ?? this.start;
    this.offset = { x: at.x - this.start.x, y: at.y - this.start.y };
    tools.begun(this);
  }

  get moved(): boolean {
    return this.posing !== undefined;
  }

  move(event: PointerEvent): void {
    if (this.isDone) return;
    this.pointer = { x: event.clientX, y: event.clientY };
    if (!this.posing && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < slackOf(event)) return;
    this.posing ??= this.begin();
    this.isNew = true;
    this.tools.app.stage.requestRender();
  }

  // The figure is shown at that key, and goes along.
  private begin(): Posing {
    const { app, handle } = this.tools;
    const { time } = this.key;
    app.play(false);
    app.setTime(time);
    this.view.element.classList.add("dragging");
    const posing = app.engine.limber.posing(app.figure, sceneOf(inForce(app.doc, time)));
    posing.grab(handle.segment, [...handle.local], this.pose, { weight: 1, calm });
    return posing;
  }

  // Once a frame, until the figure has come to rest.
  frame(iterations = this.tools.app.doc.iterations): void {
    const { posing, pose } = this;
    if (!posing || !this.isNew) return;
    const { app, handle } = this.tools;
    const ray = this.view.ray(this.pointer.x + this.offset.x, this.pointer.y + this.offset.y);
    const goal = nearestOnRay(ray, this.point, this.view.nearest);
    const before = Float64Array.from(pose);
    posing.drag(...(goal as [number, number, number]));
    posing.solve(pose, { iterations, restarts: 0, untilMet: true });
    this.point = toWorld(app.figure.place(pose), handle.segment, handle.local);
    this.isNew = pose.some((value, k) => Math.abs(value - before[k]!) > atRest);
    app.showPose(pose);
    app.setReport(posing.report());
    this.tools.moved(this.keys());
    if (this.isNew) app.stage.requestRender();
  }

  private keys(): readonly Key[] {
    return changeKeys(this.tools.app.doc, this.index, 1, { pose: Array.from(this.pose) }).keys;
  }

  end(event: PointerEvent): void {
    if (this.isDone) return;
    const { app, handle } = this.tools;
    if (!this.posing) {
      this.finish();
      return app.setTime(this.key.time);
    }
    this.move(event);
    this.frame(lastIterations);
    const pose = Array.from(this.pose);
    this.finish();
    app.store.run(`Move ${handle.name} at key ${this.index + 1}`, (doc) => changeKeys(doc, this.index, 1, { pose }));
    app.setTime(this.key.time);
  }

  cancel(): void {
    if (this.isDone) return;
    const { app } = this.tools;
    const had = this.posing !== undefined;
    this.finish();
    if (!had) return;
    app.setTime(this.before.time);
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
  }

  private finish(): void {
    this.isDone = true;
    this.posing?.drop();
    this.view.element.classList.remove("dragging");
    this.tools.ended(this);
    this.tools.app.stage.requestRender();
  }
}

// Where a handle is at times of a motion: three numbers each.
export function pathOf(app: App, { segment, local }: Handle, poseAt: (time: number) => ArrayLike<number> | undefined, times: readonly number[]): Float64Array {
  const path = new Float64Array(3 * times.length);
  times.forEach((time, k) => {
    const pose = poseAt(time);
    if (pose) path.set(toWorld(app.figure.place(pose), segment, local), 3 * k);
  });
  return path;
}

// The same of keys that are not in the document yet, as they are interpolated.
export function pathOfKeys(app: App, handle: Handle, keys: readonly Key[], times: readonly number[]): Float64Array {
  const sequence = Sequence.of(app.figure, keys);
  const room = new Float64Array(app.figure.parameters);
  const path = pathOf(app, handle, (time) => sequence.at(time, room), times);
  sequence.drop();
  return path;
}
