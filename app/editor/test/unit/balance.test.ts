// Balance over feet that are moved, with the real module.
import { describe, expect, it } from "vitest";
import type { App } from "../../src/state/app.js";
import { poseOf, feetAreInPlace } from "../../src/document/balance.js";
import { setPose } from "../../src/command/commands.js";
import { sceneOf, type Doc } from "../../src/document/document.js";
import { inPieces } from "../../src/command/pieces.js";
import { movedPins } from "../../src/input/pins.js";
import { Pull, type Grip } from "../../src/input/pull.js";
import type { Point, Ray } from "../../src/view/pick.js";
import { figure, limber, start as doc } from "./started.js";
import { rebalanced } from "../../src/command/balance_commands.js";

const balanceOf = ({ constraints }: Doc) => constraints.find((one) => one.balance)!;
const feet = ["left_foot", "right_foot"];

// The left foot taken elsewhere, as a drag does it.
function stepped(to: Point): { next: Doc; pose: Float64Array } {
  const app = {
    doc,
    present: doc,
    figure,
    pose: Float64Array.from(doc.pose),
    chainMode: "body",
    chainJoint: -1,
    engine: { limber },
  } as unknown as App;
  const foot: Grip = { segment: figure.info.segments.findIndex(({ name }) => name === "left_foot"), local: [0, 0, 0] };
  const pull = new Pull(app, [foot]);
  const [, y, z] = pull.stateOf(foot).point;
  const ray: Ray = { origin: [50, y + to[1], z + to[2]], direction: [-1, 0, 0] };
  let settled = pull.step(new Map([[foot, { ray, nearest: 0.1 }]]));
  for (let k = 0; k < 200 && !settled; ++k) settled = pull.step(new Map());
  const pose = Float64Array.from(pull.pose);
  const next = setPose(movedPins(doc, figure, pull.pins, pose), pose, 0);
  expect(pull.stateOf(foot).error).toBeLessThan(0.001);
  pull.drop();
  return { next: rebalanced(figure, doc, next), pose };
}

describe("the start document", () => {
  it("stands in balance on both feet", () => {
    const posed = limber.scene(figure, sceneOf(doc));
    const pose = Float64Array.from(doc.pose);
    posed.solve(pose, { iterations: 0, restarts: 0 });
    expect(posed.report().constraints.map(({ name, met }) => [name, met])).toEqual([
      ["left foot", true],
      ["right foot", true],
      ["balance", true],
    ]);
    posed.drop();
    expect(figure.feetOnGround(doc.pose, feet)).toEqual(feet);
    expect([...poseOf(figure, balanceOf(doc).standing!)]).toEqual(doc.pose.map((value) => expect.closeTo(value, 12) as number));
  });
});

describe("a foot that is moved", () => {
  it("shifts the weight to the other one", () => {
    const { pose } = stepped([0, 0.25, 0.1]);
    expect(figure.massCentre(pose)[0]).toBeLessThan(-0.05);
  });

  it("carries again where it was put down", () => {
    const { next, pose } = stepped([0, 0, 0.35]);
    const balance = balanceOf(next);
    expect(balance.on).toBeUndefined();
    expect(feetAreInPlace(figure, balance, pose)).toBe(true);
    expect(feetAreInPlace(figure, balance, doc.pose)).toBe(false);
  });

  it("that stays in the air carries nothing", () => {
    const { next } = stepped([0, 0.25, 0.1]);
    expect(balanceOf(next).on).toEqual(["right_foot"]);
    expect(sceneOf(next).constraints!.at(-1)!.balance).toEqual(["right_foot"]);
  });

  it("leaves the balance of other keys as it was", () => {
    const before: Doc = { ...doc, keys: [{ time: 0, pose: doc.pose }] };
    const { next } = stepped([0, 0, 0.35]);
    const walked = inPieces(before, { ...next, keys: before.keys }, 1, (one, pose) =>
      one.balance ? feetAreInPlace(figure, one, pose) : true,
    );
    const balances = walked.constraints.filter((one) => one.balance);
    expect(balances).toHaveLength(2);
    const [first, second] = balances;
    expect(first!.span!.to).toBe(0);
    expect(second!.span!.from).toBe(1);
    expect(feetAreInPlace(figure, first!, doc.pose)).toBe(true);
    expect(feetAreInPlace(figure, second!, doc.pose)).toBe(false);
  });
});
