// How fine a map is made, step by step, and what is told of its extent.
import type { ReachNumbers } from "limber";
import { wholeBody } from "../document/reach_question.js";

const first = 10; // centimetres: what is seen at once
const firstOfWhole = 20; // of the whole body, which takes far longer

// Resolutions, one after the other.
export function levels(centimetres: number, from: string): number[] {
  const all = from === wholeBody ? [firstOfWhole, first, centimetres] : [first, centimetres];
  return [...new Set(all)].filter((one) => one >= centimetres);
}

// How far a surface goes, measured from where the chain begins; up from the ground.
export function extents({ least_m: least, most_m: most, from_m: from }: Pick<ReachNumbers, "least_m" | "most_m" | "from_m">): { title: string; metres: number; axis: 0 | 1 | 2; sign: 1 | -1 }[] {
  return [
    { title: "Forward", metres: most[2] - from[2], axis: 2, sign: 1 },
    { title: "Up, from the ground", metres: most[1], axis: 1, sign: 1 },
    { title: "To its right", metres: from[0] - least[0], axis: 0, sign: -1 },
    { title: "To its left", metres: most[0] - from[0], axis: 0, sign: 1 },
  ];
}
