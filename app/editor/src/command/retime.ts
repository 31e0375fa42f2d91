// When keys move in time, the intervals of constraints move with them.
import type { Key, Span } from "limber";
import type { Constraint } from "../document/document.js";

type Keys = readonly Key[];
type Anchor = readonly [before: number, after: number]; // the times of one key

// Keys that are in both lists: all of them, or those before and after what was pasted or deleted.
function anchorsOf(before: Keys, after: Keys): Anchor[] {
  const isSame = (a: number, b: number) => before[a]!.pose === after[b]!.pose;
  const pair = (a: number, b: number): Anchor => [before[a]!.time, after[b]!.time];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isSame(head, head)) ++head;
  let tail = 0;
  while (tail < shorter - head && isSame(before.length - 1 - tail, after.length - 1 - tail)) ++tail;
  const [b, a] = [before.length - tail, after.length - tail];
  return [...Array.from({ length: head }, (_, k) => pair(k, k)), ...Array.from({ length: tail }, (_, k) => pair(b + k, a + k))];
}

// The new value of a time: interpolated between the keys around it; beyond the last key, shifted as that key.
function moved(time: number, anchors: readonly Anchor[]): number {
  if (!Number.isFinite(time)) return time;
  const next = anchors.findIndex(([before]) => before >= time);
  if (next < 0) return time + anchors.at(-1)![1] - anchors.at(-1)![0];
  const [b, a] = anchors[next]!;
  if (next === 0 || b === time) return time + a - b;
  const [b0, a0] = anchors[next - 1]!;
  return a0 + ((time - b0) / (b - b0)) * (a - a0);
}

function movedSpan(span: Span, anchors: readonly Anchor[]): Span {
  const at = (time: number) => Math.max(0, moved(time, anchors));
  const [from, to] = [span.from === -Infinity ? span.from : at(span.from), span.to === Infinity ? span.to : at(span.to)];
  const easeIn = span.easeIn > 0 ? from - moved(span.from - span.easeIn, anchors) : 0;
  const easeOut = span.easeOut > 0 ? moved(span.to + span.easeOut, anchors) - to : 0;
  return {
    from,
    to,
    easeIn: Number.isFinite(easeIn) ? Math.max(0, easeIn) : span.easeIn,
    easeOut: Number.isFinite(easeOut) ? Math.max(0, easeOut) : span.easeOut,
  };
}

// The constraints after a change of the keys; the same objects where no time has changed.
export function retimed(constraints: readonly Constraint[], before: Keys, after: Keys): readonly Constraint[] {
  const anchors = anchorsOf(before, after);
  if (anchors.every(([b, a]) => a === b) || !constraints.some(({ span }) => span)) return constraints;
  return constraints.map((one) => (one.span ? { ...one, span: movedSpan(one.span, anchors) } : one));
}
