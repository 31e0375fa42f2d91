// Builds constraints whose goal is where the handle is now, so that the pose stays as it is, and moves the goal of a
// constraint to its handle. limber.wasm computes where a handle is.
import type { ConstraintValue, DirectionValue, Figure, GoalValue, HandleValue, Limber, PlainHandleValue, Vec3 } from "limber";
import { balanceAt, standingAt } from "./balance.js";
import { type Constraint, type ConstraintChange } from "./document.js";
import { feetOf, segmentOf } from "./places.js";

// A constraint as requested by the menu. Two kinds need a second place.
export type Wish =
  | { readonly kind: "position" | "placement" | "half_space" | "line" | "aim"; readonly place: string }
  | { readonly kind: "orientation"; readonly place: string; readonly axes: "xy" | "x" | "y" }
  | { readonly kind: "plane"; readonly place: string; readonly normal: DirectionValue }
  | { readonly kind: "aim_place" | "together"; readonly place: string; readonly other: string }
  | { readonly kind: "balance"; readonly feet: readonly string[] };

// Not a site, but a point that constraints can use as one.
export const massCentre = "centre of mass";

// A constraint that has no id in the document yet.
export type Unnamed = Omit<Constraint, "id">;

export const plain = (name: string) => name.replaceAll("_", " ").replaceAll(".", " ");

export type HandleKind = "point" | "ray" | "frame";

export const handleOf = (place: string, kind: HandleKind): PlainHandleValue =>
  place === massCentre
    ? { mass_centre: true }
    : kind === "point"
      ? { point: place }
      : kind === "ray"
        ? { ray: place }
        : { frame: place };

// The names of the places of a handle: one, or two for a difference.
export function placesOf(handle: HandleValue | undefined): string[] {
  if (handle === undefined) return [];
  if (typeof handle === "string") return [handle];
  if ("difference" in handle) return handle.difference.flatMap(placesOf);
  if ("mass_centre" in handle) return [massCentre];
  if ("direction" in handle) return [typeof handle.direction === "string" ? handle.direction : handle.direction.place];
  return Object.values(handle);
}

// The same handle at another place; of a difference, its first or second part.
export function handleAt(handle: HandleValue, place: string, part = 0): HandleValue {
  if (typeof handle === "string" || !("difference" in handle)) return plainHandleAt(handle, place);
  const [a, b] = handle.difference;
  return { difference: part === 0 ? [plainHandleAt(a, place), b] : [a, plainHandleAt(b, place)] };
}

function plainHandleAt(handle: PlainHandleValue, place: string): PlainHandleValue {
  if (typeof handle === "string") return place === massCentre ? { mass_centre: true } : place;
  if (place === massCentre) return { mass_centre: true };
  if ("mass_centre" in handle) return { point: place };
  if ("direction" in handle) return { direction: typeof handle.direction === "string" ? place : { ...handle.direction, place } };
  return Object.fromEntries(Object.keys(handle).map((kind) => [kind, place])) as PlainHandleValue;
}

// Where a handle is in a pose: its point, its direction or directions.
export function whereIs(
  limber: Limber,
  figure: Figure,
  handle: HandleValue,
  pose: ArrayLike<number>,
): { p: Vec3; x: Vec3; y: Vec3 } {
  const posing = limber.posing(figure, { constraints: [{ handle, goal: { hold: true } }] });
  const numbers = posing.handle(0, pose);
  posing.drop();
  const all = [0, 3, 6].map((at) => numbers.slice(at, at + 3) as Vec3);
  const isDirection = typeof handle === "object" && "direction" in handle;
  const [p, x, y] = isDirection ? [[0, 0, 0] as Vec3, ...all] : all;
  return { p: p!, x: x!, y: y! };
}

// The kind of a constraint: the name of its goal, or of what it has instead of a goal.
export type Kind =
  | "balance"
  | "keep_clear"
  | "pull"
  | "one_of"
  | "position"
  | "direction"
  | "orientation"
  | "placement"
  | "aim_at"
  | "line"
  | "plane"
  | "half_space"
  | "inside"
  | "outside"
  | "coincide"
  | "hold";

export function kindOf(constraint: ConstraintValue): Kind {
  if (constraint.balance) return "balance";
  if (constraint.keep_clear) return "keep_clear";
  if (constraint.pull !== undefined) return "pull";
  if (constraint.one_of) return "one_of";
  return Object.keys(constraint.goal ?? { hold: true })[0] as Kind;
}

// Whether it can be a hard constraint.
export const canBeMust = (constraint: ConstraintValue) => !["balance", "pull", "one_of"].includes(kindOf(constraint));

const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

export function vectorOf(direction: DirectionValue): Vec3 {
  if (typeof direction !== "string") return direction;
  const axis = axes[direction.at(-1) as "x" | "y" | "z"];
  return (direction.startsWith("-") ? axis.map((value) => -value || 0) : [...axis]) as Vec3;
}

const along = (p: Vec3, v: Vec3, metres: number) => p.map((value, k) => value + metres * v[k]!) as Vec3;
const distance = (a: Vec3, b: Vec3) => Math.hypot(...a.map((value, k) => value - b[k]!));

const aimDistance = 0.6; // of the figure's length: near enough to be in view

const wished = { weight: 1 } as const;
const heavy = { weight: 1000 } as const; // yields only to hard constraints: a millimetre where others pull by a metre

// Pins of the feet are hard. Another hard pin out of reach would pull the feet away, so other pins get a large weight.
function pinOf(figure: Figure, place: string): { weight: "must" | number } {
  const { segments } = figure.info;
  const at = place === massCentre ? -1 : segmentOf(figure, place);
  const isFoot = feetOf(figure).some((foot) => {
    const segment = segmentOf(figure, foot);
    return at >= segment && at < segments[segment]!.end;
  });
  return isFoot ? { weight: "must" } : heavy;
}

