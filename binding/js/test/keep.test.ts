// Constraints over time: goals that move, scripts, frame by frame; what does not count in a motion is said.
import { describe, expect, it, vi } from "vitest";
import type { Clip, ConstraintValue, Vec3 } from "../src/index.js";
import { distance, largestDifference, load, siteAt, text } from "./load.js";

vi.setConfig({ testTimeout: 120_000 });

const limber = await load();
const human = limber.figure({ human: {} });
const rest = [...human.rest()];
const still = (frames: number) => limber.clip(human, 1 / 30, Array.from({ length: frames }, () => rest).flat());
const frame = (clip: Clip, k: number) => clip.poses().subarray(k * human.parameters, (k + 1) * human.parameters);
const feet: ConstraintValue[] = ["left_foot", "right_foot"].map((foot) => ({
  handle: { frame: foot },
  goal: { hold: true },
  weight: "must",
}));

describe("a goal that moves", () => {
  const points: Vec3[] = [
    [-0.39, 0.9, 0.25],
    [-0.45, 1.15, 0.4],
    [-0.25, 1.3, 0.4],
  ];
  const palm: ConstraintValue = { handle: "right_palm", goal: { position: points[0]! }, weight: "must" };

  it("is followed, all frames together and frame by frame, while the feet stay", () => {
    for (const eachFrame of [false, true]) {
      const plain = still(46);
      const { clip, report } = plain.keep(
        { constraints: [...feet, palm] },
        [{}, {}, { from: 0.5, to: 1, easeIn: 0.3, easeOut: 0.3, path: { points } }],
        [],
        { eachFrame, iterations: 100 },
      );
      expect(report.met).toBe(true);
      expect(report.notes).toEqual([]);
      expect(distance(siteAt(human, "right_palm", frame(clip, 15)), points[0]!)).toBeLessThan(1e-4);
      expect(distance(siteAt(human, "right_palm", frame(clip, 30)), points[2]!)).toBeLessThan(1e-4);
      for (let k = 0; k < clip.frames; ++k)
        expect(distance(siteAt(human, "left_foot", frame(clip, k)), siteAt(human, "left_foot", rest))).toBeLessThan(1e-4);
      for (const one of [clip, plain]) one.drop();
    }
  });

  it("goes straight and evenly, or by its progress", () => {
    const plain = still(31);
    const ends = [points[0]!, points[2]!];
    const along = (path: object) => {
      const { clip } = plain.keep({ constraints: [palm] }, [{ from: 0, to: 1, path: { points: ends, ...path } }]);
      const at = siteAt(human, "right_palm", frame(clip, 15));
      clip.drop();
      return distance(at, ends[0]!) / distance(ends[0]!, ends[1]!);
    };
    expect(along({ straight: true, evenly: true })).toBeCloseTo(0.5, 4);
    expect(
      along({
        straight: true,
        progress: [
          [0, 0],
          [0.5, 0.2],
          [1, 1],
        ],
      }),
    ).toBeCloseTo(0.2, 4);
    plain.drop();
  });

  it("moves the target of an aim, and is rejected for a goal without a point", () => {
    const plain = still(31);
    const eyes: ConstraintValue = { handle: { ray: "eyes" }, goal: { aim_at: [0, 1.6, 2] }, weight: "must" };
    const path = {
      points: [
        [0, 1.6, 2],
        [1, 1.6, 2],
      ] as Vec3[],
      straight: true,
      evenly: true,
    };
    const { clip, report } = plain.keep({ constraints: [eyes] }, [{ from: 0, to: 1, path }]);
    expect(report.met).toBe(true);
    const posed = limber.scene(human, { constraints: [{ ...eyes, goal: { aim_at: [1, 1.6, 2] } }] });
    posed.solve(Float64Array.from(frame(clip, 30)), { iterations: 0 });
    expect(posed.report().constraints[0]!.error_degrees).toBeLessThan(0.01);
    expect(() => plain.keep({ constraints: [feet[0]!] }, [{ from: 0, to: 1, path }])).toThrow(/hold/);
    for (const one of [posed, clip, plain]) one.drop();
  });
});

