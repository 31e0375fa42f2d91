// A part of the figure on its way to the pointer: one solve a frame, from the pose of the frame before.
//
// The dragged point lies on the axis of the part, so that pulling does not twist it; its goal is the point of the
// pointer's ray that is nearest to where it is now.                                             W93 6.2, Fig. 6.3
import type { Figure, PoseReport, Posing } from "limber";
import type { App, ChainMode } from "../app.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { nearestOnBone, nearestOnRay, toSegment, toWorld, type Hit, type Point, type Ray } from "../view/pick.js";
import { pinsOn, withLoosened } from "./pins.js";

const calm = 1e-3; // weight of staying as it was, against 1 of the pull
const leastLever = 0.3; // of a bone's length: a part that turns alone is not pulled at its joint
const atRest = 1e-6; // radians or metres: a pose that changes less has come to rest
const met = 1e-4; // metres between point and goal

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
  readonly met: boolean;
  readonly milliseconds: number;
}

export class Pull {
  readonly pose: Float64Array;
  readonly pins: readonly Constraint[];
  point: Point; // where the dragged point is
  goal: Point;
  private readonly figure: Figure;
  private readonly posing: Posing;
  private readonly iterations: number;

  constructor(
    app: App,
    readonly segment: number,
    private readonly local: Point,
  ) {
    const { doc, figure, chainMode } = app;
    this.figure = figure;
    this.iterations = doc.iterations;
    this.pose = Float64Array.from(app.pose);
    this.pins = pinsOn(doc, figure, segment);
    this.posing = app.engine.limber.posing(figure, sceneOf(sceneDoc(doc, chainMode, this.pins)));
    const from = chainStart(figure, segment, chainMode, app.chainJoint);
    this.posing.grab(segment, [...local], this.pose, { from, weight: 1, calm });
    this.point = this.goal = toWorld(figure.place(this.pose), segment, local);
  }

  step(ray: Ray, nearest: number): Step {
    this.goal = nearestOnRay(ray, this.point, nearest);
    const before = Float64Array.from(this.pose);
    const begun = performance.now();
    this.posing.drag(...this.goal);
    this.posing.solve(this.pose, { iterations: this.iterations, restarts: 0, untilMet: true });
    const milliseconds = performance.now() - begun;
    this.point = toWorld(this.figure.place(this.pose), this.segment, this.local);
    return {
      changed: this.pose.some((value, j) => Math.abs(value - before[j]!) > atRest),
      met: this.distance <= met,
      milliseconds,
    };
  }

  get distance(): number {
    return Math.hypot(this.goal[0] - this.point[0], this.goal[1] - this.point[1], this.goal[2] - this.point[2]);
  }

  report(): PoseReport {
    return this.posing.report();
  }

  drop(): void {
    this.posing.drop();
  }
}

// What counts beside the pull: all constraints for the whole body, none for a chain.
function sceneDoc(doc: Doc, mode: ChainMode, pins: readonly Constraint[]): Doc {
  return mode === "body" ? withLoosened(doc, pins) : { ...doc, constraints: [], natural: 0 };
}
