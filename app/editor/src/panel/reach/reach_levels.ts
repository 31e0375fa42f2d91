// How fine a map is made, step by step, and what is told of its extent.
import type { Figure, ReachSurface, Vec3 } from "limber";
import { maxVertexAlong, wholeBody } from "../../engine/reach_question.js";

const first = 10; // centimetres: what is seen at once
const firstOfWhole = 20; // of the whole body, which takes far longer

// Resolutions, one after the other.
export function levels(centimetres: number, from: string): number[] {
  const all = from === wholeBody ? [firstOfWhole, first, centimetres] : [first, centimetres];
  return [...new Set(all)].filter((one) => one >= centimetres);
}

interface Direction {
  readonly title: string;
  readonly along: Vec3;
}

export interface Extent {
  readonly title: string;
  readonly metres: number;
  readonly vertex: number; // of the surface, the farthest there
}

const upright = 0.5; // cosine of how far a body may lean and still have a front
const up: Direction = { title: "Up, from the ground", along: [0, 1, 0] };
// Nobody says where the front of any other figure is, nor of a human that lies.
const ofWorld: readonly Direction[] = [
  { title: "Along z", along: [0, 0, 1] },
  { title: "Against z", along: [0, 0, -1] },
  up,
  { title: "Along x", along: [1, 0, 0] },
  { title: "Against x", along: [-1, 0, 0] },
];

// The directions that are told: of a human by the heading of its root, whose z points to the front.
export function directionsOf(figure: Figure, pose: ArrayLike<number>, isHuman: boolean): readonly Direction[] {
  const root = figure.place(pose).subarray(0, 12);
  if (!isHuman || root[4]! < upright) return ofWorld;
  const [x, z] = [root[6]!, root[8]!].map((value) => value / Math.hypot(root[6]!, root[8]!)) as [number, number];
  return [
    { title: "Forward", along: [x, 0, z] },
    up,
    { title: "To its right", along: [-z, 0, x] },
    { title: "To its left", along: [z, 0, -x] },
  ];
}

// How far a surface goes, measured from where the chain begins; up from the ground.
export function extents(surface: Pick<ReachSurface, "position">, from: Vec3, directions: readonly Direction[]): Extent[] {
  return directions.map(({ title, along }) => {
    const vertex = maxVertexAlong(surface, along);
    const far = [0, 1, 2].reduce(
      (sum, k) => sum + along[k]! * (surface.position[3 * vertex + k]! - (along === up.along ? 0 : from[k]!)),
      0,
    );
    return { title, metres: far, vertex };
  });
}
