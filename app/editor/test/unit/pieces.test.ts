import { describe, expect, it } from "vitest";
import { addConstraint, changeConstraint } from "../../src/command/commands.js";
import type { Constraint, Doc } from "../../src/document/document.js";
import { inPieces } from "../../src/command/pieces.js";
import { emptyDoc, human } from "../../src/document/start.js";

// A figure of one number: a constraint holds where the pose is its goal's x.
const holds = ({ goal }: Constraint, pose: readonly number[]) =>
  Math.abs((goal as { position: number[] }).position[0]! - pose[0]!) < 0.01;
const at = (x: number) => ({ position: [x, 0, 0] as [number, number, number] });
const withKeys = (...poses: [number, number][]): Doc => ({
  ...emptyDoc(human, [0]),
  keys: poses.map(([time, x]) => ({ time, pose: [x] })),
});
const pin = (x: number): Constraint => ({ id: "pin", handle: { point: "p" }, goal: at(x) });
const seen = (doc: Doc) =>
  doc.constraints.map(({ goal, span }) => [
    (goal as { position: number[] }).position[0],
    span?.from,
    span?.to,
    span?.easeIn,
    span?.easeOut,
  ]);

describe("pieces of a constraint", () => {
  it("is whole where all keys agree, or there are none", () => {
    for (const doc of [withKeys(), withKeys([0, 1], [1, 1])]) {
      const next = inPieces(doc, addConstraint(doc, pin(1)), 1, holds);
      expect(next.constraints[0]!.span).toBeUndefined();
    }
  });

  it("that is new holds for the keys around it that agree", () => {
    const doc = withKeys([0, 0], [1, 1], [2, 1], [3, 1], [5, 2]);
    expect(seen(inPieces(doc, addConstraint(doc, pin(1)), 2, holds))).toEqual([[1, 1, 3, 1, 2]]);
  });

  it("that is moved leaves its old goal to the other keys", () => {
    const doc = addConstraint(withKeys([0, 0], [2, 0]), pin(0));
    const moved = inPieces(doc, changeConstraint(doc, "pin", { goal: at(1) }), 1, holds);
    expect(seen(moved)).toEqual([
      [0, -Infinity, 0, 0, 1],
      [1, 1, 1, 1, 1],
      [0, 2, Infinity, 1, 0],
    ]);
    expect(moved.constraints[1]!.id).toBe("pin");
    expect(new Set(moved.constraints.map(({ id }) => id)).size).toBe(3);
  });

  it("that is moved where it stood alone moves", () => {
    const doc = addConstraint(withKeys([0, 0], [1, 1]), { ...pin(1), span: { from: 1, to: Infinity, easeIn: 1, easeOut: 0 } });
    expect(seen(inPieces(doc, changeConstraint(doc, "pin", { goal: at(3) }), 1, holds))).toEqual([[3, 1, Infinity, 1, 0]]);
  });

  it("with a span of one's own, a new name or another weight stays as it is", () => {
    const doc = addConstraint(withKeys([0, 0], [1, 1]), pin(0));
    for (const change of [{ weight: 3 }, { name: "other" }, { span: { from: 0, to: 1, easeIn: 0, easeOut: 0 } }]) {
      const next = changeConstraint(doc, "pin", change);
      expect(inPieces(doc, next, 1, holds)).toBe(next);
    }
  });
});
