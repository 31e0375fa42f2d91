// Both sides of the interface agree: names, counts of arguments, and what is rejected.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arities } from "../src/calls.js";
import { loadLimber, Rejection } from "../src/index.js";
import { compiledModule, load, path } from "./load.js";

const limber = await load();

describe("the interface", () => {
  it("is the same by name in the module and in calls.ts", async () => {
    const exported = WebAssembly.Module.exports(await compiledModule())
      .filter(({ kind, name }) => kind === "function" && name.startsWith("limber_"))
      .map(({ name }) => name);
    expect(exported.sort()).toEqual(Object.keys(arities).sort());
  });

  it("takes as many arguments in the module as in calls.ts", () => {
    const calls = limber.module.calls as unknown as Record<string, (...all: number[]) => number>;
    expect(Object.fromEntries(Object.keys(arities).map((name) => [name, calls[name]!.length]))).toEqual(arities);
  });

  it("is generated from the header", () => {
    expect(() => execFileSync(process.execPath, [path("binding/js/generate.mjs"), "--check"], { stdio: "pipe" })).not.toThrow();
  });

  it("is not loaded where the module has another one", async () => {
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(loadLimber(empty)).rejects.toThrow(/another interface than this package: limber_/);
  });

  it("is loaded from bytes, from a compiled module and from the answer of fetch", async () => {
    const bytes = readFileSync(path("build/wasm/limber.wasm"));
    for (const source of [bytes, await compiledModule(), new Response(bytes), Promise.resolve(new Response(bytes))])
      expect((await loadLimber(source)).methods.length).toBeGreaterThan(3);
    await expect(loadLimber(new Response("not here", { status: 404 }))).rejects.toThrow("404");
  });
});

