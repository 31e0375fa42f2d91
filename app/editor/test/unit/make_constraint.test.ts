// Every kind of constraint is made so that the module takes it, and where the figure is free it stays as it is.
import { readFileSync } from "node:fs";
import { loadLimber, type Figure, type Limber } from "limber";
import { beforeAll, describe, expect, it } from "vitest";
import { addConstraint, changeConstraint, removeConstraint, setRigidity, setStiffness } from "../../src/command/commands.js";
import { sceneOf, type Doc } from "../../src/document/document.js";
import { vectorOf } from "../../src/document/direction.js";
import { canBeMust, kindOf } from "../../src/document/goals.js";
import { handleAt, massCentre, opposite, placeOn, placesIn, placesOf, whereIs } from "../../src/document/handles.js";
import {
  goalAtHandle,
  makeConstraint,
  retyped,
  typeOf,
  typeRows,
  type Unnamed,
  type Wish,
} from "../../src/document/make_constraint.js";
import { standingOf } from "../../src/document/balance.js";
import { feetOf, frameOf } from "../../src/document/places.js";
import { emptyDoc, human } from "../../src/document/start.js";

let limber: Limber;
let figure: Figure;
let pose: Float64Array; // not at rest: nothing is zero by chance

beforeAll(async () => {
  limber = await loadLimber(readFileSync(new URL("../../../../build/wasm/limber.wasm", import.meta.url)));
  figure = limber.figure(human);
  pose = figure.bounded(figure.rest().map((value, k) => value + 0.1 * Math.sin(1 + 3 * k)));
});

const docWith = (made: Unnamed): Doc => addConstraint(emptyDoc(human, pose), { ...made, id: "c1" });

function solved(made: Unnamed, from = pose, iterations = 1000) {
  const posed = limber.scene(figure, sceneOf(docWith(made)));
  const answer = Float64Array.from(from);
  posed.solve(answer, { iterations, restarts: 0 });
  const report = posed.report();
  posed.drop();
  const moved = Math.max(...answer.map((value, k) => Math.abs(value - from[k]!)));
  return { answer, report, moved };
}

const place = "right_palm";
const wishes: Wish[] = [
  { kind: "position", place },
  { kind: "position", place: massCentre },
  { kind: "placement", place },
  { kind: "placement", place: "left_foot" },
  { kind: "orientation", place },
  { kind: "x_direction", place },
  { kind: "y_direction", place },
  { kind: "z_direction", place },
  { kind: "horizontal_plane", place },
  { kind: "vertical_plane", place },
  { kind: "line", place },
  { kind: "half_space", place },
  { kind: "half_space", place: massCentre },
  { kind: "rope", place },
  { kind: "aim", place: "eyes" },
  { kind: "balance", feet: ["left_foot", "right_foot"] },
];

