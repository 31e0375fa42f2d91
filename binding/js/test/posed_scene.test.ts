// Laws of every solve: limits hold exactly, locks hold to rounding, the same as the native tool says, nothing leaks.
import { describe, expect, it, vi } from "vitest";
import type { Figure, SceneValue, Vec3 } from "../src/index.js";
import native from "./fixture/native.json";
import { about, distance, largestDifference, load, random, segmentNamed, siteAt, text } from "./load.js";

vi.setConfig({ testTimeout: 120_000 }); // thousands of solves, on any machine

const limber = await load();
const radians = Math.PI / 180;
const feet = ["left_foot", "right_foot"];
const locked = feet.map((foot) => ({ handle: { frame: foot }, goal: { hold: true as const }, weight: "must" as const }));

function expectWithinLimits(figure: Figure, pose: Float64Array) {
  figure.info.parameters.forEach(({ name, lower, upper }, j) => {
    if (pose[j]! < (lower ?? -Infinity) || pose[j]! > (upper ?? Infinity)) throw new Error(`${name} is ${pose[j]}`);
  });
  expect(figure.bounded(pose)).toEqual(pose); // rows over several parameters too
}

describe("limits", () => {
  it("hold exactly in every answer, however few the iterations", () => {
    const figure = limber.figure({ human: {} });
    const next = random(1);
    const places = ["right_palm", "left_palm", "right_fingertip", "left_foot", "right_foot", "eyes"];
    const posed = limber.scene(figure, {
      constraints: places.map((place) => ({ handle: place, goal: { position: [0, 1, 0] as Vec3 } })),
    });
    const pose = figure.rest();
    for (let round = 0; round < 3000; ++round) {
      const index = Math.floor(next() * places.length);
      posed.setGoal(index, { handle: places[index]!, goal: { position: about(next, [0, 1, 0], 2) } });
      posed.solve(pose, { iterations: 1 + (round % 5), restarts: 0 });
      expectWithinLimits(figure, pose);
    }
    posed.drop();
    figure.drop();
  });

  it("hold for every method, and each says how it ended", () => {
    const figure = limber.figure({ human: {} });
    const next = random(2);
    for (const { name, rows } of limber.methods) {
      const posed = limber.scene(figure, {
        constraints: [{ handle: "right_palm", goal: { position: about(next, [0, 1, 0.4], 0.5) } }],
        options: { method: name },
      });
      const pose = figure.rest();
      for (let round = 0; round < 5; ++round) {
        expect(limber.exits).toContain(posed.solve(pose, { iterations: 3, restarts: 0 }));
        figure.info.parameters.forEach(({ lower, upper }, j) => {
          expect(pose[j]).toBeGreaterThanOrEqual(lower ?? -Infinity);
          expect(pose[j]).toBeLessThanOrEqual(upper ?? Infinity);
        });
        if (rows) expect(figure.bounded(pose)).toEqual(pose);
      }
      posed.drop();
    }
    figure.drop();
  });

  it("hold for every method that drags a hand with the feet pinned, and the feet stay", () => {
    const figure = limber.figure({ human: {} });
    for (const { name, cannot } of limber.methods) {
      expect(cannot === "").toBe(limber.methods.find((one) => one.name === name)!.levels);
      const posed = limber.scene(figure, {
        constraints: [
          { handle: { frame: "left_foot" }, goal: { hold: true }, weight: "must" },
          { handle: { frame: "right_foot" }, goal: { hold: true }, weight: "must" },
          { handle: "right_palm", goal: { position: [-0.3, 1.2, 0.3] } },
        ],
        options: { method: name },
      });
      const pose = figure.rest();
      for (let round = 0; round < 3; ++round) posed.solve(pose, { iterations: 20, restarts: 0 });
      const { constraints } = posed.report();
      expect(constraints[0]!.met && constraints[1]!.met, name).toBe(true);
      expect(constraints[2]!.error_mm, name).toBeLessThan(150);
      posed.drop();
    }
    figure.drop();
  });

  it("have a table of options, which a scene is read by", () => {
    const figure = limber.figure({ human: {} });
    const goal = { handle: "right_palm", goal: { position: [-0.3, 1.2, 0.3] as [number, number, number] } };
    for (const { key, kind, names, methods } of limber.options) {
      expect(methods.length, key).toBeGreaterThan(0);
      const value = kind === "flag" ? true : kind === "name" ? names[1] : kind === "parameters" ? {} : 1;
      for (const { name } of limber.methods) {
        const make = () => limber.scene(figure, { constraints: [goal], options: { method: name, [key]: value } });
        if (methods.includes(name)) make().drop();
        else if (kind !== "number" && kind !== "parameters") expect(make, `${key} ${name}`).toThrow(/does not use/);
      }
    }
    figure.drop();
  });

  it("move a pose that is beyond them to the nearest within, and the mirror image stays within", () => {
    const figure = limber.figure({ human: {} });
    const next = random(3);
    for (let round = 0; round < 200; ++round) {
      const pose = figure.bounded(figure.rest().map((value) => value + 6 * (next() - 0.5)));
      expectWithinLimits(figure, pose);
      const mirrored = figure.mirrored(pose);
      expect(largestDifference(figure.mirrored(mirrored), pose)).toBeLessThan(1e-12);
      expect(largestDifference(figure.bounded(mirrored), mirrored)).toBeLessThan(1e-12);
    }
    figure.drop();
  });
});

