// A constraint in words.
import type { ConstraintReport } from "limber";
import type { Constraint } from "../document/document.js";
import { kindOf, kinds } from "../document/goals.js";

const minShown = { mm: 0.5, degrees: 0.05 }; // half of the last digit that is shown

export const nameOf = (constraint: Constraint) => constraint.name ?? kinds[kindOf(constraint)].title;

// "3.2 cm and 4.1° off".
export function errorText({ error_mm: mm = 0, error_degrees: turn = 0, overload }: ConstraintReport): string {
  if (overload !== undefined) return `${(100 * overload).toFixed(1)} % over the strength`;
  const parts = [];
  if (mm >= minShown.mm) parts.push(`${(mm / 10).toFixed(1)} cm`);
  if (turn >= minShown.degrees) parts.push(`${turn.toFixed(1)}°`);
  return `${parts.join(" and ") || "less than 0.1 cm"} off`;
}

// A clearance constraint and a strength limit are hard by default.
export const isMust = ({ weight, keep_clear: clear, strength }: Constraint) =>
  weight === "must" || (weight === undefined && (clear !== undefined || strength !== undefined));

// Explains the weight in a tooltip.
export const weightHint = (constraint: Constraint) =>
  isMust(constraint)
    ? "Hard constraint: met exactly, before all constraints with a weight"
    : "Soft constraint: the weight decides how constraints share the error. 1 is the default; 10 counts ten times as much, 0.1 a tenth; 0 is ignored";

export const weightText = (constraint: Constraint) =>
  isMust(constraint)
    ? "must"
    : String(Number(((constraint.weight as number | undefined) ?? (constraint.balance ? 1000 : 1)).toPrecision(3)));
