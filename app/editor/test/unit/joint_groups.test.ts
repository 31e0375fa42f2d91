// Parameters are grouped as the figure is.
import { readFileSync } from "node:fs";
import { loadLimber, type FigureInfo, type Limber } from "limber";
import { beforeAll, describe, expect, it } from "vitest";
import { grouped, parametersOf, segmentTurnedBy } from "../../src/document/joint_groups.js";

let limber: Limber;
let info: FigureInfo;

beforeAll(async () => {
  limber = await loadLimber(readFileSync(new URL("../../../../build/wasm/limber.wasm", import.meta.url)));
  info = limber.figure({ human: {} }).info;
});

const segment = (name: string) => info.segments.findIndex((one) => one.name === name);
const names = (parameters: readonly number[]) => parameters.map((k) => info.parameters[k]!.name);

describe("groups of parameters", () => {
  it("hold every parameter once, in their order", () => {
    const all = grouped(info).flatMap(({ parameters }) => parameters);
    expect(all).toEqual(info.parameters.map((_, k) => k));
  });

  it("are the figure's own where it has some, else joints", () => {
    const groups = new Map(grouped(info).map(({ name, parameters }) => [name, names(parameters)]));
    expect(groups.get("spine")).toEqual(["spine.forward", "spine.lateral", "spine.axial"]);
    expect(groups.get("left_elbow")).toEqual(["left_elbow.flexion"]);
    expect(groups.has("L5")).toBe(false);
  });

  it("are joints throughout for a figure without groups", () => {
    const { info: plain } = limber.figure({ human: { spine: "independent" } });
    expect(grouped(plain).map(({ name }) => name)).toContain("L5");
  });
});

describe("the parameters of a segment", () => {
  it("are those of its joint", () =>
    expect(names(parametersOf(info, segment("right_forearm")))).toEqual(["right_elbow.flexion"]));
  it("are a group's for a segment in it", () =>
    expect(names(parametersOf(info, segment("T7")))).toEqual(["spine.forward", "spine.lateral", "spine.axial"]));
  it("are those of the one it is fixed to, where it cannot turn itself", () =>
    expect(names(parametersOf(info, segment("waist")))).toContain("root.y"));
  it("turn it", () => {
    info.parameters.forEach((_, k) => expect(parametersOf(info, segmentTurnedBy(info, k))).toContain(k));
  });
});
