// Documents, scenes and links: what is written is read again as the same bits, and the module takes what is made of it.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { loadLimber, Rejection, type Limber } from "limber";
import type { Doc } from "../../src/document/document.js";
import { readDocument, writeDocument } from "../../src/document/save.js";
import { startDoc } from "../../src/document/start.js";
import { excerptOf } from "../../src/file/diagnostic_text.js";
import { figureAlone } from "../../src/engine/figure_alone.js";
import { byPaths, mainOf, markOf } from "../../src/file/kinds.js";
import { docOfFragment, fragmentOf } from "../../src/file/link.js";
import { rateOf } from "../../src/file/motion.js";
import { sceneOf } from "../../src/document/document.js";
import { checkDocument, docOfScene, poseOf, sceneOfDoc, valuesOf } from "../../src/engine/scene.js";

const at = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const scenes = readdirSync(at("example/scene")).filter((name) => name.endsWith(".json"));
const sceneCalled = (name: string) => readFileSync(at(`example/scene/${name}`), "utf8");

let limber: Limber;
beforeAll(async () => {
  limber = await loadLimber(readFileSync(process.env.LIMBER_WASM ?? at("build/wasm/limber.wasm")));
});

// Numbers that look like chance and are the same every time.
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomDoc(seed: number): Doc {
  const next = chance(seed);
  const numbers = (count: number) => Array.from({ length: count }, () => (next() - 0.5) * 10 ** Math.floor(20 * next() - 10));
  const span = () => ({
    from: next() < 0.5 ? -Infinity : next(),
    to: next() < 0.5 ? Infinity : 1 + next(),
    easeIn: next(),
    easeOut: 0,
  });
  const size = 1 + Math.floor(60 * next());
  return {
    title: `Été ${seed} "quoted" \u2028 unbounded`,
    figure: { human: {} },
    files: { "a b.bvh": "AAEC/w==" },
    pose: numbers(size),
    rigidity: { "spine.axial": next() },
    stiffness: { "right_elbow.flexion": 10 * next() },
    constraints: Array.from({ length: Math.floor(5 * next()) }, (_, k) => ({
      id: `c${k}`,
      handle: { point: "eyes" },
      goal: { position: numbers(3) as [number, number, number] },
      weight: next(),
      span: span(),
    })),
    obstacles: Array.from({ length: Math.floor(3 * next()) }, (_, k) => ({
      name: `box ${k}`,
      box: numbers(3) as [number, number, number],
      p: numbers(3) as [number, number, number],
      turns: [["y", next()]] as ["y", number][],
    })),
    natural: next(),
    method: "automatic",
    iterations: 12,
    keys: Array.from({ length: Math.floor(8 * next()) }, (_, k) => ({
      time: k + next(),
      pose: numbers(size),
      interpolation: "spline" as const,
    })),
    frameRate: 1 + 200 * next(),
    keep: next() < 0.5,
  };
}

describe("a document", () => {
  it("comes back to the last bit, spans without end too", () => {
    for (let seed = 1; seed <= 50; ++seed) expect(readDocument(writeDocument(randomDoc(seed)))).toStrictEqual(randomDoc(seed));
  });

  it("keeps the sign of zero and the smallest numbers", () => {
    const doc = { ...randomDoc(1), pose: [5e-324, 1.7976931348623157e308, 0.1 + 0.2] };
    expect(readDocument(writeDocument(doc)).pose).toStrictEqual(doc.pose);
  });

  it("of before there was stiffness has none", () => {
    const { stiffness: _, ...old } = JSON.parse(writeDocument(randomDoc(2))) as Record<string, unknown>;
    expect(readDocument(JSON.stringify(old))).toStrictEqual({ ...randomDoc(2), stiffness: {} });
  });

  it("of before there were obstacles has none", () => {
    const { obstacles: _, ...old } = JSON.parse(writeDocument(randomDoc(2))) as Record<string, unknown>;
    expect(readDocument(JSON.stringify(old))).toStrictEqual({ ...randomDoc(2), obstacles: [] });
    expect(() => readDocument(JSON.stringify({ ...old, obstacles: [{ box: [1, 1, 1] }] }))).toThrow(/\/obstacles/);
  });

  it("is rejected with the member that is wrong", () => {
    const text = writeDocument(randomDoc(3));
    expect(() => readDocument(text.replace(/"frameRate":[^,]*/, '"frameRate":-1'))).toThrow(/\/frameRate/);
    expect(() => readDocument(text.replace("document 1", "document 9"))).toThrow(/document 1/);
  });

  it("is rejected where the figure or a pose does not fit", () => {
    const figure = limber.figure({ human: {} });
    const doc = startDoc(figure);
    figure.drop();
    expect(() => checkDocument(limber, doc)).not.toThrow();
    expect(() => checkDocument(limber, { ...doc, pose: doc.pose.slice(1) })).toThrow(/a pose of 41 numbers/);
    expect(() => checkDocument(limber, { ...doc, figure: { humann: {} } })).toThrow(Rejection);
    expect(() =>
      checkDocument(limber, { ...doc, constraints: [{ id: "x", handle: { point: "tail" }, goal: { hold: true } }] }),
    ).toThrow(/tail/);
  });
});

