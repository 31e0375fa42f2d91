// The rotations of a joint as dials: the axis of each, the current direction of the part, and the limits.
//
// A rotation may be driven by several parameters, and a parameter may drive many (a spine); a dial uses the parameter that
// drives the fewest.
import type { Figure } from "limber";
import { readable } from "../view/names.js";
import type { Point } from "../view/pick.js";

export interface Dial {
  readonly parameter: number;
  readonly freedom: number;
  readonly segment: number; // that the joint carries
  readonly style: number; // 0, 1, 2: which colour
  readonly title: string; // "right elbow flexion"
  readonly sense: 1 | -1; // of the rotation about the axis when the parameter increases
  readonly needle: Point; // a direction in the segment that turns with it
}

// A dial in a pose.
export interface Placed {
  readonly dial: Dial;
  readonly centre: Point;
  readonly axis: Point;
  readonly u: Point; // the direction of the needle
  readonly v: Point; // a quarter turn further
  readonly value: number;
  readonly from: number; // from the needle to the limits, in the sense of the rotation
  readonly to: number;
  readonly hasLimits: boolean;
  readonly isAtLimit: boolean;
}

const atLimit = 1e-3; // radians: a twentieth of a degree is invisible
const along = 0.5; // a needle has at least this component across the axis
const nudge = 1e-4; // radians

export const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const scaled = (a: Point, by: number): Point => [a[0] * by, a[1] * by, a[2] * by];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const unit = (a: Point): Point => scaled(a, 1 / (Math.hypot(...a) || 1));
const across = (a: Point, axis: Point): Point => minus(a, scaled(axis, dot(a, axis)));

const column = (frames: ArrayLike<number>, segment: number, k: number): Point => {
  const at = 12 * segment + 3 * k;
  return [frames[at]!, frames[at + 1]!, frames[at + 2]!];
};
const turned = (frames: ArrayLike<number>, segment: number, [x, y, z]: Point): Point => {
  const [a, b, c] = [0, 1, 2].map((k) => column(frames, segment, k)) as [Point, Point, Point];
  return [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z];
};
const axisOf = (axes: ArrayLike<number>, freedom: number): Point => [
  axes[6 * freedom]!,
  axes[6 * freedom + 1]!,
  axes[6 * freedom + 2]!,
];

// The segment with the joint: this one, or for a fixed segment the nearest ancestor that rotates.
export function carrierOf({ info }: Figure, segment: number): number {
  let at = segment;
  while (at >= 0) {
    const {
      freedoms: [from, to],
      parent,
    } = info.segments[at]!;
    if (info.freedoms.slice(from, to).some(({ turns }) => turns)) return at;
    at = parent;
  }
  return -1;
}

// The sense in which the segment rotates relative to its parent when the parameter increases.
function senseOf(figure: Figure, pose: ArrayLike<number>, freedom: number, parameter: number, segment: number): 1 | -1 {
  const { info } = figure;
  if (info.parameters[parameter]!.group < 0) return 1;
  const { parent } = info.segments[segment]!;
  const axis = axisOf(figure.axes(pose), freedom);
  const before = Float64Array.from(figure.place(pose));
  const next = Float64Array.from(pose);
  next[parameter]! += nudge;
  const after = figure.place(next);
  // Both relative to the parent, in its old placement.
  const seen = (frames: ArrayLike<number>, k: number): Point => {
    const v = column(frames, segment, k);
    if (parent < 0) return v;
    return turned(before, parent, [
      dot(v, column(frames, parent, 0)),
      dot(v, column(frames, parent, 1)),
      dot(v, column(frames, parent, 2)),
    ]);
  };
  const turn = [0, 1, 2].reduce((sum, k) => sum + dot(cross(seen(before, k), seen(after, k)), axis), 0);
  return turn < 0 ? -1 : 1;
}

function needleOf(figure: Figure, frames: ArrayLike<number>, axis: Point, segment: number): Point {
  const { at, tip } = figure.info.segments[segment]!;
  const bone = unit(minus(tip, at));
  const wanted: Point[] = [bone, [0, 0, 1], [1, 0, 0], [0, 1, 0]];
  return wanted.find((local) => Math.hypot(...across(turned(frames, segment, local), axis)) > along) ?? bone;
}

export function dialsOf(figure: Figure, pose: ArrayLike<number>, of: number): Dial[] {
  const { info } = figure;
  const segment = carrierOf(figure, of);
  if (segment < 0) return [];
  const axes = Float64Array.from(figure.axes(pose));
  const frames = Float64Array.from(figure.place(pose));
  const [from, to] = info.segments[segment]!.freedoms;
  const dials: Dial[] = [];
  for (let freedom = from; freedom < to; ++freedom) {
    const { turns, terms } = info.freedoms[freedom]!;
    if (!turns || terms.length === 0) continue;
    const parameter = terms.reduce((best, one) =>
      info.parameters[one]!.drives.length < info.parameters[best]!.drives.length ? one : best,
    );
    if (dials.some((one) => one.parameter === parameter)) continue;
    const title = readable(info.parameters[parameter]!.name.replaceAll(".", " "));
    const needle = needleOf(figure, frames, axisOf(axes, freedom), segment);
    dials.push({
      parameter,
      freedom,
      segment,
      style: dials.length % 3,
      title,
      needle,
      sense: senseOf(figure, pose, freedom, parameter, segment),
    });
  }
  return dials;
}

// The dials in a pose, with its frames.
export function placed(dials: readonly Dial[], figure: Figure, pose: ArrayLike<number>, frames: ArrayLike<number>): Placed[] {
  const axes = figure.axes(pose);
  return dials.map((dial) => {
    const at = 6 * dial.freedom;
    const axis = axisOf(axes, dial.freedom);
    const centre: Point = [axes[at + 3]!, axes[at + 4]!, axes[at + 5]!];
    let u = across(turned(frames, dial.segment, dial.needle), axis);
    if (Math.hypot(...u) < 1e-6) u = across(Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], axis);
    u = unit(u);
    const { lower, upper } = figure.info.parameters[dial.parameter]!;
    const value = pose[dial.parameter]!;
    const ends = [lower === null ? -Math.PI : lower - value, upper === null ? Math.PI : upper - value].map(
      (end) => dial.sense * end,
    );
    const isAtLimit = (lower !== null && value <= lower + atLimit) || (upper !== null && value >= upper - atLimit);
    const hasLimits = lower !== null || upper !== null;
    return {
      dial,
      centre,
      axis,
      u,
      v: cross(axis, u),
      value,
      from: Math.min(...ends),
      to: Math.max(...ends),
      hasLimits,
      isAtLimit,
    };
  });
}