describe("a constraint made where its place is", () => {
  it.each(wishes.filter(({ kind }) => kind !== "balance").map((wish) => [JSON.stringify(wish), wish] as const))(
    "is met at once and moves nothing: %s",
    (_, wish) => {
      const { report, moved } = solved(makeConstraint(limber, figure, pose, wish));
      expect(report.met).toBe(true);
      expect(report.constraints).toHaveLength(1);
      expect(moved).toBeLessThan(1e-9);
    },
  );

  it.each(
    wishes
      .filter(({ kind }) => !["balance", "half_space", "rope"].includes(kind))
      .map((wish) => [JSON.stringify(wish), wish] as const),
  )("asks for something: another pose does not meet it, and is brought to it: %s", (_, wish) => {
    const made = makeConstraint(limber, figure, pose, wish);
    const other = figure.bounded(figure.rest().map((value, k) => value + 0.2 * Math.cos(5 * k)));
    expect(solved(made, other, 0).report.met).toBe(false);
    const after = solved(made, other);
    expect(after.report.met).toBe(true);
    expect(after.moved).toBeGreaterThan(0.01);
  });

  it("balances over the feet of the pose it was made in, not of the rest pose", () => {
    const away = figure.rest();
    away[0] = 2; // two metres to the side
    const made = makeConstraint(limber, figure, away, { kind: "balance", feet: ["left_foot", "right_foot"] });
    const { report, moved } = solved(made, away);
    expect(report.met).toBe(true);
    expect(moved).toBe(0);
    expect(solved(made, figure.rest(), 0).report.met).toBe(false);
  });

  it("keeps two places together", () => {
    const made = makeConstraint(limber, figure, pose, { kind: "together", place: "left_palm", other: place });
    expect(solved(made, pose, 0).report.met).toBe(false);
    const { answer, report } = solved(made);
    expect(report.met).toBe(true);
    const [a, b] = ["left_palm", place].map((name) => frameOf(figure, name, answer).p);
    expect(Math.hypot(...a!.map((value, k) => value - b![k]!))).toBeLessThan(1e-4);
  });

  it("keeps two places as far apart as they are", () => {
    const apart = (at: ArrayLike<number>) => {
      const [a, b] = ["left_palm", place].map((name) => frameOf(figure, name, at).p);
      return Math.hypot(...a!.map((value, k) => value - b![k]!));
    };
    const made = makeConstraint(limber, figure, pose, { kind: "stick", place: "left_palm", other: place });
    expect(solved(made).moved).toBeLessThan(1e-9);
    const { answer, report } = solved(made, figure.rest());
    expect(report.met).toBe(true);
    expect(apart(answer)).toBeCloseTo(apart(pose), 3);
    const space = makeConstraint(limber, figure, pose, { kind: "space", place: "left_palm", other: place });
    expect(space.goal).toEqual({ distance: { at_least: expect.closeTo(apart(pose), 9) as number } });
  });

  it("brings the end of a rope to its length from the handle, in the direction that it has", () => {
    const made = makeConstraint(limber, figure, pose, { kind: "rope", place });
    const rest = figure.rest();
    const handle = whereIs(limber, figure, { point: place }, rest).p;
    const distanceTo = (p: readonly number[]) => Math.hypot(...p.map((value, k) => value - handle[k]!));
    const { p: before, at_most: length } = (made.goal as { distance: { p: [number, number, number]; at_most: number } }).distance;
    const { goal } = goalAtHandle(limber, figure, made, rest) as { goal: { distance: { p: [number, number, number] } } };
    const after = goal.distance.p;
    expect(distanceTo(after)).toBeCloseTo(length, 12);
    after.forEach((value, k) =>
      expect((value - handle[k]!) / length).toBeCloseTo((before[k]! - handle[k]!) / distanceTo(before), 12),
    );
  });

  it("looks at a place that moves", () => {
    const made = makeConstraint(limber, figure, pose, { kind: "aim_place", place: "eyes", other: place });
    const { answer, report } = solved(made);
    expect(report.met).toBe(true);
    const eyes = frameOf(figure, "eyes", answer);
    const palm = frameOf(figure, place, answer).p;
    const to = palm.map((value, k) => value - eyes.p[k]!);
    const cosine = to.reduce((sum, value, k) => sum + value * eyes.x[k]!, 0) / Math.hypot(...to);
    expect(cosine).toBeGreaterThan(1 - 1e-6);
  });

  it("must hold where the figure stands, and is heavy elsewhere", () => {
    expect(makeConstraint(limber, figure, pose, { kind: "placement", place: "left_foot" }).weight).toBe("must");
    expect(makeConstraint(limber, figure, pose, { kind: "position", place: "left_toe" }).weight).toBe("must");
    expect(makeConstraint(limber, figure, pose, { kind: "position", place }).weight).toBe(1000);
  });

  it("is one that can hold exactly if it says so", () => {
    for (const wish of wishes) {
      const made = makeConstraint(limber, figure, pose, wish);
      const ask = () => limber.scene(figure, sceneOf(docWith({ ...made, weight: "must" }))).drop();
      if (canBeMust(made)) expect(ask, JSON.stringify(wish)).not.toThrow();
      else if (wish.kind === "balance") expect(ask).toThrow(/weight/);
    }
  });
});

describe("where a handle is", () => {
  it("agrees with the frame of its place", () => {
    const { p, x, y } = frameOf(figure, place, pose);
    const is = whereIs(limber, figure, { frame: place }, pose);
    for (const [a, b] of [
      [p, is.p],
      [x, is.x],
      [y, is.y],
    ] as const)
      a.forEach((value, k) => expect(b[k]).toBeCloseTo(value, 12));
    const { x: pointed } = whereIs(limber, figure, { direction: place }, pose);
    x.forEach((value, k) => expect(pointed[k]).toBeCloseTo(value, 12));
  });

  it("leaves no object behind", () => {
    const before = limber.objects;
    whereIs(limber, figure, { ray: "eyes" }, pose);
    expect(limber.objects).toBe(before);
  });
});

