// A pull of one or more parts of the figure by pointers: from lines of sight to goals. The module finds the pose, a function
// of the goals and of the pose at the grab.
//
// The dragged point lies on the axis of the part, so that dragging does not twist it; it comes to the pointer's ray, and
// tends to the point of it that is nearest to where it was grabbed.                              W93 6.2, Fig. 6.3
import type { Figure, GrabOptions, Posing, PosingOptions, PulledReport, SuggestedStep } from "limber";
import { balancedOn } from "../command/balance_commands.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import type { App } from "../state/app.js";
import type { ChainMode } from "../state/selection.js";
import { nearestOnBone, nearestOnRay, toSegment, toWorld, type Hit, type Point, type Ray } from "../view/pick.js";
import { pinsOn } from "./pins.js";

const minLever = 0.3; // of a bone's length: a part that turns alone is not dragged at its joint

// The point of the bone that is dragged, nearest to the point under the pointer; in the frame of the segment.
export function grabPoint(figure: Figure, frames: ArrayLike<number>, hit: Hit, mode: ChainMode): Point {
  const { at, tip } = figure.info.segments[hit.segment]!;
  return nearestOnBone(at, tip, toSegment(frames, hit.segment, hit.point), mode === "part" ? minLever : 0).point;
}

// What moves for a part.
export function chainOf(figure: Figure, segment: number, mode: ChainMode, joint: number): GrabOptions {
  if (mode === "body" || mode === "part") return { chain: mode };
  // A joint that does not carry the part cannot move it.
  const carrier = mode === "joint" ? figure.info.segments[joint] : undefined;
  return carrier && joint <= segment && segment < carrier.end ? { chain: "limb", from: joint } : { chain: "limb" };
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

// A posing of the figure as the document asks for it, from a pose, to pull at a segment.
export function posingOf(
  { engine, figure }: App,
  doc: Doc,
  pose: ArrayLike<number>,
  segment: number,
  options: PosingOptions = {},
): Posing {
  const { scene, feet } = balancedOn(figure, doc, segment);
  const { options: _options, ...asked } = sceneOf(scene);
  return engine.limber.posing(figure, pose, { ...options, feet, method: doc.method, scene: asked });
}

// A grip where it was grabbed, and its aim.
interface Way {
  readonly part: Grip;
  readonly grip: number;
  readonly start: Point;
  aim?: Aim;
}

export class Pull {
  readonly pins: Constraint[] = []; // of the parts that were grabbed
  private readonly figure: Figure;
  private readonly posing: Posing;
  private readonly ways: Way[] = [];

  constructor(
    private readonly app: App,
    grips: readonly Grip[],
  ) {
    this.figure = app.figure;
    this.posing = posingOf(app, app.present, app.pose, grips[0]!.segment);
    for (const grip of grips) this.grab(grip);
  }

  // What to show.
  get pose(): Float64Array {
    return this.posing.pose;
  }

  // One more part.
  grab(part: Grip): void {
    const { app, figure, posing } = this;
    const { segment, local } = part;
    const grip = posing.grab({ segment, local }, { ...chainOf(figure, segment, app.chainMode, app.chainJoint), sights: true });
    this.ways.push({ part, grip, start: toWorld(figure.place(posing.pose), segment, local) });
    const known = new Set(this.pins.map(({ id }) => id));
    this.pins.push(...pinsOn(app.present, figure, segment).filter(({ id }) => !known.has(id)));
  }

  release(part: Grip): void {
    const at = this.ways.findIndex((way) => way.part === part);
    if (at < 0) return;
    this.posing.release(this.ways[at]!.grip);
    this.ways.splice(at, 1);
  }

  // A frame; `aims` are those of the grips whose pointer has moved. Returns whether the pose has reached its answer.
  step(aims: ReadonlyMap<Grip, Aim>): boolean {
    for (const way of this.ways) {
      const aim = aims.get(way.part);
      if (!aim) continue;
      way.aim = aim;
      this.posing.sight(way.grip, nearestOnRay(aim.ray, way.start, aim.nearest), aim.ray.direction);
    }
    return this.posing.frame();
  }

  // Where a part is shown and where it is asked, and by how much the answer misses that, in metres.
  stateOf(part: Grip): { point: Point; goal: Point; error: number } {
    const way = this.ways.find((one) => one.part === part)!;
    const found = this.posing.grips.find(({ grip }) => grip === way.grip);
    const point = toWorld(this.figure.place(this.pose), part.segment, part.local);
    const goal = way.aim ? nearestOnRay(way.aim.ray, point, way.aim.nearest) : point;
    return { point, goal, error: found?.metres ?? 0 };
  }

  suggestStep(): SuggestedStep | undefined {
    return this.posing.suggestStep();
  }

  // Of the document's constraints and of the grips.
  report(): PulledReport {
    return this.posing.report();
  }

  drop(): void {
    this.posing.drop();
  }
}
