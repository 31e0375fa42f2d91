// New obstacles: of a size that suits the figure, in front of it within reach of its hands.
import type { Figure, ObstacleValue, Vec3 } from "limber";
import type { Doc } from "../document/document.js";
import { freshName } from "./obstacle_commands.js";

export type Wished = "box" | "ball" | "capsule" | "wall" | "floor";
export const wishes: readonly Wished[] = ["box", "ball", "capsule", "wall", "floor"];

const usualLength = 1.75; // metres: the length of the figure that the numbers below are for

export function makeObstacle(doc: Doc, figure: Figure, pose: ArrayLike<number>, wish: Wished): ObstacleValue {
  const scale = figure.info.length / usualLength;
  const root = figure.place(pose).subarray(9, 12);
  const size = (...numbers: number[]) => numbers.map((value) => rounded(value * scale)) as Vec3;
  const at = (x: number, y: number, z: number): Vec3 => [
    rounded(root[0]! + x * scale),
    rounded(root[1]! + y * scale),
    rounded(root[2]! + z * scale),
  ];
  const name = freshName(doc, wish);
  if (wish === "box") return { name, box: size(1.4, 0.04, 0.5), p: at(0, 0, 0.5) };
  if (wish === "ball") return { name, ball: rounded(0.12 * scale), p: at(-0.25, 0.15, 0.4) };
  if (wish === "capsule")
    return { name, capsule: { a: size(0, -0.3, 0), b: size(0, 0.3, 0), radius: rounded(0.04 * scale) }, p: at(-0.3, 0.1, 0.35) };
  if (wish === "wall") return { name, floor: true, p: at(0, 0, 0.5), turns: [["x", -90]] };
  return { name, floor: true, p: [rounded(root[0]!), 0, rounded(root[2]!)] };
}

const rounded = (metres: number) => Math.round(1000 * metres) / 1000;
