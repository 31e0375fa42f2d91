// The sequence of resolutions of a map, and its extent in several directions.
import type { Figure, ReachSurface, Vec3 } from "limber";
import { maxVertexAlong, wholeBody } from "../../engine/reach_question.js";

const first = 10; // centimetres: the first, fast map
const firstOfWhole = 20; // for the whole body, which takes much longer

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
  readonly vertex: number; // of the surface, farthest in that direction
}

const upright = 0.5; // cosine of how far a body may lean and still have a defined front
const up: Direction = { title: "Up, from the ground", along: [0, 1, 0] };
// Other figures, and a human lying down, have no defined front.
const ofWorld: readonly Direction[] = [
  { title: "Along z", along: [0, 0, 1] },
  { title: "Against z", along: [0, 0, -1] },
  up,
  { title: "Along x", along: [1, 0, 0] },
  { title: "Against x", along: [-1, 0, 0] },
];

// The reported directions: for a human by the heading of its root, whose z points to the front.
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

// The extent of a surface, measured from the start of the chain; upwards from the ground.
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
