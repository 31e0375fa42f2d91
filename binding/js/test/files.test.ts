// Every format that the repository has samples of: read, written, read again, and the same motion.
import { readdirSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { Clip, Content, Figure } from "../src/index.js";
import { distance, file, load, path, siteAt, text } from "./load.js";

vi.setConfig({ testTimeout: 120_000 });

const limber = await load();
const named = (folder: string, ending: RegExp) =>
  readdirSync(path(folder))
    .filter((name) => ending.test(name))
    .sort();

interface Opened {
  content: Content;
  figure: Figure;
  clip: Clip | undefined;
}

function open(name: string): Opened {
  const content = limber.read(name);
  const figure = content.figure();
  const clip = content.info.clips.length > 0 ? content.clip(figure) : undefined;
  return { content, figure, clip };
}

const close = ({ content, figure, clip }: Opened) => {
  clip?.drop();
  figure.drop();
  content.drop();
};

const poseOf = ({ figure, clip }: Opened, frame: number) =>
  clip ? clip.poses().subarray(frame * figure.parameters, (frame + 1) * figure.parameters) : figure.rest();

// How far the same sites are apart in a frame, in parts of the figure's length.
function difference(a: Opened, b: Opened, frame: number): number {
  let largest = 0;
  const pose = [poseOf(a, frame), poseOf(b, frame)] as const;
  const there = new Set(b.figure.info.sites.map(({ name }) => name));
  const common = a.figure.info.sites.filter(({ name }) => there.has(name));
  expect(common.length).toBeGreaterThan(a.figure.info.sites.length / 2);
  for (const { name } of common)
    largest = Math.max(largest, distance(siteAt(a.figure, name, pose[0]), siteAt(b.figure, name, pose[1])));
  return largest / a.figure.info.length;
}

// Written under another name, read again, and compared in three frames.
function writtenAndReadAgain(first: Opened, name: string, tolerance: number) {
  const still = first.clip ?? limber.clip(first.figure, 1, first.figure.rest());
  const { files, notes } = limber.write(name, first.figure, still, first.content);
  expect(files.map((one) => one.name)).toContain(name);
  expect(notes.every((note) => typeof note === "string")).toBe(true);
  limber.forgetFiles();
  for (const one of files) limber.giveFile(one.name, one.bytes);
  const again = open(name);
  if (first.clip && again.clip) {
    expect(again.clip.frames).toBe(first.clip.frames);
    for (const frame of [0, Math.floor(first.clip.frames / 2), first.clip.frames - 1])
      expect(difference(first, again, frame), `${name}, frame ${frame}`).toBeLessThan(tolerance);
  } else {
    expect(difference({ ...first, clip: undefined }, { ...again, clip: undefined }, 0)).toBeLessThan(tolerance);
  }
  close(again);
  if (!first.clip) still.drop();
}

const give = (name: string) => limber.giveFile(name.split("/").at(-1)!, file(name));

describe("BVH", () => {
  for (const name of named("data/bvh", /[.]bvh$/))
    it(`${name} comes back`, () => {
      limber.forgetFiles();
      give(`data/bvh/${name}`);
      const first = open(name);
      writtenAndReadAgain(first, "again.bvh", 1e-5);
      close(first);
    });

  it("has every joint where others say that it is", () => {
    const truth = JSON.parse(text("data/truth/bvh_cmu_02_01.json")) as {
      joints: string[];
      frames: { frame_index: number; pos_added: number[][] }[];
    };
    const metres = 0.0254 / 0.45;
    limber.forgetFiles();
    give("data/bvh/cmu_02_01.bvh");
    const first = open("cmu_02_01.bvh");
    let compared = 0;
    for (const { frame_index, pos_added } of truth.frames)
      truth.joints.forEach((name, joint) => {
        const at = siteAt(first.figure, name, poseOf(first, frame_index));
        expect(
          distance(
            at,
            pos_added[joint]!.map((x) => x * metres),
          ),
          name,
        ).toBeLessThan(1e-6);
        ++compared;
      });
    expect(compared).toBeGreaterThan(60);
    close(first);
  });
});

describe("Acclaim", () => {
  for (const name of ["02_01.amc", "09_06.amc"])
    it(`${name} finds its skeleton and comes back`, () => {
      limber.forgetFiles();
      for (const asf of named("data/acclaim", /[.]asf$/)) give(`data/acclaim/${asf}`);
      give(`data/acclaim/${name}`);
      const first = open(name);
      writtenAndReadAgain(first, "again.amc", 1e-5);
      close(first);
    });

  it("is rejected without its skeleton", () => {
    limber.forgetFiles();
    give("data/acclaim/02_01.amc");
    expect(() => limber.read("02_01.amc")).toThrow(/ASF/);
  });

  it("gives a figure of a skeleton alone", () => {
    limber.forgetFiles();
    give("data/acclaim/02.asf");
    const figure = limber.figure({ file: "02.asf" });
    expect(figure.info.sites.map(({ name }) => name)).toContain("right_palm");
    expect(figure.info.mirrors).toBe(true);
    figure.drop();
  });
});

describe("glTF", () => {
  for (const name of named("data/gltf", /[.](glb|gltf|vrm)$/))
    it(`${name} comes back with its skin`, () => {
      limber.forgetFiles();
      give(`data/gltf/${name}`);
      const first = open(name);
      writtenAndReadAgain(first, "again.glb", 1e-4);
      close(first);
    });

  it("is written with a skin where it was read with one", () => {
    limber.forgetFiles();
    give("data/gltf/CesiumMan.glb");
    const first = open("CesiumMan.glb");
    expect(first.content.info.skin).toBe(true);
    const [kept] = limber.write("him.glb", first.figure, first.clip!, first.content).files;
    const [bare] = limber.write("him.glb", first.figure, first.clip!).files;
    expect(kept!.bytes.length).toBeGreaterThan(100_000);
    expect(bare!.bytes.length).toBeLessThan(kept!.bytes.length);
    close(first);
  });

  it("takes a motion of the built-in human", () => {
    const figure = limber.figure({ human: {} });
    const clip = limber.clip(figure, 1 / 30, [...figure.rest(), ...figure.rest()]);
    for (const name of ["human.glb", "human.bvh", "human.amc"]) {
      const { files } = limber.write(name, figure, clip);
      limber.forgetFiles();
      for (const one of files) limber.giveFile(one.name, one.bytes);
      const again = open(name);
      expect(again.clip!.frames).toBe(2);
      expect(
        distance(siteAt(again.figure, "right_elbow", poseOf(again, 1)), siteAt(figure, "right_elbow", figure.rest())),
        name,
      ).toBeLessThan(1e-4);
      close(again);
    }
    clip.drop();
    figure.drop();
  });
});

describe("figures alone", () => {
  it("a skeleton script comes back", () => {
    limber.forgetFiles();
    give("example/skeleton/stickman.scr");
    const first = open("stickman.scr");
    writtenAndReadAgain(first, "again.scr", 1e-9);
    close(first);
  });

  // W93 6.1.1
  it("a skeleton script has the polygon files that it names for a body, on their joints", () => {
    const script =
      'define skeleton "lamp"\n joint "foot"\n joint "arm"\nend skeleton\ndefine joint "foot"\nend joint\n' +
      'define joint "arm"\n offset 0 1 0\n hinge z -90 90\n object "arm.obj"\n tip 0 1 0\nend joint\n';
    const object = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\n";
    for (const hasObject of [false, true]) {
      limber.forgetFiles();
      limber.giveFile("lamp.scr", new TextEncoder().encode(script));
      if (hasObject) limber.giveFile("arm.obj", new TextEncoder().encode(object));
      const { content, figure } = open("lamp.scr");
      const arm = figure.info.segments.findIndex(({ name }) => name === "arm");
      const body = content.body(figure);
      if (hasObject) {
        const own = [...body!.part.keys()].filter((t) => body!.part[t] === arm);
        expect(own).toHaveLength(2);
        const corners = own.flatMap((t) => [0, 1, 2].map((k) => body!.triangle[3 * t + k]!));
        expect(new Set(corners.map((v) => body!.position[3 * v]!))).toEqual(new Set([0, 2]));
        expect(corners.every((v) => body!.segment[v] === arm && body!.normal[3 * v + 2] === 1)).toBe(true);
        expect(body!.part.length).toBeGreaterThan(2);
      } else {
        expect(body).toBeUndefined();
        expect(content.info.notes.join()).toContain("is not shown");
      }
      close({ content, figure, clip: undefined });
    }
  });

  it("URDF robots are read", () => {
    for (const name of named("data/urdf", /[.]urdf$/)) {
      limber.forgetFiles();
      give(`data/urdf/${name}`);
      const figure = limber.figure({ file: name });
      expect(figure.info.parameters.some(({ lower }) => lower !== null)).toBe(true);
      figure.drop();
    }
  });

  it("a figure is a document of its own that comes back", () => {
    const figure = limber.figure({ human: { sex: "female", stature: 1.6 } });
    const written = figure.document();
    const again = limber.figure((JSON.parse(written) as { figure: Record<string, unknown> }).figure);
    const unsigned = (one: string) => one.replaceAll(/-0(?=[,\]])/g, "0"); // JSON.stringify() writes -0 as 0
    expect(unsigned(again.document())).toBe(unsigned(written));
    expect(JSON.stringify(again.info)).toBe(JSON.stringify(figure.info));
    figure.drop();
    again.drop();
  });
});

describe("markers", () => {
  for (const name of ["data/trc/subject01_walk1.trc", "data/c3d/02_01.c3d"])
    it(`${name} is read, and is no figure`, () => {
      limber.forgetFiles();
      give(name);
      const content = limber.read(name.split("/").at(-1)!);
      expect([content.info.markers, content.info.figure]).toEqual([true, false]);
      expect(() => content.figure()).toThrow(/markers/);
      const figure = limber.figure({ human: {} });
      const clip = limber.clip(figure, 1, figure.rest());
      expect(() => limber.write("a.bvh", figure, clip, content)).toThrow(/markers/);
      for (const one of [clip, figure, content]) one.drop();
    });
});

it("every object that these tests made was dropped", () => expect(limber.objects).toBe(0));