describe("locks", () => {
  it("leave a hand that is out of reach unmet, and name what holds it back", () => {
    const figure = limber.figure({ human: {} });
    const posed = limber.scene(figure, {
      constraints: [...locked, { handle: { point: "right_palm" }, goal: { position: [-3, 1.2, 0.4] } }],
    });
    const pose = figure.rest();
    posed.solve(pose);
    const report = posed.report();
    expect(posed.met).toBe(false);
    expect(posed.iterations).toBe(report.iterations);
    const [left, right, hand] = report.constraints;
    expect([left!.met, right!.met, hand!.met]).toEqual([true, true, false]);
    expect(hand!.error_mm).toBeGreaterThan(1000);
    expect(hand!.held_back_by.length).toBeGreaterThan(0);
    for (const { limit, parameter, share } of hand!.held_back_by) {
      expect(share).toBeGreaterThan(0);
      if (parameter >= 0)
        expect(limit).toMatch(new RegExp(`^${figure.info.parameters[parameter]!.name.replace(".", "[.]")} (lower|upper) limit$`));
    }
    posed.drop();
    figure.drop();
  });
});

describe("objects", () => {
  it("are as many as before once they are dropped, and the memory does not grow from round to round", () => {
    const before = limber.objects;
    const round = () => {
      const figure = limber.figure({ human: {} });
      const posed = limber.scene(figure, { constraints: locked });
      const pose = figure.rest();
      const sequence = limber.sequence(figure, [
        { time: 0, pose: [...pose] },
        { time: 1, pose: [...pose] },
      ]);
      const clip = sequence.sample(0.1);
      const tracker = limber.tracker(figure, { places: ["right_palm"] });
      tracker.follow(pose, pose);
      expect(limber.objects).toBe(before + 5);
      for (const one of [tracker, clip, sequence, posed, figure]) one.drop();
      expect(limber.objects).toBe(before);
    };
    for (let k = 0; k < 10; ++k) round();
    const bytes = limber.module.calls.memory.buffer.byteLength;
    for (let k = 0; k < 50; ++k) round();
    expect(limber.module.calls.memory.buffer.byteLength).toBe(bytes);
  });
});

