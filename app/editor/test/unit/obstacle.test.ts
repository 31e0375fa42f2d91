// Obstacles in a document, with the real module.
import { describe, expect, it } from "vitest";
import { Euler, MathUtils, Quaternion } from "three";
import type { ObstacleValue, Vec3 } from "limber";
import type { App } from "../../src/state/app.js";
import { sceneOf, type Doc } from "../../src/document/document.js";
import { makeObstacle, wishes } from "../../src/command/make_obstacle.js";
import {
  addObstacle,
  freshName,
  moveObstacle,
  removeObstacle,
  renameObstacle,
  resizeObstacle,
  turnObstacle,
} from "../../src/command/obstacle_commands.js";
import { anglesOf, turnOf, turnsOf } from "../../src/document/obstacle_frame.js";
import { readDocument, writeDocument } from "../../src/document/save.js";
import { Store } from "../../src/state/store.js";
import { docOfFragment, fragmentOf } from "../../src/file/link.js";
import { docOfScene, sceneOfDoc } from "../../src/engine/scene.js";
import { Pull, type Grip } from "../../src/input/pull.js";
import { clearText } from "../../src/panel/constraint/touches.js";
import type { Ray } from "../../src/view/pick.js";
import { figure, limber, start } from "./started.js";
import { obstacleMeant } from "../../src/document/obstacle.js";

const table: ObstacleValue = { name: "table", box: [0.9, 0.04, 0.45], p: [0, 0.95, 0.5] };
const ball: ObstacleValue = { name: "ball", ball: 0.1, p: [0, 1, 0.5] };
const clears = (doc: Doc) => doc.constraints.filter((one) => one.keep_clear);

describe("another figure", () => {
  const other: ObstacleValue = {
    name: "other",
    figure: { human: { sex: "female", root: "fixed" } },
    pose: { "left_elbow.flexion": 60 },
    p: [0, 0, 0.3],
    turns: [["y", 180]],
  };

  it("stays in the file as it was written, and is kept clear of", () => {
    const text = JSON.stringify({
      limber: "scene 1",
      figure: { human: {} },
      obstacles: [other],
      constraints: [{ handle: "right_palm", goal: { position: [0, 1.2, 0.3] } }, { keep_clear: true }],
    });
    const doc = docOfScene(limber, "two.json", text, {});
    expect(doc.obstacles).toEqual([other]);
    expect(sceneOfDoc(limber, figure, doc).obstacles).toEqual([other]);
    expect(readDocument(writeDocument(doc)).obstacles).toEqual([other]);
  });

  it("is meant where a report names a part of it", () => {
    const doc = { ...start, obstacles: [other, { ...table, name: "other/left" }] };
    expect(obstacleMeant(doc, "other/left_hand")).toBe("other");
    expect(obstacleMeant(doc, "other/left")).toBe("other/left");
    expect(obstacleMeant(doc, "nobody/left_hand")).toBe("nobody/left_hand");
  });
});

