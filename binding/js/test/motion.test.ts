// Keys and what is between them, constraints kept over time, recorded motions cleaned, carried over and followed.
import { describe, expect, it, vi } from "vitest";
import { Sequence, type Clip, type Figure, type Key } from "../src/index.js";
import { distance, file, largestDifference, load, random, siteAt } from "./load.js";

vi.setConfig({ testTimeout: 120_000 }); // whole motions, on any machine

const limber = await load();
const human = limber.figure({ human: {} });

// Poses that a person might take, within limits.
function somePoses(figure: Figure, count: number, seed: number): number[][] {
  const next = random(seed);
  return Array.from({ length: count }, () => [...figure.bounded(figure.rest().map((value) => value + 0.6 * (next() - 0.5)))]);
}

const someKeys = (count: number, seed = 1): Key[] =>
  somePoses(human, count, seed).map((pose, k) => ({
    time: 0.1 + 0.3 * k + 0.07 * (k % 3),
    pose,
    interpolation: "spline" as const,
  }));

// The keys of a sequence that a test is done with.
const keysOf = (sequence: Sequence): Key[] => {
  const keys = sequence.keys();
  sequence.drop();
  return keys;
};

const frame = (clip: Clip, k: number) => clip.poses().subarray(k * clip.figure.parameters, (k + 1) * clip.figure.parameters);

describe("a sequence", () => {
  it("gives its keys back bit for bit, with all that they say", () => {
    const [a, b, c] = somePoses(human, 3, 2) as [number[], number[], number[]];
    const keys: Key[] = [
      { time: 0.1, pose: a, interpolation: "step" },
      { time: 0.3 + 1e-9, pose: b, interpolation: "linear", easeIn: 0.25, easeOut: 0.125 },
      { time: Math.PI, pose: c, interpolation: "spline", even: true, tension: 0.5, continuity: -0.25, bias: 1 / 3 },
    ];
    const sequence = limber.sequence(human, keys);
    expect(sequence.keys()).toEqual(keys);
    expect([sequence.start, sequence.end]).toEqual([0.1, Math.PI]);
    for (const { time, pose } of keys) expect([...sequence.at(time)]).toEqual(pose);
    expect([...sequence.at(-5)]).toEqual(a);
    expect([...sequence.at(50)]).toEqual(c);
    expect([...sequence.at(0.2)]).toEqual(a); // a step
    sequence.drop();
  });

  it("stays within limits between its keys", () => {
    const sequence = limber.sequence(human, someKeys(6));
    for (let time = 0; time < 2; time += 0.011) {
      const pose = sequence.at(time);
      expect(largestDifference(human.bounded(pose), pose)).toBeLessThan(1e-12);
    }
    sequence.drop();
  });

  it("is sampled at an even rate, from its first key to its last", () => {
    const keys = someKeys(4);
    const sequence = limber.sequence(human, keys);
    const clip = sequence.sample(0.01);
    expect(clip.frameTime).toBe(0.01);
    expect(clip.frames).toBe(Math.round((sequence.end - sequence.start) / 0.01) + 1);
    expect([...frame(clip, 0)]).toEqual(keys[0]!.pose);
    expect(largestDifference(frame(clip, 37), sequence.at(sequence.start + 0.37))).toBeLessThan(1e-9);
    const dense = Sequence.ofClip(clip, 2);
    expect(dense.keys().length).toBe(Math.ceil(clip.frames / 2) + (clip.frames % 2 === 0 ? 1 : 0));
    for (const one of [dense, clip, sequence]) one.drop();
  });
});

