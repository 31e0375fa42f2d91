// What the side panel says of a report.
import type { ConstraintReport, PoseReport } from "limber";
import { describe, expect, it } from "vitest";
import { digits } from "../../src/panel/joint/joint_row.js";
import { summary } from "../../src/panel/constraint/solving.js";
import { errorText, weightText } from "../../src/ui/constraint_text.js";

const row = (more: Partial<ConstraintReport>): ConstraintReport => ({
  name: "",
  drag: false,
  counted: true,
  met: true,
  value: 0,
  held_back_by: [],
  ...more,
});
const report = (constraints: ConstraintReport[], more: Partial<PoseReport> = {}): PoseReport => ({
  exit: "converged",
  method: "levenberg-marquardt",
  restarts: 0,
  degrees_of_freedom: 3,
  iterations: 3,
  evaluations: 4,
  objective: 0,
  objective_before: 0,
  kkt: 0,
  start_projected: false,
  soft_scale: 1,
  met: constraints.every(({ met }) => met),
  constraints,
  ...more,
});

describe("what is off", () => {
  it("is said in centimetres and degrees, as far as there is any", () => {
    expect(errorText(row({ error_mm: 32.1, error_degrees: 4.1 }))).toBe("3.2 cm and 4.1° off");
    expect(errorText(row({ error_mm: 32.1, error_degrees: 1e-4 }))).toBe("3.2 cm off");
    expect(errorText(row({ error_degrees: 5.73 }))).toBe("5.7° off");
    expect(errorText(row({ error_mm: 0.01 }))).toBe("less than 0.1 cm off");
  });
});

describe("a weight", () => {
  it("is a number, or must; a balance is heavy if nothing is said", () => {
    expect(weightText({ id: "a", weight: "must" })).toBe("must");
    expect(weightText({ id: "a" })).toBe("1");
    expect(weightText({ id: "a", balance: [] })).toBe("1000");
    expect(weightText({ id: "a", weight: 0.12345 })).toBe("0.123");
  });
});

describe("the line about a solve", () => {
  it("counts what counts", () => {
    expect(
      summary(report([row({}), row({ met: false }), row({ counted: false, met: false }), row({ drag: true, met: false })])),
    ).toEqual({ text: "1 of 2 met · converged, 3 iterations", isGood: false });
    expect(summary(report([row({})], { iterations: 1 }))).toEqual({ text: "all 1 met · converged, 1 iteration", isGood: true });
    expect(summary(report([], { iterations: 0 }))).toEqual({ text: "nothing to meet", isGood: true });
  });
  it("says why nothing was solved", () =>
    expect(summary(report([], { exit: "rejected", rejection: "no locks" }))).toEqual({ text: "no locks", isGood: false }));
  it("is empty before the first solve", () => expect(summary(undefined).text).toBe(""));
});

describe("a number", () => {
  it("has one digit and no negative zero", () => {
    expect(digits(-0.04)).toBe("0.0");
    expect(digits(-12.25)).toBe("-12.3");
  });
});
