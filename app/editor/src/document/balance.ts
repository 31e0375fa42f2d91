// A balance of the document: the centre of mass over the ground that its feet touch. The support of a scene does not
// follow the feet, so it is taken again where they have been moved.
import type { Figure } from "limber";
import { degrees, radians } from "../ui/dom.js";
import type { Constraint, Doc } from "./document.js";
import { frameOf, segmentOf } from "./places.js";

const lifted = 0.05; // of the figure's length: a foot that much higher than the lowest carries nothing
const samePlace = 0.005; // metres

type Standing = Pick<Constraint, "standing"> & { on: readonly string[] | undefined };

// The pose by parameter, in degrees and metres. A balance is over the ground that its feet touch in it.
export function standingOf(figure: Figure, pose: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(figure.info.parameters.map(({ name, metres }, k) => [name, metres ? pose[k]! : degrees(pose[k]!)]));
}

export function poseOf(figure: Figure, standing: Readonly<Record<string, number>>): Float64Array {
  return Float64Array.from(figure.info.parameters, ({ name, metres }) =>
    metres ? (standing[name] ?? 0) : radians(standing[name] ?? 0),
  );
}

// How high the lowest place of a foot is.
function heightOf(figure: Figure, foot: string, pose: ArrayLike<number>): number {
  const { segments, sites } = figure.info;
  const segment = segmentOf(figure, foot);
  const end = segments[segment]?.end ?? segment;
  const places = sites.filter((site) => site.segment >= segment && site.segment < end).map(({ name }) => name);
  return Math.min(...[foot, ...places].map((place) => frameOf(figure, place, pose).p[1]));
}

// Those of the feet that are on the ground: as low as the lowest.
export function feetDown(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): string[] {
  const heights = feet.map((foot) => heightOf(figure, foot, pose));
  const ground = Math.min(...heights);
  return feet.filter((_, k) => heights[k]! - ground < lifted * figure.info.length);
}

// Over the feet as they are in a pose; undefined members are to be taken out.
export function standingHere(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): Standing {
  const on = feetDown(figure, feet, pose);
  return { standing: standingOf(figure, pose), on: on.length < feet.length ? on : undefined };
}

export function balanceHere(figure: Figure, feet: readonly string[], pose: ArrayLike<number>): Omit<Constraint, "id"> {
  const { standing, on } = standingHere(figure, feet, pose);
  return { name: "balance", balance: [...feet], margin: 0.02, weight: 1000, standing: standing!, ...(on ? { on } : {}) };
}

// Whether the feet of a balance are in a pose where they carry it.
export function standsThere(figure: Figure, { balance, standing }: Constraint, pose: ArrayLike<number>): boolean {
  if (!balance || !standing) return true;
  const stood = poseOf(figure, standing);
  const apart = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((value, k) => value - b[k]!));
  return balance.every((foot) => apart(frameOf(figure, foot, stood).p, frameOf(figure, foot, pose).p) < samePlace);
}

// What pins the feet, as a text: where it is another, the feet have been moved.
const pinsOf = (figure: Figure, { constraints }: Doc, feet: readonly string[]) =>
  JSON.stringify(
    constraints.filter((one) => feet.some((foot) => holds(figure, one, foot))).map(({ handle, goal }) => [handle, goal]),
  );

// Whether a constraint says where a foot is.
export function holds(figure: Figure, { handle, goal, enabled }: Constraint, foot: string): boolean {
  if (enabled === false || !handle || !goal || "orientation" in goal || "direction" in goal || "aim_at" in goal) return false;
  const place =
    typeof handle === "string" ? handle : "point" in handle ? handle.point : "frame" in handle ? handle.frame : undefined;
  if (place === undefined) return false;
  const segment = segmentOf(figure, foot);
  const at = segmentOf(figure, place);
  return segment >= 0 && at >= segment && at < figure.info.segments[segment]!.end;
}

// What follows from a command that has moved the feet: balance over where they are now.
export function stoodAgain(figure: Figure, before: Doc, doc: Doc): Doc {
  if (doc.constraints === before.constraints || doc.figure !== before.figure || doc.files !== before.files) return doc;
  const old = new Map(before.constraints.map((one) => [one.id, one]));
  const again = (one: Constraint): Constraint => {
    const was = old.get(one.id);
    if (!one.balance || !one.standing || was?.standing !== one.standing) return one;
    if (pinsOf(figure, before, one.balance) === pinsOf(figure, doc, one.balance) || standsThere(figure, one, doc.pose))
      return one;
    const { standing, on } = standingHere(figure, one.balance, doc.pose);
    const { on: _on, ...rest } = one;
    return { ...rest, standing: standing!, ...(on ? { on } : {}) };
  };
  const constraints = doc.constraints.map(again);
  return constraints.every((one, k) => one === doc.constraints[k]) ? doc : { ...doc, constraints };
}

// While feet are moved they carry nothing: the balance is over the others, and off where nothing holds those.
export function onHeldFeet(figure: Figure, doc: Doc, moving: readonly Constraint[]): Doc {
  const ids = new Set(moving.map(({ id }) => id));
  const still = doc.constraints.filter(({ id }) => !ids.has(id));
  const carried = (one: Constraint): Constraint => {
    if (!one.balance || one.enabled === false) return one;
    const on = (one.on ?? one.balance).filter((foot) => still.some((other) => holds(figure, other, foot)));
    return on.length > 0 ? { ...one, on } : { ...one, enabled: false };
  };
  return { ...doc, constraints: doc.constraints.map(carried) };
}
