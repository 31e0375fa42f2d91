// Laws of pulling: the pose is a function of the goals and of the pose at the grab; what holds, holds; nothing leaks.
import { describe, expect, it, vi } from "vitest";
import type { Posing, PosingOptions, SceneOf, Vec3 } from "../src/index.js";
import { about, distance, file, largestDifference, load, random, segmentNamed, siteAt } from "./load.js";

vi.setConfig({ testTimeout: 120_000 }); // thousands of solves, on any machine

const limber = await load();
const figure = limber.figure({ human: {} });
const feet = ["left_foot", "right_foot"];
const standing: PosingOptions = { pins: feet, feet };
const same = (0.1 * Math.PI) / 180;
const patience = 500; // frames

const posingOf = (options: PosingOptions = standing, pose: ArrayLike<number> = figure.rest()) =>
  limber.posing(figure, pose, options);
const hand = { segment: segmentNamed(figure, "right_hand"), local: [0, -0.1, 0] as const };

function settle(posing: Posing): Float64Array {
  for (let k = 0; k < patience && !posing.frame(); ++k) continue;
  expect(posing.settled).toBe(true);
  return posing.pose.slice();
}

// Pulls by so much in so many events, a frame each.
function pulled(posing: Posing, grip: number, by: Vec3, events: number): void {
  posing.frame();
  const { goal } = posing.grips.find((one) => one.grip === grip)!;
  for (let k = 1; k <= events; ++k) {
    posing.move(grip, goal.map((value, j) => value + (by[j]! * k) / events) as Vec3);
    posing.frame();
  }
}

const pulls: [string, Vec3][] = [
  ["right_palm", [-0.3, 0.5, 0.3]],
  ["right_palm", [0.1, -0.5, 0.5]],
  ["left_palm", [0.9, 0.9, 0]],
  ["pelvis", [0, -0.35, 0]],
  ["pelvis", [0.2, 0, 0]],
  ["T6", [0, -0.1, 0.3]],
  ["head", [0, -0.2, 0.4]],
  ["right_foot", [-0.2, 0.3, 0.2]],
];