describe("a goal set to where its handle is", () => {
  it.each(wishes.map((wish) => [JSON.stringify(wish), wish] as const))("is met there: %s", (_, wish) => {
    const made = makeConstraint(limber, figure, figure.rest(), wish);
    const moved = { ...made, ...goalAtHandle(limber, figure, made, pose) };
    expect(kindOf(moved)).toBe(kindOf(made));
    if (wish.kind === "balance") expect(moved.standing).toEqual(standingOf(figure, pose));
    else expect(solved(moved, pose, 0).report.met).toBe(true);
  });

  it("is none for what has no place of its own", () => {
    for (const kind of ["together", "aim_place"] as const)
      expect(
        goalAtHandle(limber, figure, makeConstraint(limber, figure, pose, { kind, place: "eyes", other: place }), pose),
      ).toBeUndefined();
  });
});

describe("places", () => {
  it("are the ones that are meant by a part of the body", () => {
    const segment = (name: string) => figure.info.segments.findIndex((one) => one.name === name);
    expect(placeOn(figure, segment("right_hand"), "point")).toBe("right_palm");
    expect(placeOn(figure, segment("left_foot"), "frame")).toBe("left_foot");
    expect(placeOn(figure, segment("head"), "ray")).toBe("eyes");
    expect(placeOn(figure, segment("head"), "point")).toBe("head");
    expect(opposite(figure, place)).toBe("left_palm");
    expect(opposite(figure, "eyes")).toBeUndefined();
    expect(feetOf(figure)).toEqual(["left_foot", "right_foot"]);
  });

  it("are each accepted by the module", () => {
    const all = placesIn(figure);
    expect(new Set(all).size).toBe(all.length);
    for (const one of all)
      expect(solved(makeConstraint(limber, figure, pose, { kind: "position", place: one })).report.met, one).toBe(true);
  });

  it("change in a handle, and nothing else does", () => {
    expect(handleAt({ ray: "eyes" }, "head")).toEqual({ ray: "head" });
    expect(handleAt({ difference: [{ ray: "eyes" }, { point: "left_palm" }] }, "right_palm", 1)).toEqual({
      difference: [{ ray: "eyes" }, { point: "right_palm" }],
    });
    expect(handleAt({ direction: { place: "head", local: "y" } }, "pelvis")).toEqual({
      direction: { place: "pelvis", local: "y" },
    });
    expect(handleAt({ point: "head" }, massCentre)).toEqual({ mass_centre: true });
    expect(placesOf({ difference: [{ ray: "eyes" }, { mass_centre: true }] })).toEqual(["eyes", massCentre]);
  });

  it("point along axes", () => {
    expect(vectorOf("-y")).toEqual([0, -1, 0]);
    expect(vectorOf([1, 2, 3])).toEqual([1, 2, 3]);
  });
});

describe("commands", () => {
  const made: Unnamed = { name: "one", handle: { point: place }, goal: { position: [0, 1, 0] } };

  it("add, change and remove a constraint and leave the document before as it was", () => {
    const before = emptyDoc(human, []);
    const frozen = JSON.stringify(before);
    const added = addConstraint(before, { ...made, id: "c1" });
    const changed = changeConstraint(added, "c1", { weight: 3, name: undefined });
    expect(changed.constraints[0]).toEqual({ id: "c1", handle: made.handle, goal: made.goal, weight: 3 });
    expect(added.constraints[0]!.name).toBe("one");
    expect(removeConstraint(changed, "c1").constraints).toEqual([]);
    expect(JSON.stringify(before)).toBe(frozen);
  });

  it("keep a rigidity only where it is not the figure's own", () => {
    const before = emptyDoc(human, []);
    expect(setRigidity(before, "root.x", 1).rigidity).toEqual({ "root.x": 1 });
    expect(setRigidity(setRigidity(before, "root.x", 1), "root.x", 0).rigidity).toEqual({});
    expect(setRigidity(before, "root.x", 0, 0.5).rigidity).toEqual({ "root.x": 0 });
    expect(setRigidity(before, "root.x", 0.5, 0.5).rigidity).toEqual({});
  });

  it("keep a stiffness only above 0, and give it to the scene", () => {
    const before = emptyDoc(human, []);
    expect(sceneOf(before).stiffness).toBe(undefined);
    const stiff = setStiffness(before, "root.x", 3);
    expect(stiff.stiffness).toEqual({ "root.x": 3 });
    expect(before.stiffness).toEqual({});
    expect(sceneOf(stiff).stiffness).toEqual({ "root.x": 3 });
    expect(setStiffness(stiff, "root.x", 0).stiffness).toEqual({});
  });

  it("give a scene without what is the editor's own", () => {
    const scene = sceneOf(
      docWith({ balance: ["left_foot"], standing: { "root.x": 1 }, span: { from: 0, to: 1, easeIn: 0, easeOut: 0 } }),
    );
    expect(scene.constraints).toEqual([{ balance: ["left_foot"] }]);
    expect(scene.pose).toEqual({ "root.x": 1 });
  });
});

