// The places of a figure by name, and the handles of constraints at them. limber.wasm computes where a handle is.
import type { Figure, HandleValue, Limber, PlainHandleValue, Vec3 } from "limber";
import { segmentOf } from "./places.js";

// Not a site, but a point that constraints can use as one.
export const massCentre = "centre of mass";

export const plain = (name: string) => name.replaceAll("_", " ").replaceAll(".", " ");

export type HandleKind = "point" | "ray" | "frame" | "z"; // z: the direction of its z axis

export const handleOf = (place: string, kind: HandleKind): PlainHandleValue =>
  place === massCentre
    ? { mass_centre: true }
    : kind === "point"
      ? { point: place }
      : kind === "ray"
        ? { ray: place }
        : kind === "z"
          ? { direction: { place, local: "z" } }
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
  if (!isDifference(handle)) return plainHandleAt(handle, place);
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

export interface Where {
  readonly p: Vec3;
  readonly x: Vec3;
  readonly y: Vec3;
}

// Where a handle is in a pose: its point, its direction or directions.
export function whereIs(
  limber: Limber,
  figure: Figure,
  handle: HandleValue,
  pose: ArrayLike<number>,
): { p: Vec3; x: Vec3; y: Vec3 } {
  const posed = limber.scene(figure, { constraints: [{ handle, goal: { hold: true } }] });
  const numbers = posed.handle(0, pose);
  posed.drop();
  const all = [0, 3, 6].map((at) => numbers.slice(at, at + 3) as Vec3);
  const isDirection = typeof handle === "object" && "direction" in handle;
  const [p, x, y] = isDirection ? [[0, 0, 0] as Vec3, ...all] : all;
  return { p: p!, x: x!, y: y! };
}

export const isDifference = (handle: HandleValue | undefined): handle is Extract<HandleValue, { difference: unknown }> =>
  typeof handle === "object" && "difference" in handle;

// A ray that is seen from a moving point goes through that point where it goes through zero.
export const aimedAt = (place: string, other: string): HandleValue => ({
  difference: [handleOf(place, "ray"), handleOf(other, "point")],
});

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