describe("a scene", () => {
  it("takes its options where a solve names none", () => {
    const figure = limber.figure({ human: {} });
    const posed = limber.scene(figure, {
      constraints: [{ handle: "right_palm", goal: { position: [-0.3, 1.3, 0.4] } }],
      options: { iterations: 2, restarts: 0 },
    });
    posed.solve(figure.rest());
    expect(posed.iterations).toBe(2);
    posed.solve(figure.rest(), { iterations: 100 });
    expect(posed.iterations).toBeGreaterThan(2);
    posed.drop();
    figure.drop();
  });

  it("says where the handle of a constraint is", () => {
    const figure = limber.figure({ human: {} });
    const posed = limber.scene(figure, {
      constraints: [
        { handle: { point: "right_palm" }, goal: { position: [0, 1, 0] } },
        { handle: { frame: "left_foot" }, goal: { hold: true } },
        { handle: { ray: "eyes" }, goal: { aim_at: [0, 1, 2] } },
      ],
    });
    const pose = figure.rest();
    expect(distance(posed.handle(0, pose), siteAt(figure, "right_palm", pose))).toBeLessThan(1e-12);
    expect([0, 1, 2].map((k) => posed.handle(k, pose).length)).toEqual([3, 9, 6]);
    posed.drop();
    figure.drop();
  });

  it("says what the centre of mass of a balance is to be over", () => {
    const figure = limber.figure({ human: {} });
    const posed = limber.scene(figure, {
      constraints: [{ handle: "left_foot", goal: { hold: true } }, { balance: ["left_foot", "right_foot"] }],
    });
    expect(posed.faces(0)).toEqual([]);
    const faces = posed.faces(1);
    expect(faces.length % 6).toBe(0);
    expect(faces.length / 6).toBeGreaterThanOrEqual(3);
    const pose = figure.rest();
    const outside = (p: readonly number[]) =>
      Array.from({ length: faces.length / 6 }, (_, k) =>
        [0, 1, 2].reduce((sum, j) => sum + faces[6 * k + 3 + j]! * (p[j]! - faces[6 * k + j]!), 0),
      );
    for (const foot of ["left_foot", "right_foot"]) expect(Math.max(...outside(siteAt(figure, foot, pose)))).toBeLessThan(1e-9);
    expect(Math.max(...outside([1, 0, 0]))).toBeGreaterThan(0.5);
    expect(() => posed.faces(2)).toThrow();
    posed.drop();
    figure.drop();
  });

  it("solves as the native tool does", () => {
    expect(Object.keys(native.answers).length).toBeGreaterThan(2);
    for (const [name, answer] of Object.entries(native.answers)) {
      const { figure: value, limber: _, ...scene } = JSON.parse(text(`example/scene/${name}.json`)) as SceneValue;
      const figure = limber.figure(value);
      const posed = limber.scene(figure, scene);
      const pose = figure.rest();
      figure.info.parameters.forEach(({ name: parameter, metres }, j) => {
        const given = scene.pose?.[parameter];
        if (given !== undefined) pose[j] = metres ? given : given * radians;
      });
      expect(posed.solve(pose)).toBe(answer.exit);
      expect(posed.met).toBe(answer.met);
      const all: Record<string, number> = { ...answer.pose_degrees, ...answer.pose_metres };
      expect(Object.keys(all).sort()).toEqual(figure.info.parameters.map((one) => one.name).sort());
      figure.info.parameters.forEach(({ name: parameter, metres }, j) =>
        expect(Math.abs(pose[j]! - all[parameter]! * (metres ? 1 : radians)), `${name} ${parameter}`).toBeLessThan(1e-6),
      );
      posed.drop();
      figure.drop();
    }
  });
});

describe("stiffness", () => {
  const figure = limber.figure({ human: {} });
  const elbow = figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
  const hand = segmentNamed(figure, "right_hand");
  const bent = figure.rest();
  bent[elbow] = 1;
  const [x, y, z] = figure.place(bent).subarray(12 * hand + 9, 12 * hand + 12);
  const goal: Vec3 = [x! - 0.1, y! + 0.25, z! + 0.1];
  const at = (pose: Float64Array) => [...figure.place(pose).subarray(12 * hand + 9, 12 * hand + 12)] as Vec3;
  const scene = (stiffness: number, constraints = locked as SceneValue["constraints"]) =>
    limber.scene(figure, {
      constraints: constraints!,
      stiffness: { "right_elbow.flexion": stiffness, "left_elbow.flexion": 1 },
    });

  // By how much the elbow turns, when the hand is brought to the goal.
  const solved = (stiffness: number) => {
    const posed = scene(stiffness, [...locked, { handle: { point: "right_hand" }, goal: { position: goal } }]);
    const pose = Float64Array.from(bent);
    posed.solve(pose, { iterations: 300, restarts: 0 });
    expect(posed.report().met).toBe(true);
    expect(posed.report().constraints.length).toBe(3);
    posed.drop();
    return Math.abs(pose[elbow]! - 1);
  };
  it("makes an elbow turn less", () => {
    const [free, stiff, stiffer] = [0, 10, 100].map(solved) as [number, number, number];
    expect(free).toBeGreaterThan(0.1);
    expect(stiff).toBeLessThan(0.6 * free);
    expect(stiffer).toBeLessThan(0.5 * stiff);
  });

  it("stays with the pose where a solve begins, whatever the scene's own is", () => {
    const posed = scene(100, [...locked, { handle: { point: "right_hand" }, goal: { position: at(bent) } }]);
    const pose = Float64Array.from(bent);
    posed.solve(pose, { iterations: 100, restarts: 0 });
    expect(largestDifference(pose, bent)).toBeLessThan(1e-4);
    posed.drop();
  });

  it("is rejected below 0", () => {
    expect(() => scene(-1)).toThrow(/stiffness/);
  });
});