// ZB94 (27), over time.
describe("one of several", () => {
  const palm = (goal: Vec3): { handle: string; goal: { position: Vec3 } } => ({ handle: "right_palm", goal: { position: goal } });
  const near: Vec3 = [-0.3, 1.1, 0.3];
  const far: Vec3 = [-0.2, 1.7, 0.5];

  it("is met during the whole span, and the report says which", () => {
    for (const eachFrame of [false, true]) {
      const plain = still(31);
      const { clip, report } = plain.keep(
        { constraints: [...feet, { name: "grip", one_of: [palm(far), palm(near)], weight: "must" }] },
        [{}, {}, { from: 0.4, to: 0.8, easeIn: 0.3 }],
        [],
        { eachFrame },
      );
      expect(report.met).toBe(true);
      expect(report.notes).toEqual([]);
      expect(report.demands.map(({ name, taken }) => [name, taken ?? true])).toEqual([
        ["left_foot placement", true],
        ["right_foot placement", true],
        ["grip (1)", false],
        ["grip (2)", true],
      ]);
      for (let k = 12; k <= 24; ++k) expect(distance(siteAt(human, "right_palm", frame(clip, k)), near)).toBeLessThan(1e-4);
      for (const one of [clip, plain]) one.drop();
    }
  });

  it("has no path", () => {
    const plain = still(3);
    const path = { points: [near, far] };
    const scene = { constraints: [{ one_of: [palm(far), palm(near)] }] };
    expect(() => plain.keep(scene, [{ from: 0, to: 0.1, path }])).toThrow(/one of several goals/);
    plain.drop();
  });
});

describe("what does not count in a motion", () => {
  it("is said: pulls, strength limits, priorities, soft constraints", () => {
    const plain = still(3);
    const at = { position: [-0.3, 1, 0.3] as Vec3 };
    const { clip, report } = plain.keep(
      {
        constraints: [
          { pull: "rest", weight: 0.1, name: "lazy" },
          { strength: true },
          { handle: "right_palm", goal: at, priority: 2, soft: true, weight: 0.01 },
          { handle: "left_palm", goal: at, enabled: false, priority: 2 },
        ],
        natural: true,
      },
      [{}, {}, {}, {}],
    );
    expect(report.notes).toEqual([
      "constraint 1, 'lazy': a pull does not count in a motion",
      "constraint 2: a strength limit does not count in a motion",
      "constraint 3: its priority does not count in a motion",
      "constraint 3: it counts by its weight in a motion, and is not soft",
      '"natural" does not count in a motion',
    ]);
    expect(report.demands.length).toBe(1);
    for (const one of [clip, plain]) one.drop();
  });

  it("is rejected where it makes no sense: too few spans, kept frames frame by frame", () => {
    const plain = still(3);
    expect(() => plain.keep({ constraints: feet }, [{}])).toThrow(/found 1 spans; expected 2/);
    expect(() => plain.keep({ constraints: feet }, [{}, {}], [0], { eachFrame: true })).toThrow(/kept/);
    plain.drop();
  });
});

describe("a script", () => {
  it("is the motion that the tool makes of it", () => {
    const scene = JSON.parse(text("example/motion/walk.json")) as object;
    const { clip, report } = limber.animate(human, scene, text("example/motion/walk.script"), { iterations: 200 });
    expect(report.met).toBe(true);
    expect(clip.frames).toBeGreaterThan(30);
    const begin = siteAt(human, "pelvis", frame(clip, 0));
    expect(siteAt(human, "pelvis", frame(clip, clip.frames - 1))[2] - begin[2]).toBeGreaterThan(1);
    clip.drop();
  });

  it("is solved frame by frame too, and its mistakes have a line", () => {
    const script = "key 0 pose\nkey 1 root.y -0.2\nthroughout lock left_foot, must\nthroughout lock right_foot, must\n";
    const together = limber.animate(human, {}, script);
    const each = limber.animate(human, {}, script, { eachFrame: true });
    for (const { clip, report } of [together, each]) {
      expect(report.met).toBe(true);
      expect(clip.frames).toBe(31);
    }
    expect(largestDifference(together.clip.poses(), each.clip.poses())).toBeGreaterThan(1e-6);
    expect(() => limber.animate(human, {}, "key 0\nthroughout holt left_foot")).toThrow(/script:2:12.*hold/);
    for (const { clip } of [together, each]) clip.drop();
  });
});
