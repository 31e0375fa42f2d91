// Dragging with the real module, without a page.
import { describe, expect, it } from "vitest";
import type { App } from "../../src/state/app.js";
import type { Doc } from "../../src/document/document.js";
import { areOne } from "../../src/input/drag.js";
import { movedPins, pinsOn } from "../../src/input/pins.js";
import { hangHolds } from "../../src/input/hang.js";
import { chainStart, Pull, type Aim } from "../../src/input/pull.js";
import { chestOf } from "../../src/input/trunk.js";
import { Timings } from "../../src/view/timings.js";
import { toWorld, type Point, type Ray } from "../../src/view/pick.js";
import { figure, limber, start as doc } from "./started.js";

const segment = (name: string) => figure.info.segments.findIndex((one) => one.name === name);
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
// Seen from the front, far away: the goal keeps its depth.
const through = ([x, y]: Point): Ray => ({ origin: [x, y, 50], direction: [0, 0, -1] });
const aimsAt = (...points: Point[]): Aim[] => points.map((point) => ({ ray: through(point), nearest: 0.1 }));
const degrees = (radians: number) => (radians * 180) / Math.PI;
const siteAt = (name: string, pose: ArrayLike<number>) => {
  const site = figure.info.sites.find((one) => one.name === name)!;
  return toWorld(figure.place(pose), site.segment, site.frame.slice(9) as unknown as Point);
};
const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// Pulls through the points, a frame each; the largest turn of a joint in a frame, in degrees.
function pulled(pull: Pull, points: readonly Point[]): number {
  let max = 0;
  for (const point of points) {
    const before = Float64Array.from(pull.pose);
    pull.step(aimsAt(point));
    pull.pose.forEach((value, j) => (max = Math.max(max, degrees(Math.abs(value - before[j]!)))));
  }
  return max;
}
const line = (a: Point, b: Point, count: number): Point[] =>
  Array.from({ length: count }, (_, k) => [0, 1, 2].map((j) => a[j]! + ((b[j]! - a[j]!) * (k + 1)) / count) as unknown as Point);

