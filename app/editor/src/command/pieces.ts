// A goal that is set at one time may contradict the keys at other times: a hand is at one place at the first key and at
// another at the second. So a constraint that is added or moved is active around the keys that agree with it, and its old
// goal stays active for the other keys. Between two keys that differ, one is eased out and the other in.
import { freshId, spanOf, type Constraint, type Doc } from "../document/document.js";

// Whether a pose approximately meets a constraint.
export type Holds = (constraint: Constraint, pose: readonly number[]) => boolean;

interface Reach {
  readonly until: number; // the time of the last key that agrees
  readonly gap: number; // seconds from there to the first key that does not; 0: all agree
}

// From the time on, over keys by increasing distance.
function reach(
  constraint: Constraint,
  keys: readonly { time: number; pose: readonly number[] }[],
  time: number,
  holds: Holds,
): Reach {
  let until = time;
  for (const key of keys) {
    if (!holds(constraint, key.pose)) return { until, gap: Math.abs(key.time - until) };
    until = key.time;
  }
  return { until, gap: 0 };
}

const asks = ({ handle, goal, one_of, standing }: Constraint) => JSON.stringify([handle, goal, one_of, standing]);

// The constraint in its interval and, if it was moved, the old one before and after.
function piecesOf(doc: Doc, constraint: Constraint, old: Constraint | undefined, time: number, holds: Holds): Constraint[] {
  const span = spanOf(constraint);
  const near = 0.5 / doc.frameRate;
  if (
    !(constraint.goal || constraint.standing) ||
    constraint.enabled === false ||
    time < span.from - near ||
    time > span.to + near
  )
    return [constraint];
  const inSpan = doc.keys.filter((key) => key.time >= span.from - near && key.time <= span.to + near);
  const before = reach(constraint, inSpan.filter((key) => key.time < time - near).reverse(), time, holds);
  const after = reach(
    constraint,
    inSpan.filter((key) => key.time > time + near),
    time,
    holds,
  );
  if (before.gap === 0 && after.gap === 0) return [constraint];
  const pieces: Constraint[] = [];
  if (old && before.gap > 0)
    pieces.push({ ...old, id: freshId(doc), span: { ...span, to: before.until - before.gap, easeOut: before.gap } });
  pieces.push({
    ...constraint,
    span: {
      from: before.gap > 0 ? before.until : span.from,
      easeIn: before.gap > 0 ? before.gap : span.easeIn,
      to: after.gap > 0 ? after.until : span.to,
      easeOut: after.gap > 0 ? after.gap : span.easeOut,
    },
  });
  if (old && after.gap > 0)
    pieces.push({ ...old, id: freshId(doc), span: { ...span, from: after.until + after.gap, easeIn: after.gap } });
  return pieces;
}

// The document after a command at a time, with the changed constraints split into intervals.
export function inPieces(before: Doc, doc: Doc, time: number, holds: Holds): Doc {
  if (doc.constraints === before.constraints || doc.figure !== before.figure || doc.keys.length === 0) return doc;
  const known = new Map(before.constraints.map((one) => [one.id, one]));
  const constraints = doc.constraints.flatMap((one) => {
    const old = known.get(one.id);
    const isMoved = old !== undefined && asks(old) !== asks(one) && JSON.stringify(old.handle) === JSON.stringify(one.handle);
    const isNew = old === undefined && one.span === undefined;
    return isMoved || isNew ? piecesOf(doc, one, old, time, holds) : [one];
  });
  return constraints.length === doc.constraints.length && constraints.every((one, k) => one === doc.constraints[k])
    ? doc
    : { ...doc, constraints };
}
