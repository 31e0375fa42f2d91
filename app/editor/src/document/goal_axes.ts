// The directions that a goal asks for, and the goal with all of them turned.
import type { DirectionValue, GoalValue, Vec3 } from "limber";
import { vectorOf } from "./direction.js";
import { axesOf, withAxes } from "./goals.js";

type Vec = readonly [number, number, number];

const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec, b: Vec): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vec): Vec3 => a.map((value) => value / (Math.hypot(...a) || 1)) as Vec3;
const aside = (a: Vec): Vec3 => unit(cross(a, Math.abs(a[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));

const minSine = 1e-6; // between two directions that count as parallel

export interface GoalAxes {
  readonly frame: readonly [Vec3, Vec3, Vec3]; // x, y and z
  readonly turns: readonly (0 | 1 | 2)[]; // axes about which a rotation changes the goal
}

// Undefined for a goal without a direction.
export function axesOfGoal(goal: GoalValue | undefined): GoalAxes | undefined {
  if (!goal) return undefined;
  const asked = axesOf(goal);
  const x = asked?.x === undefined ? undefined : unit(vectorOf(asked.x));
  const y = asked?.y === undefined ? undefined : unit(vectorOf(asked.y));
  if (x && y && Math.hypot(...cross(x, y)) > minSine) {
    const z = unit(cross(x, y));
    return { frame: [x, cross(z, x), z], turns: [0, 1, 2] };
  }
  if (x) return { frame: [x, cross(aside(x), x), aside(x)], turns: [1, 2] };
  if (y) return { frame: [aside(y), y, cross(aside(y), y)], turns: [0, 2] };
  return undefined;
}

// About a unit axis, by radians.
export function turnedGoal(goal: GoalValue, axis: Vec, angle: number): GoalValue {
  const turned = (direction: DirectionValue): Vec3 => {
    const v = vectorOf(direction);
    const across = cross(axis, v);
    const along = dot(axis, v) * (1 - Math.cos(angle));
    return v.map((value, k) => value * Math.cos(angle) + across[k]! * Math.sin(angle) + axis[k]! * along) as Vec3;
  };
  const { x, y } = axesOf(goal) ?? {};
  return withAxes(goal, { ...(x === undefined ? {} : { x: turned(x) }), ...(y === undefined ? {} : { y: turned(y) }) });
}
