// What a map of reach is asked, and a human of another stature.
import { describe, expect, it } from "vitest";
import { load, siteAt, distance } from "../../../../binding/js/test/load.js";
import { balanceAt, poseOf } from "../../src/document/balance.js";
import { sceneOf } from "../../src/document/document.js";
import {
  chainStarts,
  maxVertexAlong,
  handleOfPart,
  isAnswered,
  questionOf,
  usualHandle,
  usualStart,
  wholeBody,
  witnessPose,
} from "../../src/engine/reach_question.js";
import { groundCentre, isOtherStature, statureOf } from "../../src/document/stature.js";
import { emptyDoc, human, pinnedFrame, startDoc } from "../../src/document/start.js";
import { directionsOf, extents, levels } from "../../src/panel/reach/reach_levels.js";
import { reachColour } from "../../src/view/reach_colour.js";
import { withStature } from "../../src/command/stature_commands.js";

const limber = await load();
const figure = limber.figure({ human: {} });
const doc = startDoc(figure);
const parameter = (name: string) => figure.info.parameters.findIndex((one) => one.name === name);

describe("a question of reach", () => {
  it("begins with the right palm and its limb, and offers the chain up to the waist", () => {
    expect(usualHandle(figure)).toBe("right_palm");
    expect(chainStarts(figure, "right_palm")).toEqual(["right_wrist", "right_elbow", "right_shoulder", "spine"]);
    expect(usualStart(figure, "right_palm")).toBe("right_shoulder");
    expect(
      handleOfPart(
        figure,
        figure.info.segments.findIndex(({ name }) => name === "left_hand"),
      ),
    ).toBe("left_palm");
  });

  it("of the whole body asks for the constraints of the document, from a joint only to keep clear", () => {
    const whole = questionOf(doc, doc.pose, "right_palm", wholeBody, 0.1);
    expect(whole.scene.constraints).toEqual(sceneOf(doc).constraints);
    expect(whole.options).toEqual({ handle: "right_palm", resolution: 0.1 });
    const arm = questionOf(doc, doc.pose, "right_palm", "right_shoulder", 0.1);
    expect([arm.scene.constraints, arm.options.from]).toEqual([[], "right_shoulder"]);
    const beside = {
      ...doc,
      obstacles: [{ name: "post", ball: 0.1, p: [0, 1, 0.5] as [number, number, number] }],
      constraints: [...doc.constraints, { id: "k", keep_clear: true as const }],
    };
    expect(questionOf(beside, doc.pose, "right_palm", "right_shoulder", 0.1).scene).toMatchObject({
      obstacles: beside.obstacles,
      constraints: [{ keep_clear: true }],
    });
  });

  it("stays answered while only what reaches has moved", () => {
    const asked = questionOf(doc, doc.pose, "right_palm", "right_elbow", 0.1);
    const surface = { parameters: Int32Array.of(parameter("right_elbow.flexion")) };
    const moved = (name: string) =>
      questionOf(
        doc,
        doc.pose.map((value, k) => (k === parameter(name) ? value + 0.1 : value)),
        "right_palm",
        "right_elbow",
        0.05,
      );
    expect(isAnswered(asked, moved("right_elbow.flexion"), surface)).toBe(true);
    expect(isAnswered(asked, moved("spine.axial"), surface)).toBe(false);
    expect(isAnswered(asked, questionOf(doc, doc.pose, "left_palm", "right_elbow", 0.1), surface)).toBe(false);
    expect(
      isAnswered(
        asked,
        questionOf({ ...doc, rigidity: { "right_elbow.flexion": 1 } }, doc.pose, "right_palm", "right_elbow", 0.1),
        surface,
      ),
    ).toBe(false);
  });

  it("has one scene as long as nothing of it changes, and knows it again where it is written anew", () => {
    const ask = (of: typeof doc, from = wholeBody) => questionOf(of, doc.pose, "right_palm", from, 0.1);
    const surface = { parameters: Int32Array.of() };
    const first = ask(doc);
    expect(ask({ ...doc, title: "other" }).scene).toBe(first.scene);
    const copied = ask({ ...doc, constraints: structuredClone(doc.constraints) });
    expect(copied.scene).not.toBe(first.scene);
    expect(isAnswered(first, copied, surface)).toBe(true);
    const wall = { name: "wall", ball: 0.1, p: [0, 1, 0.5] as [number, number, number] };
    for (const other of [
      { ...doc, constraints: doc.constraints.slice(1) },
      { ...doc, obstacles: [wall] },
      { ...doc, rigidity: { "spine.axial": 1 } },
    ])
      expect(isAnswered(first, ask(other), surface)).toBe(false);
    expect(isAnswered(first, ask(doc, "spine"), surface)).toBe(false);
    expect(isAnswered(first, ask(doc), surface)).toBe(true);
  });

  it("has a witness by vertex", () => {
    const asked = questionOf(doc, doc.pose, "right_palm", "right_elbow", 0.1);
    const surface = {
      parameters: Int32Array.of(3, 5),
      witness: Int32Array.of(1, 0),
      poses: Float64Array.of(0.1, 0.2, 0.3, 0.4),
      position: Float32Array.of(0, 1, 0, 0, -1, 2),
      normal: new Float32Array(6),
      limits: new Float32Array(2),
      comfort: new Float32Array(2),
      triangle: new Int32Array(),
    };
    expect([...witnessPose(asked, surface, 0)].map((value, k) => value - doc.pose[k]!)).toEqual(
      doc.pose.map((_, k) => (k === 3 ? 0.3 : k === 5 ? 0.4 : 0)),
    );
    expect([maxVertexAlong(surface, [0, 1, 0]), maxVertexAlong(surface, [0, -1, 0]), maxVertexAlong(surface, [0, 0, 1])]).toEqual(
      [0, 1, 1],
    );
  });

  it("is answered coarsely first", () => {
    expect([levels(5, "right_shoulder"), levels(10, "spine"), levels(2, wholeBody), levels(10, wholeBody)]).toEqual([
      [10, 5],
      [10],
      [20, 10, 2],
      [20, 10],
    ]);
  });

  it("is measured from the heading of a standing human, and along the world's axes for all others", () => {
    const posed = (angles: Record<string, number>) =>
      Float64Array.from(figure.rest(), (value, k) => angles[figure.info.parameters[k]!.name] ?? value);
    const surface = { position: Float32Array.of(0.4, 0.2, 0, -0.9, 1, 0, 0, 2.1, -0.3, 0, 1, 0.6) };
    const from: [number, number, number] = [-0.2, 1.4, 0];
    const directions = (pose: Float64Array, isHuman = true) =>
      extents(surface, from, directionsOf(figure, pose, isHuman)).map(({ title, metres, vertex }) => [
        title,
        Number(metres.toFixed(6)),
        vertex,
      ]);
    expect(directions(figure.rest())).toEqual([
      ["Forward", 0.6, 3],
      ["Up, from the ground", 2.1, 2],
      ["To its right", 0.7, 1],
      ["To its left", 0.6, 0],
    ]);
    // Turned by a quarter to its left it looks along x; bent it has the same heading.
    const turns = figure.info.root
      .map((k) => figure.info.parameters[k]!)
      .filter(({ metres }) => !metres)
      .map(({ name }) => name);
    const facing = (pose: Float64Array) => [...figure.place(pose).subarray(6, 9)];
    const turn = turns.find((name) => facing(posed({ [name]: Math.PI / 2 }))[0]! > 0.99)!;
    const bend = turns.find((name) => facing(posed({ [name]: 0.5 }))[1]! < -0.4)!;
    for (const angles of [{ [turn]: Math.PI / 2 }, { [turn]: Math.PI / 2, "root.x": 3, "root.z": -2 }])
      expect(directions(posed(angles))).toEqual([
        ["Forward", 0.6, 0],
        ["Up, from the ground", 2.1, 2],
        ["To its right", 0.6, 3],
        ["To its left", 0.3, 2],
      ]);
    expect(directions(posed({ [bend]: 0.5 }))).toEqual(directions(figure.rest()));
    const ofWorld = [
      ["Along z", 0.6, 3],
      ["Against z", 0.3, 2],
      ["Up, from the ground", 2.1, 2],
      ["Along x", 0.6, 0],
      ["Against x", 0.7, 1],
    ];
    expect(directions(posed({ [bend]: 1.5 }))).toEqual(ofWorld);
    expect(directions(figure.rest(), false)).toEqual(ofWorld);
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
    const pose = doc.pose.map((value, k) =>
      figure.info.parameters[k]!.name === "root.y" ? -0.05 : figure.info.parameters[k]!.name === "root.x" ? 0.3 : value,
    );
    const cup = { id: "cup", handle: { point: "right_palm" }, goal: { position: [0, 1, 0.4] as [number, number, number] } };
    const tall = withStature(
      { ...doc, pose, keys: [{ time: 0, pose }], constraints: [...doc.constraints, cup] },
      figure,
      1.9,
      1.9 / before,
    );
    expect(statureOf(tall, statures)).toBe(1.9);
    expect(tall.constraints.at(-1)).toEqual(cup);
    const other = limber.figure(tall.figure);
    const feet = ["left_foot", "right_foot"].map((foot) => siteAt(figure, foot, pose));
    const centre = [0, 1, 2].map((k) => (k === 1 ? 0 : (feet[0]![k]! + feet[1]![k]!) / 2));
    expect(distance(groundCentre(figure, pose), centre)).toBeLessThan(1e-12);
    expect(centre[0]).toBeCloseTo(0.3, 9);
    for (const place of ["left_foot", "right_palm", "head_top"]) {
      const [was, is] = [siteAt(figure, place, pose), siteAt(other, place, tall.pose)];
      expect(
        distance(
          was.map((x, k) => centre[k]! + ((x - centre[k]!) * 1.9) / before),
          is,
        ),
      ).toBeLessThan(1e-9);
    }
    expect(tall.keys[0]!.pose).toEqual(tall.pose);
    const rest = withStature(doc, figure, 1.9, 1.9 / before);
    const posed = limber.scene(other, sceneOf(rest));
    posed.solve(Float64Array.from(rest.pose), { iterations: 0, restarts: 0 });
    for (const { metres = 0, radians = 0 } of posed.report().constraints) expect(Math.max(metres, radians)).toBeLessThan(1e-6);
    expect(statureOf({ figure: { simple_human: {} } }, statures)).toBe(undefined);
    expect(emptyDoc(human, []).figure).toEqual({ human: {} });
  });

  it("stays where it stands, with its pins and its balance; one that cannot be moved grows from the origin", () => {
    const ratio = 1.9 / 1.741;
    const away = (pose: ArrayLike<number>) =>
      Array.from(
        pose,
        (value, k) =>
          value + (figure.info.parameters[k]!.name === "root.x" ? 2 : figure.info.parameters[k]!.name === "root.z" ? -3 : 0),
      );
    const pose = away(doc.pose);
    const pins = ["left_foot", "right_foot"].map((foot) => pinnedFrame(figure, foot, pose, foot));
    const balance = { ...balanceAt(figure, ["left_foot", "right_foot"], pose), id: "balance" };
    const partly = { ...balance, id: "partly", standing: { "root.x": 2 } };
    const first = { ...doc, pose, keys: [{ time: 0, pose: away(pose) }], constraints: [...pins, balance, partly] };
    const tall = withStature(first, figure, 1.9, ratio);
    const other = limber.figure(tall.figure);
    const [was, is] = [groundCentre(figure, pose), groundCentre(other, tall.pose)];
    expect(distance(was, is)).toBeLessThan(1e-9);
    expect(was[0]).toBeCloseTo(2, 9);
    const { pose: _pose, ...scene } = sceneOf({ ...tall, constraints: tall.constraints.slice(0, 2) });
    const posed = limber.scene(other, scene);
    posed.solve(Float64Array.from(tall.pose), { iterations: 0, restarts: 0 });
    for (const { metres = 0, radians = 0 } of posed.report().constraints) expect(Math.max(metres, radians)).toBeLessThan(1e-6);
    poseOf(other, tall.constraints[2]!.standing!).forEach((value, k) => expect(value).toBeCloseTo(tall.pose[k]!, 9));
    // What does not say where it is, is at 0, and goes along from there.
    expect(tall.constraints[3]!.standing!["root.x"]).toBeCloseTo(tall.pose[parameter("root.x")]!, 9);
    expect(tall.constraints[3]!.standing!["root.z"]).toBeCloseTo((1 - ratio) * was[2], 9);
    // Another pose of a motion keeps its way from there, so many times as long.
    const key = groundCentre(other, tall.keys[0]!.pose);
    expect(distance(key, [was[0] + 2 * ratio, 0, was[2] - 3 * ratio])).toBeLessThan(1e-9);
    const fixed = limber.figure({ human: { root: "fixed" } });
    expect(groundCentre(fixed, fixed.rest())).toEqual([0, 0, 0]);
  });

  it("is distinguished from another human and from another document", () => {
    const files = {};
    const of = (one: Record<string, unknown>, own = files) => ({ figure: { human: one }, files: own });
    expect(isOtherStature(of({}), of({ stature: 1.9 }))).toBe(true);
    expect(isOtherStature(of({ stature: 1.9, sex: "male" }), of({ sex: "male", stature: 1.6 }))).toBe(true);
    expect(isOtherStature(of({ sex: "male" }), of({ sex: "female", stature: 1.6 }))).toBe(false);
    expect(isOtherStature(of({ stature: 1.9 }), of({ stature: 1.9 }))).toBe(false);
    expect(isOtherStature(of({}), of({ stature: 1.9 }, {}))).toBe(false);
    expect(isOtherStature({ figure: { simple_human: {} }, files }, of({ stature: 1.9 }))).toBe(false);
  });
});
