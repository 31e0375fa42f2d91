// The table of goals: laws of every row.
import { describe, expect, it } from "vitest";
import type { GoalKind, GoalValue, GoalValues, HandleValue } from "limber";
import { axesOf, fieldsOf, goalKind, goals, kindOf, kinds, targetOf, withAxes, withTarget } from "../../src/document/goals.js";
import { load } from "../../../../binding/js/test/load.js";

const examples: { [K in GoalKind]: GoalValues[K] } = {
  position: [1, 2, 3],
  direction: { v: "y", degrees_per_metre: 50 },
  orientation: { x: [0, 0, 1], degrees_per_metre: 20 },
  placement: { p: [1, 2, 3], x: "z", y: "x", w_p: 0.3 },
  aim_at: { p: [1, 2, 3], degrees_per_metre: 20 },
  line: { p: [1, 2, 3], v: "x" },
  plane: { p: [1, 2, 3], v: "-y" },
  half_space: { p: [1, 2, 3], v: [0, 1, 0] },
  distance: { p: [1, 2, 3], at_most: 0.5 },
  inside: { sphere: { centre: [0, 1, 0], radius: 1 } },
  outside: { box: { size: [1, 1, 1] } },
  coincide: true,
  hold: true,
};
const all = (Object.keys(examples) as GoalKind[]).map((kind) => [kind, { [kind]: examples[kind] } as GoalValue] as const);

describe.each(all)("a goal of kind %s", (kind, goal) => {
  it("knows its kind, and has a title and an icon", () => {
    expect(goalKind(goal)).toBe(kind);
    expect(kindOf({ handle: "head", goal })).toBe(kind);
    expect(kinds[kind].title).not.toBe("");
    expect(kinds[kind].icon).toMatch(/^M/);
  });

  it("is the same with what it has, and has what it is given", () => {
    const target = targetOf(goal);
    expect(target !== undefined).toBe(goals[kind].target !== undefined);
    if (target) expect(withTarget(goal, target)).toEqual(goal);
    const away = withTarget(goal, [7, 8, 9]);
    expect(targetOf(away)).toEqual(target && [7, 8, 9]);
    const axes = axesOf(goal);
    if (axes) expect(withAxes(goal, axes)).toEqual(goal);
    const turned = withAxes(goal, { x: "-z" });
    expect(axesOf(turned)).toEqual(axes && { x: "-z" });
    for (const field of fieldsOf(goal)) expect(field.set(goal, field.get(goal) as never), field.type).toEqual(goal);
  });

  it("is taken by the module", async () => {
    const limber = await load();
    const figure = limber.figure({ human: {} });
    const one: HandleValue = kind === "aim_at" ? { ray: "eyes" } : "right_palm";
    const handle: HandleValue = kind === "coincide" ? { difference: ["left_palm", "right_palm"] } : one;
    const posed = limber.scene(figure, { constraints: [{ handle, goal }] });
    posed.solve(figure.rest(), { iterations: 0, restarts: 0 });
    expect(posed.report().constraints).toHaveLength(1);
    for (const object of [posed, figure]) object.drop();
  });
});
