// The point of a goal that can be dragged.
import type { GoalValue, Vec3 } from "limber";
import type { Constraint } from "./document.js";

const isDifference = ({ handle }: Constraint) => typeof handle === "object" && "difference" in handle;

// The point of a goal that can be dragged; undefined if it has none.
export function goalPoint(constraint: Constraint): Vec3 | undefined {
  const { goal } = constraint;
  if (!goal || isDifference(constraint)) return undefined;
  if ("position" in goal) return goal.position;
  if ("placement" in goal) return goal.placement.p;
  if ("aim_at" in goal) return Array.isArray(goal.aim_at) ? goal.aim_at : goal.aim_at.p;
  if ("plane" in goal) return goal.plane.p;
  if ("line" in goal) return goal.line.p;
  if ("half_space" in goal) return goal.half_space.p;
  return undefined;
}

export function goalAt(goal: GoalValue, [x, y, z]: readonly [number, number, number]): GoalValue {
  const p: Vec3 = [x, y, z];
  if ("position" in goal) return { position: p };
  if ("placement" in goal) return { placement: { ...goal.placement, p } };
  if ("aim_at" in goal) return { aim_at: Array.isArray(goal.aim_at) ? p : { ...goal.aim_at, p } };
  if ("plane" in goal) return { plane: { ...goal.plane, p } };
  if ("line" in goal) return { line: { ...goal.line, p } };
  if ("half_space" in goal) return { half_space: { ...goal.half_space, p } };
  return goal;
}
