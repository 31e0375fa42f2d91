// A drag of a handle at a key: the pose of that key follows and keeps the constraints active at its time. Only that key
// changes.
import { Sequence, type Key, type PoseReport, type Posing } from "limber";
import { changeKeys } from "../command/commands.js";
import { activeAt, sceneOf } from "../document/document.js";
import { nearestOnRay, toWorld, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { Follow } from "./follow.js";
import { iterationsOf } from "../document/obstacle.js";
import type { Editor } from "../view/stage.js";

const calm = 1e-3; // weight of the old pose, relative to 1 of the drag
const atRest = 2e-5; // radians or metres: a pose that changes less is at rest
const lastIterations = 100;

export interface Handle {
  readonly segment: number;
  readonly local: Point;
  readonly name: string;
}

export interface KeyDragTools {
  readonly app: Editor;
  readonly handle: Handle;
  begun(drag: KeyDrag): void;
  moved(keys: readonly Key[]): void; // the keys after the drag
  ended(): void;
}

export class KeyDrag extends Follow {
  private posing: Posing | undefined;
  private readonly key: Key;
  private readonly pose: Float64Array;
  private point: Point;
  private readonly before: { pose: Float64Array; time: number; report: PoseReport | undefined };

  constructor(
    private readonly tools: KeyDragTools,
    view: View,
    readonly index: number,
    event: PointerEvent,
  ) {
    super(tools.app, view, event);
    const { app, handle } = tools;
    this.key = app.doc.keys[index]!;
    this.pose = Float64Array.from(this.key.pose);
    this.before = { pose: Float64Array.from(app.pose), time: app.time, report: app.report };
    this.point = toWorld(app.figure.place(this.pose), handle.segment, handle.local);
    this.hold(this.point);
    tools.begun(this);
  }

  // The figure is shown at that key and follows.
  protected begin(): void {
    const { app } = this;
    const { segment, local } = this.tools.handle;
    const { time } = this.key;
    app.setTime(time);
    this.posing = app.engine.limber.posing(app.figure, sceneOf(activeAt(app.doc, time)));
    this.posing.grab(segment, [...local], this.pose, { weight: 1, calm });
  }

  // Once per frame, until the figure is at rest.
  frame(iterations = iterationsOf(this.app.present)): void {
    const { posing, pose, app } = this;
    if (!posing || !this.isNew) return;
    const { segment, local } = this.tools.handle;
    const { ray, nearest } = this.aim();
    const before = Float64Array.from(pose);
    posing.drag(...nearestOnRay(ray, this.point, nearest));
    posing.solve(pose, { iterations, restarts: 0, untilMet: true, resumes: true });
    this.point = toWorld(app.figure.place(pose), segment, local);
    this.isNew = pose.some((value, k) => Math.abs(value - before[k]!) > atRest);
    app.showPose(pose);
    app.setReport(posing.report());
    this.tools.moved(this.keys());
    if (this.isNew) app.stage.requestRender();
  }

  private keys(): readonly Key[] {
    return changeKeys(this.app.doc, this.index, 1, { pose: Array.from(this.pose) }).keys;
  }

  protected click(): void {
    this.app.setTime(this.key.time);
  }

  protected last(): void {
    this.isNew = true;
    this.frame(lastIterations);
  }

  protected complete(): void {
    const { app, index } = this;
    const pose = Array.from(this.pose);
    app.store.run(`Move ${this.tools.handle.name} at key ${index + 1}`, (doc) => changeKeys(doc, index, 1, { pose }));
    app.setTime(this.key.time);
  }

  protected takeBack(): void {
    if (!this.moved) return;
    const { app } = this;
    app.setTime(this.before.time);
    app.showPose(this.before.pose);
    app.setReport(this.before.report);
  }

  protected release(): void {
    this.posing?.drop();
    this.tools.ended();
  }
}

// The positions of a handle at times of a motion, three numbers each.
export function pathOf(
  app: Editor,
  { segment, local }: Handle,
  poseAt: (time: number) => ArrayLike<number> | undefined,
  times: readonly number[],
): Float64Array {
  const path = new Float64Array(3 * times.length);
  times.forEach((time, k) => {
    const pose = poseAt(time);
    if (pose) path.set(toWorld(app.figure.place(pose), segment, local), 3 * k);
  });
  return path;
}

// The same for keys that are not in the document yet, interpolated.
export function pathOfKeys(app: Editor, handle: Handle, keys: readonly Key[], times: readonly number[]): Float64Array {
  const sequence = Sequence.of(app.figure, keys);
  const room = new Float64Array(app.figure.parameters);
  const path = pathOf(app, handle, (time) => sequence.at(time, room), times);
  sequence.drop();
  return path;
}
