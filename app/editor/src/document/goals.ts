// The kinds of goals, one row per kind with all that the editor knows about it. The kinds come from the scene schema, so a
// new kind without a row does not compile. make_constraint.ts has the rows of the menu; no other file lists kinds.
import type { ConstraintValue, DirectionValue, GoalKind, GoalValue, GoalValues, RegionValue, Vec3 } from "limber";

// A part of a value: reads it, and makes the value with a new part.
interface Part<V, T> {
  get(this: void, value: V): T;
  set(this: void, value: V, part: T): V;
}

// Directions of the x and y axes; a missing one is free.
export interface Axes {
  readonly x?: DirectionValue;
  readonly y?: DirectionValue;
}

// A field of the editor.
type FieldOf<V> =
  | { readonly type: "point"; readonly label: string; readonly part: Part<V, Vec3> }
  | { readonly type: "direction"; readonly label: string; readonly part: Part<V, DirectionValue> }
  | { readonly type: "axes"; readonly part: Part<V, Axes> }
  | { readonly type: "length"; readonly label: string; readonly part: Part<V, number | undefined> } // in metres
  | { readonly type: "share"; readonly label: string; readonly hint: string; readonly part: Part<V, number> };

interface GoalRow<V> {
  readonly title: string;
  readonly icon: string; // a path in a square of 16
  readonly target?: Part<V, Vec3>; // its point, which can be dragged
  readonly axes?: Part<V, Axes>; // its directions, which can be turned
  readonly normal?: Part<V, DirectionValue>; // of a plane; along a line
  readonly mark?: "plane" | "side" | "line"; // the shape drawn at its target, along its normal
  readonly fields: readonly FieldOf<V>[];
  readonly pins?: true; // it fixes the position of its handle: when the part is dragged, the goal follows
  readonly turnsOnly?: true; // it leaves the position of its handle free
  readonly gap?: (this: void, value: V) => number; // how far its point is from where its handle belongs
  readonly aims?: true; // at a point; with a difference, at the second place
}

// --- Parts

type Through = { p: Vec3; v: DirectionValue };
type Framed = { x?: DirectionValue; y?: DirectionValue };
type Scaled = { v: DirectionValue; degrees_per_metre?: number };

const itself: Part<Vec3, Vec3> = { get: (p) => p, set: (_, p) => p };
const through: Part<Through, Vec3> = { get: ({ p }) => p, set: (value, p) => ({ ...value, p }) };
const along: Part<Through, DirectionValue> = { get: ({ v }) => v, set: (value, v) => ({ ...value, v }) };
const placed: Part<GoalValues["placement"], Vec3> = { get: ({ p }) => p, set: (value, p) => ({ ...value, p }) };
const aimed: Part<GoalValues["aim_at"], Vec3> = {
  get: (value) => (Array.isArray(value) ? value : value.p),
  set: (value, p) => (Array.isArray(value) ? p : { ...value, p }),
};
const centre: Part<GoalValues["distance"], Vec3> = {
  get: ({ p = [0, 0, 0] }) => p,
  set: (value, p) => ({ ...value, p }),
};
// The distance, where it has this bound.
const bounded = (bound: "equal" | "at_most" | "at_least"): Part<GoalValues["distance"], number | undefined> => ({
  get: (value) => value[bound],
  set: (value, d) => (d === undefined ? value : { ...value, [bound]: d }),
});
const positionShare: Part<GoalValues["placement"], number> = {
  get: ({ w_p = 0.5 }) => w_p,
  set: (value, share) => ({ ...value, w_p: share }),
};

const radius: Part<RegionValue, number | undefined> = {
  get: (region) => ("sphere" in region ? region.sphere.radius : "capsule" in region ? region.capsule.radius : undefined),
  set: (region, to) => {
    if (to === undefined) return region;
    if ("sphere" in region) return { sphere: { ...region.sphere, radius: to } };
    return "capsule" in region ? { capsule: { ...region.capsule, radius: to } } : region;
  },
};

const isScaled = (value: DirectionValue | Scaled): value is Scaled => typeof value === "object" && "v" in value;
const pointed: Part<GoalValues["direction"], DirectionValue> = {
  get: (value) => (isScaled(value) ? value.v : value),
  set: (value, v) => (isScaled(value) ? { ...value, v } : v),
};
const pointedAxis: Part<GoalValues["direction"], Axes> = {
  get: (value) => ({ x: pointed.get(value) }),
  set: (value, { x }) => (x === undefined ? value : pointed.set(value, x)),
};

