// Comfort and load without a browser: the document, the words, the colours.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { loadLimber, type Assessment, type Figure, type Limber } from "limber";
import { addLoad, changeLoad, removeLoad, setAssess } from "../../src/command/assess_commands.js";
import { setFigure } from "../../src/command/commands.js";
import { readDocument, writeDocument } from "../../src/document/save.js";
import { emptyDoc, startDoc } from "../../src/document/start.js";
import { docOfFragment, fragmentOf } from "../../src/file/link.js";
import { carriersOf, firstCarrier } from "../../src/panel/assess/assess_loads.js";
import {
  asOnePiece,
  nameOfFreedom,
  placesText,
  scoreLines,
  segmentOfFreedom,
  worstJoints,
} from "../../src/panel/assess/assess_text.js";
import { cssColour, heatColour, heatOf } from "../../src/view/heat.js";
import { assessOptionsOf, loadsOf, percentileOf, sexOf } from "../../src/document/assess.js";

let limber: Limber;
let figure: Figure;
const load = { at: ["right_palm"], kg: 4 };

beforeAll(async () => {
  limber = await loadLimber(WebAssembly.compile(readFileSync(new URL("../../../../build/wasm/limber.wasm", import.meta.url))));
  figure = limber.figure({ human: {} });
});

const posed = (degrees: Record<string, number>) => {
  const pose = figure.rest();
  for (const [name, angle] of Object.entries(degrees))
    pose[figure.info.parameters.findIndex((one) => one.name === name)] = (angle * Math.PI) / 180;
  return pose;
};
const segment = (name: string) => figure.info.segments.findIndex((one) => one.name === name);

describe("loads of a document", () => {
  it("are added, changed and removed; a document without any is what it was", () => {
    const doc = startDoc(figure);
    const one = addLoad(doc, load);
    const two = addLoad(one, { at: ["left_palm", "right_palm"], kg: 10 });
    expect(loadsOf(changeLoad(two, 0, { kg: 6 }))).toEqual([
      { at: ["right_palm"], kg: 6 },
      { at: ["left_palm", "right_palm"], kg: 10 },
    ]);
    expect(loadsOf(doc)).toEqual([]);
    expect(removeLoad(removeLoad(two, 1), 0)).toEqual(doc);
    expect(setAssess(setAssess(doc, { sitting: true }), { sitting: false })).toEqual(doc);
    expect("assess" in removeLoad(one, 0)).toBe(false);
  });

  it("go into the file and the link, and come back", async () => {
    const doc = setAssess(addLoad(startDoc(figure), load), { sex: "female", percentile: 20, sitting: true });
    expect(readDocument(writeDocument(doc))).toEqual(doc);
    expect(await docOfFragment(await fragmentOf(doc))).toEqual(doc);
    expect(assessOptionsOf(doc)).toEqual({ loads: [load], sex: "female", percentile: 20, sitting: true });
  });

  it("that are wrong in a file are rejected by name", () => {
    const text = (assess: unknown) => JSON.stringify({ ...JSON.parse(writeDocument(startDoc(figure))), assess });
    expect(() => readDocument(text(undefined))).not.toThrow();
    for (const wrong of [
      3,
      null,
      { loads: 1 },
      { loads: [{ at: [], kg: 1 }] },
      { loads: [{ at: ["x"], kg: -1 }] },
      { loads: [{ at: "x", kg: 1 }] },
      { loads: [null] },
      { sex: "x" },
      { percentile: 99 },
      { sitting: 1 },
    ])
      expect(() => readDocument(text(wrong)), JSON.stringify(wrong)).toThrow("/assess");
  });

  it("are of the figure, and go with it; strength is its own unless said otherwise", () => {
    const doc = addLoad(startDoc(figure), load);
    expect("assess" in setFigure(doc, { simple_human: {} }, {}, [])).toBe(false);
    const woman = emptyDoc({ human: { sex: "female" } }, []);
    expect([sexOf(doc), sexOf(woman), sexOf(setAssess(woman, { sex: "male" })), percentileOf(doc)]).toEqual([
      "male",
      "female",
      "male",
      50,
    ]);
  });

  it("begin in both hands, or at the last site of a figure without any", () => {
    expect(carriersOf(figure.info).hands).toEqual([["left_palm", "right_palm"], ["left_palm"], ["right_palm"]]);
    expect(carriersOf(figure.info).others).toContainEqual(["head"]);
    expect(firstCarrier(figure.info)).toEqual(["left_palm", "right_palm"]);
    const arm = limber.figure(
      (
        JSON.parse(readFileSync(new URL("../../../../example/scene/arm.json", import.meta.url), "utf8")) as {
          figure: Record<string, unknown>;
        }
      ).figure,
    );
    expect([carriersOf(arm.info).hands, firstCarrier(arm.info)]).toEqual([[], ["tip"]]);
    expect(arm.assess(arm.rest(), { loads: [{ at: firstCarrier(arm.info), kg: 1 }] }).load_kg).toBe(1);
    arm.drop();
  });

  it("hang at every place that is offered", () => {
    const { hands, others } = carriersOf(figure.info);
    for (const at of [...hands, ...others])
      expect(figure.assess(figure.rest(), { loads: [{ at, kg: 1 }] }).load_kg, at.join()).toBe(1);
  });
});