describe("a scene", () => {
  it("keeps all its options, and balances over the feet of its own pose", () => {
    const options = {
      method: "newton",
      iterations: 77,
      restarts: 2,
      tolerance: 1e-6,
      met_mm: 3,
      met_degrees: 0.5,
      until_met: true,
    };
    const { methods } = limber;
    options.method = methods.find(({ name }) => name !== "automatic")!.name;
    const scene = {
      limber: "scene 1",
      figure: { human: {} },
      pose: { "root.x": 0.4 },
      constraints: [{ balance: ["left_foot", "right_foot"] }],
      options,
    };
    const doc = docOfScene(limber, "a.json", JSON.stringify(scene), {});
    expect(sceneOf(doc).options).toEqual(options);
    expect(doc.constraints[0]!.standing!["root.x"]).toBe(0.4);
    const figure = limber.figure(doc.figure);
    expect(sceneOfDoc(limber, figure, doc).options).toEqual(options);
    expect(
      sceneOfDoc(limber, figure, { ...docOfScene(limber, "a.json", JSON.stringify({ ...scene, options: {} }), {}) }).options,
    ).toBeUndefined();
    expect(readDocument(writeDocument(doc)).options).toEqual(doc.options);
    figure.drop();
  });

  it.each(scenes)("%s becomes a document that the module takes, and a scene again", (name) => {
    const doc = docOfScene(limber, name, sceneCalled(name), {});
    checkDocument(limber, doc);
    const figure = limber.figure(doc.figure);
    const again = docOfScene(limber, name, JSON.stringify(sceneOfDoc(limber, figure, doc)), {});
    expect(again.constraints).toStrictEqual(doc.constraints);
    expect(again.obstacles).toStrictEqual(doc.obstacles);
    expect(doc.obstacles).toStrictEqual((JSON.parse(sceneCalled(name)) as { obstacles?: unknown[] }).obstacles ?? []);
    expect(again.rigidity).toStrictEqual(doc.rigidity);
    expect(again.stiffness).toStrictEqual(doc.stiffness);
    again.pose.forEach((value, j) => expect(value).toBeCloseTo(doc.pose[j]!, 14));
    figure.drop();
  });

  it("means by hold the place in its own pose, which the document says in numbers", () => {
    const text = JSON.stringify({
      limber: "scene 1",
      figure: { human: {} },
      pose: { "root.y": 0.5 },
      constraints: [
        { handle: { point: "left_foot" }, goal: { hold: true } },
        { handle: "right_foot", goal: { hold: true } },
      ],
    });
    const [left, right] = docOfScene(limber, "a.json", text, {}).constraints;
    const figure = limber.figure({ human: {} });
    const rest = docOfScene(limber, "a.json", text.replace("0.5", "0"), {}).constraints[0]!.goal as { position: number[] };
    expect((left!.goal as { position: number[] }).position[1]! - rest.position[1]!).toBeCloseTo(0.5, 12);
    expect(right!.goal).toHaveProperty("placement.x");
    figure.drop();
  });

  it("is rejected with file, line and column, in its constraints and in its figure", () => {
    const rejection = (text: string) => {
      try {
        docOfScene(limber, "reach.json", text, {});
      } catch (error) {
        return error as Rejection;
      }
      throw new Error("it was taken");
    };
    const text = sceneCalled("reach.json");
    const wrong = rejection(text.replace('"handle": {"ray"', '"handel": {"ray"'));
    expect(wrong).toBeInstanceOf(Rejection);
    expect([wrong.line, wrong.column]).toStrictEqual([8, 6]);
    expect(wrong.message).toMatch(/^reach\.json:8:6: .*found the key "handel"; expected "name"/);
    expect(rejection(text.replace('"sex"', '"sx"')).message).toMatch(/^reach\.json:4:24: .*sx/);
    expect(rejection(text.slice(0, -10)).line).toBeGreaterThan(5);
    expect(rejection("{\n").line).toBeGreaterThan(0);
    expect(rejection('{"limber": "scene 1"}').message).toMatch(/figure/);
  });

  it("takes a joint with one freedom by the name of the joint", () => {
    const figure = limber.figure({ human: {} });
    const pose = poseOf(figure, { right_elbow: 30, "root.x": 0.25 });
    expect(valuesOf(figure, pose)["right_elbow.flexion"]).toBeCloseTo(30, 12);
    expect(valuesOf(figure, pose)["root.x"]).toBe(0.25);
    figure.drop();
  });

  it("leaves nothing in the memory of the module", () => {
    docOfScene(limber, "reach.json", sceneCalled("reach.json"), {});
    const before = limber.objects;
    docOfScene(limber, "reach.json", sceneCalled("reach.json"), {});
    expect(limber.objects).toBe(before);
  });
});

