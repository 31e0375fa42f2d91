// Intervals of constraints that go along with keys.
import { describe, expect, it } from "vitest";
import type { Key, Span } from "limber";
import { keyed, setKeys, setPose } from "../../src/command/commands.js";
import type { Constraint, Doc } from "../../src/document/document.js";
import { retimed } from "../../src/command/retime.js";
import { emptyDoc, human } from "../../src/document/start.js";
import { rowsOf } from "../../src/panel/timeline/timeline_bars.js";

const poses = [[0], [1], [2], [3]];
const keysAt = (...times: number[]): Key[] => times.map((time, k) => ({ time, pose: poses[k]! }));
const bar = (from: number, to: number, easeIn = 0, easeOut = 0): Constraint => ({
  id: "c",
  name: "hand",
  handle: { point: "hand" },
  span: { from, to, easeIn, easeOut },
});
const spanAfter = (one: Constraint, before: Key[], after: Key[]): Span => retimed([one], before, after)[0]!.span!;

describe("the interval of a constraint", () => {
  it("goes with the keys at its ends", () => {
    expect(spanAfter(bar(1, 2), keysAt(0, 1, 2), keysAt(0, 1.5, 3))).toEqual({ from: 1.5, to: 3, easeIn: 0, easeOut: 0 });
  });
  it("is stretched between two keys, with its ramps", () => {
    expect(spanAfter(bar(0.5, 1, 0.25, 1), keysAt(0, 1, 2), keysAt(0, 2, 4))).toEqual({
      from: 1,
      to: 2,
      easeIn: 0.5,
      easeOut: 2,
    });
  });
  it("goes with the last key where it ends after it, and has no end where it had none", () => {
    expect(spanAfter(bar(-Infinity, 3), keysAt(0, 2), keysAt(0, 2.5))).toEqual({
      from: -Infinity,
      to: 3.5,
      easeIn: 0,
      easeOut: 0,
    });
  });
  it("makes room with the keys that do", () => {
    const [a, b, c] = keysAt(0, 1, 2);
    const after = [a!, { time: 1, pose: [9] }, { ...b!, time: 2 }, { ...c!, time: 3 }];
    expect(spanAfter(bar(1, 2), [a!, b!, c!], after)).toMatchObject({ from: 2, to: 3 });
  });
  it("stays where keys are reversed, pasted over or deleted", () => {
    const keys = keysAt(0, 1, 2);
    const constraints = [bar(1, 2)];
    const [a, b, c] = keys;
    expect(
      retimed(constraints, keys, [
        { ...c!, time: 0 },
        { ...b!, time: 0.8 },
        { ...a!, time: 2 },
      ]),
    ).toBe(constraints);
    expect(retimed(constraints, keys, [a!, c!])).toBe(constraints);
  });
  it("follows in the command that sets keys", () => {
    const doc: Doc = { ...emptyDoc(human, [0]), keys: keysAt(0, 1), constraints: [bar(0, 1)] };
    expect(setKeys(doc, keysAt(0, 2)).constraints[0]!.span!.to).toBe(2);
  });
});

it("puts the pieces of one constraint into one row", () => {
  const pieces = [bar(-Infinity, 0, 0, 1), { ...bar(1, Infinity, 1), id: "d" }];
  expect(rowsOf([...pieces, { ...bar(0, 1), id: "e" }]).map((row) => row.map(({ id }) => id))).toEqual([["c", "d"], ["e"]]);
  expect(rowsOf([bar(0, 1), { ...bar(2, 3), handle: { point: "foot" } }])).toHaveLength(2);
});

it("keys what is posed, once and of the same figure", () => {
  const doc: Doc = { ...emptyDoc(human, [0]), keys: keysAt(0) };
  const posed = setPose(doc, [5], 1);
  expect(keyed(doc, posed, 1).keys.map(({ time, pose }) => [time, pose])).toEqual([
    [0, [0]],
    [1, [5]],
  ]);
  expect(keyed(doc, setPose(doc, [5], 0), 0).keys).toHaveLength(1);
  expect(keyed(doc, { ...doc, title: "other" }, 1).keys).toHaveLength(1);
  expect(keyed(doc, { ...posed, figure: { simple_human: {} } } as Doc, 1).keys).toHaveLength(1);
});
