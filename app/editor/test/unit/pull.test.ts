// Dragging with the real module, without a page.
import { describe, expect, it } from "vitest";
import type { App } from "../../src/state/app.js";
import { removeConstraint } from "../../src/command/commands.js";
import { balancedOn } from "../../src/command/balance_commands.js";
import type { Doc } from "../../src/document/document.js";
import { areOne } from "../../src/input/drag.js";
import { movedPins, pinsOn } from "../../src/input/pins.js";
import { chainOf, Pull, type Aim, type Grip } from "../../src/input/pull.js";
import { Turn } from "../../src/input/turn.js";
import { Timings } from "../../src/view/timings.js";
import { toWorld, type Point, type Ray } from "../../src/view/pick.js";
import { figure, limber, start as doc } from "./started.js";

const segment = (name: string) => figure.info.segments.findIndex((one) => one.name === name);
const parameter = (name: string) => figure.info.parameters.findIndex((one) => one.name === name);
const appOf = (change: Partial<App> = {}) =>
  ({
    doc,
    present: doc,
    figure,
    pose: Float64Array.from(doc.pose),
    chainMode: "body",
    chainJoint: -1,
    engine: { limber },
    ...change,
  }) as unknown as App;
// Seen from the front, far away: the goal keeps its depth. From the side it keeps its x.
const fromFront = ([x, y]: Point): Ray => ({ origin: [x, y, 50], direction: [0, 0, -1] });
const fromSide = ([, y, z]: Point): Ray => ({ origin: [-50, y, z], direction: [1, 0, 0] });
const degrees = (radians: number) => (radians * 180) / Math.PI;
const siteAt = (name: string, pose: ArrayLike<number>) => {
  const site = figure.info.sites.find((one) => one.name === name)!;
  return toWorld(figure.place(pose), site.segment, site.frame.slice(9) as unknown as Point);
};
const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const between = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let max = 0;
  for (let k = 0; k < a.length; ++k) max = Math.max(max, degrees(Math.abs(a[k]! - b[k]!)));
  return max;
};
const aim = (ray: Ray): Aim => ({ ray, nearest: 0.1 });
const grips = (...names: string[]): Grip[] => names.map((name) => ({ segment: segment(name), local: [0, 0, 0] }));
const pointOf = ({ segment: at, local }: Grip, pose: ArrayLike<number> = doc.pose) => toWorld(figure.place(pose), at, local);
const plus = (a: Point, b: Point, part = 1): Point => [a[0] + part * b[0], a[1] + part * b[1], a[2] + part * b[2]];

// A pull of a part by so much, in so many events of a frame each, until the pose is the answer.
function pulled(grip: Grip, by: Point, { app = appOf(), events = 6, see = fromFront, back = false } = {}): Pull {
  const pull = new Pull(app, [grip]);
  const from = pointOf(grip, app.pose);
  const go = (part: number) => pull.step(new Map([[grip, aim(see(plus(from, by, part)))]]));
  for (let k = 1; k <= events; ++k) go(k / events);
  for (let k = events - 1; back && k >= 0; --k) go(k / events);
  settle(pull);
  return pull;
}
function settle(pull: Pull): void {
  let frames = 0;
  while (!pull.step(new Map()) && frames < 500) ++frames;
  expect(frames).toBeLessThan(500);
}

const hand: Grip = { segment: segment("right_hand"), local: [0, -0.1, 0] };
const feetStay = (pose: ArrayLike<number>, feet = ["left_foot", "right_foot"]) => {
  for (const foot of feet) expect(apart(siteAt(foot, pose), siteAt(foot, doc.pose))).toBeLessThan(2e-5);
};

// As a user pulls: from the front or the side.
const pulls: [string, Point, typeof fromFront][] = [
  ["right_hand", [-0.25, 0.35, 0], fromFront],
  ["right_hand", [0, 0.1, 1.3], fromSide],
  ["right_hand", [0, -0.7, 0.6], fromSide],
  ["left_hand", [-0.5, 0.2, 0], fromFront],
  ["head", [0, -0.2, 0.6], fromSide],
  ["T6", [0, 0, 0.3], fromSide],
  ["pelvis", [0.3, 0, 0], fromFront],
  ["pelvis", [0, 0, 0.4], fromSide],
  ["pelvis", [0, -0.4, 0], fromSide],
  ["right_foot", [0, 0.3, -0.3], fromSide],
];

