// A goal along a straight limb, with the real module.
import { describe, expect, it } from "vitest";
import { sceneOf, type Doc } from "../../src/document/document.js";
import { offStops, solveBending } from "../../src/engine/nudge.js";
import { figure, limber, start as doc } from "./started.js";

const lowered = (by: number): Doc => {
  const pelvis = figure.info.segments.findIndex(({ name }) => name === "pelvis");
  const [x, y, z] = figure.place(doc.pose).slice(12 * pelvis + 9, 12 * pelvis + 12) as unknown as [number, number, number];
  return {
    ...doc,
    constraints: [
      ...doc.constraints,
      { id: "low", handle: { point: "pelvis" }, goal: { plane: { p: [x, y - by, z], v: "y" } }, weight: 1000 },
    ],
  };
};

describe("a pelvis straight down from straight legs", () => {
  const options = { iterations: 100, restarts: 0 };
  it("gets there, feet where they were", () => {
    const posed = limber.scene(figure, sceneOf(lowered(0.3)));
    const pose = Float64Array.from(doc.pose);
    posed.solve(Float64Array.from(pose), options);
    expect(posed.met).toBe(false); // of itself it stands still
    const report = solveBending(posed, pose, options);
    expect(report.constraints.map(({ met }) => met)).toEqual([true, true, true, true]);
    posed.drop();
  });
  it("keeps the plain answer where bending is of no use", () => {
    const posed = limber.scene(figure, sceneOf(lowered(-1)));
    const plain = Float64Array.from(doc.pose);
    posed.solve(plain, options);
    const pose = Float64Array.from(doc.pose);
    const report = solveBending(posed, pose, options);
    expect(report.met).toBe(false);
    expect(pose).toEqual(plain);
    posed.drop();
  });
});

it("moves joints off their stops and no others", () => {
  const knee = figure.info.parameters.findIndex(({ name }) => name === "left_knee.flexion");
  const { lower } = figure.info.parameters[knee]!;
  const pose = Float64Array.from(doc.pose);
  pose[knee] = lower!;
  expect(offStops(figure, pose)[knee]).toBeGreaterThan(lower! + 0.1);
  pose[knee] = lower! + 1;
  expect(offStops(figure, pose)[knee]).toBe(lower! + 1);
  for (const j of figure.info.root) expect(offStops(figure, pose)[j]).toBe(pose[j]);
});
