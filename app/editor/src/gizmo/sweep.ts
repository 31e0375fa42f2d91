// A ring under the pointer: the angle of the pointer on it, and how far it has been dragged around.
import { dot, type Placed } from "./dials.js";
import type { Layer } from "./layer.js";
import type { FlatDial } from "./limits.js";
import { nearestOnRay, type Point } from "../view/pick.js";

const steps = 72; // of a ring, tested for the pointer
const beyond = 0.15; // radians beyond a limit that still count as the ring
const edgeOn = 0.3; // cosine between axis and line of sight below which a ring is seen edge-on and is dragged as a line

export const isEdgeOn = ({ axis }: Pick<Placed, "axis">, layer: Layer) => Math.abs(dot(axis, layer.back)) < edgeOn;

// The angle on the ring nearest to the pointer. The dotted part, behind the joint or beyond its limits, is not picked.
export function nearestAngle(
  flat: FlatDial,
  { from, to, hasLimits }: Placed,
  x: number,
  y: number,
): { distance: number; angle: number } {
  let best = { distance: Infinity, angle: 0 };
  for (let k = 0; k < steps; ++k) {
    const angle = (2 * Math.PI * k) / steps;
    const isWithin = !hasLimits || [angle, angle - 2 * Math.PI].some((one) => one >= from - beyond && one <= to + beyond);
    if (!isWithin || !flat.isInFront(angle)) continue;
    const next = (2 * Math.PI * (k + 1)) / steps;
    const [ax, ay] = flat.at(angle);
    const [bx, by] = flat.at(next);
    const [ux, uy] = [bx - ax, by - ay];
    const t = Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy || 1)));
    const distance = Math.hypot(x - ax - t * ux, y - ay - t * uy);
    if (distance < best.distance) best = { distance, angle: angle + t * (next - angle) };
  }
  return best;
}

// The angle that the pointer has moved around the axis since the press, in the view.
export class Sweep {
  private last: number;
  private swept = 0;
  private readonly tangent: readonly [number, number] | undefined; // pixels per radian
  private readonly start: { x: number; y: number };

  constructor(
    private readonly layer: Layer,
    private readonly one: Placed,
    flat: FlatDial,
    angle: number,
    event: PointerEvent,
  ) {
    this.start = { x: event.clientX, y: event.clientY };
    if (isEdgeOn(one, layer)) {
      const small = 0.01;
      const [ax, ay] = flat.at(angle - small);
      const [bx, by] = flat.at(angle + small);
      this.tangent = [(bx - ax) / (2 * small), (by - ay) / (2 * small)];
    }
    this.last = this.angleAt(event);
  }

  private angleAt({ clientX, clientY }: PointerEvent): number {
    const { centre, axis, u, v } = this.one;
    const ray = this.layer.view.ray(clientX, clientY);
    const lead = dot(ray.direction, axis);
    const off = (p: Point): Point => [p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]];
    const o = off(ray.origin);
    const t = Math.abs(lead) < 1e-6 ? NaN : -dot(o, axis) / lead;
    const hit: Point = Number.isNaN(t)
      ? off(nearestOnRay(ray, centre))
      : [o[0] + t * ray.direction[0], o[1] + t * ray.direction[1], o[2] + t * ray.direction[2]];
    return Math.atan2(dot(hit, v), dot(hit, u));
  }

  to(event: PointerEvent): number {
    if (this.tangent) {
      const [tx, ty] = this.tangent;
      return ((event.clientX - this.start.x) * tx + (event.clientY - this.start.y) * ty) / (tx * tx + ty * ty);
    }
    const angle = this.angleAt(event);
    let step = angle - this.last;
    step -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
    this.last = angle;
    return (this.swept += step);
  }
}
