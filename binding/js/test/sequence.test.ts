// Timing, styles of channels and rotations of a sequence, and what goes over from one sequence to another.
import { describe, expect, it } from "vitest";
import { Rejection, type Key, type Sequence, type Style } from "../src/index.js";
import { largestDifference, load } from "./load.js";

const limber = await load();
const human = limber.figure({ human: {} });
const names = limber
  .sequence(human, [{ time: 0, pose: [...human.rest()] }])
  .channels()
  .map(({ name }) => name);

// The rest pose with some parameters set, by single channels.
function pose(values: Record<string, number> = {}): number[] {
  const made = [...human.rest()];
  const sequence = limber.sequence(human, [{ time: 0, pose: made }]);
  for (const [name, value] of Object.entries(values)) {
    const channel = sequence.channels().find((one) => one.name === name);
    if (!channel) throw new Error(`no channel ${name} among ${names.join(", ")}`);
    made[channel.parameters[0]!] = value;
  }
  sequence.drop();
  return made;
}

const elbow = "right_elbow.flexion";
const elbowAt = (sequence: Sequence, time: number) =>
  sequence.at(time)[sequence.channels().find(({ name }) => name === elbow)!.parameters[0]!]!;
const bend = (value: number, style: Partial<Key> = {}) => ({ pose: pose({ [elbow]: value }), ...style });

describe("timing", () => {
  const keys: Key[] = [
    { time: 0, ...bend(0.1, { interpolation: "linear" }) },
    { time: 1, ...bend(1.1) },
  ];

  it("is a double interpolant: shape by keys, time by knots", () => {
    const timing = [
      { time: 0, shows: 0 },
      { time: 1, shows: 0.25 },
      { time: 2, shows: 0.25 },
      { time: 3, shows: 1 },
    ];
    const sequence = limber.sequence(human, keys, { timing });
    expect(sequence.timing()).toEqual(timing);
    expect([sequence.start, sequence.end]).toEqual([0, 3]);
    for (const { time, shows } of timing) expect(elbowAt(sequence, time)).toBeCloseTo(0.1 + shows, 12);
    expect(elbowAt(sequence, 1.5)).toBe(elbowAt(sequence, 1));
    const plain = sequence.retime([]);
    expect(plain.timing()).toEqual([]);
    expect([plain.start, plain.end]).toEqual([0, 1]);
    for (const one of [plain, sequence]) one.drop();
  });

  it("is rejected where it runs backwards", () => {
    const backwards = [
      { time: 0, shows: 1 },
      { time: 1, shows: 0 },
    ];
    expect(() => limber.sequence(human, keys, { timing: backwards })).toThrow(Rejection);
    expect(() => limber.sequence(human, keys, { timing: backwards })).toThrow(/shape times that do not decrease/);
  });
});

describe("channels", () => {
  it("have styles of their own, which come back", () => {
    const channels: Record<string, Style> = {
      [elbow]: { interpolation: "step" },
      "left_hip rotation": { interpolation: "spline", even: true, tension: 0.5, continuity: -0.25, bias: 1 / 3 },
    };
    const keys: Key[] = [
      { time: 0, ...bend(0.1), interpolation: "linear", channels },
      { time: 1, ...bend(1.1), interpolation: "linear" },
    ];
    const sequence = limber.sequence(human, keys);
    expect(sequence.keys()).toEqual(keys);
    expect(elbowAt(sequence, 0.9)).toBe(0.1);
    sequence.drop();
  });

  it("are named in a rejection", () => {
    const keys: Key[] = [{ time: 0, pose: pose(), channels: { elbow: {} } }];
    expect(() => limber.sequence(human, keys)).toThrow(/key 0: found "elbow"; expected a channel, such as root position/);
  });
});

describe("rotations", () => {
  it("are of joints, and of balls where asked for", () => {
    expect(names).toContain("left_hip rotation");
    expect(names).not.toContain("spine rotation");
    const a = pose({ "spine.forward": 0.9 });
    const b = pose({ "spine.lateral": 0.4, "spine.axial": 0.5 });
    const keys: Key[] = [
      { time: 0, pose: a, interpolation: "linear" },
      { time: 1, pose: b, interpolation: "linear" },
    ];
    const joints = limber.sequence(human, keys);
    const balls = limber.sequence(human, keys, { rotations: "balls" });
    expect([joints.rotations, balls.rotations]).toEqual(["joints", "balls"]);
    const found = balls.channels().map(({ name }) => name);
    for (const name of ["spine rotation", "left_shoulder rotation", "right_shoulder rotation"]) expect(found).toContain(name);
    expect(balls.keys()).toEqual(keys);
    for (const { time, pose: at } of keys) expect([...balls.at(time)]).toEqual(at);
    expect(largestDifference(joints.at(0.5), balls.at(0.5))).toBeGreaterThan(0.01);
    const back = balls.withRotations("joints");
    expect([...back.at(0.3)]).toEqual([...joints.at(0.3)]);
    for (const one of [joints, balls, back]) one.drop();
  });
});

describe("two sequences", () => {
  const of = (value: number) =>
    limber.sequence(
      human,
      [0, 1, 2].map((time) => ({ time, ...bend(value) })),
    );

  it("blend part of the way", () => {
    const [a, b] = [of(0.2), of(1.2)];
    for (const weight of [0, 0.25, 1]) {
      const mixed = a.blend(b, weight);
      for (const time of [0, 0.7, 2]) expect(elbowAt(mixed, time)).toBeCloseTo(0.2 + weight, 12);
      mixed.drop();
    }
    expect(() => a.blend(b, 2)).toThrow(/a weight of 2/);
    for (const one of [a, b]) one.drop();
  });

  it("cross-fade: the next begins before the end of the first", () => {
    const [a, b] = [of(0.2), of(1.2)];
    const both = a.crossFade(b, 0.5).resample(0.01);
    expect(both.end).toBeCloseTo(3.5, 12);
    expect(elbowAt(both, 1.5)).toBeCloseTo(0.2, 9);
    expect(elbowAt(both, 1.75)).toBeCloseTo(0.7, 1);
    expect(elbowAt(both, 2)).toBeCloseTo(1.2, 9);
    expect(() => a.crossFade(b, 5)).toThrow(/at most 2 s/);
    for (const one of [a, b, both]) one.drop();
  });
});
