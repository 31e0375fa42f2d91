// Which triangle of a surface a ray meets first.                                       Möller and Trumbore 1997
//
// All triangles are tested: ten thousand take a fraction of a millisecond, and a surface that moves every frame would need
// a new tree each time.

export interface Surface {
  readonly position: Float32Array; // three per vertex, in the world
  readonly triangle: ArrayLike<number>; // three per triangle
  readonly part: ArrayLike<number>; // by triangle: its segment
}

export type Point = readonly [number, number, number];

export interface Ray {
  readonly origin: Point;
  readonly direction: Point; // of length 1
}

export interface Hit {
  readonly segment: number;
  readonly point: Point;
  readonly distance: number;
}

const flat = 1e-14; // square metres: a triangle seen edge-on

export function firstHit({ position, triangle, part }: Surface, { origin, direction }: Ray): Hit | undefined {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let nearest = Infinity;
  let found = -1;
  for (let t = 0, k = 0; k < triangle.length; ++t, k += 3) {
    const a = 3 * triangle[k]!;
    const b = 3 * triangle[k + 1]!;
    const c = 3 * triangle[k + 2]!;
    const ax = position[a]!,
      ay = position[a + 1]!,
      az = position[a + 2]!;
    const ux = position[b]! - ax,
      uy = position[b + 1]! - ay,
      uz = position[b + 2]! - az;
    const vx = position[c]! - ax,
      vy = position[c + 1]! - ay,
      vz = position[c + 2]! - az;
    const px = dy * vz - dz * vy,
      py = dz * vx - dx * vz,
      pz = dx * vy - dy * vx;
    const det = ux * px + uy * py + uz * pz;
    if (det < flat && det > -flat) continue;
    const sx = ox - ax,
      sy = oy - ay,
      sz = oz - az;
    const beta = (sx * px + sy * py + sz * pz) / det;
    if (beta < 0 || beta > 1) continue;
    const qx = sy * uz - sz * uy,
      qy = sz * ux - sx * uz,
      qz = sx * uy - sy * ux;
    const gamma = (dx * qx + dy * qy + dz * qz) / det;
    if (gamma < 0 || beta + gamma > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    found = t;
  }
  if (found < 0) return undefined;
  return { segment: part[found]!, point: along({ origin, direction }, nearest), distance: nearest };
}

export const along = ({ origin: o, direction: d }: Ray, t: number): Point => [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];

// The point of a ray that is nearest to a point, but not nearer to the eye than `min`.                   W93 Fig. 6.3
export function nearestOnRay(ray: Ray, point: Point, min = 0): Point {
  const { origin: o, direction: d } = ray;
  const t = (point[0] - o[0]) * d[0] + (point[1] - o[1]) * d[1] + (point[2] - o[2]) * d[2];
  return along(ray, Math.max(min, t));
}

// The point between a and b nearest to a point, and its position as a fraction of the way.
export function nearestOnBone(a: Point, b: Point, point: Point, min = 0): { point: Point; part: number } {
  const u: Point = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  const t = square > 0 ? ((point[0] - a[0]) * u[0] + (point[1] - a[1]) * u[1] + (point[2] - a[2]) * u[2]) / square : 0;
  const part = Math.min(1, Math.max(min, t));
  return { point: [a[0] + part * u[0], a[1] + part * u[1], a[2] + part * u[2]], part };
}

// A point of a segment in the world, and back. Frames: twelve numbers per segment, its axes and its origin.
export function toWorld(frames: ArrayLike<number>, segment: number, p: Point): [number, number, number] {
  const f = 12 * segment;
  const row = (j: number) => frames[f + j]! * p[0] + frames[f + 3 + j]! * p[1] + frames[f + 6 + j]! * p[2] + frames[f + 9 + j]!;
  return [row(0), row(1), row(2)];
}

export function toSegment(frames: ArrayLike<number>, segment: number, p: Point): [number, number, number] {
  const f = 12 * segment;
  const d = [p[0] - frames[f + 9]!, p[1] - frames[f + 10]!, p[2] - frames[f + 11]!];
  const column = (j: number) => frames[f + 3 * j]! * d[0]! + frames[f + 3 * j + 1]! * d[1]! + frames[f + 3 * j + 2]! * d[2]!;
  return [column(0), column(1), column(2)];
}
