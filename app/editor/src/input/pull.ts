// A part of the figure on its way to the pointer: one solve a frame, from the pose of the frame before.
//
// The dragged point lies on the axis of the part, so that pulling does not twist it; its goal is the point of the
// pointer's ray that is nearest to where it is now.                                             W93 6.2, Fig. 6.3
//
// Beyond the reach of the figure two poses far apart can be equally near to the goal, and a straight limb bends either
// way. There a full solve would jump; then fewer iterations are made, and the rest in the frames that follow.
import type { Figure, PoseReport, Posing } from "limber";
import type { App, ChainMode } from "../app.js";
import { onHeldFeet } from "../document/balance.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { nearestOnBone, nearestOnRay, toSegment, toWorld, type Hit, type Point, type Ray } from "../view/pick.js";
import { pinsOn, withLoosened } from "./pins.js";
import { hangHolds } from "./hang.js";
import { trunkHolds } from "./trunk.js";

const calm = 3e-4; // weight of staying as it was, against 1 of the pull
const leastLever = 0.3; // of a bone's length: a part that turns alone is not pulled at its joint
const mending = 6; // iterations
const atRest = 2e-5; // radians or metres: a pose that changes less has come to rest
const near = 0.01; // metres
const asGoodAs = 0.004; // metres: what the trunk may hold back counts as met
const progress = 0.0005; // metres nearer: worth going on for
const patience = 15; // frames without progress after which it rests
const stuckTurn = (0.5 * Math.PI) / 180;
const bending = (8 * Math.PI) / 180;
const atStop = (2 * Math.PI) / 180;
const stillTurn = (4 * Math.PI) / 180; // radians a frame that a joint may turn while the goal rests
const turnPerMetre = 4; // and by how much more for a metre that the goal has moved

// Of the point under the pointer, the one of the part's bone that is pulled; in the segment.
export function grabPoint(figure: Figure, frames: ArrayLike<number>, hit: Hit, mode: ChainMode): Point {
  const { at, tip } = figure.info.segments[hit.segment]!;
  return nearestOnBone(at, tip, toSegment(frames, hit.segment, hit.point), mode === "part" ? leastLever : 0).point;
}

// The joint where the chain begins; -1 for the whole figure.
export function chainStart(figure: Figure, segment: number, mode: ChainMode, joint: number): number {
  if (mode === "body") return -1;
  if (mode !== "joint") return figure.chain(segment, mode);
  // A joint that does not carry the part cannot move it.
  const carrier = figure.info.segments[joint];
  return carrier && joint <= segment && segment < carrier.end ? joint : figure.chain(segment, "branch");
}

// Parameters with a range that turn what lies between the start of the chain and the part; of the whole figure, its limb.
function bendableOf(figure: Figure, segment: number, from: number): number[] {
  const { segments, freedoms, parameters } = figure.info;
  const first = from < 0 ? figure.chain(segment, "branch") : from;
  const found = new Set<number>();
  for (let at = segment; at >= first && at >= 0; at = segments[at]!.parent)
    for (let i = segments[at]!.freedoms[0]; i < segments[at]!.freedoms[1]; ++i) for (const j of freedoms[i]!.terms) found.add(j);
  return [...found].filter((j) => !parameters[j]!.metres && parameters[j]!.lower !== null && parameters[j]!.upper !== null && parameters[j]!.rigidity < 1);
}

// A value a little nearer to the middle of its range.
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

function largestChange(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let j = 0; j < a.length; ++j) largest = Math.max(largest, Math.abs(a[j]! - b[j]!));
  return largest;
}

export class Pull {
  readonly pose: Float64Array;
  readonly pins: readonly Constraint[];
  point: Point; // where the dragged point is
  goal: Point;
  private readonly figure: Figure;
  private readonly posing: Posing;
  private readonly iterations: number;
  private readonly before: Float64Array; // the frame
  private readonly bendable: readonly number[]; // parameters
  private stuckAt: Point = [Infinity, 0, 0]; // the goal for which bending was of no use
  private best = Infinity; // distance since the pointer moved
  private idle = 0; // frames without getting nearer
  private readonly asked: number; // constraints of the document that count
  private readonly isBalance: readonly boolean[]; // of them: a pull draws the centre of mass a millimetre or two over the margin