// W93 6.3: a lock can be edited to change its type.
describe("another type of a constraint", () => {
  const kinds = typeRows.map(([kind]) => kind);
  const vector = (goal: object | undefined) => JSON.stringify(goal);

  it.each(kinds)("%s becomes every other one, as it is made there, and the module takes it", (from) => {
    const made = {
      ...makeConstraint(limber, figure, pose, { kind: from, place }),
      weight: 7,
      priority: 2,
      from: "right_shoulder",
    };
    expect(typeOf(made)).toBe(from);
    for (const to of kinds) {
      const change = retyped(limber, figure, pose, made, to);
      const next = { ...made, ...change };
      const direct = makeConstraint(limber, figure, pose, { kind: to, place });
      expect(typeOf(next), `${from} to ${to}`).toBe(to);
      expect(next.name).toBe(direct.name);
      expect(next.handle).toEqual(direct.handle);
      expect([next.weight, next.priority, next.from]).toEqual([7, 2, "right_shoulder"]);
      // In the pose in which it was made nothing is asked that is not so.
      const { report, moved } = solved(next);
      expect(report.met).toBe(true);
      expect(moved).toBeLessThan(1e-6);
    }
  });

  it("keeps the point and the directions that both types ask for", () => {
    const p: [number, number, number] = [-0.4, 1.1, 0.3];
    const asked = (kind: Parameters<typeof retyped>[4], goal: object) =>
      retyped(limber, figure, pose, { handle: { frame: place }, goal: goal as never }, kind).goal as unknown as Record<
        string,
        never
      >;
    const whole = { placement: { p, x: "z" as const, y: "y" as const } };
    expect(asked("position", whole)).toEqual({ position: p });
    expect(asked("orientation", whole)).toEqual({ orientation: { x: "z", y: "y" } });
    expect(asked("x_direction", whole)).toEqual({ orientation: { x: "z" } });
    expect(asked("y_direction", whole)).toEqual({ orientation: { y: "y" } });
    // z = x × y
    expect((asked("z_direction", whole) as unknown as { direction: number[] }).direction.map(Math.round)).toEqual([-1, 0, 0]);
    expect(asked("horizontal_plane", whole)).toEqual({ plane: { p, v: "y" } });
    expect(asked("line", whole)).toEqual({ line: { p, v: "y" } });
    const back = asked("placement", { orientation: { x: "z" } }) as unknown as {
      placement: { p: number[]; x: unknown; y: unknown };
    };
    expect(back.placement.x).toBe("z");
    expect(vector(back.placement.p as never)).not.toBe(vector(p));
    expect(back.placement.p).toHaveLength(3);
    // An aim's point is not where its handle should be.
    expect(asked("position", { aim_at: p })).not.toEqual({ position: p });
  });

  it("has no type for two places, and one of its own for what the menu does not make", () => {
    expect(typeOf(makeConstraint(limber, figure, pose, { kind: "together", place: "left_palm", other: place }))).toBeUndefined();
    expect(typeOf({ handle: { point: place }, goal: { inside: { sphere: { centre: [0, 0, 0], radius: 1 } } } })).toBeUndefined();
    const region = {
      handle: { point: place },
      goal: { inside: { sphere: { centre: [0, 0, 0], radius: 1 } } },
      name: "zone",
    } as const;
    expect(retyped(limber, figure, pose, region as never, "position").name).toBeUndefined();
  });
});
