// The types of reports have the keys that the module writes, and no others.
import { expect, it } from "vitest";
import type { ConstraintReport, DemandReport, HoldingLimit, MotionReport, PoseReport, Touch } from "../src/index.js";
import { load } from "./load.js";

type Keys<T> = { [K in keyof Required<T>]: undefined extends T[K] ? "may" : "must" };

// The compiler wants every key of the type here; the test, every key of the object.
function expectKeys<T extends object>(object: T, keys: Keys<T>): void {
  expect(Object.keys(keys)).toEqual(expect.arrayContaining(Object.keys(object)));
  const required = Object.entries(keys).flatMap(([key, when]) => (when === "must" ? [key] : []));
  expect(Object.keys(object)).toEqual(expect.arrayContaining(required));
}

it("the types of a pose's report are those of the module", async () => {
  const limber = await load();
  const figure = limber.figure({ human: {} });
  const posed = limber.scene(figure, {
    obstacles: [{ name: "table", box: [2, 1, 2], p: [0, 0.4, 0] }],
    constraints: [{ handle: "right_palm", goal: { position: [-3, 1.2, 0.4] } }, { keep_clear: {} }],
  });
  posed.solve(figure.rest(), { iterations: 0, restarts: 0 });
  const report = posed.report();
  expectKeys<PoseReport>(report, {
    exit: "must",
    met: "must",
    method: "must",
    rejection: "may",
    restarts: "must",
    degrees_of_freedom: "must",
    iterations: "must",
    evaluations: "must",
    objective: "must",
    objective_before: "must",
    kkt: "must",
    start_projected: "must",
    soft_scale: "must",
    constraints: "must",
  });
  for (const constraint of report.constraints)
    expectKeys<ConstraintReport>(constraint, {
      name: "must",
      drag: "must",
      counted: "must",
      met: "must",
      soft: "may",
      error_mm: "may",
      error_degrees: "may",
      value: "must",
      comfort: "may",
      held_back_by: "must",
      touches: "may",
    });
  const touches = report.constraints[1]!.touches!;
  expect(touches.length).toBeGreaterThan(0);
  for (const touch of touches)
    expectKeys<Touch>(touch, {
      between: "must",
      segment: "must",
      obstacle: "may",
      other: "may",
      gap_mm: "must",
      too_near: "must",
      at: "must",
      normal: "must",
    });
  posed.drop();
  const far = limber.scene(figure, {
    constraints: [
      { handle: "left_foot", goal: { hold: true }, weight: "must" },
      { handle: "right_foot", goal: { hold: true }, weight: "must" },
      { handle: "right_palm", goal: { position: [-3, 1.2, 0.4] } },
    ],
  });
  far.solve(figure.rest());
  const held = far.report().constraints[2]!.held_back_by;
  expect(held.length).toBeGreaterThan(0);
  for (const limit of held) expectKeys<HoldingLimit>(limit, { limit: "must", parameter: "must", share: "must" });
  far.drop();
  figure.drop();
});

it("the types of a motion's report are those of the module", async () => {
  const limber = await load();
  const figure = limber.figure({ human: {} });
  const clip = limber.clip(figure, 0.1, [...figure.rest(), ...figure.rest()]);
  const scene = { constraints: [{ handle: "right_palm", goal: { position: [-0.4, 1.2, 0.4] as [number, number, number] } }] };
  const { clip: kept, report } = clip.keep(scene, [{ from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 }]);
  expectKeys<MotionReport>(report, {
    exit: "must",
    met: "must",
    degrees_of_freedom: "must",
    iterations: "must",
    contradictions: "may",
    demands: "must",
    notes: "may",
    contacts: "may",
    scale: "may",
    bones_off_degrees: "may",
  });
  expect(report.demands.length).toBe(1);
  for (const demand of report.demands)
    expectKeys<DemandReport>(demand, {
      name: "must",
      frames: "must",
      met: "must",
      error_mm: "may",
      error_degrees: "may",
      worst_frame: "may",
    });
  for (const one of [clip, kept]) one.drop();
  figure.drop();
});
