// Builds constraints whose goal is where the handle is now, so that the pose stays as it is, and moves the goal of a
// constraint to its handle.
import type { ConstraintValue, Figure, GoalKind, GoalValue, Limber, Vec3 } from "limber";
import { balanceAt, standingAt } from "./balance.js";
import { type Constraint, type ConstraintChange } from "./document.js";
import { axesOfGoal } from "./goal_axes.js";
import { axesOf, gapOf, goalKind, isAim, markOf, targetOf, withAxes, withTarget, type Axes } from "./goals.js";
import { handleOf, isDifference, massCentre, placesOf, plain, whereIs, type HandleKind, type Where } from "./handles.js";
import { feetOf, segmentOf } from "./places.js";

// A constraint that has no id in the document yet.
export type Unnamed = Omit<Constraint, "id">;

const along = (p: Vec3, v: Vec3, metres: number) => p.map((value, k) => value + metres * v[k]!) as Vec3;
const distance = (a: Vec3, b: Vec3) => Math.hypot(...a.map((value, k) => value - b[k]!));

const aimDistance = 0.6; // of the figure's length: near enough to be in view
const ropeLength = 0.3; // of the figure's length
const light = 1;
const heavy = 1000; // yields only to hard constraints: a millimetre where others pull by a metre

// A row of the menu: a constraint that a place can get.
export interface WishRow {
  readonly kind: GoalKind; // whose icon it has
  readonly text: string;
  readonly keys?: string;
  readonly handle: HandleKind; // of the place; of two places, the difference to the point of the other
  readonly isOfTwo?: true;
  readonly isPin?: true; // has the weight of a pin
  readonly name: (place: string, other: string) => string;
  readonly goal: (at: Where, figure: Figure) => GoalValue;
}

export const wishes = {
  position: {
    kind: "position",
    text: "Pin position",
    keys: "Shift+P",
    handle: "point",
    isPin: true,
    name: (place) => `${place} position`,
    goal: ({ p }) => ({ position: p }),
  },
  placement: {
    kind: "placement",
    text: "Pin position and orientation",
    keys: "P",
    handle: "frame",
    isPin: true,
    name: (place) => place,
    goal: ({ p, x, y }) => ({ placement: { p, x, y } }),
  },
  orientation: {
    kind: "orientation",
    text: "Pin orientation",
    handle: "frame",
    isPin: true,
    name: (place) => `${place} orientation`,
    goal: ({ x, y }) => ({ orientation: { x, y } }),
  },
  x_direction: {
    kind: "direction",
    text: "Pin direction of its x axis",
    handle: "frame",
    isPin: true,
    name: (place) => `${place} x direction`,
    goal: ({ x }) => ({ orientation: { x } }),
  },
  y_direction: {
    kind: "direction",
    text: "Pin direction of its y axis",
    handle: "frame",
    isPin: true,
    name: (place) => `${place} y direction`,
    goal: ({ y }) => ({ orientation: { y } }),
  },
  z_direction: {
    kind: "direction",
    text: "Pin direction of its z axis",
    handle: "z",
    isPin: true,
    name: (place) => `${place} z direction`,
    goal: ({ x }) => ({ direction: x }), // the only direction of the handle
  },
  horizontal_plane: {
    kind: "plane",
    text: "Keep in a horizontal plane",
    handle: "point",
    isPin: true,
    name: (place) => `${place} in a plane`,
    goal: ({ p }) => ({ plane: { p, v: "y" } }),
  },
  vertical_plane: {
    kind: "plane",
    text: "Keep in a vertical plane",
    handle: "point",
    isPin: true,
    name: (place) => `${place} in a plane`,
    goal: ({ p }) => ({ plane: { p, v: "z" } }),
  },
  line: {
    kind: "line",
    text: "Keep on a line",
    handle: "point",
    isPin: true,
    name: (place) => `${place} on a line`,
    goal: ({ p }) => ({ line: { p, v: "y" } }),
  },
  half_space: {
    kind: "half_space",
    text: "Stay on one side of a plane",
    handle: "point",
    name: (place) => `${place} on one side`,
    goal: ({ p }) => ({ half_space: { p, v: "y" } }),
  },
  // Taut, from above.
  rope: {
    kind: "distance",
    text: "Tie to a point above it",
    handle: "point",
    name: (place) => `${place} on a rope`,
    goal: ({ p }, figure) => {
      const length = ropeLength * figure.info.length;
      return { distance: { p: along(p, [0, 1, 0], length), at_most: length } };
    },
  },
  aim: {
    kind: "aim_at",
    text: "Aim at a point",
    keys: "A",
    handle: "ray",
    name: (place) => `${place} aim`,
    goal: ({ p, x }, figure) => ({ aim_at: along(p, x, aimDistance * figure.info.length) }),
  },
  // A ray relative to a moving point passes through that point where it passes through zero.
  aim_place: {
    kind: "aim_at",
    text: "Aim at that place",
    handle: "ray",
    isOfTwo: true,
    name: (place, other) => `${place} at ${other}`,
    goal: () => ({ aim_at: [0, 0, 0] }),
  },
  stick: {
    kind: "distance",
    text: "Keep at this distance from it",
    handle: "point",
    isOfTwo: true,
    name: (place, other) => `${place} and ${other} apart`,
    goal: ({ p }) => ({ distance: { equal: Math.hypot(...p) } }),
  },
  space: {
    kind: "distance",
    text: "Keep at least this far from it",
    handle: "point",
    isOfTwo: true,
    name: (place, other) => `${place} away from ${other}`,
    goal: ({ p }) => ({ distance: { at_least: Math.hypot(...p) } }),
  },
  together: {
    kind: "coincide",
    text: "Keep together with it",
    handle: "point",
    isOfTwo: true,
    name: (place, other) => `${place} with ${other}`,
    goal: () => ({ coincide: true }),
  },
} satisfies Record<string, WishRow>;

