// Constraints that pin a place of a part: when the part is dragged, they follow.
import type { Figure, GoalValue } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { changeConstraint } from "../command/commands.js";
import { axesOf, isPin, withAxes, withTarget } from "../document/goals.js";
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

// The goal with the directions that a place has in a pose, as far as it asks for some.
export function withAxesAt(goal: GoalValue, figure: Figure, place: string, pose: ArrayLike<number>): GoalValue {
  const axes = axesOf(goal);
  if (!axes) return goal;
  const { x, y } = frameOf(figure, place, pose);
  return withAxes(goal, { ...("x" in axes ? { x } : {}), ...("y" in axes ? { y } : {}) });
}

// Moves the pins to their places in a pose.
export function movedPins(doc: Doc, figure: Figure, moved: readonly Constraint[], pose: ArrayLike<number>): Doc {
  return moved.reduce((next, { id, handle, goal }) => {
    const place = placeOf(handle)!;
    const turned = withAxesAt(goal!, figure, place, pose);
    return changeConstraint(next, id, { goal: withTarget(turned, frameOf(figure, place, pose).p) });
  }, doc);
}
