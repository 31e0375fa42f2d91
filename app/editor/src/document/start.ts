// The document that a new visitor finds: the built-in human, both feet planted.
import type { Figure } from "limber";
import type { Constraint, Doc } from "./document.js";

export const human: Doc["figure"] = { human: {} };

export const emptyDoc = (figure: Doc["figure"], pose: ArrayLike<number>, files: Doc["files"] = {}): Doc => ({
  title: "",
  figure,
  files,
  pose: Array.from(pose),
  rigidity: {},
  stiffness: {},
  constraints: [],
  natural: 0,
  method: "automatic",
  iterations: 12,
  keys: [],
  frameRate: 30,
  keep: true,
});

// A place pinned where it is in a pose: position and orientation, exactly.
export function pinnedFrame(figure: Figure, place: string, pose: ArrayLike<number>, id: string): Constraint {
  const { p, x, y } = frameOf(figure, place, pose);
  return { id, name: place.replaceAll("_", " "), handle: { frame: place }, goal: { placement: { p, x, y } }, weight: "must" };
}

// Where a site, or the origin of a segment, is in a pose.
export function frameOf(figure: Figure, place: string, pose: ArrayLike<number>): { p: [number, number, number]; x: [number, number, number]; y: [number, number, number]; z: [number, number, number] } {
  const site = figure.info.sites.find(({ name }) => name === place);
  const segment = site?.segment ?? figure.info.segments.findIndex(({ name, joint }) => name === place || joint === place);
  if (segment < 0) throw new Error(`no place ${place}`);
  const f = figure.place(pose).subarray(12 * segment, 12 * segment + 12);
  const turned = (v: readonly number[]): [number, number, number] => [0, 1, 2].map((row) => f[row]! * v[0]! + f[3 + row]! * v[1]! + f[6 + row]! * v[2]!) as [number, number, number];
  const local = site?.frame ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const o = turned(local.slice(9, 12));
  return {
    x: turned(local.slice(0, 3)),
    y: turned(local.slice(3, 6)),
    z: turned(local.slice(6, 9)),
    p: [o[0] + f[9]!, o[1] + f[10]!, o[2] + f[11]!],
  };
}

export function startDoc(figure: Figure): Doc {
  const pose = figure.rest();
  const feet = ["left_foot", "right_foot"].filter((name) => figure.info.sites.some((site) => site.name === name));
  return { ...emptyDoc(human, pose), constraints: feet.map((foot, k) => pinnedFrame(figure, foot, pose, `foot${k}`)) };
}