describe("commands", () => {
  it("make a constraint with the first obstacle, and none with the second", () => {
    const one = addObstacle(start, table);
    expect(one.obstacles).toEqual([table]);
    expect(clears(one)).toMatchObject([{ keep_clear: { margin: 0.005 }, weight: "must" }]);
    expect(one.constraints.slice(0, -1)).toEqual(start.constraints);
    expect(addObstacle(one, ball).constraints).toBe(one.constraints);
  });

  it("leave a constraint that is there as it is, and add to the names that it gives", () => {
    const named = addObstacle(start, table);
    const own = { ...named, constraints: [...start.constraints, { id: "k", keep_clear: { of: ["table"] } }] };
    expect(clears(addObstacle(own, ball))).toEqual([{ id: "k", keep_clear: { of: ["table", "ball"] } }]);
    const without = { ...named, constraints: start.constraints };
    expect(clears(addObstacle(without, ball))).toEqual([]);
  });

  it("move, turn and resize one and leave the others alone", () => {
    const both = addObstacle(addObstacle(start, table), ball);
    expect(moveObstacle(both, "table", [1, 2, 3]).obstacles).toEqual([{ ...table, p: [1, 2, 3] }, ball]);
    expect(resizeObstacle(both, "ball", { ball: 0.3 }).obstacles).toEqual([table, { ...ball, ball: 0.3 }]);
    const turned = turnObstacle({ ...both, obstacles: [{ ...table, quaternion: [1, 0, 0, 0] }, ball] }, "table", [["y", 30]]);
    expect(turned.obstacles).toEqual([{ ...table, turns: [["y", 30]] }, ball]);
    expect(both.obstacles).toEqual([table, ball]);
  });

  it("rename it where it is named, and reject the name of another", () => {
    const both = {
      ...addObstacle(addObstacle(start, table), ball),
      constraints: [{ id: "k", keep_clear: { of: ["table", "ball"] } }],
    };
    const renamed = renameObstacle(both, "table", "desk");
    expect(renamed.obstacles.map(({ name }) => name)).toEqual(["desk", "ball"]);
    expect(renamed.constraints).toEqual([{ id: "k", keep_clear: { of: ["desk", "ball"] } }]);
    expect(() => renameObstacle(both, "table", "ball")).toThrow(/another obstacle called ball/);
    expect(freshName(both, "table")).toBe("table 2");
  });

  it("take the constraint along with the last one, unless it keeps the figure's own parts clear", () => {
    const both = addObstacle(addObstacle(start, table), ball);
    const one = removeObstacle(both, "table");
    expect(one.obstacles).toEqual([ball]);
    expect(clears(one)).toHaveLength(1);
    expect(removeObstacle(one, "ball")).toEqual(start);
    const self = { ...one, constraints: [{ id: "k", keep_clear: { self: true } }] };
    expect(clears(removeObstacle(self, "ball"))).toHaveLength(1);
  });

  it("are one step each, and undo gives the first document", () => {
    const store = new Store(start);
    store.run("Add table", (doc) => addObstacle(doc, table));
    store.run("Move table", (doc) => moveObstacle(doc, "table", [0, 0.5, 0.5]));
    store.run("Rename table", (doc) => renameObstacle(doc, "table", "desk"));
    store.run("Delete desk", (doc) => removeObstacle(doc, "desk"));
    for (const title of ["Delete desk", "Rename table", "Move table", "Add table"]) {
      expect(store.undoTitle).toBe(title);
      store.undo();
    }
    expect(store.doc).toBe(start);
  });
});