describe("the pose at the end of a pull", () => {
  it.each(pulls)("of %s by %s is the same in 6 events or 60", (name, by, see) => {
    const [grip] = grips(name);
    const [few, many] = [6, 60].map((events) => pulled(grip!, by, { events, see })) as [Pull, Pull];
    expect(between(few.pose, many.pose)).toBeLessThan(0.1);
    expect(between(few.pose, doc.pose)).toBeGreaterThan(3);
    for (const pull of [few, many]) pull.drop();
  });

  it.each(pulls)("of %s by %s and back is that of the beginning", (name, by, see) => {
    const pull = pulled(grips(name)[0]!, by, { see, back: true });
    expect(between(pull.pose, doc.pose)).toBeLessThan(0.1);
    pull.drop();
  });

  it.each(pulls)("of %s by %s is in balance, and the feet stay", (name, by, see) => {
    const pull = pulled(grips(name)[0]!, by, { see });
    const balance = pull.report().constraints.find((one) => one.name === "balance")!;
    expect([balance.met, balance.counted]).toEqual([true, true]);
    feetStay(pull.pose, name === "right_foot" ? ["left_foot"] : undefined);
    pull.drop();
  });

  it("does not depend on the frames at rest, nor on how often it is shown", () => {
    const pull = pulled(hand, [-1.5, 0.9, 0]);
    const pose = Float64Array.from(pull.pose);
    for (let k = 0; k < 5; ++k) expect(pull.step(new Map())).toBe(true);
    expect(pull.pose).toEqual(pose);
    pull.drop();
  });
});

describe("a pull by the whole body", () => {
  it("brings the hand under the pointer, the trunk nearly upright", () => {
    const pull = pulled(hand, [-0.25, 0.35, 0]);
    const { point, goal, error } = pull.stateOf(hand);
    expect(error).toBeLessThan(0.001);
    expect(apart(point, goal)).toBeLessThan(0.001);
    expect(apart(siteAt("head_top", pull.pose), siteAt("head_top", doc.pose))).toBeLessThan(0.15);
    pull.drop();
  });

  it("pulls the pelvis down by bending the knees", () => {
    const [pelvis] = grips("pelvis");
    const pull = pulled(pelvis!, [0, -0.3, 0]);
    expect(pull.stateOf(pelvis!).error).toBeLessThan(0.001);
    for (const side of ["left", "right"]) expect(degrees(pull.pose[parameter(`${side}_knee.flexion`)]!)).toBeGreaterThan(30);
    pull.drop();
  });

  it("comes to rest beyond its reach, and a limb says what holds it back", () => {
    const pull = pulled(hand, [-1.5, 0.9, 0]);
    expect(pull.stateOf(hand).error).toBeGreaterThan(0.1);
    expect(pull.report().constraints.find((one) => one.drag)!.met).toBe(false);
    pull.drop();
    const limb = pulled(hand, [0, 0.5, -1.5], { app: appOf({ chainMode: "branch" }), see: fromSide });
    expect(limb.stateOf(hand).error).toBeGreaterThan(0.1);
    expect(limb.report().constraints.find((one) => one.drag)!.held_back_by.length).toBeGreaterThan(0);
    limb.drop();
  });

  it("names in its report the constraints of the document and the pull, and nothing else", () => {
    const pull = pulled(grips("head")[0]!, [0.05, 0, 0]);
    expect(pull.report().constraints.map(({ name, drag }) => [name, drag])).toEqual([
      ["left foot", false],
      ["right foot", false],
      ["balance", false],
      ["head", true],
    ]);
    pull.drop();
  });

  it("to the floor leaves the other arm hanging", () => {
    const axisDown = (name: string, pose: ArrayLike<number>) => {
      const { at, tip } = figure.info.segments[segment(name)]!;
      const [a, b] = [at, tip].map((local) => toWorld(figure.place(pose), segment(name), local as unknown as Point));
      return degrees(Math.acos((a![1] - b![1]) / apart(a!, b!)));
    };
    const pull = pulled(hand, [0, -0.7, 0.6], { see: fromSide });
    for (const bone of ["left_upper_arm", "left_forearm"]) expect(axisDown(bone, pull.pose)).toBeLessThan(40);
    pull.drop();
  });

  it.each(limber.methods.filter(({ name }) => name !== "automatic").map(({ name }) => name))("goes by %s too", (method) => {
    const pull = pulled(hand, [-0.1, 0.2, 0], { app: appOf({ present: { ...doc, method } }) });
    expect(pull.report()).toMatchObject({ method });
    expect(pull.report().rejection).toBeUndefined();
    expect(pull.stateOf(hand).error).toBeLessThan(0.2);
    pull.drop();
  });
});