describe("a pull", () => {
  it.each(pulls)("of %s by %s ends in the same pose in six events or sixty, and returns", (place, by) => {
    const ends = [6, 60].map((events) => {
      const posing = posingOf();
      const grip = posing.grab(place);
      pulled(posing, grip, by, events);
      const end = settle(posing);
      pulled(posing, grip, by.map((value) => -value) as Vec3, events);
      expect(largestDifference(settle(posing), figure.rest())).toBeLessThan(1e-8);
      posing.drop();
      return end;
    });
    expect(largestDifference(ends[0]!, ends[1]!)).toBeLessThan(same);
    expect(largestDifference(ends[0]!, figure.rest())).toBeGreaterThan(same);
  });

  it("is released without a change, also where others are held", () => {
    for (const [place, by] of pulls) {
      const posing = posingOf();
      const grip = posing.grab(place);
      const other = posing.grab("left_fingertip");
      pulled(posing, grip, by, 6);
      const shown = settle(posing);
      posing.release(grip);
      expect(largestDifference(settle(posing), shown)).toBeLessThan(1e-12);
      posing.release(other);
      expect(largestDifference(settle(posing), shown)).toBe(0);
      expect(posing.grips).toEqual([]);
      posing.drop();
    }
  });

  it("to anywhere leaves the feet where they are, within limits", () => {
    const next = random(4);
    const stood = feet.map((foot) => siteAt(figure, foot, figure.rest()));
    const posing = posingOf();
    const grip = posing.grab(hand);
    for (let move = 0; move < 100; ++move) {
      posing.move(grip, about(next, [-0.2, 1, 0.3], 1.2));
      posing.frame();
      feet.forEach((foot, k) => expect(distance(siteAt(figure, foot, posing.pose), stood[k]!)).toBeLessThan(5e-4));
      figure.info.parameters.forEach(({ name, lower, upper }, j) => {
        if (posing.pose[j]! < (lower ?? -Infinity) || posing.pose[j]! > (upper ?? Infinity))
          throw new Error(`${name} is ${posing.pose[j]}`);
      });
    }
    posing.drop();
  });

  it("of several parts brings each to its own place", () => {
    const posing = posingOf();
    const hands = ["right_palm", "left_palm"].map((place) => posing.grab(place));
    posing.frame();
    const goals = posing.grips.map(({ at: [x, y, z] }, k): Vec3 => [x + (k ? 0.1 : -0.2), y + (k ? 0.5 : 0.3), z + 0.2]);
    hands.forEach((grip, k) => posing.move(grip, goals[k]!));
    settle(posing);
    expect(posing.met).toBe(true);
    posing.grips.forEach(({ at, metres, grip }, k) => {
      expect(grip).toBe(hands[k]);
      expect(distance(at, goals[k]!)).toBeLessThan(1e-3);
      expect(metres).toBeCloseTo(distance(at, goals[k]!), 12);
    });
    expect(posing.report().constraints.map(({ name, drag }) => [name, drag])).toEqual([
      ["right_palm", true],
      ["left_palm", true],
    ]);
    posing.drop();
  });

  it("beyond reach says what holds it back, and what is shown is calm", () => {
    const posing = posingOf();
    const grip = posing.grab(hand);
    pulled(posing, grip, [-1.5, 0.9, 0], 20);
    const rest = settle(posing);
    const [pull] = posing.report().constraints;
    expect([posing.met, pull!.met, pull!.drag]).toEqual([false, false, true]);
    expect(pull!.error_mm).toBeGreaterThan(100);
    for (let k = 0; k < 5; ++k) posing.frame();
    expect(largestDifference(posing.pose, rest)).toBe(0);
    posing.drop();
  });

  it("of a limb says which limits hold it back", () => {
    const posing = posingOf();
    pulled(posing, posing.grab(hand, { chain: "limb" }), [0.3, 0.5, -1.5], 20);
    settle(posing);
    const { held_back_by: limits } = posing.report().constraints[0]!;
    expect(limits.length).toBeGreaterThan(0);
    for (const { limit, parameter, share } of limits) {
      expect(share).toBeGreaterThan(0);
      if (parameter >= 0) expect(limit).toContain(figure.info.parameters[parameter]!.name);
    }
    posing.drop();
  });

  it("of a limb, a part or from a joint moves nothing above", () => {
    for (const [options, from] of [
      [{ chain: "part" }, figure.chain(hand.segment, "part")],
      [{ chain: "limb" }, figure.chain(hand.segment, "branch")],
      [{ from: segmentNamed(figure, "right_forearm") }, segmentNamed(figure, "right_forearm")],
    ] as const) {
      const posing = posingOf();
      pulled(posing, posing.grab(hand, options), [-0.3, 0.4, 0.3], 3);
      const pose = settle(posing);
      let moved = 0;
      figure.info.parameters.forEach(({ drives }, j) => {
        if (pose[j] === figure.rest()[j]) return;
        ++moved;
        for (const freedom of drives) {
          const { joint } = figure.info.freedoms[freedom]!;
          expect(joint).toBeGreaterThanOrEqual(from);
          expect(joint).toBeLessThan(figure.info.segments[from]!.end);
        }
      });
      expect(moved).toBeGreaterThan(0);
      posing.drop();
    }
  });

  it("turns a part where it is", () => {
    const posing = posingOf();
    const grip = posing.grab("right_hand", { turns: true });
    const at = siteAt(figure, "right_wrist", figure.rest());
    const axes = [0, 0, 1, 0, 1, 0, -1, 0, 0]; // a quarter about the vertical
    posing.turn(grip, axes);
    settle(posing);
    const frame = figure.place(posing.pose).subarray(12 * hand.segment, 12 * hand.segment + 9);
    expect(largestDifference(frame, axes)).toBeLessThan(2e-3);
    expect(distance(siteAt(figure, "right_wrist", posing.pose), at)).toBeLessThan(2e-3);
    posing.drop();
  });

  it("leaves locked parameters alone", () => {
    const elbow = figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
    const posing = posingOf({ ...standing, locks: ["right_elbow.flexion"] });
    pulled(posing, posing.grab(hand), [-0.2, 0.4, 0.3], 3);
    const pose = settle(posing);
    expect(pose[elbow]).toBe(figure.rest()[elbow]);
    expect(posing.met).toBe(true);
    posing.drop();
  });

  it("leaves the memory as it was, however long it goes on", () => {
    const next = random(5);
    const posing = posingOf();
    const objects = limber.objects;
    const drags = (count: number) => {
      let grip = -1;
      for (let k = 0; k < count; ++k) {
        if (k % 10 === 0) {
          if (grip >= 0) posing.release(grip);
          grip = posing.grab(hand);
        }
        posing.move(grip, about(next, [-0.3, 1, 0.3], 0.3));
        posing.frame();
        if (k % 50 === 0) posing.report();
      }
      posing.release(grip);
    };
    drags(200);
    const bytes = limber.module.calls.memory.buffer.byteLength;
    drags(1000);
    expect(limber.module.calls.memory.buffer.byteLength).toBe(bytes);
    expect(limber.objects).toBe(objects);
    posing.drop();
  });
});

