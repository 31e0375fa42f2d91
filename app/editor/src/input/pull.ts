// A drag of one or more parts of the figure: one solve per frame for all of them, starting from the pose of the last frame.
//
// The dragged point lies on the axis of the part, so that dragging does not twist it; its goal is the point of the
// pointer's ray that is nearest to it.                                                          W93 6.2, Fig. 6.3
//
// Out of reach, two very different poses can be equally near to the goal, and a straight limb can bend either way. A full
// solve would jump there, so joints turn by a limited angle per frame and the rest follows in later frames.
import type { Figure, PoseReport, Posing } from "limber";
import type { App } from "../state/app.js";
import type { ChainMode } from "../state/selection.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { nearestOnBone, nearestOnRay, toSegment, toWorld, type Hit, type Point, type Ray } from "../view/pick.js";
import { pinsOn, withLoosened } from "./pins.js";
import { hangHolds } from "./hang.js";
import { trunkHolds } from "./trunk.js";
import { balancedOnHeldFeet } from "../command/balance_commands.js";
import { iterationsOf } from "../document/obstacle.js";

const calm = 3e-4; // weight of the old pose, relative to 1 of the drag
const minLever = 0.3; // of a bone's length: a part that turns alone is not dragged at its joint
const mending = 3; // iterations
const atRest = 2e-5; // radians or metres: a pose that changes less is at rest
const near = 0.01; // metres
const progress = 0.0005; // metres nearer per frame that count as progress
const patience = 15; // frames without progress after which it is at rest
const stuckTurn = (0.5 * Math.PI) / 180;
const bending = (8 * Math.PI) / 180;
const atStop = (2 * Math.PI) / 180;
const stillTurn = (4 * Math.PI) / 180; // radians per frame that a joint may turn while the goal is at rest
const turnPerMetre = 4; // additional radians per metre that the goal has moved

// The point of the bone that is dragged, nearest to the point under the pointer; in the frame of the segment.
export function grabPoint(figure: Figure, frames: ArrayLike<number>, hit: Hit, mode: ChainMode): Point {
  const { at, tip } = figure.info.segments[hit.segment]!;
  return nearestOnBone(at, tip, toSegment(frames, hit.segment, hit.point), mode === "part" ? minLever : 0).point;
}

// The joint where the chain starts; -1 for the whole figure.
export function chainStart(figure: Figure, segment: number, mode: ChainMode, joint: number): number {
  if (mode === "body") return -1;
  if (mode !== "joint") return figure.chain(segment, mode);
  // A joint that does not carry the part cannot move it.
  const carrier = figure.info.segments[joint];
  return carrier && joint <= segment && segment < carrier.end ? joint : figure.chain(segment, "branch");
}

// Parameters with limits that turn segments between the start of the chain and the part; for the whole figure, of its limb.
function bendableOf(figure: Figure, segment: number, from: number): number[] {
  const { segments, freedoms, parameters } = figure.info;
  const first = from < 0 ? figure.chain(segment, "branch") : from;
  const found = new Set<number>();
  for (let at = segment; at >= first && at >= 0; at = segments[at]!.parent)
    for (let i = segments[at]!.freedoms[0]; i < segments[at]!.freedoms[1]; ++i) for (const j of freedoms[i]!.terms) found.add(j);
  return [...found].filter(
    (j) =>
      !parameters[j]!.metres && parameters[j]!.lower !== null && parameters[j]!.upper !== null && parameters[j]!.rigidity < 1,
  );
}

// The value moved slightly towards the middle of its range.
function inward(figure: Figure, parameter: number, value: number): number {
  const { lower, upper } = figure.info.parameters[parameter]!;
  const middle = (lower! + upper!) / 2;
  return value + Math.sign(middle - value) * Math.min(bending, Math.abs(middle - value));
}

export interface Step {
  readonly changed: boolean;
  readonly milliseconds: number;
}

const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function maxChange(a: Float64Array, b: Float64Array): number {
  let max = 0;
  for (let j = 0; j < a.length; ++j) max = Math.max(max, Math.abs(a[j]! - b[j]!));
  return max;
}