export function makeConstraint(limber: Limber, figure: Figure, pose: ArrayLike<number>, wish: Wish): Unnamed {
  if (wish.kind === "balance") return balanceAt(figure, wish.feet, pose);
  const { place } = wish;
  const called = plain(place);
  const pinned = pinOf(figure, place);
  const point = handleOf(place, "point");
  const at = (handle: HandleValue) => whereIs(limber, figure, handle, pose);
  switch (wish.kind) {
    case "position":
      return { name: `${called} position`, handle: point, goal: { position: at(point).p }, ...pinned };
    case "placement": {
      const handle = handleOf(place, "frame");
      const { p, x, y } = at(handle);
      return { name: called, handle, goal: { placement: { p, x, y } }, ...pinned };
    }
    case "orientation": {
      const handle = handleOf(place, "frame");
      const { x, y } = at(handle);
      const goal = wish.axes === "xy" ? { x, y } : wish.axes === "x" ? { x } : { y };
      return {
        name: `${called} ${wish.axes === "xy" ? "orientation" : `${wish.axes} direction`}`,
        handle,
        goal: { orientation: goal },
        ...pinned,
      };
    }
    case "plane":
      return { name: `${called} in a plane`, handle: point, goal: { plane: { p: at(point).p, v: wish.normal } }, ...pinned };
    case "line":
      return { name: `${called} on a line`, handle: point, goal: { line: { p: at(point).p, v: "y" } }, ...pinned };
    case "half_space":
      return { name: `${called} on one side`, handle: point, goal: { half_space: { p: at(point).p, v: "y" } }, ...wished };
    case "aim": {
      const handle = handleOf(place, "ray");
      const { p, x } = at(handle);
      return { name: `${called} aim`, handle, goal: { aim_at: along(p, x, aimDistance * figure.info.length) }, ...wished };
    }
    case "aim_place":
      return {
        name: `${called} at ${plain(wish.other)}`,
        handle: aimedAt(place, wish.other),
        goal: { aim_at: [0, 0, 0] },
        ...wished,
      };
    case "together":
      return {
        name: `${called} with ${plain(wish.other)}`,
        handle: { difference: [point, handleOf(wish.other, "point")] },
        goal: { coincide: true },
        ...wished,
      };
  }
}

// A ray relative to a moving point passes through that point where it passes through zero.
export const aimedAt = (place: string, other: string): HandleValue => ({
  difference: [handleOf(place, "ray"), handleOf(other, "point")],
});

// The change that moves the goal to its handle; undefined if it has no such goal.
export function goalAtHandle(
  limber: Limber,
  figure: Figure,
  constraint: ConstraintValue,
  pose: ArrayLike<number>,
): ConstraintChange | undefined {
  if (constraint.balance) return standingAt(figure, constraint.balance, pose);
  const { handle, goal } = constraint;
  if (handle === undefined || goal === undefined) return undefined;
  const { p, x, y } = whereIs(limber, figure, handle, pose);
  const moved = (): GoalValue | undefined => {
    if ("position" in goal) return { position: p };
    if ("direction" in goal)
      return { direction: typeof goal.direction === "object" && "v" in goal.direction ? { ...goal.direction, v: x } : x };
    if ("orientation" in goal)
      return { orientation: { ...goal.orientation, ...(goal.orientation.x ? { x } : {}), ...(goal.orientation.y ? { y } : {}) } };
    if ("placement" in goal)
      return { placement: { ...goal.placement, p, ...(goal.placement.x ? { x } : {}), ...(goal.placement.y ? { y } : {}) } };
    if ("line" in goal) return { line: { ...goal.line, p } };
    if ("plane" in goal) return { plane: { ...goal.plane, p } };
    if ("half_space" in goal) return { half_space: { ...goal.half_space, p } };
    if ("aim_at" in goal && !(typeof handle === "object" && "difference" in handle)) {
      const old = Array.isArray(goal.aim_at) ? goal.aim_at : goal.aim_at.p;
      const next = along(p, x, Math.max(distance(old, p), 0.05 * figure.info.length));
      return { aim_at: Array.isArray(goal.aim_at) ? next : { ...goal.aim_at, p: next } };
    }
    return undefined;
  };
  const next = moved();
  return next && { goal: next };
}

// --- Places

// The places of a figure: its sites, then its segments without a site of the same name.
export function placesIn(figure: Figure): string[] {
  const { sites, segments, mass } = figure.info;
  const names = new Set([...sites.map(({ name }) => name), ...segments.map(({ name }) => name)]);
  return mass > 0 ? [...names, massCentre] : [...names];
}

// The default place of a segment: the palm of a hand, the eyes of a head for rays, else the place of the same name.
export function placeOn(figure: Figure, segment: number, kind: HandleKind): string {
  const { sites, segments } = figure.info;
  const { name } = segments[segment]!;
  const on = sites.filter((site) => site.segment === segment).map((site) => site.name);
  const wanted = kind === "ray" ? /eyes|fingertip/ : /palm/;
  return on.find((one) => one === name) ?? on.find((one) => wanted.test(one)) ?? name;
}

// The place on the other side of the body.
export function opposite(figure: Figure, place: string): string | undefined {
  const other = /left/.test(place)
    ? place.replace("left", "right")
    : /right/.test(place)
      ? place.replace("right", "left")
      : undefined;
  return other !== undefined && segmentOf(figure, other) >= 0 ? other : undefined;
}