const framed = <V extends Framed>(): Part<V, Axes> => ({
  get: ({ x, y }) => ({ ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }),
  set: ({ x: _x, y: _y, ...others }, axes) => ({ ...others, ...axes }) as V,
});
const orientationAxes = framed<GoalValues["orientation"]>();
const placementAxes = framed<GoalValues["placement"]>();

// --- Rows

const pin = "M8 9.5V14.5M4.5 9.5h7L10 6V2.5H6V6z";
const turned = "M3 8a5 5 0 1 1 1.6 3.7M3 13l1.4-1.6L6 13";

const throughFields = (label: string): readonly FieldOf<Through>[] => [
  { type: "point", label: "Through", part: through },
  { type: "direction", label, part: along },
];

export const goals: { readonly [K in GoalKind]: GoalRow<GoalValues[K]> } = {
  position: {
    title: "Position",
    icon: pin,
    target: itself,
    fields: [{ type: "point", label: "Position", part: itself }],
    pins: true,
  },
  direction: {
    title: "Direction",
    icon: "M2.5 13.5 13 3M8 3h5v5",
    axes: pointedAxis,
    fields: [{ type: "direction", label: "Direction", part: pointed }],
    turnsOnly: true,
  },
  orientation: {
    title: "Orientation",
    icon: turned,
    axes: orientationAxes,
    fields: [{ type: "axes", part: orientationAxes }],
    turnsOnly: true,
  },
  placement: {
    title: "Position and orientation",
    icon: "M8 8.2v5.8M5.8 8.2h4.4L9.4 6V3.4H6.6V6zM2.2 9.5a6 2.4 0 0 0 3 2.7M13.800 9.5a6 2.4 0 0 1-3 2.7",
    target: placed,
    axes: placementAxes,
    fields: [
      { type: "point", label: "Position", part: placed },
      { type: "axes", part: placementAxes },
      {
        type: "share",
        label: "Position's share",
        hint: "0: only the orientation counts, 100 %: only the position",
        part: positionShare,
      },
    ],
    pins: true,
  },
  aim_at: {
    title: "Aim",
    icon: "M8 1.500v4M8 10.500v4M1.500 8h4M10.500 8h4M4 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0",
    target: aimed,
    fields: [{ type: "point", label: "Point", part: aimed }],
    turnsOnly: true,
    aims: true,
  },
  line: {
    title: "On a line",
    icon: "M2 14 14 2M6.500 8a1.6 1.6 0 1 0 3 0 1.6 1.6 0 1 0-3 0",
    target: through,
    normal: along,
    mark: "line",
    fields: throughFields("Along"),
  },
  plane: {
    title: "In a plane",
    icon: "M1.5 11.5 5 5h9.5L11 11.5z",
    target: through,
    normal: along,
    mark: "plane",
    fields: throughFields("Normal"),
  },
  half_space: {
    title: "On one side of a plane",
    icon: "M1.500 13 4.500 9.500h10L11.500 13zM8 8.500V2M5.500 4.500 8 2l2.500 2.500",
    target: through,
    normal: along,
    mark: "side",
    fields: throughFields("Side"),
  },
  distance: {
    title: "At a distance",
    icon: "M2 4v8M14 4v8M2 8h12M4.500 5.500 2 8l2.500 2.500M11.500 5.500 14 8l-2.500 2.500",
    target: centre,
    fields: [
      { type: "point", label: "From", part: centre },
      { type: "length", label: "Exactly", part: bounded("equal") },
      { type: "length", label: "At most", part: bounded("at_most") },
      { type: "length", label: "At least", part: bounded("at_least") },
    ],
    gap: ({ equal, at_most, at_least }) => equal ?? at_most ?? at_least ?? 0,
  },
  inside: {
    title: "Inside a region",
    icon: "M2 8a6 6 0 1 0 12 0 6 6 0 1 0-12 0M6.500 8h3M8 6.500v3",
    fields: [{ type: "length", label: "Radius", part: radius }],
  },
  outside: {
    title: "Outside a region",
    icon: "M1.500 9a4.500 4.500 0 1 0 9 0 4.500 4.500 0 1 0-9 0M11.500 3.500h3M13 2v3",
    fields: [{ type: "length", label: "Radius", part: radius }],
  },
  coincide: {
    title: "Together",
    icon: "M1.500 5.500l4.500 2.500-4.500 2.500M14.500 5.500 10 8l4.500 2.500M8 5v6",
    fields: [],
  },
  hold: { title: "Hold", icon: pin, fields: [] },
};

// --- A goal and its row

// A field that reads from a goal and writes to one.
type Bound<T> = { get(this: void, goal: GoalValue): T; set(this: void, goal: GoalValue, part: T): GoalValue };
type BoundField<F> = F extends { readonly part: Part<never, infer T> } ? Omit<F, "part"> & Bound<T> : never;
export type GoalFieldRow = BoundField<FieldOf<never>>;

