// The built-in human of a document made taller or smaller.
import type { Figure, GoalValue, Vec3 } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { holds } from "../document/balance.js";
import { isPin, targetOf, withTarget } from "../document/goals.js";
import { feetOf } from "../document/places.js";
import { groundCentre, humanOf, moving, shiftOf } from "../document/stature.js";

function scaledGoal(goal: GoalValue, ratio: number, shift: Vec3): GoalValue {
  const target = targetOf(goal);
  if (!target || !isPin(goal)) return goal;
  return withTarget(goal, [ratio * target[0] + shift[0], ratio * target[1] + shift[1], ratio * target[2] + shift[2]]);
}

// With a new stature, `ratio` times the old one: the same pose at the same place on the ground.
export function withStature(doc: Doc, figure: Figure, stature: number, ratio: number): Doc {
  const { parameters } = figure.info;
  const feet = feetOf(figure);
  const shift = shiftOf(groundCentre(figure, doc.pose), ratio);
  const moved = (name: string) => (name === moving[0] ? shift[0] : name === moving[1] ? shift[2] : 0);
  const scaled = (pose: readonly number[]) =>
    pose.map((value, k) => (parameters[k]!.metres ? ratio * value + moved(parameters[k]!.name) : value));
  // Parameters that it lacks are 0.
  const stood = (standing: NonNullable<Constraint["standing"]>) => ({
    ...standing,
    ...Object.fromEntries(
      parameters
        .filter(({ name, metres }) => metres && (name in standing || moved(name) !== 0))
        .map(({ name }) => [name, ratio * (standing[name] ?? 0) + moved(name)]),
    ),
  });
  const carried = (one: Constraint): Constraint => {
    const isFoot = feet.some((foot) => holds(figure, { ...one, enabled: true }, foot));
    return {
      ...one,
      ...(one.standing ? { standing: stood(one.standing) } : {}),
      ...(isFoot && one.goal ? { goal: scaledGoal(one.goal, ratio, shift) } : {}),
    };
  };
  return {
    ...doc,
    figure: { human: { ...humanOf(doc), stature } },
    pose: scaled(doc.pose),
    keys: doc.keys.map((key) => ({ ...key, pose: scaled(key.pose) })),
    constraints: doc.constraints.map(carried),
  };
}