// The dragged point of a segment.
export interface Grip {
  readonly segment: number;
  readonly local: Point;
}

// The line of sight through a pointer; goals are not nearer to the camera than `nearest`.
export interface Aim {
  readonly ray: Ray;
  readonly nearest: number;
}

// A grip with its goal.
class Way {
  point: Point; // current position
  goal: Point;
  stuckAt: Point = [Infinity, 0, 0]; // the goal for which bending did not help

  constructor(
    readonly grip: Grip,
    frames: ArrayLike<number>,
  ) {
    this.point = this.goal = toWorld(frames, grip.segment, grip.local);
  }

  get distance(): number {
    return apart(this.goal, this.point);
  }

  aimed({ ray, nearest }: Aim): Point {
    return nearestOnRay(ray, this.point, nearest);
  }
}

export class Pull {
  readonly pose: Float64Array;
  readonly pins: readonly Constraint[];
  readonly ways: readonly Way[];
  private readonly figure: Figure;
  private readonly posing: Posing;
  private readonly iterations: number;
  private readonly mending: number; // iterations
  private readonly before: Float64Array; // of the last frame
  private readonly bendable: readonly number[]; // parameters
  private full: PoseReport | undefined; // of the full step, if it was limited
  private best = Infinity; // distance since the pointer moved
  private idle = 0; // frames without getting nearer
  private readonly asked: number; // number of constraints of the document

  constructor(app: App, grips: readonly Grip[]) {
    const { present: doc, figure, chainMode } = app;
    const segments = grips.map(({ segment }) => segment);
    this.figure = figure;
    this.pose = Float64Array.from(app.pose);
    this.before = Float64Array.from(this.pose);
    this.pins = [...new Set(segments.flatMap((segment) => pinsOn(doc, figure, segment)))];
    const scene = sceneDoc(doc, figure, chainMode, this.pins);
    this.asked = scene.constraints.length;
    this.iterations = iterationsOf(scene);
    this.mending = this.iterations > doc.iterations ? this.iterations : mending;
    const holds =
      chainMode === "body" ? [...trunkHolds(figure, segments, this.pose), ...hangHolds(figure, segments, this.pose, doc)] : [];
    this.posing = app.engine.limber.posing(figure, sceneOf({ ...scene, constraints: [...scene.constraints, ...holds] }));
    const starts = segments.map((segment) => chainStart(figure, segment, chainMode, app.chainJoint));
    this.bendable = [...new Set(segments.flatMap((segment, k) => bendableOf(figure, segment, starts[k]!)))];
    const frames = figure.place(this.pose);
    this.ways = grips.map((grip) => new Way(grip, frames));
    this.grab(starts);
  }

  private grab(starts: readonly number[]): void {
    const relaxed = this.relaxed();
    this.ways.forEach(({ grip: { segment, local } }, k) => {
      const from = starts[k]!;
      if (k === 0) this.posing.grab(segment, [...local], relaxed, { from, weight: 1, calm });
      else this.posing.grabMore(segment, [...local], this.pose, { from, weight: 1 });
    });
  }

  // The pose to stay near: the current one with the joints of the limb moved off their limits, because at a limit a hinge has
  // no gradient to bend.
  private relaxed(): Float64Array {
    const pose = Float64Array.from(this.pose);
    for (const j of this.bendable) {
      const { lower, upper } = this.figure.info.parameters[j]!;
      if (Math.min(pose[j]! - lower!, upper! - pose[j]!) < atStop) pose[j] = inward(this.figure, j, pose[j]!);
    }
    return pose;
  }