const rejection = (act: () => unknown): Rejection => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("a rejection", () => {
  it("names the member, what was found and what was expected, with line and column", () => {
    const figure = limber.figure({ human: {} });
    const { line, column, ...why } = rejection(() =>
      limber.scene(figure, { constraints: [{ handle: { point: "right_plam" }, goal: { position: [0, 1, 0] } }] }),
    );
    expect(why.where).toContain("/constraints/0/handle");
    expect(why.found).toContain("right_plam");
    expect(why.expected).toContain("right_palm");
    expect(line).toBe(1);
    expect(column).toBeGreaterThan(1);
    figure.drop();
  });

  it("has the text that a person reads", () => {
    const why = rejection(() => limber.figure({ human: { sex: "none" as "male" } }));
    expect(why.name).toBe("Rejection");
    expect(why.message).toContain(why.found);
    expect(why.message).toContain(why.expected);
    expect(why.message).toContain("sex");
  });

  it("comes for a broken file with the line where it is broken", () => {
    const lines = readFileSync(path("data/bvh/bvhio_example.bvh"), "utf8").split("\n");
    const broken = lines.findIndex((line) => line.includes("OFFSET"));
    lines[broken] = "OFFSET 0 zero 0";
    limber.giveFile("broken.bvh", new TextEncoder().encode(lines.join("\n")));
    const why = rejection(() => limber.read("broken.bvh"));
    expect(why.line).toBe(broken + 1);
    expect(why.column).toBe(10);
    expect(why.found).toContain("zero");
    limber.forgetFiles();
    expect(rejection(() => limber.read("broken.bvh")).found).toBe("no such file");
  });

  it("comes for every object that is none", () => {
    const { calls } = limber.module;
    const figure = limber.figure({ simple_human: {} });
    const dropped = figure.id;
    figure.drop();
    for (const number of [0, -1, 1_000_000, dropped]) {
      const results = [
        calls.limber_figure_describe(number),
        calls.limber_figure_write(number),
        calls.limber_figure_body(number, 8),
        calls.limber_content_body(number, 0, 8),
        calls.limber_scene_new(number, 0, 0),
        calls.limber_scene_report(number),
        calls.limber_posing_new(number, 0, 0, 0, 0, 0),
        calls.limber_posing_grab(number, 0, 0, 1, 0, -1),
        calls.limber_posing_grab_point(number, 0, 0, 0, 0, 1, 0, -1),
        calls.limber_posing_grab_parameter(number, 0),
        calls.limber_posing_move(number, 0, 0, 0, 0),
        calls.limber_posing_sight(number, 0, 0, 0, 0, 0, 0, 1),
        calls.limber_posing_turn(number, 0, 0),
        calls.limber_posing_set(number, 0, 0),
        calls.limber_posing_release(number, 0),
        calls.limber_posing_frame(number, 0, 0),
        calls.limber_posing_grips(number),
        calls.limber_posing_report(number),
        calls.limber_posing_step(number),
        calls.limber_sequence_new(number, 0, 0, 0),
        calls.limber_sequence_copy(number, 0, 1),
        calls.limber_sequence_sample(number, 1),
        calls.limber_sequence_blend(number, number, 0.5),
        calls.limber_sequence_cross_fade(number, number, 0.5),
        calls.limber_sequence_retime(number, 0, 0),
        calls.limber_sequence_rotate(number, 1),
        calls.limber_sequence_channels(number),
        calls.limber_sequence_set_styles(number, 0, 0),
        calls.limber_sequence_styles(number),
        calls.limber_clip_new(number, 1, 1, 0),
        calls.limber_clip_clean(number),
        calls.limber_clip_retarget(number, number),
        calls.limber_tracker_new(number, 0, 0),
        calls.limber_reach_new(number, 0, 0, 0, 0, 0),
        calls.limber_reach_go(number, 1),
        calls.limber_reach_surface(number),
        calls.limber_content_figure(number),
        calls.limber_content_clip(number, 0),
        calls.limber_content_write(0, number, number, 0, 0),
      ];
      expect(results).toEqual(results.map(() => 0));
      expect(limber.exits[calls.limber_scene_solve(number, 0, 1, 0, 0, 0)]).toBe("rejected");
      expect(limber.exits[calls.limber_tracker_follow(number, 0, 0, 0)]).toBe("rejected");
      const texts = [calls.limber_written_name(1_000), calls.limber_written_bytes(-1)];
      expect(texts).toEqual([0, 0]);
    }
  });

  it("comes for goals, keys, clips and spans that make no sense", () => {
    const figure = limber.figure({ human: {} });
    const pose = figure.rest();
    const posed = limber.scene(figure, { constraints: [{ handle: "right_palm", goal: { position: [0, 1, 0] } }] });
    expect(rejection(() => posed.report()).found).toBe("no solve yet");
    const posing = limber.posing(figure, pose);
    expect(rejection(() => posing.report()).found).toBe("no frame yet");
    expect(rejection(() => posing.move(0, [0, 0, 0])).where).toBe("grip 0");
    expect(rejection(() => posing.grab({ segment: -1, local: [0, 0, 0] })).where).toBe("segment -1");
    expect(rejection(() => posing.grab("right_plam")).found).toContain("right_plam");
    expect(rejection(() => posing.grabParameter(-1)).where).toBe("parameter -1");
    rejection(() => posing.move(posing.grab("right_palm"), [NaN, 0, 0]));
    rejection(() => posing.turn(posing.grab("head", { turns: true }), [1, 0, 0, 0, 1, 0, 0, 0, 2]));
    posing.drop();
    rejection(() => limber.posing(figure, pose, { pins: ["right_plam"] }));
    rejection(() => limber.posing(figure, pose, { locks: ["right_plam"] }));
    rejection(() => limber.posing(figure, pose, { feet: ["right_plam"] }));
    rejection(() => limber.posing(figure, pose, { method: "magic" as never }));
    rejection(() => limber.posing(figure, pose, { scene: { constraints: [{ balance: ["right_plam"] }] } }));
    expect(rejection(() => posed.setGoal(1, { handle: "right_palm", goal: { position: [0, 1, 0] } })).where).toBe("constraint 1");
    expect(rejection(() => posed.setGoal(0, { balance: ["left_foot"] })).expected).toContain("one goal");
    rejection(() => limber.sequence(figure, []));
    rejection(() =>
      limber.sequence(figure, [
        { time: 0, pose: [...pose] },
        { time: 0, pose: [...pose] },
      ]),
    );
    rejection(() => limber.clip(figure, 0, pose));
    rejection(() =>
      limber.clip(
        figure,
        1,
        pose.map(() => NaN),
      ),
    );
    rejection(() => limber.tracker(figure, { places: ["nowhere"] }));
    rejection(() => limber.tracker(figure, { places: ["right_palm"], method: "guess" }));
    const clip = limber.clip(figure, 0.1, [...pose, ...pose]);
    rejection(() => clip.keep({}, [], [7]));
    rejection(() => limber.write("walk.xyz", figure, clip));
    posed.drop();
    clip.drop();
    figure.drop();
  });

  it("leaves nothing behind", () => {
    const before = limber.objects;
    for (let k = 0; k < 100; ++k) rejection(() => limber.figure({ human: { stature: -1 } }));
    expect(limber.objects).toBe(before);
  });
});

describe("arrays of the wrong size", () => {
  it("are turned away, rather than filled up with what an earlier call left", () => {
    const figure = limber.figure({ human: {} });
    const short = figure.rest().slice(1);
    const posed = limber.scene(figure, {});
    for (const act of [
      () => figure.place(short),
      () => figure.bounded(short),
      () => posed.solve(short),
      () => limber.clip(figure, 1, short),
      () => limber.sequence(figure, [{ time: 0, pose: [...short] }]),
    ])
      expect(act).toThrow(RangeError);
    const clip = limber.clip(figure, 1, figure.rest());
    expect(() => clip.keep({ constraints: [{ handle: "left_foot", goal: { hold: true } }] }, [])).toThrow(RangeError);
    for (const one of [clip, posed, figure]) one.drop();
  });
});

describe("an object that was dropped", () => {
  it("is dropped once, and not asked again", () => {
    const before = limber.objects;
    const figure = limber.figure({ human: {} });
    const pose = figure.rest();
    figure.drop();
    const other = limber.figure({ simple_human: {} });
    figure.drop();
    expect(limber.objects).toBe(before + 1);
    expect(() => figure.rest()).toThrow("dropped");
    expect(() => figure.place(pose)).toThrow("dropped");
    expect(other.rest().length).toBe(other.parameters);
    other.drop();
    expect(limber.objects).toBe(before);
  });
});
