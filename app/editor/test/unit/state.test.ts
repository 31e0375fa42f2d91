// The parts of the app that need no module: selection, playback, shown pose.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Doc } from "../../src/document/document.js";
import { emptyDoc, human } from "../../src/document/start.js";
import { Emitter } from "../../src/state/events.js";
import { Playback } from "../../src/state/playback.js";
import { Selected } from "../../src/state/selection.js";
import { isSamePose, ShownPose } from "../../src/state/shown_pose.js";

const keysAt = (...times: number[]) => times.map((time) => ({ time, pose: [0] }));
const docOf = (change: Partial<Doc>): Doc => ({ ...emptyDoc(human, [0]), ...change });

describe("the selection", () => {
  const pin = { id: "pin", handle: { point: "head" }, goal: { position: [0, 0, 0] as [number, number, number] } };

  it("is announced once, however often it is made", () => {
    const events = new Emitter();
    const heard = vi.fn();
    events.on("selection", heard);
    const selected = new Selected(events);
    selected.select({ kind: "segment", segment: 3 });
    selected.select({ kind: "segment", segment: 3 });
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("drops what the document no longer has, and nothing else", () => {
    const selected = new Selected(new Emitter());
    selected.select({ kind: "constraint", id: "pin" });
    selected.selectKeys({ first: 1, count: 2 });
    selected.update(docOf({ constraints: [pin], keys: keysAt(0, 1, 2) }), false);
    expect(selected.selection).toEqual({ kind: "constraint", id: "pin" });
    expect(selected.keyRange).toEqual({ first: 1, count: 2 });
    selected.update(docOf({ keys: keysAt(0, 1) }), false);
    expect(selected.selection).toEqual({ kind: "nothing" });
    expect(selected.keyRange).toBeUndefined();
  });

  it("is empty with another figure", () => {
    const selected = new Selected(new Emitter());
    selected.select({ kind: "segment", segment: 3 });
    selected.selectKeys({ first: 0, count: 1 });
    selected.update(docOf({ keys: keysAt(0) }), true);
    expect(selected.selection).toEqual({ kind: "nothing" });
    expect(selected.keyRange).toBeUndefined();
  });
});

describe("playback", () => {
  let frames: ((now: number) => void)[] = [];
  const frame = (now: number) => frames.splice(0).forEach((one) => one(now));
  let now = 0;

  beforeEach(() => {
    frames = [];
    now = 0;
    vi.stubGlobal("requestAnimationFrame", (one: (now: number) => void) => frames.push(one));
    vi.spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  function playbackOf(doc: Doc) {
    const leave = vi.fn();
    const show = vi.fn();
    return { playback: new Playback(new Emitter(), () => doc, leave, show), leave, show };
  }

  it("shows the motion at the time, which is not before 0", () => {
    const { playback, leave, show } = playbackOf(docOf({ keys: keysAt(0, 1) }));
    playback.setTime(0.5);
    playback.setTime(0.5);
    playback.setTime(-1);
    expect(playback.time).toBe(0);
    expect(show.mock.calls).toEqual([[0.5], [0.5], [0]]);
    expect(leave).toHaveBeenCalledTimes(2); // not where it stays
  });

  it("needs two keys", () => {
    const { playback } = playbackOf(docOf({ keys: keysAt(0) }));
    playback.play(true);
    expect(playback.playing).toBe(false);
  });

  it("goes on at its speed, and around", () => {
    const { playback } = playbackOf(docOf({ keys: keysAt(0, 1) }));
    playback.speed = 2;
    playback.play(true);
    frame((now = 200));
    expect(playback.time).toBeCloseTo(0.4);
    frame((now = 600));
    expect(playback.time).toBeCloseTo(0.2);
    expect(playback.playing).toBe(true);
  });

  it("ends at the last key where it does not repeat, and stops on a frame", () => {
    const { playback } = playbackOf(docOf({ keys: keysAt(0, 1) }));
    playback.loop = false;
    playback.play(true);
    frame((now = 210));
    playback.play(false);
    expect(playback.time).toBeCloseTo(6 / 30);
    playback.play(true);
    frame((now = 5000));
    expect(playback.time).toBe(1);
    expect(playback.playing).toBe(false);
  });
});

describe("the shown pose", () => {
  it("is a copy of what is shown", () => {
    const shown = new ShownPose(new Emitter(), [1, 2]);
    const pose = Float64Array.of(3, 4);
    shown.show(pose);
    pose[0] = 9;
    expect([...shown.pose]).toEqual([3, 4]);
  });

  it("is the same within a micrometre, and of the same length", () => {
    expect(isSamePose([0, 1], [5e-7, 1])).toBe(true);
    expect(isSamePose([0, 1], [2e-6, 1])).toBe(false);
    expect(isSamePose([0, 1], [0])).toBe(false);
  });
});