describe("turns", () => {
  it("about y, x and z are read as they were entered", () => {
    const angles: Vec3 = [20, -35, 50];
    expect(anglesOf({ ...table, turns: turnsOf(angles) })).toEqual(angles);
    const { x, y, z, w } = turnOf({ ...table, turns: turnsOf(angles) });
    const own = new Quaternion().setFromEuler(new Euler(...(angles.map((one) => MathUtils.degToRad(one)) as Vec3), "YXZ"));
    expect([x, y, z, w]).toEqual([own.x, own.y, own.z, own.w].map((one) => expect.closeTo(one, 12) as number));
    expect(anglesOf({ ...table, quaternion: [w, x, y, z] })).toEqual(angles.map((one) => expect.closeTo(one, 6) as number));
  });

  it("of a matrix by rows have its columns as axes", () => {
    const { x, y, z, w } = turnOf({
      ...table,
      matrix: [
        [0, -1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ],
    });
    expect([x, y, z, w]).toEqual([0, 0, Math.SQRT1_2, Math.SQRT1_2].map((one) => expect.closeTo(one, 12) as number));
  });
});

describe("a document with obstacles", () => {
  it("comes back from a file and from a link", async () => {
    const doc = addObstacle(addObstacle(start, table), ball);
    expect(readDocument(writeDocument(doc))).toStrictEqual(doc);
    expect(await docOfFragment(await fragmentOf(doc))).toStrictEqual(doc);
  });

  it("is a scene with them, and is read from one", () => {
    const doc = addObstacle(addObstacle(start, table), ball);
    const scene = sceneOfDoc(limber, figure, doc);
    expect(scene.obstacles).toEqual([table, ball]);
    const again = docOfScene(limber, "a.json", JSON.stringify(scene), {});
    expect(again.obstacles).toEqual([table, ball]);
    expect(clears(again)).toMatchObject([{ keep_clear: { margin: 0.005 } }]);
    expect(sceneOfDoc(limber, figure, start).obstacles).toBeUndefined();
  });

  it.each(wishes)("takes a %s that the figure at rest can be clear of", (wish) => {
    const doc = addObstacle(start, makeObstacle(start, figure, start.pose, wish));
    const posed = limber.scene(figure, sceneOf(doc));
    const pose = Float64Array.from(doc.pose);
    posed.solve(pose, { iterations: 0, restarts: 0 });
    const report = posed.report().constraints.at(-1)!;
    posed.drop();
    if (wish === "floor") return expect(report.counted).toBe(true); // the panel puts it under the soles
    expect(report).toMatchObject({ met: true });
  });
});

describe("a pull", () => {
  // The hand is over the table and is pulled down, through it; then along it.
  it.each(["body", "branch"] as const)("by the %s slides the hand along the table", (chainMode) => {
    const doc = addObstacle(start, { ...table, box: [3, 0.04, 0.45] }); // no way round along the line of sight
    const hand = figure.info.segments.findIndex(({ name }) => name === "right_hand");
    const app = { doc, present: doc, figure, pose: raised(doc), chainMode, chainJoint: -1, engine: { limber } } as unknown as App;
    const grip: Grip = { segment: hand, local: [0, 0, 0] };
    const pull = new Pull(app, [grip]);
    const [x, y, z] = pull.stateOf(grip).point;
    expect(y).toBeGreaterThan(1);
    const aim = (dz: number, dy: number): { ray: Ray; nearest: number } => ({
      ray: { origin: [50, y + dy, z + dz], direction: [-1, 0, 0] },
      nearest: 0.1,
    });
    let worst = Infinity;
    let lost = 0; // frames on the table whose report does not name it
    for (let k = 1; k <= 60; ++k) {
      pull.step(new Map([[grip, aim(0.002 * Math.max(0, k - 40), -0.01 * Math.min(k, 40))]]));
      const touches = pull.report().constraints.find((one) => one.touches)?.touches ?? [];
      if (k > 40 && !touches.some(({ obstacle }) => obstacle === "table")) ++lost;
      for (const { gap_mm: gap } of touches) worst = Math.min(worst, gap);
    }
    expect(lost).toBe(0);
    expect(worst).toBeGreaterThan(-0.1);
    const { point: at, error } = pull.stateOf(grip);
    expect(at[1]).toBeGreaterThan(table.p![1] + 0.02);
    expect(error).toBeGreaterThan(0.05);
    expect(Math.abs(at[0] - x)).toBeLessThan(0.3);
    pull.drop();
  });

  function raised(doc: Doc): Float64Array {
    const posed = limber.scene(figure, {
      ...sceneOf(doc),
      constraints: [...sceneOf(doc).constraints!, { handle: { point: "right_hand" }, goal: { position: [-0.2, 1.15, 0.45] } }],
    });
    const pose = Float64Array.from(doc.pose);
    posed.solve(pose);
    expect(posed.met).toBe(true);
    posed.drop();
    return pose;
  }
});

describe("the line of a constraint", () => {
  const report = { name: "", drag: false, counted: true, met: false, value: 0, held_back_by: [], error_mm: 12 };
  const touch = {
    between: "hand and table",
    segment: 1,
    obstacle: "table",
    too_near: true,
    at: [0, 0, 0] as Vec3,
    normal: [0, 1, 0] as Vec3,
  };
  it("says by how much it overlaps, or is too near", () => {
    expect(clearText({ ...report, touches: [{ ...touch, gap_mm: -7 }] })).toBe("overlaps by 0.7 cm");
    expect(clearText({ ...report, touches: [{ ...touch, gap_mm: 1 }] })).toBe("1.2 cm too near");
    expect(clearText(report)).toBeUndefined();
  });
});
