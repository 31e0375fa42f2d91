// The places of a figure: sites, or segments by their own name or that of their joint.
import type { Figure, HandleValue } from "limber";

export function segmentOf(figure: Figure, place: string): number {
  const { sites, segments } = figure.info;
  const site = sites.find(({ name }) => name === place);
  if (site) return site.segment;
  const named = segments.findIndex(({ name }) => name === place);
  return named >= 0 ? named : segments.findIndex(({ joint }) => joint === place);
}

// The feet, by their usual names.
export const feetOf = (figure: Figure) => ["left_foot", "right_foot"].filter((name) => segmentOf(figure, name) >= 0);

// Where a site, or the origin of a segment, is in a pose.
export function frameOf(
  figure: Figure,
  place: string,
  pose: ArrayLike<number>,
): { p: [number, number, number]; x: [number, number, number]; y: [number, number, number]; z: [number, number, number] } {
  const site = figure.info.sites.find(({ name }) => name === place);
  const segment = segmentOf(figure, place);
  if (segment < 0) throw new Error(`no place ${place}`);
  const f = figure.place(pose).subarray(12 * segment, 12 * segment + 12);
  const turned = (v: readonly number[]): [number, number, number] =>
    [0, 1, 2].map((row) => f[row]! * v[0]! + f[3 + row]! * v[1]! + f[6 + row]! * v[2]!) as [number, number, number];
  const local = site?.frame ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const o = turned(local.slice(9, 12));
  return {
    x: turned(local.slice(0, 3)),
    y: turned(local.slice(3, 6)),
    z: turned(local.slice(6, 9)),
    p: [o[0] + f[9]!, o[1] + f[10]!, o[2] + f[11]!],
  };
}

// The place of a handle; undefined for centres of mass and differences.
export function placeOf(handle: HandleValue | undefined): string | undefined {
  if (typeof handle === "string") return handle;
  if (!handle) return undefined;
  if ("point" in handle) return handle.point;
  if ("frame" in handle) return handle.frame;
  return undefined;
}