export type WishKind = keyof typeof wishes;
export const wishRows = Object.entries(wishes) as [WishKind, WishRow][];

export type Wish =
  | { readonly kind: WishKind; readonly place: string; readonly other?: string } // the other of two places
  | { readonly kind: "balance"; readonly feet: readonly string[] };

// Pins of the feet are hard. Another hard pin out of reach would pull the feet away, so other pins get a large weight.
function pinWeight(figure: Figure, place: string): "must" | number {
  const { segments } = figure.info;
  const at = place === massCentre ? -1 : segmentOf(figure, place);
  const isFoot = feetOf(figure).some((foot) => {
    const segment = segmentOf(figure, foot);
    return at >= segment && at < segments[segment]!.end;
  });
  return isFoot ? "must" : heavy;
}

export function makeConstraint(limber: Limber, figure: Figure, pose: ArrayLike<number>, wish: Wish): Unnamed {
  if (wish.kind === "balance") return balanceAt(figure, wish.feet, pose);
  const { place, other = place } = wish;
  const row: WishRow = wishes[wish.kind];
  const one = handleOf(place, row.handle);
  const handle = row.isOfTwo ? { difference: [one, handleOf(other, "point")] satisfies [unknown, unknown] } : one;
  return {
    name: row.name(plain(place), plain(other)),
    handle,
    goal: row.goal(whereIs(limber, figure, handle, pose), figure),
    weight: row.isPin ? pinWeight(figure, place) : light,
  };
}

// --- Another type

// The rows that a constraint on one place can become.
export const typeRows = wishRows.filter(([, { isOfTwo }]) => !isOfTwo);

