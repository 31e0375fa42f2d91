// Where things over the figure are: supports, neighbouring keys, goals that are dragged.
import { expect, test } from "vitest";
import type { GoalValue, Key } from "limber";
import type { Constraint, Doc } from "../../src/document/document.js";
import { neighbours } from "../../src/view/ghosts.js";
import { cornersOf } from "../../src/gizmo/marks.js";
import { goalPoint } from "../../src/document/goal_point.js";
import { withTarget } from "../../src/document/goals.js";

test("the corners of a support are where its edges meet", () => {
  const faces = [
    [1, 0, 9, 1, 0, 0],
    [5, 0, 2, 0, 0, 1],
    [-1, 0, 4, -1, 0, 0],
    [3, 0, -2, 0, 0, -1],
  ].flat();
  const corners = cornersOf(faces).map(({ x, z }) => [x, z]);
  expect(corners).toEqual([
    [1, -2],
    [1, 2],
    [-1, 2],
    [-1, -2],
  ]);
  expect(cornersOf([])).toEqual([]);
});

test("neighbouring keys: those before and after a time, never the one at it", () => {
  const keys: Key[] = [0, 1, 2].map((time) => ({ time, pose: [time] }));
  const doc = { keys, frameRate: 30 } as unknown as Doc;
  const at = (time: number) => Object.values(neighbours(doc, time)).map((pose) => pose?.[0]);
  expect(at(0)).toEqual([undefined, 1]);
  expect(at(0.5)).toEqual([0, 1]);
  expect(at(1)).toEqual([0, 2]);
  expect(at(2)).toEqual([1, undefined]);
  expect(at(3)).toEqual([2, undefined]);
  expect(Object.values(neighbours({ ...doc, keys: [] }, 1))).toEqual([undefined, undefined]);
});

const goals: GoalValue[] = [
  { position: [1, 2, 3] },
  { placement: { p: [1, 2, 3], x: "z", w_p: 0.3 } },
  { aim_at: [1, 2, 3] },
  { aim_at: { p: [1, 2, 3], degrees_per_metre: 50 } },
  { plane: { p: [1, 2, 3], v: "y" } },
  { line: { p: [1, 2, 3], v: [1, 1, 0] } },
  { half_space: { p: [1, 2, 3], v: "-y" } },
];

test.each(goals)("a goal that is dragged goes there and else stays as it is: %j", (goal) => {
  const of = (one: GoalValue): Constraint => ({ id: "a", handle: "hand", goal: one });
  expect(goalPoint(of(goal))).toEqual([1, 2, 3]);
  const moved = withTarget(goal, [4, 5, 6]);
  expect(goalPoint(of(moved))).toEqual([4, 5, 6]);
  expect(withTarget(moved, [1, 2, 3])).toEqual(goal);
});

test("directions and differences have no point to be dragged", () => {
  expect(goalPoint({ id: "a", handle: "hand", goal: { orientation: { x: "y" } } })).toBeUndefined();
  expect(
    goalPoint({ id: "a", handle: { difference: [{ ray: "eyes" }, { point: "hand" }] }, goal: { aim_at: [0, 0, 0] } }),
  ).toBeUndefined();
  expect(goalPoint({ id: "a", balance: ["left_foot"] })).toBeUndefined();
});
