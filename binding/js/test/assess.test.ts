// What a pose asks of a body, against what the command-line tool says of the same pose.
import { describe, expect, it } from "vitest";
import { Rejection, type AssessOptions, type Assessment, type Figure, type FigureValue } from "../src/index.js";
import native from "./fixture/assess.json";
import { load, segmentNamed, text } from "./load.js";

const same = 1e-9; // relative: two compilers, the same formulas
const noTorque = 1e-6; // N m

type Reported = (typeof native.answers)[number]["reported"];

function near(a: number | null, b: number | null): void {
  if (a === null || b === null) expect(a).toBe(b);
  else expect(Math.abs(a - b)).toBeLessThanOrEqual(same * Math.max(1, Math.abs(b)));
}

function posed(figure: Figure, degrees: Record<string, number | undefined>): Float64Array {
  const pose = figure.rest();
  for (const [name, angle] of Object.entries(degrees)) {
    const k = figure.info.parameters.findIndex((one) => one.name === name);
    if (k < 0) throw new Error(`no parameter ${name}`);
    pose[k] = (angle! * Math.PI) / 180;
  }
  return pose;
}

function expectSame(figure: Figure, found: Assessment, reported: Reported): void {
  const freedom = (k: number | undefined) => figure.info.freedoms[k ?? -1]?.name ?? null;
  near(found.body_kg, reported.body_kg);
  near(found.load_kg, reported.load_kg);
  near(found.outside, reported.outside_m);
  near(1 - found.discomfort, reported.comfort);
  expect(found.joints.map((one) => [one.name, freedom(one.freedom)])).toEqual(reported.joints.map(([name, of]) => [name, of]));
  found.joints.forEach((joint, k) => {
    const [comfort, torque, strength, share] = reported.joints[k]!.slice(2) as (number | null)[];
    near(joint.comfort, comfort!);
    near(joint.torque, torque!);
    near(joint.share, share!);
    if (Math.abs(torque!) > noTorque) near(joint.strength, strength!); // else rounding says in which direction
    expect(figure.info.parameters[joint.parameter]!.name).toBe(joint.name);
  });
  near(found.first?.share ?? null, reported.first_share);
  near(found.max_load.kg, reported.max_load.kg);
  expect(found.max_load.at).toEqual(reported.max_load.at);
  for (const side of ["left", "right"] as const)
    for (const method of ["rula", "reba"] as const) {
      const { score, action_level } = reported[method][side];
      expect(found[side]![method]).toMatchObject({ score, action_level });
    }
}

describe("assess", () => {
  it("says what the tool says", async () => {
    const limber = await load();
    for (const { figure: value, pose, options, reported } of native.answers) {
      const figure = limber.figure(value as FigureValue);
      expectSame(figure, figure.assess(posed(figure, pose), options as AssessOptions), reported);
      figure.drop();
    }
  });

  it("a load in a hand is felt by that arm and not by the other", async () => {
    const figure = (await load()).figure({ human: {} });
    const pose = posed(figure, { "left_elbow.flexion": 90, "right_elbow.flexion": 90 });
    const without = figure.assess(pose);
    const loaded = figure.assess(pose, { loads: [{ at: ["right_palm"], kg: 12 }] });
    const share = (of: Assessment, segment: string) => of.share_by_segment[segmentNamed(figure, segment)]!;
    expect(loaded.share_by_segment.length).toBe(figure.segments);
    expect(share(loaded, "right_forearm")).toBeGreaterThan(share(without, "right_forearm") + 0.2);
    expect(share(loaded, "left_forearm")).toBe(share(without, "left_forearm"));
    expect(loaded.discomfort_by_segment).toEqual(without.discomfort_by_segment);
    // The right foot carries more, and the sum is the weight.
    const force = (of: Assessment, foot: string) => of.reactions.find((one) => one.foot === foot)!.newtons;
    expect(force(loaded, "right_foot") - force(without, "right_foot")).toBeGreaterThan(12 * 9.80665 * 0.5);
    expect(force(loaded, "left_foot") + force(loaded, "right_foot")).toBeCloseTo(9.80665 * (loaded.body_kg + 12), 6);
    // With the largest load the first joint is at its strength.
    const most = figure.assess(pose, { loads: [{ at: ["right_palm"], kg: loaded.max_load.kg! }] });
    expect(most.first!.share).toBeCloseTo(1, 6);
    expect(most.first!.freedom).toBe(loaded.max_load.freedom);
    figure.drop();
  });

  it("says why there are no scores, and what is wrong with what it is given", async () => {
    const limber = await load();
    const arm = limber.figure((JSON.parse(text("example/scene/arm.json")) as { figure: FigureValue }).figure);
    const found = arm.assess(arm.rest());
    expect([found.left, found.right, found.first]).toEqual([undefined, undefined, undefined]);
    expect(found.no_scores).not.toBe("");
    arm.drop();
    const figure = limber.figure({ human: {} });
    const wrong: [object, string][] = [
      [{ loads: [{ at: ["tail"], kg: 1 }] }, "tail"],
      [{ loads: [{ at: [], kg: 1 }] }, "load"],
      [{ loads: [{ at: ["right_palm"], kg: -1 }] }, "right_palm"],
      [{ loads: [{ at: ["right_palm"], kg: "1" }] }, "/loads/0/kg"],
      [{ percentile: 99 }, "percentile"],
      [{ sex: "dragon" }, "dragon"],
      [{ colour: "red" }, "colour"],
    ];
    for (const [options, word] of wrong) {
      expect(() => figure.assess(figure.rest(), options as AssessOptions), word).toThrow(Rejection);
      expect(() => figure.assess(figure.rest(), options as AssessOptions)).toThrow(word);
    }
    figure.drop();
    expect(limber.objects).toBe(0);
  });
});
