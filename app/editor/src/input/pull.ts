// A part of the figure on its way to the pointer: one solve a frame, from the pose of the frame before.
//
// The dragged point lies on the axis of the part, so that pulling does not twist it; its goal is the point of the
// pointer's ray that is nearest to where it is now.                                             W93 6.2, Fig. 6.3
//
// Beyond the reach of the figure two poses far apart can be equally near to the goal, and a straight limb bends either
// way. There a full solve would jump; then fewer iterations are made, and the rest in the frames that follow.
import type { Figure, PoseReport, Posing } from "limber";
import type { App, ChainMode } from "../app.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { nearestOnBone, nearestOnRay, toSegment, toWorld, type Hit, type Point, type Ray } from "../view/pick.js";
import { pinsOn, withLoosened } from "./pins.js";
import { trunkHolds } from "./trunk.js";

const calm = 3e-4; // weight of staying as it was, against 1 of the pull
const leastLever = 0.3; // of a bone's length: a part that turns alone is not pulled at its joint
const atRest = 2e-5; // radians or metres: a pose that changes less has come to rest
const stillTurn = (5 * Math.PI) / 180; // radians a frame that a joint may turn while the goal rests
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
  private readonly iterations: readonly number[]; // tried one after the other, until no joint jumps
  private readonly asked: number; // constraints of the document that count

  constructor(
    app: App,
    readonly segment: number,
    private readonly local: Point,
  ) {
    const { doc, figure, chainMode } = app;
    this.figure = figure;
    this.iterations = [doc.iterations, Math.ceil(doc.iterations / 3), 1];
    this.pose = Float64Array.from(app.pose);
    this.pins = pinsOn(doc, figure, segment);
    const scene = sceneDoc(doc, chainMode, this.pins);
    this.asked = scene.constraints.length;
    const holds = chainMode === "body" ? trunkHolds(figure, segment, this.pose) : [];
    this.posing = app.engine.limber.posing(figure, sceneOf({ ...scene, constraints: [...scene.constraints, ...holds] }));
    const from = chainStart(figure, segment, chainMode, app.chainJoint);
    this.posing.grab(segment, [...local], this.pose, { from, weight: 1, calm });
    this.point = this.goal = toWorld(figure.place(this.pose), segment, local);
  }

  step(ray: Ray, nearest: number): Step {
    const { pose } = this;
    const before = Float64Array.from(pose);
    const goal = nearestOnRay(ray, this.point, nearest);
    const most = stillTurn + turnPerMetre * apart(goal, this.goal);
    this.goal = goal;
    const begun = performance.now();
    this.posing.drag(...goal);
    let change = 0;
    for (const iterations of this.iterations) {
      pose.set(before);
      this.posing.solve(pose, { iterations, restarts: 0 });
      change = largestChange(pose, before);
      if (change <= most) break;
    }
    const milliseconds = performance.now() - begun;
    this.point = toWorld(this.figure.place(pose), this.segment, this.local);
    return { changed: change > atRest, milliseconds };
  }

  // What is left of the way, in metres.
  get distance(): number {
    return apart(this.goal, this.point);
  }

  // Of the document's constraints and of the pull; what only keeps the figure calm is nobody's business.
  report(): PoseReport {
    const report = this.posing.report();
    const constraints = report.constraints.filter(({ drag }, k) => drag || k < this.asked);
    return { ...report, constraints, met: constraints.every(({ counted, met }) => met || !counted) };
  }

  drop(): void {
    this.posing.drop();
  }
}

// What counts beside the pull: all constraints for the whole body, none for a chain.
function sceneDoc(doc: Doc, mode: ChainMode, pins: readonly Constraint[]): Doc {
  return mode === "body" ? withLoosened(doc, pins) : { ...doc, constraints: [], natural: 0 };
}
