// A drag of a handle at a key: the pose of that key follows and keeps the constraints active at its time. Only that key
// changes.
import { Sequence, type Key, type PoseReport, type Posing } from "limber";
import { changeKeys } from "../command/commands.js";
import { activeAt } from "../document/document.js";
import { nearestOnRay, toWorld, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { Follow } from "./follow.js";
import { posingOf } from "./pull.js";
import type { Editor } from "../view/stage.js";

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
  private grip = -1;
  private readonly key: Key;
  private readonly grabbed: Point;
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
    this.before = { pose: Float64Array.from(app.pose), time: app.time, report: app.report };
    this.grabbed = toWorld(app.figure.place(this.key.pose), handle.segment, handle.local);
    this.hold(this.grabbed);
    tools.begun(this);
  }

  // The figure is shown at that key and follows.
  protected begin(): void {
    const { app } = this;
    const { segment, local } = this.tools.handle;
    const { time } = this.key;
    app.setTime(time);
    this.posing = posingOf(app, activeAt(app.doc, time), this.key.pose, segment);
    this.grip = this.posing.grab({ segment, local }, { sights: true });
  }

  private get pose(): readonly number[] {
    return Array.from(this.posing?.pose ?? this.key.pose);
  }

  // Once per frame, until the pose is the answer.
  frame(): void {
    const { posing, app } = this;
    if (!posing || !this.isNew) return;
    const { ray, nearest } = this.aim();
    posing.sight(this.grip, nearestOnRay(ray, this.grabbed, nearest), ray.direction);
    this.isNew = !posing.frame();
    app.showPose(posing.pose);
    app.setReport(posing.report());
    this.tools.moved(this.keys());
    if (this.isNew) app.stage.requestRender();
  }

  private keys(): readonly Key[] {
    return changeKeys(this.app.doc, this.index, 1, { pose: this.pose }).keys;
  }

  protected click(): void {
    this.app.setTime(this.key.time);
  }

  protected last(): void {
    this.isNew = true;
    this.frame();
  }

  protected complete(): void {
    const { app, index } = this;
    const { pose } = this;
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
