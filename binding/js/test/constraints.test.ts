// Constraints that come and go in a scene that is being solved, goals of one's own, the Jacobian; other roots, limits
// from motions, markers.
import { describe, expect, it, vi } from "vitest";
import type { Clip, ConstraintValue, Vec3 } from "../src/index.js";
import { distance, file, largestDifference, load, random, siteAt } from "./load.js";

vi.setConfig({ testTimeout: 120_000 });

const limber = await load();
const human = limber.figure({ human: {} });
const feet: ConstraintValue[] = ["left_foot", "right_foot"].map((foot) => ({
  handle: { frame: foot },
  goal: { hold: true },
  weight: "must",
}));
const reach = (x: number, weight: number | "must" = 1): ConstraintValue => ({
  handle: "right_palm",
  goal: { position: [x, 1.1, 0.4] },
  weight,
  name: `reach ${x}`,
});
const names = (report: { constraints: { name: string }[] }) => report.constraints.map(({ name }) => name);

describe("constraints that come and go", () => {
  it("give the pose of a scene that has them from the start", () => {
    const posed = limber.scene(human, { constraints: feet });
    const added = posed.add(reach(-0.35));
    expect(added).toBe(2);
    const pose = human.rest();
    posed.solve(pose);
    const fresh = limber.scene(human, { constraints: [...feet, reach(-0.35)] });
    const expected = human.rest();
    fresh.solve(expected);
    expect(pose).toEqual(expected);
    expect(names(posed.report())).toEqual(names(fresh.report()));

    posed.remove(added);
    expect(posed.add(reach(-0.3))).toBe(3); // no number twice
    posed.remove(0);
    posed.solve(pose);
    expect(names(posed.report()).length).toBe(2);
    expect(posed.met).toBe(true);
    expect(() => posed.remove(0)).toThrow(/constraint 0/);
    expect(() => posed.setWeight(added, 2)).toThrow(/constraint 2/);
    expect(() => posed.add({ ...reach(0), from: "nowhere" })).toThrow(/nowhere/);
    posed.solve(pose); // what was rejected is not there
    expect(posed.met).toBe(true);
    for (const one of [posed, fresh]) one.drop();
  });

  it("count by their weight, and not while they are off", () => {
    const posed = limber.scene(human, { constraints: [...feet, reach(-0.5, 1), reach(-0.2, 1)] });
    const x = () => {
      const pose = human.rest();
      posed.solve(pose);
      return siteAt(human, "right_palm", pose)[0]!;
    };
    expect(x()).toBeCloseTo(-0.35, 3);
    posed.setWeight(2, 3);
    expect(x()).toBeCloseTo(-0.425, 3);
    posed.setWeight(2, "must");
    expect(x()).toBeCloseTo(-0.5, 6);
    posed.setEnabled(2, false);
    expect(x()).toBeCloseTo(-0.2, 3);
    expect(posed.met).toBe(true);
    posed.setEnabled(2, true);
    expect(x()).toBeCloseTo(-0.5, 6);
    expect(() => posed.setWeight(2, -1)).toThrow(/weight/);
    posed.drop();
  });
});