// What a constraint on one place is; undefined if the menu does not make such a one.
export function typeOf({ handle, goal }: ConstraintValue): WishKind | undefined {
  if (handle === undefined || goal === undefined || isDifference(handle)) return undefined;
  const kind = goalKind(goal);
  const { x, y } = axesOf(goal) ?? {};
  if (kind === "orientation")
    return x !== undefined && y !== undefined ? "orientation" : x !== undefined ? "x_direction" : "y_direction";
  if (kind === "direction") {
    const local =
      typeof handle === "object" && "direction" in handle && typeof handle.direction === "object" ? handle.direction.local : "x";
    return local === "z" ? "z_direction" : undefined;
  }
  if (kind === "plane") return markOf(goal)?.v === "y" ? "horizontal_plane" : "vertical_plane";
  if ("distance" in goal) return goal.distance.at_most !== undefined ? "rope" : undefined;
  return typeRows.find(([, row]) => row.kind === kind)?.[0];
}

// The change to another type. What both types ask stays as it is: the point, and the directions; the rest is as in the pose.
// Weight, priority, time and what moves stay.
export function retyped(
  limber: Limber,
  figure: Figure,
  pose: ArrayLike<number>,
  constraint: ConstraintValue,
  kind: WishKind,
): ConstraintChange {
  const [place] = placesOf(constraint.handle);
  const { handle, goal } = makeConstraint(limber, figure, pose, { kind, place: place! });
  const [old, before] = [constraint.goal!, typeOf(constraint)];
  const point = wishes[kind].handle === "point" || kind === "placement" ? pointOf(old) : undefined;
  const target = targetOf(goal!);
  const moved = point && target && gapOf(goal!) === undefined ? withTarget(goal!, point) : goal!;
  const renamed = before && constraint.name === wishes[before].name(plain(place!), "");
  return {
    handle,
    goal:
      kind === "z_direction"
        ? withAxes(moved, zOf(old) ?? axesOf(moved)!)
        : withAxes(moved, { ...axesOf(moved), ...kept(moved, old) }),
    ...(renamed ? { name: wishes[kind].name(plain(place!), "") } : {}),
  };
}

// Where a goal puts its handle; undefined if it leaves that open, as an aim does.
const pointOf = (goal: GoalValue) => (isAim(goal) || gapOf(goal) !== undefined ? undefined : targetOf(goal));

// Of the directions of a goal, those that the old one asked for too. A lone direction is no x axis.
function kept(goal: GoalValue, old: GoalValue): Axes {
  if (goalKind(old) === "direction") return {};
  const [now, { x, y }] = [axesOf(goal) ?? {}, axesOf(old) ?? {}];
  return { ...(now.x && x ? { x } : {}), ...(now.y && y ? { y } : {}) };
}

// The z axis of a goal for a whole frame.
function zOf(goal: GoalValue): Axes | undefined {
  const { x, y } = axesOf(goal) ?? {};
  const z = x !== undefined && y !== undefined ? axesOfGoal(goal)?.frame[2] : undefined;
  return z && { x: z };
}

// The change that moves the goal to its handle; undefined if it has no such goal. An aim keeps its distance and turns; the
// end of a rope keeps its direction and comes to the length of the rope.
export function goalAtHandle(
  limber: Limber,
  figure: Figure,
  constraint: ConstraintValue,
  pose: ArrayLike<number>,
): ConstraintChange | undefined {
  if (constraint.balance) return standingAt(figure, constraint.balance, pose);
  const { handle, goal } = constraint;
  if (handle === undefined || goal === undefined) return undefined;
  const [target, axes] = [targetOf(goal), axesOf(goal)];
  const gap = gapOf(goal);
  if ((!target && !axes) || ((isAim(goal) || gap !== undefined) && isDifference(handle))) return undefined;
  const { p, x, y } = whereIs(limber, figure, handle, pose);
  const away = target ? distance(target, p) : 0;
  const to =
    target && isAim(goal)
      ? along(p, x, Math.max(away, 0.05 * figure.info.length))
      : target && gap !== undefined && away > 0
        ? along(p, target.map((value, k) => (value - p[k]!) / away) as Vec3, gap)
        : p;
  const turned = axes && withAxes(goal, { ...(axes.x ? { x } : {}), ...(axes.y ? { y } : {}) });
  return { goal: withTarget(turned ?? goal, to) };
}