describe("a pull by the whole body", () => {
  it("brings the hand under the pointer, feet where they were, the trunk nearly upright", () => {
    const pull = new Pull(appOf(), [{ segment: segment("right_hand"), local: [0, -0.1, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, [...line([x, y, z], [x - 0.25, y + 0.35, z], 40), ...new Array<Point>(20).fill([x - 0.25, y + 0.35, z])]);
    expect(pull.distance).toBeLessThan(0.002);
    for (const foot of ["left_foot", "right_foot"])
      expect(apart(siteAt(foot, pull.pose), siteAt(foot, doc.pose))).toBeLessThan(1e-6);
    expect(apart(siteAt("head_top", pull.pose), siteAt("head_top", doc.pose))).toBeLessThan(0.15);
    pull.drop();
  });

  it("pulls the pelvis down and leaves the feet", () => {
    const pull = new Pull(appOf(), [{ segment: segment("pelvis"), local: [0, 0.05, -0.01] }]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, [...line([x, y, z], [x, y - 0.3, z], 40), ...new Array<Point>(200).fill([x, y - 0.3, z])]);
    expect(pull.ways[0]!.point[1]).toBeLessThan(y - 0.2);
    for (const foot of ["left_foot", "right_foot"])
      expect(apart(siteAt(foot, pull.pose), siteAt(foot, doc.pose))).toBeLessThan(1e-6);
    pull.drop();
  });

  it("comes to rest beyond its reach, and says what holds it back", () => {
    const pull = new Pull(appOf(), [{ segment: segment("right_hand"), local: [0, -0.1, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    const far: Point = [x - 1.5, y + 0.9, z];
    pulled(pull, line([x, y, z], far, 60));
    let frames = 0;
    while (pull.step(aimsAt(far)).changed && frames < 400) ++frames;
    expect(frames).toBeLessThan(400);
    expect(pull.distance).toBeGreaterThan(0.1);
    const drag = pull.report().constraints.find((one) => one.drag)!;
    expect(drag.met).toBe(false);
    expect(drag.held_back_by.length).toBeGreaterThan(0);
    pull.drop();
  });

  it("is not met while it is slowed down", () => {
    const pull = new Pull(appOf(), [{ segment: segment("right_hand"), local: [0, -0.1, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    const before = Float64Array.from(pull.pose);
    pull.step(aimsAt([x - 0.4, y + 0.6, z]));
    const drag = pull.report().constraints.find((one) => one.drag)!;
    expect(Math.max(...pull.pose.map((value, j) => Math.abs(value - before[j]!)))).toBeLessThan(4); // part of the way
    expect(pull.distance).toBeGreaterThan(0.05);
    expect(drag).toMatchObject({ met: false, error_mm: 1000 * pull.distance });
    pull.drop();
  });

  it("does not jump on the way along the edge of its reach", () => {
    const pull = new Pull(appOf(), [{ segment: segment("right_hand"), local: [0, -0.1, 0] }]);
    const start = pull.ways[0]!.point;
    const at = (angle: number): Point => [-0.17 - 1.6 * Math.cos(angle), 1.2 + 1.6 * Math.sin(angle), 0];
    pulled(pull, line(start, at(-0.6), 100));
    const max = pulled(
      pull,
      Array.from({ length: 300 }, (_, k) => at(-0.6 + k / 300)),
    );
    expect(pull.distance).toBeGreaterThan(0.05);
    expect(max).toBeLessThan(7.5);
    pull.drop();
  }, 30000);

  it("names in its report the constraints of the document and the pull, and nothing else", () => {
    const pull = new Pull(appOf(), [{ segment: segment("head"), local: [0, 0.1, 0] }]);
    pull.step(aimsAt(pull.ways[0]!.point));
    expect(pull.report().constraints.map(({ name, drag }) => [name, drag])).toEqual([
      ["left foot", false],
      ["right foot", false],
      ["balance", false],
      ["head", true],
    ]);
    pull.drop();
  });
});

describe("a far pull", () => {
  const axisDown = (name: string, pose: ArrayLike<number>) => {
    const { at, tip } = figure.info.segments[segment(name)]!;
    const [a, b] = [at, tip].map((local) => toWorld(figure.place(pose), segment(name), local as unknown as Point));
    return degrees(Math.acos((a![1] - b![1]) / apart(a!, b!)));
  };
  // Seen from the side: the goal keeps its x.
  const fromSide = ([, y, z]: Point): Ray => ({ origin: [-50, y, z], direction: [1, 0, 0] });
  const farPull = (name: string, dy: number, dz: number) => {
    const pull = new Pull(appOf(), [{ segment: segment(name), local: [0, 0, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    for (let k = 1; k <= 80; ++k)
      pull.step([{ ray: fromSide([x, y + dy * Math.min(1, k / 40), z + dz * Math.min(1, k / 40)]), nearest: 0.1 }], k <= 40);
    return pull;
  };

  it.each([
    ["right_hand", 0.1, 1.3],
    ["right_hand", -0.7, 0.6],
    ["head", -0.2, 0.6],
    ["pelvis", 0, 0.4],
    ["pelvis", -0.4, 0],
  ])("of %s by %f up and %f forward does not tip it over", (name, dy, dz) => {
    const pull = farPull(name, dy, dz);
    const report = pull.report().constraints.find((one) => one.name === "balance")!;
    expect(report.met).toBe(true);
    const [, , forward] = figure.massCentre(pull.pose);
    expect(forward).toBeLessThan(siteAt("left_toe", pull.pose)[2]);
    expect(forward).toBeGreaterThan(siteAt("left_heel", pull.pose)[2]);
    for (const foot of ["left_foot", "right_foot"])
      expect(apart(siteAt(foot, pull.pose), siteAt(foot, doc.pose))).toBeLessThan(1e-6);
    pull.drop();
  });

  it("to the floor leaves the other arm hanging", () => {
    const pull = farPull("right_hand", -0.7, 0.6);
    expect(axisDown("T1", pull.pose)).toBeLessThan(130); // the trunk is bent: T1 points up, 180
    for (const bone of ["left_upper_arm", "left_forearm"]) expect(axisDown(bone, pull.pose)).toBeLessThan(30);
    pull.drop();
  });

  it("leaves an arm that is raised as it is in the trunk", () => {
    const pose = Float64Array.from(doc.pose);
    pose[figure.info.parameters.findIndex(({ name }) => name === "left_elbow.flexion")] = 2;
    expect(hangHolds(figure, [segment("right_hand")], pose, doc).map(({ id }) => id)).not.toContain("hang left_forearm");
    expect(hangHolds(figure, [segment("right_hand")], doc.pose, doc).map(({ id }) => id)).toContain("hang left_forearm");
    expect(hangHolds(figure, [segment("left_hand")], doc.pose, doc).map(({ id }) => id)).not.toContain("hang left_forearm");
  });
});

describe("two parts pulled at the same time", () => {
  it("each come to their own place, in one solve, and both are in the report", () => {
    const pull = new Pull(
      appOf(),
      ["right_hand", "left_hand"].map((name) => ({ segment: segment(name), local: [0, -0.1, 0] as const })),
    );
    const starts = pull.ways.map(({ point }) => point);
    const goals = starts.map(([x, y, z], k): Point => [x + (k ? 0.15 : -0.25), y + (k ? 0.5 : 0.3), z]);
    for (let frame = 1; frame <= 60; ++frame)
      pull.step(
        aimsAt(
          ...goals.map(
            (goal, k) =>
              [0, 1, 2].map((j) => starts[k]![j]! + (goal[j]! - starts[k]![j]!) * Math.min(1, frame / 40)) as unknown as Point,
          ),
        ),
      );
    for (const { distance } of pull.ways) expect(distance).toBeLessThan(0.004);
    expect(
      pull
        .report()
        .constraints.filter(({ drag }) => drag)
        .map(({ name, met }) => [name, met]),
    ).toEqual([
      ["right_hand", true],
      ["left_hand", true],
    ]);
    for (const foot of ["left_foot", "right_foot"])
      expect(apart(siteAt(foot, pull.pose), siteAt(foot, doc.pose))).toBeLessThan(1e-6);
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

describe("a pull of a stiff elbow", () => {
  const turned = (stiffness: Doc["stiffness"]) => {
    const elbow = figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
    const pose = Float64Array.from(doc.pose);
    pose[elbow] = 1;
    const pull = new Pull(appOf({ present: { ...doc, stiffness }, pose }), [
      { segment: segment("right_hand"), local: [0, -0.1, 0] },
    ]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, [...line([x, y, z], [x - 0.1, y + 0.25, z], 30), ...new Array<Point>(30).fill([x - 0.1, y + 0.25, z])]);
    expect(pull.distance).toBeLessThan(0.006);
    const by = Math.abs(pull.pose[elbow]! - 1);
    pull.drop();
    return by;
  };

  it("turns it less than the free one, and the hand comes as far", () => {
    expect(turned({ "right_elbow.flexion": 10 })).toBeLessThan(0.6 * turned({}));
  });
});

describe("a pull by a chain", () => {
  const moved = (pull: Pull) =>
    figure.info.parameters.filter((_, j) => Math.abs(pull.pose[j]! - doc.pose[j]!) > 1e-6).map(({ name }) => name.split(".")[0]);

  it("of this part alone turns its joint only", () => {
    const pull = new Pull(appOf({ chainMode: "part" }), [{ segment: segment("right_forearm"), local: [0, -0.2, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, line([x, y, z], [x, y + 0.1, z + 0.1], 20));
    expect(new Set(moved(pull))).toEqual(new Set(["right_elbow"]));
    pull.drop();
  });

  it("to the nearest branch turns the arm only", () => {
    const pull = new Pull(appOf({ chainMode: "branch" }), [{ segment: segment("right_hand"), local: [0, -0.1, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, line([x, y, z], [x - 0.3, y + 0.2, z], 30));
    expect(pull.distance).toBeLessThan(0.002);
    for (const joint of moved(pull)) expect(["right_shoulder", "right_elbow", "right_wrist"]).toContain(joint);
    pull.drop();
  });

  it("begins at the chosen joint, or at the branch where that does not carry the part", () => {
    const hand = segment("right_hand");
    expect(chainStart(figure, hand, "joint", segment("right_upper_arm"))).toBe(segment("right_upper_arm"));
    expect(chainStart(figure, hand, "joint", segment("left_upper_arm"))).toBe(figure.chain(hand, "branch"));
    expect(chainStart(figure, hand, "body", 3)).toBe(-1);
  });
});

describe("a part that is pinned", () => {
  it("takes its pin along", () => {
    const foot = segment("right_foot");
    const pins = pinsOn(doc, figure, foot);
    expect(pins.map(({ name }) => name)).toEqual(["right foot"]);
    const pull = new Pull(appOf(), [{ segment: foot, local: [0, 0, 0] }]);
    const [x, y, z] = pull.ways[0]!.point;
    pulled(pull, [...line([x, y, z], [x - 0.1, y + 0.2, z], 30), ...new Array<Point>(30).fill([x - 0.1, y + 0.2, z])]);
    expect(pull.distance).toBeLessThan(0.005);
    expect(apart(siteAt("left_foot", pull.pose), siteAt("left_foot", doc.pose))).toBeLessThan(1e-6);
    const next = movedPins(doc, figure, pull.pins, pull.pose);
    const { placement } = next.constraints[1]!.goal as { placement: { p: Point; x: Point } };
    expect(placement.p).toEqual(siteAt("right_foot", pull.pose).map((value) => expect.closeTo(value, 9)));
    expect(placement.x).toEqual((doc.constraints[1]!.goal as { placement: { x: Point } }).placement.x);
    expect(next.constraints[0]).toBe(doc.constraints[0]);
    pull.drop();
  });
});

it("knows the chest of the human", () => {
  expect(figure.info.segments[chestOf(figure, 0)]!.name).toBe("T1");
});

it("keeps the last durations", () => {
  const timings = new Timings(4);
  expect(timings.quantile(0.95)).toBe(0);
  for (const value of [9, 9, 1, 2, 3, 4]) timings.add(value);
  expect(timings.count).toBe(4);
  expect(timings.quantile(0)).toBe(1);
  expect(timings.quantile(0.95)).toBe(4);
});