describe("a goal of one's own", () => {
  // The two palms and the eyes span a triangle with a right angle at the eyes: (a - c) · (b - c) = 0.
  const rightAngle = (x: Float64Array, r: Float64Array, J: Float64Array) => {
    const a = [0, 1, 2].map((k) => x[k]! - x[6 + k]!);
    const b = [0, 1, 2].map((k) => x[3 + k]! - x[6 + k]!);
    for (let k = 0; k < 3; ++k) {
      r[0]! += a[k]! * b[k]!;
      J[k] = b[k]!;
      J[3 + k] = a[k]!;
      J[6 + k] = -a[k]! - b[k]!;
    }
  };

  it("is met over three points, and forgotten with its constraint", () => {
    const posed = limber.scene(human, { constraints: feet });
    const points = ["left_palm", "right_palm", "eyes"];
    const own = posed.addGoal({ points, rows: 1, evaluate: rightAngle, weight: "must", name: "right angle" });
    const pose = human.rest();
    posed.solve(pose);
    expect(posed.met).toBe(true);
    expect(names(posed.report()).at(-1)).toBe("right angle");
    const [a, b, c] = points.map((name) => siteAt(human, name, pose)) as [Vec3, Vec3, Vec3];
    expect([0, 1, 2].reduce((sum, k) => sum + (a[k]! - c[k]!) * (b[k]! - c[k]!), 0)).toBeCloseTo(0, 6);
    posed.remove(own);
    posed.solve(pose);
    expect(names(posed.report())).not.toContain("right angle");
    posed.drop();
  });

  it("may use the centre of mass, and its error comes out of the solve", () => {
    const posed = limber.scene(human, { constraints: feet });
    let throwing = false;
    posed.addGoal({
      points: ["mass_centre"],
      rows: 1,
      evaluate: (x, r, J) => {
        if (throwing) throw new Error("a bug of the goal");
        r[0] = x[1]! - 0.8;
        J[1] = 1;
      },
    });
    const pose = human.rest();
    posed.solve(pose);
    expect(posed.met).toBe(true);
    expect(human.massCentre(pose)[1]).toBeCloseTo(0.8, 4);
    const before = Float64Array.from(pose);
    throwing = true;
    expect(() => posed.solve(pose)).toThrow("a bug of the goal");
    expect(pose).toEqual(before);
    throwing = false;
    posed.solve(pose); // the module still works
    expect(posed.met).toBe(true);
    expect(() => posed.addGoal({ points: [], rows: 1, evaluate: () => {} })).toThrow();
    expect(() => posed.addGoal({ points: ["nose"], rows: 1, evaluate: () => {} })).toThrow(/nose/);
    posed.drop();
  });
});

describe("the Jacobian", () => {
  it("is the derivative of the residuals, with its singular values", () => {
    const goal: Vec3 = [-0.3, 1.1, 0.4];
    const posed = limber.scene(human, { constraints: [{ handle: "right_palm", goal: { position: goal }, weight: 4 }] });
    const pose = human.bounded(human.rest().map((value, j) => value + 0.05 * Math.sin(j)));
    const { constraints, parameters, rows, singular_values: sigma, rank, condition } = posed.jacobian(pose);
    expect(constraints).toEqual([0, 0, 0]);
    expect(rows.length).toBe(3);
    const h = 1e-6;
    parameters.forEach((j, column) => {
      const at = (step: number) => {
        const moved = Float64Array.from(pose);
        moved[j]! += step;
        return siteAt(human, "right_palm", moved);
      };
      const [up, down] = [at(h), at(-h)];
      for (let row = 0; row < 3; ++row) expect(rows[row]![column]).toBeCloseTo((up[row]! - down[row]!) / (2 * h), 6);
    });
    expect([rank, sigma.length]).toEqual([3, 3]);
    expect(condition).toBeCloseTo(sigma[0]! / sigma[2]!, 9);
    posed.drop();
  });
});

describe("another root", () => {
  it("keeps every segment where it is, in poses, scenes and motions", () => {
    const hung = human.hungFrom("left_foot");
    const next = random(5);
    const pose = human.bounded(human.rest().map((value) => value + 0.4 * (next() - 0.5)));
    const same = human.placedAs(pose, hung);
    for (const site of ["right_palm", "eyes", "left_foot", "right_foot"])
      expect(distance(siteAt(hung, site, same), siteAt(human, site, pose))).toBeLessThan(1e-9);
    const root = hung.info.root;
    expect(root.length).toBe(6);
    // A scene that names this root is posed on the figure: the foot stays where its own degrees of freedom put it.
    const posed = limber.scene(hung, {
      root: "left_foot",
      constraints: [reach(-0.35)],
      rigidity: Object.fromEntries(root.map((j) => [hung.info.parameters[j]!.name, 1])),
    });
    const answer = Float64Array.from(same);
    posed.solve(answer);
    expect(posed.met).toBe(true);
    expect(distance(siteAt(hung, "left_foot", answer), siteAt(human, "left_foot", pose))).toBeLessThan(1e-12);
    const clip = limber.clip(human, 0.1, [...human.rest(), ...pose]);
    const placed = clip.placedAs(hung);
    expect(placed.frames).toBe(2);
    expect(distance(siteAt(hung, "eyes", placed.poses().subarray(hung.parameters)), siteAt(human, "eyes", pose))).toBeLessThan(
      1e-9,
    );
    const other = limber.figure({ simple_human: {} });
    expect(() => clip.placedAs(other)).toThrow(/segments/);
    expect(() => human.placedAs(pose, other)).toThrow(/segments/);
    expect(() => human.hungFrom("nowhere")).toThrow(/nowhere/);
    for (const one of [other, placed, clip, posed, hung]) one.drop();
  });
});