  constructor(
    app: App,
    readonly segment: number,
    private readonly local: Point,
  ) {
    const { present: doc, figure, chainMode } = app;
    this.figure = figure;
    this.iterations = doc.iterations;
    this.pose = Float64Array.from(app.pose);
    this.before = Float64Array.from(this.pose);
    this.pins = pinsOn(doc, figure, segment);
    const scene = sceneDoc(doc, figure, chainMode, this.pins);
    this.asked = scene.constraints.length;
    this.isBalance = scene.constraints.map((one) => one.balance !== undefined);
    const holds = chainMode === "body" ? [...trunkHolds(figure, segment, this.pose), ...hangHolds(figure, segment, this.pose, doc)] : [];
    this.posing = app.engine.limber.posing(figure, sceneOf({ ...scene, constraints: [...scene.constraints, ...holds] }));
    const from = chainStart(figure, segment, chainMode, app.chainJoint);
    this.bendable = bendableOf(figure, segment, from);
    this.posing.grab(segment, [...local], this.relaxed(), { from, weight: 1, calm });
    this.point = this.goal = toWorld(figure.place(this.pose), segment, local);
  }

  // The pose to stay near to: as it is, but with the joints of the limb off their stops, for at a stop a hinge does not
  // know that it could bend.
  private relaxed(): Float64Array {
    const pose = Float64Array.from(this.pose);
    for (const j of this.bendable) {
      const { lower, upper } = this.figure.info.parameters[j]!;
      if (Math.min(pose[j]! - lower!, upper! - pose[j]!) < atStop) pose[j] = inward(this.figure, j, pose[j]!);
    }
    return pose;
  }

  // `isMoved`: the pointer is elsewhere than in the frame before.
  step(ray: Ray, nearest: number, isMoved = true): Step {
    const { pose, before } = this;
    before.set(pose);
    // A goal that is met stays where it is in depth, or figure and goal would creep along the ray together.
    const goal = isMoved || this.distance > near ? nearestOnRay(ray, this.point, nearest) : this.goal;
    const most = stillTurn + turnPerMetre * apart(goal, this.goal);
    this.goal = goal;
    const begun = performance.now();
    this.posing.drag(...goal);
    this.solve(this.iterations);
    if (largestChange(pose, before) < stuckTurn && this.distance > near && apart(goal, this.stuckAt) > near) this.bend(ray, nearest);
    this.slowDown(most);
    const milliseconds = performance.now() - begun;
    if (isMoved || this.distance < this.best - progress) this.idle = 0;
    else ++this.idle;
    this.best = isMoved ? this.distance : Math.min(this.best, this.distance);
    return { changed: largestChange(pose, before) > atRest && this.idle < patience, milliseconds };
  }

  // A straight limb cannot be pulled along itself to begin with: bent a little, it can. Where that is of no use it is not
  // tried again until the goal is elsewhere.
  private bend(ray: Ray, nearest: number): void {
    const { pose, goal } = this;
    const off = this.distance;
    const straight = Float64Array.from(pose);
    for (const j of this.bendable) pose[j] = inward(this.figure, j, pose[j]!);
    this.locate();
    this.goal = nearestOnRay(ray, this.point, nearest);
    this.posing.drag(...this.goal);
    this.solve(this.iterations);
    if (this.distance < off - Math.max(near / 4, 0.05 * off)) return;
    this.stuckAt = this.goal = goal;
    this.posing.drag(...goal);
    pose.set(straight);
    this.locate();
  }

  // No joint turns further than that in a frame: part of the way, and from there what must hold is brought back.
  private slowDown(most: number): void {
    const { pose, before } = this;
    const wanted = largestChange(pose, before);
    if (wanted <= most) return;
    for (let j = 0; j < pose.length; ++j) pose[j] = before[j]! + ((pose[j]! - before[j]!) * most) / wanted;
    this.solve(mending);
  }

  private solve(iterations: number): void {
    this.posing.solve(this.pose, { iterations, restarts: 0 });
    this.locate();
  }

  private locate(): void {
    this.point = toWorld(this.figure.place(this.pose), this.segment, this.local);
  }

  // What is left of the way, in metres.
  get distance(): number {
    return apart(this.goal, this.point);
  }

  // Of the document's constraints and of the pull; what only keeps the figure calm is nobody's business.
  report(): PoseReport {
    const report = this.posing.report();
    const constraints = report.constraints
      .filter(({ drag }, k) => drag || k < this.asked)
      .map((one, k) => (one.drag || this.isBalance[k] ? { ...one, met: one.met || (one.drag ? this.distance : (one.metres ?? Infinity)) < asGoodAs } : one));
    return { ...report, constraints, met: constraints.every(({ counted, met }) => met || !counted) };
  }

  drop(): void {
    this.posing.drop();
  }
}

// What counts beside the pull: all constraints for the whole body, none for a chain.
function sceneDoc(doc: Doc, figure: Figure, mode: ChainMode, pins: readonly Constraint[]): Doc {
  return mode === "body" ? withLoosened(onHeldFeet(figure, doc, pins), pins) : { ...doc, constraints: [], natural: 0 };
}
