// Updates the balance constraints of a document when its feet move.
import type { Figure } from "limber";
import type { Constraint, Doc } from "../document/document.js";
import { holds, standingAt, feetAreInPlace } from "../document/balance.js";

// The pins of the feet as text: when it changes, the feet have moved.
const pinsOf = (figure: Figure, { constraints }: Doc, feet: readonly string[]) =>
  JSON.stringify(
    constraints.filter((one) => feet.some((foot) => holds(figure, one, foot))).map(({ handle, goal }) => [handle, goal]),
  );

// After a command that has moved the feet: their new support.
export function rebalanced(figure: Figure, before: Doc, doc: Doc): Doc {
  if (doc.constraints === before.constraints || doc.figure !== before.figure || doc.files !== before.files) return doc;
  const old = new Map(before.constraints.map((one) => [one.id, one]));
  const again = (one: Constraint): Constraint => {
    const was = old.get(one.id);
    if (!one.balance || !one.standing || was?.standing !== one.standing) return one;
    if (pinsOf(figure, before, one.balance) === pinsOf(figure, doc, one.balance) || feetAreInPlace(figure, one, doc.pose))
      return one;
    const { standing, on } = standingAt(figure, one.balance, doc.pose);
    const { on: _on, ...rest } = one;
    return { ...rest, standing: standing!, ...(on ? { on } : {}) };
  };
  const constraints = doc.constraints.map(again);
  return constraints.every((one, k) => one === doc.constraints[k]) ? doc : { ...doc, constraints };
}

// The document with the balance that concerns a drag of a segment over the feet that are pinned, and these feet; nobody is
// balanced on feet that are free.
export function balancedOn(figure: Figure, doc: Doc, segment: number): { scene: Doc; feet: readonly string[] } {
  const own = figure.info.figures?.find(({ segments: [from, to] }) => segment >= from && segment < to)?.name;
  let feet: readonly string[] = [];
  const carried = (one: Constraint): Constraint => {
    if (!one.balance || one.enabled === false) return one;
    const on = (one.on ?? one.balance).filter((foot) => doc.constraints.some((other) => holds(figure, other, foot)));
    if (own === undefined || on[0]?.startsWith(`${own}.`)) feet = on;
    return on.length > 0 ? { ...one, on } : { ...one, enabled: false };
  };
  return { scene: { ...doc, constraints: doc.constraints.map(carried) }, feet };
}
