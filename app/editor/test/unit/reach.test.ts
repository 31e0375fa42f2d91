// What a map of reach is asked, and a human of another stature.
import { describe, expect, it } from "vitest";
import { load, siteAt, distance } from "../../../../binding/js/test/load.js";
import { sceneOf } from "../../src/document/document.js";
import { chainStarts, farthestVertex, handleOfPart, isAnswered, questionOf, usualHandle, usualStart, wholeBody, witnessPose } from "../../src/document/reach_question.js";
import { statureOf, withStature } from "../../src/document/stature.js";
import { emptyDoc, human, startDoc } from "../../src/document/start.js";
import { extents, levels } from "../../src/panel/reach_levels.js";
import { reachColour } from "../../src/view/reach_colour.js";

const limber = await load();
const figure = limber.figure({ human: {} });
const doc = startDoc(figure);
const parameter = (name: string) => figure.info.parameters.findIndex((one) => one.name === name);

describe("a question of reach", () => {
  it("begins with the right palm and its limb, and offers the chain up to the waist", () => {
    expect(usualHandle(figure)).toBe("right_palm");
    expect(chainStarts(figure, "right_palm")).toEqual(["right_wrist", "right_elbow", "right_shoulder", "spine"]);
    expect(usualStart(figure, "right_palm")).toBe("right_shoulder");
    expect(handleOfPart(figure, figure.info.segments.findIndex(({ name }) => name === "left_hand"))).toBe("left_palm");
  });

  it("of the whole body asks for the constraints of the document, from a joint only to keep clear", () => {
    const whole = questionOf(doc, doc.pose, "right_palm", wholeBody, 0.1);
    expect(whole.scene.constraints).toEqual(sceneOf(doc).constraints);
    expect(whole.options).toEqual({ handle: "right_palm", resolution: 0.1 });
    const arm = questionOf(doc, doc.pose, "right_palm", "right_shoulder", 0.1);
    expect([arm.scene.constraints, arm.options.from]).toEqual([[], "right_shoulder"]);
    const beside = { ...doc, obstacles: [{ name: "post", ball: 0.1, p: [0, 1, 0.5] as [number, number, number] }], constraints: [...doc.constraints, { id: "k", keep_clear: true as const }] };
    expect(questionOf(beside, doc.pose, "right_palm", "right_shoulder", 0.1).scene).toMatchObject({ obstacles: beside.obstacles, constraints: [{ keep_clear: true }] });
  });

  it("stays answered while only what reaches has moved", () => {
    const asked = questionOf(doc, doc.pose, "right_palm", "right_elbow", 0.1);
    const surface = { parameters: Int32Array.of(parameter("right_elbow.flexion")) };
    const moved = (name: string) => questionOf(doc, doc.pose.map((value, k) => (k === parameter(name) ? value + 0.1 : value)), "right_palm", "right_elbow", 0.05);
    expect(isAnswered(asked, moved("right_elbow.flexion"), surface)).toBe(true);
    expect(isAnswered(asked, moved("spine.axial"), surface)).toBe(false);
    expect(isAnswered(asked, questionOf(doc, doc.pose, "left_palm", "right_elbow", 0.1), surface)).toBe(false);
    expect(isAnswered(asked, questionOf({ ...doc, rigidity: { "right_elbow.flexion": 1 } }, doc.pose, "right_palm", "right_elbow", 0.1), surface)).toBe(false);
  });

  it("has a witness by vertex", () => {
    const asked = questionOf(doc, doc.pose, "right_palm", "right_elbow", 0.1);
    const surface = { parameters: Int32Array.of(3, 5), witness: Int32Array.of(1, 0), poses: Float64Array.of(0.1, 0.2, 0.3, 0.4), position: Float32Array.of(0, 1, 0, 0, -1, 2), normal: new Float32Array(6), limits: new Float32Array(2), comfort: new Float32Array(2), triangle: new Int32Array() };
    expect([...witnessPose(asked, surface, 0)].map((value, k) => value - doc.pose[k]!)).toEqual(doc.pose.map((_, k) => (k === 3 ? 0.3 : k === 5 ? 0.4 : 0)));
    expect([farthestVertex(surface, 1, 1), farthestVertex(surface, 1, -1), farthestVertex(surface, 2, 1)]).toEqual([0, 1, 1]);
  });

  it("is answered coarsely first", () => {
    expect([levels(5, "right_shoulder"), levels(10, "spine"), levels(2, wholeBody), levels(10, wholeBody)]).toEqual([[10, 5], [10], [20, 10, 2], [20, 10]]);
    const far = extents({ least_m: [-0.9, 0.2, -0.3], most_m: [0.4, 2.1, 0.6], from_m: [-0.2, 1.4, 0] });
    expect(far.map(({ metres }) => Number(metres.toFixed(6)))).toEqual([0.6, 2.1, 0.7, 0.6]);
  });

  it("is coloured from red over yellow to green", () => {
    expect(reachColour(0)).toEqual([0.84, 0.19, 0.15]);
    expect(reachColour(0.5)).toEqual([0.99, 0.85, 0.45]);
    expect(reachColour(7)).toEqual([0.1, 0.6, 0.31]);
  });
});

describe("a human of another stature", () => {
  it("stands in the same pose on the same ground, its pins met", () => {
    const { statures } = limber;
    const before = statureOf(doc, statures)!;
    expect(before).toBeCloseTo(1.741, 9);
    const pose = doc.pose.map((value, k) => (figure.info.parameters[k]!.name === "root.y" ? -0.05 : figure.info.parameters[k]!.name === "root.x" ? 0.3 : value));
    const cup = { id: "cup", handle: { point: "right_palm" }, goal: { position: [0, 1, 0.4] as [number, number, number] } };
    const tall = withStature({ ...doc, pose, keys: [{ time: 0, pose }], constraints: [...doc.constraints, cup] }, figure, 1.9, 1.9 / before);
    expect(statureOf(tall, statures)).toBe(1.9);
    expect(tall.constraints.at(-1)).toEqual(cup);
    const other = limber.figure(tall.figure);
    for (const place of ["left_foot", "right_palm", "head_top"]) {
      const [was, is] = [siteAt(figure, place, pose), siteAt(other, place, tall.pose)];
      expect(distance(was.map((x) => (x * 1.9) / before), is)).toBeLessThan(1e-9);
    }
    expect(tall.keys[0]!.pose).toEqual(tall.pose);
    const rest = withStature(doc, figure, 1.9, 1.9 / before);
    const posing = limber.posing(other, sceneOf(rest));
    posing.solve(Float64Array.from(rest.pose), { iterations: 0, restarts: 0 });
    for (const { metres = 0, radians = 0 } of posing.report().constraints) expect(Math.max(metres, radians)).toBeLessThan(1e-6);
    expect(statureOf({ figure: { simple_human: {} } }, statures)).toBe(undefined);
    expect(emptyDoc(human, []).figure).toEqual({ human: {} });
  });
});