describe("the figure of a scene alone", () => {
  it("stands at the same place, in whatever order and layout", () => {
    for (const text of [
      sceneCalled("arm.json"),
      '{"figure":{"human":{}},"pose":{},"limber":"scene 1"}',
      '{"limber":"scene 1","figure":{"human":{"sex":"male"}}}',
    ]) {
      const alone = figureAlone(text)!;
      const { limber: mark, figure, ...others } = JSON.parse(alone) as Record<string, unknown>;
      expect(mark).toBe("figure 1");
      expect(figure).toStrictEqual((JSON.parse(text) as { figure: unknown }).figure);
      expect(others).toStrictEqual({});
      expect(alone.split("\n").length).toBe(text.split("\n").length);
    }
  });
});

describe("a link", () => {
  it("holds the document to the last bit", async () => {
    for (let seed = 1; seed <= 5; ++seed) {
      const fragment = await fragmentOf(randomDoc(seed));
      expect(fragment).toMatch(/^#d=[A-Za-z0-9_-]+$/);
      expect(await docOfFragment(fragment)).toStrictEqual(randomDoc(seed));
    }
  });

  it("that is cut is rejected, and another fragment is none", async () => {
    const fragment = await fragmentOf(randomDoc(1));
    await expect(docOfFragment(fragment.slice(0, -20))).rejects.toThrow();
    expect(await docOfFragment("#top")).toBeUndefined();
  });
});

describe("files that were dropped", () => {
  const file = (name: string, text = "") => ({ name, bytes: new TextEncoder().encode(text) });

  it("are led by the one that tells most", () => {
    expect(mainOf(limber.formats, [file("02.asf"), file("02_01.amc")])?.name).toBe("02_01.amc");
    expect(mainOf(limber.formats, [file("a.bin"), file("a.gltf"), file("a.png")])?.name).toBe("a.gltf");
    expect(mainOf(limber.formats, [file("02.asf"), file("reach.JSON")])?.name).toBe("reach.JSON");
    expect(mainOf(limber.formats, [])).toBeUndefined();
  });

  it("get the paths that a glTF knows them by", () => {
    const main = file("a.gltf", JSON.stringify({ buffers: [{ uri: "part/my%20data.bin" }, { uri: "data:,x" }] }));
    expect(byPaths(main, [main, file("my data.bin")]).map(({ name }) => name)).toStrictEqual(["a.gltf", "part/my%20data.bin"]);
  });

  it("are distinguished by their mark", () => {
    expect(markOf('{"limber": "document 1"')).toBe("document");
    expect(markOf('{ "limber" : "figure 1"}')).toBe("figure");
    expect(markOf("{")).toBe("scene");
  });

  it("have whole rates where they nearly are", () => {
    expect(rateOf(0.0083333)).toBe(120);
    expect(rateOf(0.041667)).toBe(24);
    expect(rateOf(1 / 29.97)).toBeCloseTo(29.97, 9);
  });
});

describe("the line of a mistake", () => {
  it("is marked under its column", () => {
    expect(excerptOf("one\ntwo three\r\nfour", 2, 5)).toStrictEqual({ before: "two ", at: "three", after: "", pointer: "    ^" });
    expect(excerptOf("one", 7, 1)).toBeUndefined();
    expect(excerptOf("a\0b", 1, 1)).toBeUndefined();
  });
});