describe("two parts pulled at the same time", () => {
  it("each come to their own place, in one solve, and both are in the report", () => {
    const both = grips("right_hand", "left_hand");
    const pull = new Pull(appOf(), both);
    const goals = both.map((grip, k) => plus(pointOf(grip), [k ? 0.15 : -0.25, k ? 0.5 : 0.3, 0]));
    pull.step(new Map(both.map((grip, k) => [grip, aim(fromFront(goals[k]!))])));
    settle(pull);
    for (const grip of both) expect(pull.stateOf(grip).error).toBeLessThan(0.001);
    expect(
      pull
        .report()
        .constraints.filter(({ drag }) => drag)
        .map(({ name, met }) => [name, met]),
    ).toEqual([
      ["right_hand", true],
      ["left_hand", true],
    ]);
    feetStay(pull.pose);
    pull.drop();
  });

  it("may come later, and a release of one changes nothing, wherever the other one is", () => {
    const [right, left] = grips("right_hand", "left_hand") as [Grip, Grip];
    const pull = pulled(right, [-1.5, 0.9, 0]);
    const first = Float64Array.from(pull.pose);
    pull.grab(left);
    settle(pull);
    expect(between(pull.pose, first)).toBeLessThan(1e-9);
    pull.step(new Map([[left, aim(fromFront(plus(pointOf(left, pull.pose), [0.1, 0.3, 0])))]]));
    settle(pull);
    const shown = Float64Array.from(pull.pose);
    pull.release(left);
    settle(pull);
    expect(between(pull.pose, shown)).toBeLessThan(1e-9);
    pull.drop();
  });

  it("are one where the same parameters move them", () => {
    const one = (a: string, b: string) => areOne(figure.info, segment(a), segment(b));
    expect([one("T6", "L3"), one("right_hand", "right_hand")]).toEqual([true, true]);
    expect([one("right_hand", "left_hand"), one("right_hand", "right_forearm"), one("pelvis", "T6"), one("head", "T6")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("a joint that is stiff or locked", () => {
  const turned = (change: Partial<Doc>) => {
    const elbow = parameter("right_elbow.flexion");
    const pose = Float64Array.from(doc.pose);
    pose[elbow] = 1;
    const pull = pulled(hand, [-0.1, 0.25, 0], { app: appOf({ present: { ...doc, ...change }, pose }) });
    expect(pull.stateOf(hand).error).toBeLessThan(0.001);
    const by = Math.abs(pull.pose[elbow]! - 1);
    pull.drop();
    return by;
  };

  it("turns less than a free one or not at all, and the hand comes as far", () => {
    expect(turned({ stiffness: { "right_elbow.flexion": 10 } })).toBeLessThan(0.6 * turned({}));
    expect(turned({ rigidity: { "right_elbow.flexion": 1 } })).toBe(0);
  });
});

describe("a pull by a chain", () => {
  const moved = (pull: Pull) =>
    figure.info.parameters.filter((_, j) => Math.abs(pull.pose[j]! - doc.pose[j]!) > 1e-6).map(({ name }) => name.split(".")[0]);

  it("of this part alone turns its joint only", () => {
    const forearm: Grip = { segment: segment("right_forearm"), local: [0, -0.2, 0] };
    const pull = pulled(forearm, [0, 0.1, 0.1], { app: appOf({ chainMode: "part" }), see: fromSide });
    expect(new Set(moved(pull))).toEqual(new Set(["right_elbow"]));
    pull.drop();
  });

  it("to the nearest branch turns the arm only", () => {
    const pull = pulled(hand, [-0.3, 0.2, 0], { app: appOf({ chainMode: "branch" }) });
    expect(pull.stateOf(hand).error).toBeLessThan(0.001);
    for (const joint of moved(pull)) expect(["right_shoulder", "right_elbow", "right_wrist"]).toContain(joint);
    expect(pull.report().constraints.map(({ counted }) => counted)).toEqual([false, false, false, true]);
    pull.drop();
  });

  it("begins at the chosen joint, or at the branch where that does not carry the part", () => {
    const upper = segment("right_upper_arm");
    expect(chainOf(figure, hand.segment, "joint", upper)).toEqual({ chain: "limb", from: upper });
    expect(chainOf(figure, hand.segment, "joint", segment("left_upper_arm"))).toEqual({ chain: "limb" });
    expect(chainOf(figure, hand.segment, "body", 3)).toEqual({ chain: "body" });
    const from = segment("right_forearm");
    const pull = pulled(hand, [-0.1, 0.1, 0], { app: appOf({ chainMode: "joint", chainJoint: from }) });
    for (const joint of moved(pull)) expect(["right_elbow", "right_wrist"]).toContain(joint);
    pull.drop();
  });
});

describe("a part that is pinned", () => {
  it("takes its pin along", () => {
    const [foot] = grips("right_foot") as [Grip];
    expect(pinsOn(doc, figure, foot.segment).map(({ name }) => name)).toEqual(["right foot"]);
    const pull = pulled(foot, [-0.1, 0.2, 0]);
    expect(pull.stateOf(foot).error).toBeLessThan(0.001);
    feetStay(pull.pose, ["left_foot"]);
    const next = movedPins(doc, figure, pull.pins, pull.pose);
    const { placement } = next.constraints[1]!.goal as { placement: { p: Point; x: Point } };
    expect(placement.p).toEqual(siteAt("right_foot", pull.pose).map((value) => expect.closeTo(value, 9) as number));
    expect(next.constraints[0]).toBe(doc.constraints[0]);
    // What is pinned now is met as it is.
    const posed = limber.scene(figure, {
      constraints: [{ handle: next.constraints[1]!.handle!, goal: next.constraints[1]!.goal! }],
    });
    posed.solve(Float64Array.from(pull.pose), { iterations: 0, restarts: 0 });
    expect(posed.report().constraints[0]!.error_mm).toBeLessThan(1e-6);
    expect(posed.report().constraints[0]!.error_degrees).toBeLessThan(1e-5);
    posed.drop();
    pull.drop();
  });

  it("carries the balance with the feet that are pinned, if any", () => {
    const feet = ["left_foot", "right_foot"];
    expect(balancedOn(figure, doc, 0).feet).toEqual(feet);
    const one = removeConstraint(doc, "foot0");
    expect(balancedOn(figure, one, 0).feet).toEqual(["right_foot"]);
    const { scene, feet: none } = balancedOn(figure, removeConstraint(one, "foot1"), 0);
    expect(none).toEqual([]);
    expect(scene.constraints.find(({ balance }) => balance)!.enabled).toBe(false);
  });
});

describe("a joint that is turned", () => {
  const shown: { pose: Float64Array; title: string } = { pose: new Float64Array(), title: "" };
  const turning = () =>
    appOf({
      play: () => undefined,
      showPose: (pose: ArrayLike<number>) => (shown.pose = Float64Array.from(pose)),
      setReport: () => undefined,
      commitPose: (title: string) => (shown.title = title),
    } as Partial<App>);

  it("turns alone as long as the constraints hold", () => {
    const elbow = parameter("right_elbow.flexion");
    const turn = new Turn(turning(), elbow);
    turn.to(1);
    expect(turn.end("Turn")).toBe(0);
    expect(shown).toEqual({ pose: Float64Array.from(doc.pose, (value, j) => (j === elbow ? 1 : value)), title: "Turn" });
  });

  it("takes along what keeps the feet where they are, by any way, and stops where nothing does", () => {
    const knee = parameter("right_knee.flexion");
    const ends = [[0.8], [0.2, 1.5, 0.8]].map((values) => {
      const turn = new Turn(turning(), knee);
      for (const value of values) turn.to(value);
      expect(Math.abs(turn.end("Turn"))).toBeLessThan(0.01);
      feetStay(shown.pose);
      return shown.pose;
    });
    expect(between(ends[0]!, ends[1]!)).toBeLessThan(0.1);
    // A root that is carried away from feet that stay.
    const up = figure.info.root.find((j) => figure.info.parameters[j]!.metres && /y$/.test(figure.info.parameters[j]!.name))!;
    const turn = new Turn(turning(), up);
    turn.to(doc.pose[up]! + 0.5);
    expect(turn.end("Move")).toBeLessThan(-0.3);
    feetStay(shown.pose);
  });
});

it("keeps the last durations", () => {
  const timings = new Timings(4);
  expect(timings.quantile(0.95)).toBe(0);
  for (const value of [9, 9, 1, 2, 3, 4]) timings.add(value);
  expect(timings.count).toBe(4);
  expect(timings.quantile(0)).toBe(1);
  expect(timings.quantile(0.95)).toBe(4);
});
