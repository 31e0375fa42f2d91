// The point of a goal that can be dragged.
import type { Vec3 } from "limber";
import type { Constraint } from "./document.js";
import { targetOf } from "./goals.js";
import { isDifference } from "./handles.js";

// Undefined if it has none.
export const goalPoint = ({ goal, handle }: Constraint): Vec3 | undefined =>
  goal && !isDifference(handle) ? targetOf(goal) : undefined;
