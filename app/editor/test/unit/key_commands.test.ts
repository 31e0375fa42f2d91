// Edits of keys through the module: each does what it says, is one step that undo takes back, and keeps what else a key
// carries.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadLimber, type Key } from "limber";
import { describe, expect, it } from "vitest";
import { setKeys } from "../../src/command/commands.js";
import type { Doc } from "../../src/document/document.js";
import {
  copyKeys,
  duplicateKeys,
  eraseKeys,
  mirrorKeys,
  onFrames,
  pasteKeys,
  pastedRange,
  reverseKeys,
  roomToSlide,
  setRotations,
  setStyle,
  slideKeys,
  stretchKeys,
  type Range,
} from "../../src/command/key_commands.js";
import { readDocument, writeDocument } from "../../src/document/save.js";
import { emptyDoc, human } from "../../src/document/start.js";
import { Store } from "../../src/state/store.js";

const wasm = process.env.LIMBER_WASM ?? fileURLToPath(new URL("../../../../build/wasm/limber.wasm", import.meta.url));
const limber = await loadLimber(readFileSync(wasm));
const figure = limber.figure(human);

type Noted = Key & { note?: string };

// Four keys, none like another, on frames of 30 a second.
function someKeys(): Noted[] {
  const pose = (k: number) => Array.from(figure.bounded(figure.rest().map((value, j) => value + 0.1 * Math.sin(7 * k + 3 * j))));
  return [
    { time: 0, pose: pose(0), note: "first" },
    { time: 0.5, pose: pose(1), interpolation: "linear", easeIn: 0.25, easeOut: 0.5, note: "second" },
    { time: 1, pose: pose(2), tension: 0.5, continuity: -0.25, bias: 0.75, even: true },
    { time: 2, pose: pose(3), interpolation: "step" },
  ];
}
const docOf = (keys: readonly Key[]): Doc => ({ ...emptyDoc(human, figure.rest()), keys });
const times = (keys: readonly Key[]) => keys.map(({ time }) => time);
const all = (keys: readonly Key[]): Range => ({ first: 0, count: keys.length });

describe("each edit of keys", () => {
  const edits: [string, (keys: readonly Key[]) => Key[]][] = [
    ["erase", (keys) => eraseKeys({ figure }, keys, { first: 1, count: 2 })],
    ["erase, later ones move", (keys) => eraseKeys({ figure }, keys, { first: 1, count: 1 }, true)],
    ["paste", (keys) => pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 1)],
    ["insert", (keys) => pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 1, true)],
    ["mirrored paste", (keys) => pasteKeys({ figure }, keys, mirrorKeys({ figure }, keys, all(keys)), 3)],
    ["duplicate", (keys) => duplicateKeys({ figure }, docOf(keys), { first: 1, count: 1 }).keys],
    ["stretch", (keys) => stretchKeys({ figure }, keys, { first: 1, count: 2 }, 2, 0.5)],
    ["slide", (keys) => slideKeys({ figure }, keys, { first: 1, count: 1 }, 1 / 30)],
    ["reverse", (keys) => reverseKeys({ figure }, keys, { first: 0, count: 3 })],
    ["mirror", (keys) => mirrorKeys({ figure }, keys, { first: 1, count: 2 })],
  ];
  it.each(edits)("is one step, taken back exactly: %s", (_, edit) => {
    const first = docOf(someKeys());
    const text = JSON.stringify(first);
    const store = new Store(first);
    store.run("edit", (doc) => setKeys(doc, edit(doc.keys)));
    expect(JSON.stringify(store.doc)).not.toBe(text);
    expect(store.undo()).toBe(true);
    expect(JSON.stringify(store.doc)).toBe(text);
    expect(store.undo()).toBe(false);
  });
  it.each(edits)("gives keys that ascend, and leaves nothing in the module: %s", (_, edit) => {
    const before = limber.objects;
    const made = times(edit(someKeys()));
    expect(made).toEqual([...made].sort((a, b) => a - b));
    expect(limber.objects).toBe(before);
  });
});

