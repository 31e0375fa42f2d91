// Directions of a scene document: an axis by name, or a vector.
import type { DirectionValue, Vec3 } from "limber";

const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

export function vectorOf(direction: DirectionValue): Vec3 {
  if (typeof direction !== "string") return direction;
  const axis = axes[direction.at(-1) as "x" | "y" | "z"];
  return (direction.startsWith("-") ? axis.map((value) => -value || 0) : [...axis]) as Vec3;
}