describe("a recording", () => {
  it("gives the limits of its joints", () => {
    limber.giveFile("walk.bvh", file("data/bvh/cmu_02_01.bvh"));
    const content = limber.read("walk.bvh");
    const walker = content.figure();
    const walk = content.clip(walker);
    const limited = walker.limitsFrom([walk], { margin: 0.1 });
    const narrower = walker.limitsFrom([walk], { margin: 0, outliers: 0.05 });
    const inside = (figure: typeof walker) => {
      let out = 0;
      for (let k = 0; k < walk.frames; ++k) {
        const pose = walk.poses().subarray(k * walker.parameters, (k + 1) * walker.parameters);
        out = Math.max(out, largestDifference(figure.bounded(pose), pose));
      }
      return out;
    };
    expect(inside(limited)).toBe(0);
    expect(inside(narrower)).toBeGreaterThan(0.001);
    expect(limited.info.parameters.filter(({ lower }) => lower !== null).length).toBeGreaterThan(30);
    const foreign = limber.clip(human, 0.1, [...human.rest()]);
    expect(() => walker.limitsFrom([foreign])).toThrow(/another figure/);
    expect(() => walker.limitsFrom([])).toThrow();
    for (const one of [foreign, limited, narrower, walk, walker, content]) one.drop();
    limber.forgetFiles();
  });

  it("of markers is followed, also where some are not seen", () => {
    // Markers at sites of the figure, in a motion of it.
    const places = ["left_palm", "right_palm", "left_foot", "right_foot", "eyes", "left_knee", "right_knee", "sternum"];
    const up = human.rest();
    const turn = human.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
    const poses = Array.from({ length: 8 }, (_, k) => Float64Array.from(up, (value, j) => value + (j === turn ? 0.1 * k : 0)));
    const rows = poses.map((pose, k) =>
      [
        k + 1,
        (k / 50).toFixed(4),
        ...places.flatMap((place, p) => (k === 3 && p === 0 ? ["", "", ""] : siteAt(human, place, pose))),
      ].join("\t"),
    );
    const trc = [
      "PathFileType\t4\t(X/Y/Z)\tmade.trc",
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
      `50\t50\t${rows.length}\t${places.length + 1}\tm\t50\t1\t${rows.length}`,
      `Frame#\tTime\t${[...places, "extra"].map((name) => `${name}\t\t`).join("\t")}`,
      `\t\t${[...places, "extra"].map((_, k) => `X${k + 1}\tY${k + 1}\tZ${k + 1}`).join("\t")}`,
      "",
      ...rows.map((row) => `${row}\t0\t1\t0`),
      "",
    ].join("\n");
    limber.giveFile("made.trc", new TextEncoder().encode(trc));
    const content = limber.read("made.trc");
    const tracker = limber.markerTracker(human, content);
    expect([tracker.frames, tracker.rate]).toEqual([8, 50]);
    const pose = human.rest();
    for (let k = 0; k < tracker.frames; ++k) {
      expect(tracker.follow(k, pose).largest).toBeLessThan(2e-3);
      expect(distance(siteAt(human, "right_palm", pose), siteAt(human, "right_palm", poses[k]!))).toBeLessThan(2e-3);
    }
    expect(() => tracker.follow(8, pose)).toThrow(/frame 8/);
    expect(() => limber.markerTracker(human, content, { markers: [{ marker: "none", place: "eyes" }] })).toThrow(/none/);
    // A marker away from its place, in the frame of that.
    const fixed = limber.markerTracker(human, content, {
      markers: [{ marker: "extra", place: "eyes", at: [0, 0.1, 0], weight: 0.1 }],
    });
    fixed.follow(0, pose);
    for (const one of [fixed, tracker, content]) one.drop();
    limber.forgetFiles();
  });
});

it("of nothing above remains in memory but the figure", () => {
  const before = limber.objects;
  const clip: Clip = limber.clip(human, 0.1, [...human.rest()]);
  clip.drop();
  expect(limber.objects).toBe(before);
  expect(before).toBe(1);
});
