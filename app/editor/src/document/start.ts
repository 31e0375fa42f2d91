// The initial document: the built-in human, both feet pinned, in balance.
import type { Figure } from "limber";
import { balanceAt } from "./balance.js";
import type { Constraint, Doc } from "./document.js";
import { feetOf, frameOf } from "./places.js";

export const human: Doc["figure"] = { human: {} };

export const emptyDoc = (figure: Doc["figure"], pose: ArrayLike<number>, files: Doc["files"] = {}): Doc => ({
  title: "",
  figure,
  files,
  pose: Array.from(pose),
  rigidity: {},
  stiffness: {},
  constraints: [],
  obstacles: [],
  natural: 0,
  method: "automatic",
  iterations: 4,
  keys: [],
  frameRate: 30,
  keep: true,
});

// A place pinned where it is in a pose: position and orientation, exactly.
export function pinnedFrame(figure: Figure, place: string, pose: ArrayLike<number>, id: string): Constraint {
  const { p, x, y } = frameOf(figure, place, pose);
  return { id, name: place.replaceAll("_", " "), handle: { frame: place }, goal: { placement: { p, x, y } }, weight: "must" };
}

// A character stands as the human does: the feet that are on the ground are pinned and carry it.
export function standingDoc(figure: Figure, doc: Doc): Doc {
  const { pins, feet } = figure.posingFor(doc.pose);
  const pinned = pins.map(({ place }, k) => pinnedFrame(figure, place, doc.pose, `foot${k}`));
  const balance = feet.length > 0 ? [{ ...balanceAt(figure, feet, doc.pose), id: "balance" }] : [];
  return { ...doc, constraints: [...doc.constraints, ...pinned, ...balance] };
}

export function startDoc(figure: Figure): Doc {
  const pose = figure.rest();
  const feet = feetOf(figure);
  const pins = feet.map((foot, k) => pinnedFrame(figure, foot, pose, `foot${k}`));
  return { ...emptyDoc(human, pose), constraints: [...pins, { ...balanceAt(figure, feet, pose), id: "balance" }] };
}