describe("a parameter that is set", () => {
  const parameter = (name: string) => figure.info.parameters.findIndex((one) => one.name === name);

  it("moves alone where nothing else is asked", () => {
    const posing = posingOf();
    const elbow = parameter("right_elbow.flexion");
    posing.set(posing.grabParameter(elbow), 1.2);
    posing.frame();
    const alone = figure.rest();
    alone[elbow] = 1.2;
    expect(posing.pose).toEqual(alone);
    posing.drop();
  });

  it("takes along what pins need, by any way", () => {
    const ends = [[0.9], [0.3, -0.1, 1.4, 0.9]].map((values) => {
      const posing = posingOf();
      const grip = posing.grabParameter(parameter("right_knee.flexion"));
      for (const value of values) {
        posing.set(grip, value);
        posing.frame();
      }
      const end = settle(posing);
      expect(end[parameter("right_knee.flexion")]).toBeCloseTo(0.9, 2);
      feet.forEach((foot) => expect(distance(siteAt(figure, foot, end), siteAt(figure, foot, figure.rest()))).toBeLessThan(2e-5));
      posing.drop();
      return end;
    });
    expect(largestDifference(ends[0]!, ends[1]!)).toBeLessThan(same);
  });
});

describe("what a scene asks", () => {
  const scene = (more: SceneOf): PosingOptions => ({ feet, scene: more });
  const pins = feet.map((foot) => ({ handle: { frame: foot }, goal: { hold: true as const }, weight: "must" as const }));

  it("holds while a part is pulled, and is reported in its order", () => {
    const gaze: Vec3 = [0.5, 1.4, 2];
    const posing = posingOf(
      scene({
        constraints: [
          ...pins,
          { balance: feet, margin: 0.02 },
          { handle: { ray: "eyes" }, goal: { aim_at: gaze }, name: "gaze" },
          { handle: "left_palm", goal: { position: [0, 0, 0] }, enabled: false },
        ],
      }),
    );
    pulled(posing, posing.grab(hand), [-0.3, 0.4, 0.3], 4);
    settle(posing);
    const { constraints, met } = posing.report();
    expect(constraints.map(({ counted, drag }) => [counted, drag])).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [true, false],
      [false, false],
      [true, true],
    ]);
    expect(constraints[3]!.name).toBe("gaze");
    expect([met, ...constraints.map((one) => one.met)]).toEqual([true, true, true, true, true, true, true]);
    posing.drop();
  });

  it("lets a pin follow the part that is pulled, and holds it there once it is released", () => {
    const posing = posingOf(scene({ constraints: [...pins, { balance: feet, margin: 0.02 }] }));
    const foot = posing.grab("right_foot");
    pulled(posing, foot, [0, 0.15, 0.2], 4);
    settle(posing);
    const lifted = siteAt(figure, "right_foot", posing.pose);
    expect(lifted[1] - siteAt(figure, "right_foot", figure.rest())[1]).toBeCloseTo(0.15, 2);
    posing.release(foot);
    pulled(posing, posing.grab(hand), [-0.1, 0.3, 0.2], 4);
    settle(posing);
    expect(distance(siteAt(figure, "right_foot", posing.pose), lifted)).toBeLessThan(1e-4);
    posing.drop();
  });

  it("suggests a step where a hand is out of reach, and goes on as before", () => {
    const posing = posingOf(scene({ constraints: pins }));
    const grip = posing.grab("right_palm");
    pulled(posing, grip, [0, 0.3, 1.4], 4);
    const pose = settle(posing);
    const before = JSON.stringify(posing.report());
    const step = posing.suggestStep()!;
    expect(feet).toContain(step.foot);
    expect([step.by[2] > 0.1, step.by[1]]).toEqual([true, 0]);
    expect(step.metres).toBeLessThan(posing.grips[0]!.metres / 2);
    expect(JSON.stringify(posing.report())).toBe(before);
    posing.frame();
    expect(largestDifference(pose, posing.pose)).toBe(0);
    posing.drop();
  });

  it("keeps a hand out of an obstacle", () => {
    const posing = posingOf(
      scene({
        constraints: [...pins, { keep_clear: true }],
        obstacles: [{ name: "chest", box: [2, 0.95, 2], p: [0, 0.475, 1.3] }],
      }),
    );
    const grip = posing.grab("right_palm");
    pulled(posing, grip, [0, 0.35, 0.5], 10);
    settle(posing);
    pulled(posing, grip, [0, -0.4, 0], 10);
    settle(posing);
    const clear = posing.report().constraints[2]!;
    expect(clear.met).toBe(true);
    expect(posing.grips[0]!.metres).toBeGreaterThan(0.01);
    posing.drop();
  });

  it("makes a stiff elbow turn less, and the hand comes as far", () => {
    const elbow = figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
    const bent = figure.rest();
    bent[elbow] = 1;
    const turned = (stiffness: number) => {
      const posing = posingOf(scene({ constraints: pins, stiffness: { "right_elbow.flexion": stiffness } }), bent);
      pulled(posing, posing.grab(hand), [-0.1, 0.25, 0.1], 1);
      const end = settle(posing);
      expect(posing.met).toBe(true);
      posing.drop();
      return Math.abs(end[elbow]! - 1);
    };
    const [free, stiff, stiffer] = [0, 10, 100].map(turned) as [number, number, number];
    expect(free).toBeGreaterThan(0.1);
    expect(stiff).toBeLessThan(0.5 * free);
    expect(stiffer).toBeLessThan(0.2 * free);
  });
});