export const goalKind = (goal: GoalValue) => Object.keys(goal)[0] as GoalKind;

// The only place that trusts the key of a goal to name the type of its value.
const rowOf = (goal: GoalValue) => goals[goalKind(goal)] as GoalRow<unknown>;
const valueOf = (goal: GoalValue): unknown => Object.values(goal)[0];
const bound = <T>({ get, set }: Part<unknown, T>): Bound<T> => ({
  get: (goal) => get(valueOf(goal)),
  set: (goal, part) => ({ [goalKind(goal)]: set(valueOf(goal), part) }) as GoalValue,
});
const partOf = <T>(goal: GoalValue, part: Part<unknown, T> | undefined): T | undefined => part && bound(part).get(goal);
const withPart = <T>(goal: GoalValue, part: Part<unknown, T> | undefined, value: T): GoalValue =>
  part ? bound(part).set(goal, value) : goal;

// The point of a goal; undefined if it has none.
export const targetOf = (goal: GoalValue): Vec3 | undefined => partOf(goal, rowOf(goal).target);
// The goal with a new point; the same goal if it has none.
export const withTarget = (goal: GoalValue, target: Vec3): GoalValue => withPart(goal, rowOf(goal).target, target);
export const axesOf = (goal: GoalValue): Axes | undefined => partOf(goal, rowOf(goal).axes);
export const withAxes = (goal: GoalValue, axes: Axes): GoalValue => withPart(goal, rowOf(goal).axes, axes);
// How many degrees count as much as one metre; undefined if the goal does not say.
export function scaleOf(goal: GoalValue): number | undefined {
  const value = valueOf(goal);
  return typeof value === "object" && value !== null && "degrees_per_metre" in value
    ? (value.degrees_per_metre as number)
    : undefined;
}
export const fieldsOf = (goal: GoalValue): GoalFieldRow[] =>
  rowOf(goal).fields.map(({ part, ...field }) => ({ ...field, ...bound(part as Part<unknown, never>) }) as GoalFieldRow);

export const isPin = (goal: GoalValue | undefined): goal is GoalValue => goal !== undefined && rowOf(goal).pins === true;
// How far the point of the goal is from where its handle belongs; undefined where that is the point itself.
export const gapOf = (goal: GoalValue): number | undefined => rowOf(goal).gap?.(valueOf(goal));
export const turnsOnly = (goal: GoalValue): boolean => rowOf(goal).turnsOnly === true;
export const isAim = (goal: GoalValue | undefined): boolean => goal !== undefined && rowOf(goal).aims === true;

// The shape that is drawn at a goal.
export function markOf(goal: GoalValue): { shape: "plane" | "side" | "line"; p: Vec3; v: DirectionValue } | undefined {
  const { mark, target, normal } = rowOf(goal);
  return mark && target && normal && { shape: mark, p: bound(target).get(goal), v: bound(normal).get(goal) };
}

// --- Kinds of constraints: the goals, and what a constraint can have instead of a goal

const others = {
  balance: {
    title: "Balance",
    icon: "M8 2v12M4 14h8M3 4.500h10M3 4.500 1.300 9h3.400zM13 4.500 11.300 9h3.400z",
    canBeMust: false,
  },
  keep_clear: {
    title: "Keep clear of obstacles",
    icon: "M1.500 9.500h13v4h-13zM8 1.500v5M5.500 4.200 8 6.700l2.500-2.500",
    canBeMust: true,
  },
  strength: {
    title: "Keep within the strength",
    icon: "M1.500 6v4M3.500 4.500v7M12.500 4.500v7M14.500 6v4M3.500 8h9",
    canBeMust: true,
  },
  pull: { title: "Pull towards a pose", icon: "M8 2v9M4.500 7.500 8 11l3.500-3.500M3 14h10", canBeMust: false },
  one_of: { title: "One of several", icon: "M3 3h4v4H3zM9 9h4v4H9z", canBeMust: false },
};

export type Kind = GoalKind | keyof typeof others;
export const kinds: Readonly<Record<Kind, { readonly title: string; readonly icon: string; readonly canBeMust?: boolean }>> = {
  ...goals,
  ...others,
};

export function kindOf(constraint: ConstraintValue): Kind {
  const other = (Object.keys(others) as (keyof typeof others)[]).find((kind) => constraint[kind] !== undefined);
  return other ?? goalKind(constraint.goal ?? { hold: true });
}

// Whether it can be a hard constraint.
export const canBeMust = (constraint: ConstraintValue) => kinds[kindOf(constraint)].canBeMust !== false;
