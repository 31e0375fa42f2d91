// Maps of reach, wave by wave. The native numbers below are those that `limber reach … --json` prints for the same map.
import { describe, expect, it } from "vitest";
import { Rejection } from "../src/index.js";
import { distance, load, siteAt } from "./load.js";

const limber = await load();
const asked = { handle: "right_palm", from: "right_shoulder", resolution: 0.2 };
// limber reach human --handle right_palm --from right_shoulder --resolution 20cm --json
const native = {
  cells: { all: 1331, reached: 112, not_reached: 1219, of_these_proved: 1069, undecided: 0 },
  litres: 709.609216162879,
  front: 0.6512283864498934,
  held: "right_elbow.flexion lower limit",
  parameter: "right_elbow.flexion",
};

describe("a map of reach", () => {
  const figure = limber.figure({ human: {} });
  const reach = limber.reach(figure, {}, figure.rest(), asked);
  let waves = 1;
  while (!reach.go()) ++waves;
  const surface = reach.surface();
  const numbers = reach.numbers();

  it("is that of the tool, number by number", () => {
    expect(waves).toBeGreaterThan(2);
    expect(numbers.finished).toBe(true);
    expect(numbers.cells).toEqual(native.cells);
    // Rounding differs, and grows to a part of the map's tolerance of 2 mm.
    expect(numbers.litres).toBeCloseTo(native.litres, 2);
    expect(numbers.farthest_m["back"]).toBe(null);
    expect(numbers.farthest_m["front"]).toBeCloseTo(native.front, 4);
    expect(numbers.held_back_by[0]!.limit).toBe(native.held);
    expect(figure.info.parameters[numbers.held_back_by[0]!.parameter]!.name).toBe(native.parameter);
  });

  it("has a surface without holes, and within it the litres that it says", () => {
    const edges = new Map<string, number>();
    let six = 0;
    const p = (v: number) => surface.position.subarray(3 * v, 3 * v + 3) as unknown as [number, number, number];
    for (let t = 0; t < surface.triangle.length; t += 3) {
      const [a, b, c] = [...surface.triangle.subarray(t, t + 3)] as [number, number, number];
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ])
        edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
      const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [p(a), p(b), p(c)];
      six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    for (const [edge, count] of edges) expect([count, edges.get(edge.split(" ").reverse().join(" "))]).toEqual([1, 1]);
    expect((1000 * six) / 6).toBeCloseTo(numbers.litres, 2);
  });

  it("has a pose within all limits for every vertex, which has the place beside it", () => {
    const { parameters, poses, witness, position } = surface;
    for (let v = 0; v < witness.length; ++v) {
      const pose = figure.rest();
      parameters.forEach((parameter, k) => (pose[parameter] = poses[witness[v]! * parameters.length + k]!));
      expect(distance(siteAt(figure, "right_palm", pose), position.subarray(3 * v))).toBeLessThan(Math.sqrt(3) * 0.2 + 0.002);
      figure.info.parameters.forEach(({ lower, upper }, k) =>
        expect(pose[k]! >= (lower ?? -Infinity) && pose[k]! <= (upper ?? Infinity)).toBe(true),
      );
    }
    for (const values of [surface.limits, surface.comfort])
      for (const value of values) expect(value >= 0 && value <= 1).toBe(true);
  });

  it("is written as a file", () => {
    expect(new TextDecoder().decode(reach.file("reach.ply").subarray(0, 3))).toBe("ply");
    expect(new TextDecoder().decode(reach.file("reach.glb", "comfort").subarray(0, 4))).toBe("glTF");
    expect(() => reach.file("reach.xyz")).toThrow(Rejection);
  });

  it("knows of a region, and rejects what nothing holds", () => {
    const half = limber.reach(figure, {}, figure.rest(), { ...asked, region: { least: [-1, 0, 0], most: [1, 2, 1] } });
    expect(half.progress()).toEqual({ cells: 0, open: 0, solves: 0 });
    while (!half.go(5));
    expect(half.numbers().min_m[2]).toBeGreaterThan(-0.4);
    expect(half.progress().solves).toBe(half.numbers().solves);
    half.drop();
    const loose = limber.reach(figure, {}, figure.rest(), { handle: "right_palm", resolution: 0.1 });
    expect(() => loose.go()).toThrow("nothing fixes in space");
    loose.drop();
    expect(() => limber.reach(figure, {}, figure.rest(), { handle: "nowhere" })).toThrow(Rejection);
    expect(() => limber.reach(figure, {}, [], asked)).toThrow(RangeError);
  });
});

it("statures go with percentiles", () => {
  const { statures } = limber;
  expect([5, 50, 95].map((percentile) => statures.at("male", percentile))).toEqual(
    [1.625, 1.74, 1.855].map((value) => expect.closeTo(value, 9)),
  );
  expect(statures.percentile("female", 1.61)).toBeCloseTo(50, 9);
  const figure = limber.figure({ human: { stature: statures.usual("male") } });
  const usual = limber.figure({ human: {} });
  expect(figure.info.length).toBe(usual.info.length);
});
