// Where constraints are in the world: their handle, their goal, and their state.
import type { Figure, HandleValue } from "limber";
import type { App } from "../state/app.js";
import type { Constraint } from "../document/document.js";
import { isAim, kindOf, type Kind } from "../document/goals.js";
import { isDifference } from "../document/handles.js";
import { segmentOf, placeOf } from "../document/places.js";
import { toWorld, type Point } from "../view/pick.js";
import { goalPoint } from "../document/goal_point.js";

// A point of the figure: on a segment, or its centre of mass.
type Anchor = { readonly segment: number; readonly local: Point } | "mass centre";

export interface Seen {
  readonly constraint: Constraint;
  readonly index: number;
  readonly kind: Kind;
  readonly handle: Anchor | undefined;
  readonly other: Anchor | undefined; // of a difference
  readonly goal: Point | undefined; // that can be dragged
}

function anchorOf(figure: Figure, handle: HandleValue | undefined): Anchor | undefined {
  if (typeof handle === "object" && "mass_centre" in handle) return "mass centre";
  const place =
    typeof handle === "object" && "direction" in handle
      ? typeof handle.direction === "string"
        ? handle.direction
        : handle.direction.place
      : typeof handle === "object" && "ray" in handle
        ? handle.ray
        : placeOf(handle);
  if (place === undefined) return undefined;
  const site = figure.info.sites.find(({ name }) => name === place);
  const segment = segmentOf(figure, place);
  if (segment < 0) return undefined;
  const [x = 0, y = 0, z = 0] = site?.frame.slice(9, 12) ?? [];
  return { segment, local: [x, y, z] };
}

export function seenOf(figure: Figure, constraint: Constraint, index: number): Seen {
  const handle = constraint.handle ?? constraint.one_of?.[0]?.handle;
  const pair = isDifference(handle) ? handle.difference : undefined;
  const kind = kindOf(constraint);
  return {
    constraint,
    index,
    kind,
    handle: kind === "balance" ? "mass centre" : anchorOf(figure, pair ? pair[0] : handle),
    other: pair && anchorOf(figure, pair[1]),
    goal: goalPoint(constraint),
  };
}

const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];

// Its current icon position, and the start of the line to it.
export interface Where {
  readonly icon: Point;
  readonly from: Point | undefined; // the handle
}

export function whereNow(
  app: App,
  { constraint, kind, handle, other, goal }: Seen,
  frames: ArrayLike<number>,
): Where | undefined {
  const at = (anchor: Anchor | undefined): Point | undefined =>
    anchor === undefined
      ? undefined
      : anchor === "mass centre"
        ? app.figure.massCentre(app.pose)
        : toWorld(frames, anchor.segment, anchor.local);
  const from = at(handle);
  if (goal) return { icon: goal, from };
  const to = at(other);
  if (from && to) return isAim(constraint.goal) ? { icon: to, from } : { icon: middle(from, to), from: to };
  if (kind === "balance" && from) return { icon: [from[0], 0, from[2]], from };
  return from && { icon: from, from: undefined };
}

// The state of a constraint after the last solve.
export type State = "off" | "met" | "unmet" | "unknown";

export function stateOf(app: App, { index }: Seen): State {
  if (app.present.constraints[index]?.enabled === false) return "off";
  const own = app.report?.constraints.filter(({ drag }) => !drag) ?? [];
  // A drag of a chain reports no constraints.
  if (own.length !== app.doc.constraints.length) return "unknown";
  return own[index]!.met ? "met" : "unmet";
}
