// A posing that says what touches. A pose that only just keeps clear is a little beyond the margin or exactly at it, from
// solve to solve; a feeler, a constraint that reaches a little further and has no say, finds what is there all the while.
import { Posing, type Figure, type Limber, type PoseReport, type Touch } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { sceneOf } from "../document/document.js";
import { clearOf } from "../document/obstacle_commands.js";

const reach = 0.0008; // metres beyond the margin; less than what counts as met, so that no solve goes on for it
const weight = 1e-6;

const keepsClear = (one: Constraint) => one.keep_clear !== undefined && one.enabled !== false;

// Of obstacles only: a body touches itself for long.
function feelerOf(one: Constraint): Constraint {
  const { self: _self, ...clear } = clearOf(one);
  return { ...one, keep_clear: { ...clear, margin: (clear.margin ?? 0) + reach }, weight };
}

export class FeltPosing extends Posing {
  private readonly asked: readonly Constraint[];

  // `more`: constraints behind those of the document.
  constructor(limber: Limber, figure: Figure, doc: Doc, more: readonly Constraint[] = []) {
    super(limber, figure, sceneOf({ ...doc, constraints: [...doc.constraints, ...doc.constraints.filter(keepsClear).map(feelerOf), ...more] }));
    this.asked = doc.constraints;
  }

  // Without the feelers.
  override report(): PoseReport {
    const report = super.report();
    const { asked } = this;
    const feelers = report.constraints.slice(asked.length, asked.length + asked.filter(keepsClear).length);
    const own = report.constraints.slice(0, asked.length).map((one, k) => {
      if (!keepsClear(asked[k]!)) return one;
      const { touches = [], ...rest } = one;
      const felt: Touch[] = [...(feelers.shift()?.touches ?? []), ...touches.filter(({ other }) => other !== undefined)].sort((a, b) => a.gap - b.gap);
      return felt.length > 0 ? { ...rest, touches: felt } : rest;
    });
    const others = report.constraints.slice(asked.length + asked.filter(keepsClear).length);
    const constraints = [...own, ...others];
    return { ...report, constraints, met: constraints.every(({ counted, met }) => met || !counted) };
  }
}
