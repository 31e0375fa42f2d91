// Balance constraints: the centre of mass over the support of the feet. The support of a scene does not follow the feet,
// so it is computed again when they have moved.
import type { Figure } from "limber";
import type { Constraint } from "./document.js";
import { turnsOnly } from "./goals.js";
import { frameOf, segmentOf } from "./places.js";
import { degrees, radians } from "./angle.js";

const lifted = 0.05; // of the figure's length: a foot this much higher than the lowest carries no weight
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

// The height of the lowest place of a foot.
function heightOf(figure: Figure, foot: string, pose: ArrayLike<number>): number {
  const { segments, sites } = figure.info;
  const segment = segmentOf(figure, foot);
  const end = segments[segment]?.end ?? segment;
  const places = sites.filter((site) => site.segment >= segment && site.segment < end).map(({ name }) => name);
  return Math.min(...[foot, ...places].map((place) => frameOf(figure, place, pose).p[1]));
}

// The feet that are on the ground: as low as the lowest one.
export function feetOnGround(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): string[] {
  const heights = feet.map((foot) => heightOf(figure, foot, pose));
  const ground = Math.min(...heights);
  return feet.filter((_, k) => heights[k]! - ground < lifted * figure.info.length);
}

// A support where the feet are in a pose; members that are undefined are to be removed.
export function standingAt(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): Standing {
  const on = feetOnGround(figure, feet, pose);
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