describe("editing", () => {
  it("leaves the sequence that was edited as it was", () => {
    const sequence = limber.sequence(human, someKeys(5));
    const before = sequence.keys();
    for (const edited of [
      sequence.erase(1, 2),
      sequence.copy(0, 2),
      sequence.stretch(1, 2, 1.1, before[1]!.time),
      sequence.slide(1, 1, 0.01),
      sequence.reverse(0, 3),
      sequence.mirror(0, 2),
      sequence.reduce(5, 0.05),
    ])
      edited.drop();
    expect(sequence.keys()).toEqual(before);
    sequence.drop();
  });

  it("undoes what undoes itself: reversed, mirrored, slid and stretched back", () => {
    const sequence = limber.sequence(human, someKeys(5));
    const keys = sequence.keys();
    const twice = (edit: (of: Sequence) => Sequence, back = edit) => {
      const there = edit(sequence);
      const again = keysOf(back(there));
      there.drop();
      expect(again.length).toBe(keys.length);
      again.forEach(({ time, pose }, k) => {
        expect(time).toBeCloseTo(keys[k]!.time, 12);
        expect(largestDifference(pose, keys[k]!.pose)).toBeLessThan(1e-12);
      });
    };
    twice((one) => one.reverse(1, 3));
    twice((one) => one.mirror(0, 5));
    twice(
      (one) => one.slide(2, 2, 0.05),
      (one) => one.slide(2, 2, -0.05),
    );
    twice(
      (one) => one.slide(2, 2, 5, true),
      (one) => one.slide(2, 2, -5, true),
    );
    twice(
      (one) => one.stretch(0, 5, 2, 0.1),
      (one) => one.stretch(0, 5, 0.5, 0.1),
    );
    sequence.drop();
  });

  it("cuts and pastes: what was copied comes back where it was", () => {
    const sequence = limber.sequence(human, someKeys(5));
    const keys = sequence.keys();
    const copied = sequence.copy(1, 2);
    expect(copied.keys().map(({ pose }) => pose)).toEqual([keys[1]!.pose, keys[2]!.pose]);
    const cut = sequence.erase(1, 2);
    expect(cut.keys()).toEqual([keys[0], keys[3], keys[4]]);
    const pasted = keysOf(cut.paste(copied, keys[1]!.time));
    expect(pasted.map(({ pose }) => pose)).toEqual(keys.map(({ pose }) => pose));
    pasted.forEach(({ time }, k) => expect(time).toBeCloseTo(keys[k]!.time, 12));
    const inserted = keysOf(sequence.paste(copied, keys[1]!.time, true));
    expect(inserted.length).toBe(6); // the key at the time itself is replaced by the first
    expect(inserted.at(-1)!.time).toBeGreaterThan(keys.at(-1)!.time);
    const closed = keysOf(sequence.erase(1, 1, true));
    expect(closed.at(-1)!.time).toBeLessThan(keys.at(-1)!.time);
    for (const one of [cut, copied, sequence]) one.drop();
  });

  it("rejects keys that are not there", () => {
    const sequence = limber.sequence(human, someKeys(3));
    for (const act of [
      () => sequence.erase(0, 3),
      () => sequence.copy(2, 2),
      () => sequence.reverse(-1, 2),
      () => sequence.stretch(0, 2, 0, 0),
    ])
      expect(act).toThrow();
    sequence.drop();
  });

  it("thins a dense motion out to keys that stay within the tolerance", () => {
    const sequence = limber.sequence(human, someKeys(4));
    const clip = sequence.sample(1 / 60);
    const dense = Sequence.ofClip(clip);
    const few = dense.reduce(1, 0.005);
    expect(few.keys().length).toBeLessThan(dense.keys().length / 2);
    for (let k = 0; k < clip.frames; ++k)
      expect(largestDifference(few.at(k / 60), frame(clip, k))).toBeLessThan(Math.PI / 180 + 1e-3);
    for (const one of [few, dense, clip, sequence]) one.drop();
  });
});

describe("a clip", () => {
  it("has the poses that it was made of", () => {
    const poses = somePoses(human, 3, 7).flat();
    const clip = limber.clip(human, 0.04, poses);
    expect([clip.frames, clip.frameTime]).toEqual([3, 0.04]);
    expect([...clip.poses()]).toEqual(poses);
    clip.drop();
  });

  it("keeps feet within a tenth of a millimetre between keys, and its keys as they are", () => {
    const standing = human.rest();
    const feet = ["left_foot", "right_foot"];
    const hold = feet.map((foot) => ({ handle: { frame: foot }, goal: { hold: true as const }, weight: "must" as const }));
    const posed = limber.scene(human, {
      constraints: [...hold, { handle: "right_palm", goal: { position: [-0.3, 0.6, 0.4] } }],
    });
    const reaching = human.rest();
    posed.solve(reaching);
    const sequence = limber.sequence(human, [
      { time: 0, pose: [...standing] },
      { time: 1, pose: [...reaching] },
    ]);
    const plain = sequence.sample(1 / 30);
    const slid = (clip: Clip) => {
      let worst = 0;
      for (let k = 0; k < clip.frames; ++k)
        for (const foot of feet)
          worst = Math.max(worst, distance(siteAt(human, foot, frame(clip, k)), siteAt(human, foot, standing)));
      return worst;
    };
    expect(slid(plain)).toBeGreaterThan(1e-3); // there is something to keep
    const always = { from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 };
    const { clip, report } = plain.keep({ constraints: hold }, [always, always], [0, 30]);
    expect(report.met).toBe(true);
    expect(report.demands.length).toBe(2);
    expect(slid(clip)).toBeLessThan(1e-4);
    expect(frame(clip, 0)).toEqual(frame(plain, 0));
    expect(frame(clip, 30)).toEqual(frame(plain, 30));
    for (let k = 0; k < clip.frames; ++k) expect(human.bounded(frame(clip, k))).toEqual(Float64Array.from(frame(clip, k)));
    for (const one of [clip, plain, sequence, posed]) one.drop();
  });

  it("goes around an obstacle between its keys, which stay", () => {
    const at = (name: string) => human.info.parameters.findIndex((one) => one.name === name);
    const down = human.rest();
    down[at("right_elbow.flexion")] = 0.3;
    const up = Float64Array.from(down);
    up[at("right_shoulder.elevation")] = 1.4;
    const keys = limber.sequence(human, [
      { time: 0, pose: [...down] },
      { time: 0.5, pose: [...up] },
    ]);
    const plain = keys.sample(1 / 30);
    const always = { from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 };
    const scene = (p: [number, number, number]) => ({
      obstacles: [{ name: "bar", box: [0.2, 0.01, 0.1] as [number, number, number], p }],
      constraints: [{ keep_clear: true as const, weight: "must" as const }],
    });
    const inTheWay = plain.keep(scene([-0.25, 1.0, 0.5]), [always], [0, 15]);
    expect(inTheWay.report.keep_clear!.overlaps).toEqual([]);
    expect(inTheWay.report.keep_clear!.changed).toBeGreaterThan(3);
    expect(frame(inTheWay.clip, 0)).toEqual(frame(plain, 0));
    expect(frame(inTheWay.clip, 15)).toEqual(frame(plain, 15));
    // A key that overlaps stays, and is reported.
    const palm = siteAt(human, "right_palm", up);
    const onKey = plain.keep(scene([palm[0]!, palm[1]!, palm[2]!]), [always], [0, 15]);
    expect(onKey.report.keep_clear!.overlaps.map((one) => one.frame)).toContain(15);
    expect(frame(onKey.clip, 15)).toEqual(frame(plain, 15));
    for (const one of [inTheWay.clip, onKey.clip, plain, keys]) one.drop();
  });
});