describe("keys", () => {
  it("that are not touched stay the same objects", () => {
    const keys = someKeys();
    const erased = eraseKeys({ figure }, keys, { first: 1, count: 1 });
    expect(erased.map((key) => keys.indexOf(key))).toEqual([0, 2, 3]);
    expect(slideKeys({ figure }, keys, { first: 3, count: 1 }, 1).slice(0, 3)).toEqual(keys.slice(0, 3));
  });
  it("keep what the module does not know, wherever they go", () => {
    const keys = someKeys();
    const notes = (list: readonly Noted[]) => list.map(({ note }) => note);
    expect(notes(slideKeys({ figure }, keys, all(keys), 1))).toEqual(["first", "second", undefined, undefined]);
    expect(notes(reverseKeys({ figure }, keys, all(keys)))).toEqual([undefined, undefined, "second", "first"]);
    expect(notes(pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 1, true))).toEqual([
      "first",
      "second",
      "first",
      "second",
      undefined,
    ]);
    expect(notes(mirrorKeys({ figure }, keys, all(keys)))).toEqual(["first", "second", undefined, undefined]);
    expect(notes(duplicateKeys({ figure }, docOf(keys), { first: 1, count: 1 }).keys)).toEqual([
      "first",
      "second",
      "second",
      undefined,
      undefined,
    ]);
  });
  it("keep their styles", () => {
    const keys = someKeys();
    const slid = slideKeys({ figure }, keys, all(keys), 0.5);
    expect(slid.map(({ time: _, ...others }) => others)).toEqual(keys.map(({ time: _, ...others }) => others));
    expect(times(slid)).toEqual([0.5, 1, 1.5, 2.5]);
  });
});

describe("laws", () => {
  it("mirror twice is nothing", () => {
    const keys = someKeys();
    const twice = mirrorKeys({ figure }, mirrorKeys({ figure }, keys, all(keys)), all(keys));
    twice.forEach((key, k) => key.pose.forEach((value, j) => expect(value).toBeCloseTo(keys[k]!.pose[j]!, 12)));
    expect(times(twice)).toEqual(times(keys));
  });
  it("mirror once is something", () => {
    const keys = someKeys();
    const once = mirrorKeys({ figure }, keys, all(keys));
    expect(once[1]!.pose.some((value, j) => Math.abs(value - keys[1]!.pose[j]!) > 0.01)).toBe(true);
  });
  it("reverse twice is nothing", () => {
    const keys = someKeys();
    const once = reverseKeys({ figure }, keys, all(keys));
    expect(once[0]!.pose).toBe(keys[3]!.pose);
    expect(times(once)).toEqual([0, 1, 1.5, 2]);
    expect(onFrames(reverseKeys({ figure }, once, all(once)), 30)).toEqual(keys);
  });
  it("cut and paste at the same time is nothing", () => {
    const keys = someKeys();
    for (const range of [{ first: 1, count: 2 }, { first: 0, count: 1 }, { first: 3, count: 1 }, all(keys)]) {
      const cut = eraseKeys({ figure }, keys, range);
      expect(pasteKeys({ figure }, cut, copyKeys(keys, range), keys[range.first]!.time)).toEqual(keys);
    }
  });
  it("stretch and shrink is nothing, and later keys come along", () => {
    const keys = someKeys();
    const range = { first: 0, count: 3 };
    const stretched = stretchKeys({ figure }, keys, range, 2, 0);
    expect(times(stretched)).toEqual([0, 1, 2, 3]);
    expect(stretchKeys({ figure }, stretched, range, 0.5, 0)).toEqual(keys);
  });
  it("thirty slides by a frame are a second, exactly", () => {
    let keys: Key[] = someKeys();
    for (let k = 0; k < 30; ++k) keys = onFrames(slideKeys({ figure }, keys, { first: 3, count: 1 }, 1 / 30), 30);
    expect(times(keys)).toEqual([0, 0.5, 1, 3]);
  });
});

describe("paste", () => {
  it("replaces what is there", () => {
    const keys = someKeys();
    expect(times(pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 0.8))).toEqual([0, 0.5, 0.8, 1.3, 2]);
  });
  it("makes room where later keys move", () => {
    const keys = someKeys();
    expect(times(pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 0.8, true))).toEqual([
      0, 0.5, 0.8, 1.3, 1.5, 2.5,
    ]);
  });
  it("begins a motion where there was none", () => {
    const keys = someKeys();
    expect(times(pasteKeys({ figure }, [], copyKeys(keys, { first: 1, count: 2 }), 2))).toEqual([2, 2.5]);
  });
  it("tells where the keys went", () => {
    const keys = someKeys();
    const pasted = pasteKeys({ figure }, keys, copyKeys(keys, { first: 0, count: 2 }), 0.8);
    expect(pastedRange(pasted, 0.8, 2)).toEqual({ first: 2, count: 2 });
  });
});