  // One aim per grip. `isMoved`: a pointer has moved since the last frame.
  step(aims: readonly Aim[], isMoved = true): Step {
    const { pose, before, ways } = this;
    before.set(pose);
    this.full = undefined;
    let moved = 0;
    ways.forEach((way, k) => {
      // A goal that is met keeps its depth, or figure and goal would drift along the ray together.
      const goal = isMoved || way.distance > near ? way.aimed(aims[k]!) : way.goal;
      moved = Math.max(moved, apart(goal, way.goal));
      way.goal = goal;
    });
    const begun = performance.now();
    this.solve(this.iterations);
    const isElsewhere = ways.some(({ goal, stuckAt }) => apart(goal, stuckAt) > near);
    if (maxChange(pose, before) < stuckTurn && this.distance > near && isElsewhere) this.bend(aims);
    this.slowDown(stillTurn + turnPerMetre * moved);
    const milliseconds = performance.now() - begun;
    if (isMoved || this.distance < this.best - progress) this.idle = 0;
    else ++this.idle;
    this.best = isMoved ? this.distance : Math.min(this.best, this.distance);
    return { changed: maxChange(pose, before) > atRest && this.idle < patience, milliseconds };
  }

  // A straight limb does not start to bend when dragged along itself; slightly bent, it does. If that does not help, it is not
  // tried again until the goal has moved.
  private bend(aims: readonly Aim[]): void {
    const { pose, ways } = this;
    const off = this.distance;
    const straight = Float64Array.from(pose);
    const goals = ways.map(({ goal }) => goal);
    for (const j of this.bendable) pose[j] = inward(this.figure, j, pose[j]!);
    this.locate();
    ways.forEach((way, k) => (way.goal = way.aimed(aims[k]!)));
    this.solve(this.iterations);
    if (this.distance < off - Math.max(near / 4, 0.05 * off)) return;
    ways.forEach((way, k) => (way.stuckAt = way.goal = goals[k]!));
    pose.set(straight);
    this.locate();
  }

  // Limits the rotation per frame: takes a fraction of the step, then solves again for the constraints with the grips where
  // they are.
  private slowDown(max: number): void {
    const { pose, before } = this;
    const wanted = maxChange(pose, before);
    if (wanted <= max) return;
    this.full = this.posing.report();
    for (let j = 0; j < pose.length; ++j) pose[j] = before[j]! + ((pose[j]! - before[j]!) * max) / wanted;
    this.locate();
    this.solve(this.mending, true);
  }

  private solve(iterations: number, isMending = false): void {
    this.ways.forEach(({ goal, point }, k) => this.posing.drag(...(isMending ? point : goal), k));
    this.posing.solve(this.pose, { iterations, restarts: 0, resumes: !isMending });
    this.locate();
  }

  private locate(): void {
    const frames = this.figure.place(this.pose);
    for (const way of this.ways) way.point = toWorld(frames, way.grip.segment, way.grip.local);
  }

  // The max error of all grips, in metres.
  get distance(): number {
    return Math.max(...this.ways.map((way) => way.distance));
  }

  // Of the document's constraints and of the drag, without the constraints that only damp the figure.
  report(): PoseReport {
    const report = this.posing.report();
    // Of a drag, what holds the full step back; a limited step is still on its way, and its error is the distance to the pointer.
    const full = (this.full ?? report).constraints.filter(({ drag }) => drag);
    const isLimited = this.full !== undefined;
    let pulled = 0;
    const constraints = report.constraints
      .filter(({ drag }, k) => drag || k < this.asked)
      .map((one) => {
        if (!one.drag) return one;
        const { met, ...rest } = full[pulled]!;
        return { ...rest, met: met && !isLimited, error_mm: 1000 * this.ways[pulled++]!.distance };
      });
    return { ...report, constraints, met: constraints.every(({ counted, met }) => met || !counted) };
  }

  drop(): void {
    this.posing.drop();
  }
}

// The constraints besides the drag: all of them for the whole body; for a chain only clearance constraints.
function sceneDoc(doc: Doc, figure: Figure, mode: ChainMode, pins: readonly Constraint[]): Doc {
  if (mode === "body") return withLoosened(balancedOnHeldFeet(figure, doc, pins), pins);
  return { ...doc, constraints: doc.constraints.filter((one) => one.keep_clear && one.enabled !== false), natural: 0 };
}