describe("a recorded walk", () => {
  limber.giveFile("walk.bvh", file("data/bvh/cmu_02_01.bvh"));
  const content = limber.read("walk.bvh");
  const walker = content.figure();
  const walk = content.clip(walker);

  it("is read whole", () => {
    expect(content.info.format).toMatch(/bvh/i);
    expect(content.info.clips[0]!.frames).toBe(walk.frames);
    expect(walk.frames).toBeGreaterThan(300);
    expect(walk.frameTime).toBeCloseTo(1 / 120, 4);
  });

  it("is cleaned: its feet stand still where they stand, and the body goes on as before", () => {
    const { clip, report } = walk.clean();
    expect(clip.frames).toBe(walk.frames);
    expect(report.contacts).toBeGreaterThan(2);
    expect(report.met).toBe(true);
    const pelvis = (one: Clip, k: number) => walker.place(frame(one, k)).slice(9, 12);
    for (const k of [0, 100, 200, 300]) expect(distance(pelvis(clip, k), pelvis(walk, k))).toBeLessThan(0.05);
    clip.drop();
  });

  it("is carried over to the built-in human, within its limits", () => {
    const { clip, report } = walk.retarget(human);
    expect(clip.figure).toBe(human);
    expect(clip.frames, "without the T-pose of the first frame").toBe(walk.frames - 1);
    expect(report.scale).toBeGreaterThan(0.5);
    expect(report.scale).toBeLessThan(2);
    for (const k of [0, 150, 300]) expect(largestDifference(human.bounded(frame(clip, k)), frame(clip, k))).toBeLessThan(1e-9);
    const way = (figure: Figure, one: Clip, first: number) =>
      distance(figure.place(frame(one, first)).slice(9, 12), figure.place(frame(one, one.frames - 1)).slice(9, 12));
    expect(way(human, clip, 0) / way(walker, walk, 1)).toBeCloseTo(report.scale!, 1);
    clip.drop();
  });

  it("is followed by five places: two of them alone leave more open", () => {
    const errors = (places: string[], options = {}) => {
      const tracker = limber.tracker(walker, { places, iterations: 20, ...options });
      const pose = Float64Array.from(walker.bounded(frame(walk, 0)));
      let mean = 0;
      let posture = 0;
      for (let k = 0; k < walk.frames; k += 4) {
        const off = tracker.follow(frame(walk, k), pose);
        expect(off.largest).toBeGreaterThanOrEqual(off.mean);
        mean += off.mean;
        posture += distance(siteAt(walker, "left_hand", pose), siteAt(walker, "left_hand", frame(walk, k)));
      }
      tracker.drop();
      return { mean: (mean * 4) / walk.frames, posture };
    };
    const five = errors(["left_hand", "right_hand", "left_foot", "right_foot", "head"]);
    const three = errors(["right_hand", "left_foot", "right_foot"]);
    expect(five.mean).toBeLessThan(0.01);
    expect(five.posture).toBeLessThan(three.posture);
    expect(
      errors(["left_hand", "right_hand", "left_foot", "right_foot", "head"], {
        root_given: true,
        orientations: true,
        method: "levenberg-marquardt",
      }).mean,
    ).toBeLessThan(0.02);
  });
});
