// The orientation of an obstacle, for drawing it and for its fields.
import { Euler, MathUtils, Matrix4, Quaternion, Vector3 } from "three";
import type { ObstacleValue, Vec3 } from "limber";
import { vectorOf } from "./direction.js";

export function turnOf({ turns, quaternion, matrix }: ObstacleValue): Quaternion {
  if (quaternion) return new Quaternion(quaternion[1], quaternion[2], quaternion[3], quaternion[0]).normalize();
  if (matrix) {
    const [x, y, z] = matrix;
    return new Quaternion().setFromRotationMatrix(new Matrix4().set(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1));
  }
  const all = new Quaternion();
  for (const [axis, degrees] of turns ?? [])
    all.multiply(new Quaternion().setFromAxisAngle(new Vector3(...vectorOf(axis)).normalize(), MathUtils.degToRad(degrees)));
  return all;
}

// The same as turns about y, then x, then z; in the order x, y, z, in degrees.
export function anglesOf(obstacle: ObstacleValue): Vec3 {
  const { turns } = obstacle;
  if (turns && turns.map(([axis]) => axis).join("") === order.filter((axis) => turns.some(([own]) => own === axis)).join("")) {
    const of = (axis: string) => turns.find(([own]) => own === axis)?.[1] ?? 0;
    return [of("x"), of("y"), of("z")];
  }
  const { x, y, z } = new Euler().setFromQuaternion(turnOf(obstacle), "YXZ");
  return [x, y, z].map((angle) => Number(MathUtils.radToDeg(angle).toFixed(9))) as Vec3;
}

const order = ["y", "x", "z"] as const;

export function turnsOf([x, y, z]: Vec3): NonNullable<ObstacleValue["turns"]> {
  const all: NonNullable<ObstacleValue["turns"]> = [
    ["y", y],
    ["x", x],
    ["z", z],
  ];
  return all.filter(([, angle]) => angle !== 0);
}
