// How tall the built-in human is. All its lengths scale with its stature, so a pose of one human fits another once the
// parameters in metres are scaled too. Goals in the world (a cup, a table) stay; goals of the feet are scaled. The point
// on the ground between the feet stays where it is, so that a human who stands at a table still stands at it.
import type { Figure, HumanValue, Statures, Vec3 } from "limber";
import type { Doc } from "./document.js";
import { feetOf, frameOf } from "./places.js";

export type Sex = "male" | "female";

export const humanOf = ({ figure }: Pick<Doc, "figure">): HumanValue | undefined =>
  "human" in figure ? figure.human : undefined;

// Whether the figure is one of the built-in humans.
export const isHuman = ({ figure }: Pick<Doc, "figure">): boolean => "human" in figure || "simple_human" in figure;

export const sexOf = (doc: Pick<Doc, "figure">): Sex => humanOf(doc)?.sex ?? "male";

// In metres; undefined for a figure without a stature.
export function statureOf(doc: Pick<Doc, "figure">, statures: Statures): number | undefined {
  const human = humanOf(doc);
  return human && (human.stature ?? statures.usual(sexOf(doc)));
}

// Whether two documents have the same human with a different stature. Their `files` are the same object: a document that
// was opened has its own.
export function isOtherStature(before: Pick<Doc, "figure" | "files">, doc: Pick<Doc, "figure" | "files">): boolean {
  const [was, is] = [humanOf(before), humanOf(doc)];
  if (!was || !is || before.files !== doc.files) return false;
  const rest = (human: HumanValue) =>
    JSON.stringify(Object.entries({ ...human, stature: 0 }).sort(([a], [b]) => (a < b ? -1 : 1)));
  return was.stature !== is.stature && rest(was) === rest(is);
}

export const moving = ["root.x", "root.z"] as const; // over the ground

// The point on the ground that stays: between the feet, or else below the root. A figure that cannot move over the
// ground is scaled about the origin.
export function groundCentre(figure: Figure, pose: ArrayLike<number>): Vec3 {
  const { parameters, segments } = figure.info;
  if (!moving.every((name) => parameters.some((one) => one.name === name))) return [0, 0, 0];
  const feet = feetOf(figure);
  const places = (feet.length > 0 ? feet : [segments[0]!.name]).map((place) => frameOf(figure, place, pose).p);
  const mean = (k: 0 | 2) => places.reduce((sum, p) => sum + p[k], 0) / places.length;
  return [mean(0), 0, mean(2)];
}

// The offset between scaling about a centre and scaling about the origin.
export const shiftOf = (centre: Vec3, ratio: number): Vec3 => [
  (1 - ratio) * centre[0],
  (1 - ratio) * centre[1],
  (1 - ratio) * centre[2],
];
