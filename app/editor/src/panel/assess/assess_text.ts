// The texts of an assessment: names, numbers, and the worst joints.
import type { AssessedJoint, Assessment, FigureInfo, PostureScore } from "limber";
import { plain } from "../../document/handles.js";

export type Colouring = "none" | "comfort" | "load";

const shownJoints = 5;
const slightDiscomfort = 0.005; // half of the last digit
const slightShare = 0.005;

const maxShare = 1000; // reported by limber.wasm where a joint has no strength at that angle
export const percent = (share: number) => (share < maxShare ? `${Math.round(100 * share)} %` : "more than all");

// Worst first: by share of strength, by discomfort, or by the larger of both.
export function worstJoints({ joints }: Assessment, by: Colouring): AssessedJoint[] {
  const badness = ({ comfort, share }: AssessedJoint) =>
    by === "load" ? (share ?? 0) : by === "comfort" ? 1 - comfort : Math.max(1 - comfort, share ?? 0);
  const min = by === "load" ? slightShare : slightDiscomfort;
  return joints
    .filter((one) => badness(one) >= min)
    .sort((a, b) => badness(b) - badness(a))
    .slice(0, shownJoints);
}

// Parts that share parameters have one colour: a part without a value takes the max of those parts, as the chest takes that
// of the lowest vertebra, where the strength of the back is known.
export function asOnePiece({ segments, freedoms }: FigureInfo, values: readonly number[]): number[] {
  const driven = segments.map(({ freedoms: [from, to] }) => new Set(freedoms.slice(from, to).flatMap(({ terms }) => terms)));
  const maxByParameter = new Map<number, number>(); // by parameter
  driven.forEach((parameters, s) =>
    parameters.forEach((k) => maxByParameter.set(k, Math.max(maxByParameter.get(k) ?? -1, values[s]!))),
  );
  return values.map((value, s) => (value >= 0 ? value : Math.max(-1, ...[...driven[s]!].map((k) => maxByParameter.get(k)!))));
}

// The segment of a degree of freedom.
export const segmentOfFreedom = (info: FigureInfo, freedom: number): number => info.freedoms[freedom]?.joint ?? -1;

// "left shoulder elevation": the parameter of a degree of freedom, or its own name.
export const nameOfFreedom = (info: FigureInfo, freedom: number, parameter: number): string =>
  plain(info.parameters[parameter]?.name ?? info.freedoms[freedom]?.name ?? "");

// "both palms", "right palm", "left palm and head".
export function placesText(places: readonly string[]): string {
  const pair = /^(left|right)_(.+)$/;
  const [a, b] = places.map((place) => pair.exec(place));
  if (places.length === 2 && a && b && a[2] === b[2] && a[1] !== b[1]) return `both ${plain(a[2]!)}s`;
  return places.map(plain).join(" and ");
}

export interface ScoreLine {
  readonly method: "RULA" | "REBA";
  readonly side: "left" | "right" | "both sides";
  readonly score: number;
  readonly of: number; // the max score
  readonly level: number; // 0 to 4: how urgent
  readonly meaning: string;
}

// One line per method and side; equal sides share one.
export function scoreLines({ left, right }: Assessment): ScoreLine[] {
  if (!left || !right) return [];
  const line = (
    method: ScoreLine["method"],
    side: ScoreLine["side"],
    { score, action_level: level, meaning }: PostureScore,
  ): ScoreLine => ({ method, side, score, of: method === "RULA" ? 7 : 15, level, meaning });
  return (["RULA", "REBA"] as const).flatMap((method) => {
    const key = method === "RULA" ? "rula" : "reba";
    const [l, r] = [left[key], right[key]];
    return l.score === r.score ? [line(method, "both sides", l)] : [line(method, "left", l), line(method, "right", r)];
  });
}