describe("what cannot be", () => {
  it("is rejected: sliding past a neighbour", () => {
    expect(() => slideKeys({ figure }, someKeys(), { first: 1, count: 1 }, 0.6)).toThrow();
  });
  it("is rejected: keys before the beginning", () => {
    expect(() => slideKeys({ figure }, someKeys(), { first: 0, count: 1 }, -0.1)).toThrow(/0\.10 s before/);
    expect(() => stretchKeys({ figure }, someKeys(), { first: 1, count: 3 }, 2, 2)).toThrow(/before the beginning/);
  });
  it("is rejected: a range that is not there", () => {
    expect(() => eraseKeys({ figure }, someKeys(), { first: 2, count: 9 })).toThrow();
  });
});

describe("the room to slide", () => {
  const frame = 1 / 30;
  it("ends a frame before the neighbours", () => {
    const { min, max } = roomToSlide(docOf(someKeys()), { first: 1, count: 1 });
    expect(min).toBeCloseTo(-0.5 + frame);
    expect(max).toBeCloseTo(0.5 - frame);
  });
  it("has no end where later keys move along, and begins at 0", () => {
    expect(roomToSlide(docOf(someKeys()), { first: 1, count: 1 }, true).max).toBe(Infinity);
    expect(roomToSlide(docOf(someKeys()), { first: 0, count: 1 }).min + 0).toBe(0);
  });
});

describe("rotations and styles of channels", () => {
  const spine = { interpolation: "step" as const };
  const elbow = { interpolation: "linear" as const, even: true };
  const rig = { figure, rotations: "balls" as const };
  const channelKeys = () =>
    someKeys().map((key, k) => (k === 1 ? { ...key, channels: { "right_elbow.flexion": elbow, "spine rotation": spine } } : key));

  it("stay through every edit, and are exchanged by a mirror", () => {
    const keys = channelKeys();
    expect(slideKeys(rig, keys, { first: 1, count: 1 }, 1 / 30)[1]!.channels).toEqual(keys[1]!.channels);
    expect(pasteKeys(rig, keys, copyKeys(keys, { first: 1, count: 1 }), 3).at(-1)!.channels).toEqual(keys[1]!.channels);
    const mirrored = mirrorKeys(rig, keys, all(keys))[1]!.channels!;
    expect(mirrored["left_elbow.flexion"]).toEqual(elbow);
    expect(mirrored["spine rotation"]).toEqual(spine);
    expect(mirrorKeys(rig, mirrorKeys(rig, keys, all(keys)), all(keys))[1]!.channels).toEqual(keys[1]!.channels);
  });

  it("follow a document whose rotations change, and come back in its file", () => {
    const doc: Doc = { ...docOf(channelKeys()), rotations: "balls" };
    const plain = setRotations(rig, doc, "joints");
    expect(plain.rotations).toBeUndefined();
    expect(plain.keys[1]!.channels).toEqual({
      "right_elbow.flexion": elbow,
      "spine.forward": spine,
      "spine.lateral": spine,
      "spine.axial": spine,
    });
    expect(setRotations({ figure }, plain, "balls").keys[1]!.channels).toEqual(doc.keys[1]!.channels);
    const read = readDocument(writeDocument(doc));
    expect(read.rotations).toBe("balls");
    expect(read.keys).toEqual(doc.keys);
    expect(() => readDocument(writeDocument({ ...doc, rotations: "ball" as never }))).toThrow(/\/rotations/);
  });
});

describe("the style of keys", () => {
  it("changes for a range alone", () => {
    const doc = setStyle(docOf(someKeys()), { first: 0, count: 2 }, { interpolation: "step" });
    expect(doc.keys.map(({ interpolation }) => interpolation)).toEqual(["step", "step", undefined, "step"]);
  });
  it("is not said where it is plain, so that setting it back gives the same document", () => {
    const first = docOf(someKeys().map(({ interpolation: _, ...key }) => key));
    const there = setStyle(first, { first: 0, count: 1 }, { interpolation: "linear", tension: 0.5, even: true });
    expect(setStyle(there, { first: 0, count: 1 }, { interpolation: "spline", tension: 0, even: false })).toEqual(first);
  });
});
