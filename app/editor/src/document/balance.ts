// Balance constraints: the centre of mass over the support of the feet. The support of a scene does not follow the feet,
// so it is computed again when they have moved.
import type { Figure } from "limber";
import type { Constraint } from "./document.js";
import { turnsOnly } from "./goals.js";
import { frameOf, segmentOf } from "./places.js";
import { degrees, radians } from "./angle.js";

const samePlace = 0.005; // metres

type Standing = Pick<Constraint, "standing"> & { on: readonly string[] | undefined };

// A pose by parameter name, in degrees and metres. The support of a balance is that of the feet in this pose.
export function standingOf(figure: Figure, pose: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(figure.info.parameters.map(({ name, metres }, k) => [name, metres ? pose[k]! : degrees(pose[k]!)]));
}

export function poseOf(figure: Figure, standing: Readonly<Record<string, number>>): Float64Array {
  return Float64Array.from(figure.info.parameters, ({ name, metres }) =>
    metres ? (standing[name] ?? 0) : radians(standing[name] ?? 0),
  );
}

// A support where the feet are in a pose; members that are undefined are to be removed.
export function standingAt(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): Standing {
  const on = figure.feetOnGround(pose, feet);
  return { standing: standingOf(figure, pose), on: on.length < feet.length ? on : undefined };
}

export function balanceAt(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): Omit<Constraint, "id"> {
  const { standing, on } = standingAt(figure, feet, pose);
  return { name: "balance", balance: [...feet], margin: 0.02, weight: 1000, standing: standing!, ...(on ? { on } : {}) };
}

// Whether the feet of a balance are, in a pose, where its support is.
export function feetAreInPlace(figure: Figure, { balance, standing }: Constraint, pose: ArrayLike<number>): boolean {
  if (!balance || !standing) return true;
  const stood = poseOf(figure, standing);
  const apart = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((value, k) => value - b[k]!));
  return balance.every((foot) => apart(frameOf(figure, foot, stood).p, frameOf(figure, foot, pose).p) < samePlace);
}

// Whether a constraint fixes the position of a foot.
export function holds(figure: Figure, { handle, goal, enabled }: Constraint, foot: string): boolean {
  if (enabled === false || !handle || !goal || turnsOnly(goal)) return false;
  const place =
    typeof handle === "string" ? handle : "point" in handle ? handle.point : "frame" in handle ? handle.frame : undefined;
  if (place === undefined) return false;
  const segment = segmentOf(figure, foot);
  const at = segmentOf(figure, place);
  return segment >= 0 && at >= segment && at < figure.info.segments[segment]!.end;
}