describe("what is said", () => {
  it("names the worst joints by what is asked for, the worst first", () => {
    const found = figure.assess(posed({ "right_shoulder.elevation": 120, "left_elbow.flexion": 90 }), {
      loads: [{ at: ["left_palm"], kg: 15 }],
    });
    const names = (by: "none" | "comfort" | "load") => worstJoints(found, by).map(({ name }) => name);
    expect(names("comfort")[0]).toBe("right_shoulder.elevation");
    const shares = worstJoints(found, "load").map(({ share }) => share!);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares[0]).toBe(found.first!.share);
    expect(names("load")).not.toEqual(names("comfort"));
    expect(worstJoints(figure.assess(figure.rest()), "comfort")).toEqual([]);
    const [worst] = worstJoints(found, "load");
    expect(figure.info.segments[segmentOfFreedom(figure.info, worst!.freedom)]!.freedoms[0]).toBeLessThanOrEqual(worst!.freedom);
    expect(nameOfFreedom(figure.info, found.first!.freedom, found.first!.parameter)).toBe(worst!.name.replaceAll(/[_.]/g, " "));
  });

  it("joins sides that are equal", () => {
    const score = (n: number) => ({
      rula: { score: n, action_level: 2, meaning: "look" },
      reba: { score: 1, action_level: 0, meaning: "none" },
    });
    const said = (left: number, right: number) =>
      scoreLines({ left: score(left), right: score(right) } as Assessment).map((one) => `${one.method} ${one.side} ${one.score}`);
    expect(said(3, 3)).toEqual(["RULA both sides 3", "REBA both sides 1"]);
    expect(said(3, 4)).toEqual(["RULA left 3", "RULA right 4", "REBA both sides 1"]);
    expect(scoreLines({} as Assessment)).toEqual([]);
  });

  it("names places as people do", () => {
    expect(placesText(["left_palm", "right_palm"])).toBe("both palms");
    expect(placesText(["right_palm"])).toBe("right palm");
    expect(placesText(["left_palm", "head"])).toBe("left palm and head");
  });
});

describe("colours", () => {
  it("go from green over yellow to red, dark beyond, grey for none; no two values look the same", () => {
    expect([0, 0.5, 1, 2, 9, -1, NaN].map(cssColour)).toEqual([
      "#76be7a",
      "#f3d25c",
      "#db4437",
      "#7a1030",
      "#7a1030",
      "#969ba2",
      "#969ba2",
    ]);
    expect(heatColour(null)).toBe(heatColour(-1));
    const steps = Array.from({ length: 41 }, (_, k) => heatColour(k / 20));
    expect(new Set(steps).size).toBe(steps.length);
    expect([...heatOf([0, 1])]).toEqual([
      [0, 0x76be7a],
      [1, 0xdb4437],
    ]);
  });

  it("of what turns as one are one: the chest has that of the lowest vertebra", () => {
    const { share_by_segment: own } = figure.assess(posed({ "spine.forward": 60 }));
    const shown = asOnePiece(figure.info, own);
    const [low, high] = [segment("L5"), segment("T6")];
    expect(own[low]).toBeGreaterThan(0.1);
    expect([own[high], shown[high]]).toEqual([-1, own[low]]);
    own.forEach((value, s) => value >= 0 && expect(shown[s]).toBe(value));
    expect(shown[0]).toBe(-1); // the root turns with nothing
  });
});
