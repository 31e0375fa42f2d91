// Soft constraints that keep hanging limbs hanging while the whole body follows a drag: an arm without constraints points
// down however the trunk leans, instead of turning rigidly with it.
import type { Figure } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { placesOf } from "../document/handles.js";
import { frameOf, segmentOf } from "../document/places.js";

const hangWeight = 0.002; // relative to 1 of the drag
const hanging = Math.cos((35 * Math.PI) / 180); // of the angle to straight down: hanging
const minLength = 0.02; // of the figure's length: shorter ones are no bones

const isWithin = (figure: Figure, segment: number, of: number) =>
  of >= 0 && segment >= of && segment < figure.info.segments[of]!.end;

export function hangHolds(figure: Figure, pulled: readonly number[], pose: ArrayLike<number>, doc: Doc): Constraint[] {
  const { segments, length } = figure.info;
  const asked = doc.constraints
    .filter(({ enabled }) => enabled !== false)
    .flatMap(({ handle, one_of }) => [handle, ...(one_of ?? []).map((one) => one.handle)].flatMap(placesOf))
    .map((place) => segmentOf(figure, place));
  const holds: Constraint[] = [];
  segments.forEach(({ name, at, tip, parent }, segment) => {
    const bone = tip.map((value, k) => value - at[k]!) as [number, number, number];
    const size = Math.hypot(...bone);
    if (
      parent < 0 ||
      size < minLength * length ||
      [...pulled, ...asked].some((of) => isWithin(figure, of, segment) || isWithin(figure, segment, of))
    )
      return;
    const { x, y, z } = frameOf(figure, name, pose);
    const v = [0, 1, 2].map((row) => (x[row]! * bone[0] + y[row]! * bone[1] + z[row]! * bone[2]) / size) as [
      number,
      number,
      number,
    ];
    if (-v[1] < hanging) return;
    holds.push({
      id: `hang ${name}`,
      handle: { direction: { place: name, local: bone } },
      goal: { direction: v },
      weight: hangWeight,
    });
  });
  return holds;
}
