// Constraints that pin a place of a part: when the part is dragged, they follow.
import type { Figure } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { changeConstraint } from "../command/commands.js";
import { axesOf, isPin, scaleOf, withTarget } from "../document/goals.js";
import { frameOf, placeOf, segmentOf } from "../document/places.js";

// The active constraints that pin a place of the segment, or of a segment fixed to it.
export function pinsOn(doc: Doc, figure: Figure, segment: number): Constraint[] {
  const body = figure.chain(segment, "part");
  return doc.constraints.filter((one) => {
    const place = placeOf(one.handle);
    if (one.enabled === false || place === undefined || !isPin(one.goal)) return false;
    const at = segmentOf(figure, place);
    return at >= 0 && figure.chain(at, "part") === body;
  });
}

// While its part is dragged a pin keeps only its orientation; the pointer sets the position.
export function loosened(pin: Constraint): Constraint {
  const { x, y } = (pin.goal && axesOf(pin.goal)) ?? {};
  if (x === undefined && y === undefined) return { ...pin, enabled: false };
  const scale = scaleOf(pin.goal!);
  const orientation = {
    ...(x !== undefined ? { x } : {}),
    ...(y !== undefined ? { y } : {}),
    ...(scale !== undefined ? { degrees_per_metre: scale } : {}),
  };
  return { ...pin, goal: { orientation } };
}

export function withLoosened(doc: Doc, loose: readonly Constraint[]): Doc {
  const ids = new Set(loose.map(({ id }) => id));
  return { ...doc, constraints: doc.constraints.map((one) => (ids.has(one.id) ? loosened(one) : one)) };
}

// Moves the pins to their places in a pose.
export function movedPins(doc: Doc, figure: Figure, moved: readonly Constraint[], pose: ArrayLike<number>): Doc {
  return moved.reduce((next, { id, handle, goal }) => {
    const { p } = frameOf(figure, placeOf(handle)!, pose);
    return changeConstraint(next, id, { goal: withTarget(goal!, p) });
  }, doc);
}
