// How tall the built-in human is. All its lengths go with its stature, so that a pose of one is a pose of the other once
// what is in metres is too. What stands in the world (a cup, a table) stays; what holds the feet goes along.
import type { Figure, FigureValue, GoalValue, Statures, Vec3 } from "limber";
import { holds } from "./balance.js";
import type { Constraint, Doc } from "./document.js";
import { feetOf } from "./places.js";

export type Sex = "male" | "female";
type Human = Extract<FigureValue, { human: unknown }>["human"];

const humanOf = ({ figure }: Pick<Doc, "figure">): Human | undefined => ("human" in figure ? (figure["human"] as Human) : undefined);

export const sexOf = (doc: Pick<Doc, "figure">): Sex => humanOf(doc)?.sex ?? "male";

// In metres; nothing of a figure that is not made for a stature.
export function statureOf(doc: Pick<Doc, "figure">, statures: Statures): number | undefined {
  const human = humanOf(doc);
  return human && (human.stature ?? statures.usual(sexOf(doc)));
}

const times = (p: Vec3, ratio: number): Vec3 => [ratio * p[0], ratio * p[1], ratio * p[2]];

function scaledGoal(goal: GoalValue, ratio: number): GoalValue {
  if ("position" in goal) return { position: times(goal.position, ratio) };
  if ("placement" in goal) return { placement: { ...goal.placement, p: times(goal.placement.p, ratio) } };
  return goal;
}

// With another stature, `ratio` times the old one: the same pose, on the same ground.
export function withStature(doc: Doc, figure: Figure, stature: number, ratio: number): Doc {
  const { parameters } = figure.info;
  const feet = feetOf(figure);
  const scaled = (pose: readonly number[]) => pose.map((value, k) => (parameters[k]!.metres ? ratio * value : value));
  const stood = (standing: NonNullable<Constraint["standing"]>) => Object.fromEntries(Object.entries(standing).map(([name, value]) => [name, parameters.find((one) => one.name === name)?.metres ? ratio * value : value]));
  const carried = (one: Constraint): Constraint => {
    const isFoot = feet.some((foot) => holds(figure, { ...one, enabled: true }, foot));
    return { ...one, ...(one.standing ? { standing: stood(one.standing) } : {}), ...(isFoot && one.goal ? { goal: scaledGoal(one.goal, ratio) } : {}) };
  };
  return {
    ...doc,
    figure: { human: { ...humanOf(doc), stature } },
    pose: scaled(doc.pose),
    keys: doc.keys.map((key) => ({ ...key, pose: scaled(key.pose) })),
    constraints: doc.constraints.map(carried),
  };
}