describe("a character from a file", () => {
  limber.giveFile("rogue.glb", file("data/gltf/kaykit_Rogue.glb"));
  const character = limber.figure({ file: "rogue.glb", assumed_limits: true });
  const rest = character.rest();

  it("is known by its parts", () => {
    const { body, parts, confidence } = character.roles();
    expect(body).toBe("person");
    expect(parts.left_knee).toBe("lowerleg.l");
    expect(confidence.left_knee).toBeGreaterThan(0.7);
  });

  it("stands on its feet, with knees that bend back", () => {
    const options = character.posingFor(rest);
    expect(options.pins.map(({ place }) => place)).toEqual(feet);
    expect(options.feet).toEqual(feet);
    const posing = limber.posing(character, rest, options);
    const grip = posing.grab("pelvis");
    pulled(posing, grip, [0, -0.15, 0], 3);
    settle(posing);
    for (const side of ["left", "right"]) {
      expect(distance(siteAt(character, `${side}_ball`, posing.pose), siteAt(character, `${side}_ball`, rest))).toBeLessThan(
        1e-3,
      );
      const [hip, knee, ankle] = ["hip", "knee", "ankle"].map((part) => siteAt(character, `${side}_${part}`, posing.pose));
      expect(knee![2] - 0.5 * (hip![2] + ankle![2])).toBeGreaterThan(0.03);
    }
    posing.drop();
  });

  it("has limits of people only where they are asked for", () => {
    const free = limber.figure({ file: "rogue.glb" });
    const limited = (one: typeof free) => one.info.parameters.filter(({ lower }) => lower !== null).length;
    expect(limited(free)).toBe(0);
    expect(limited(character)).toBeGreaterThan(40);
    free.drop();
  });
});
