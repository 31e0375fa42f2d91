// What is drawn over the figure and can be dragged: rings, icons of constraints, ghosts, trajectories.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { atRest, colours, distance, documentText, fromRoot, middleOf, poseOf, select, siteAt, undo, undoTitle } from "./page.mjs";
import { expect, test } from "./test.mjs";

// A page with the whole figure in all views.
async function openFramed(open) {
  const editor = await open({ width: 900, height: 640 });
  await editor.page.evaluate(() => limberApp.stage.frameAll());
  await atRest(editor.page);
  return editor;
}

// A point of the front side of the ring with that style in the perspective view, not at another ring.
const ringPoint = (page, style, view = "perspective") =>
  page.evaluate(
    ([style, view]) => {
      const path = document.querySelector(`.gizmo-layer[data-view=${view}] .dial-${style} .dial-front`);
      const at = path.getPointAtLength(0.35 * path.getTotalLength());
      const box = path.ownerSVGElement.getBoundingClientRect();
      return { x: box.x + at.x, y: box.y + at.y };
    },
    [style, view],
  );

async function pullTo(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await atRest(page);
  await page.mouse.down();
  for (let k = 1; k <= 3; ++k) {
    await page.mouse.move(from.x + (k / 3) * (to.x - from.x), from.y + (k / 3) * (to.y - from.y));
    await atRest(page);
  }
}

async function twoKeys(page) {
  await page.evaluate(() => {
    const app = limberApp;
    const other = Float64Array.from(app.pose);
    const at = (name) => app.figure.info.parameters.findIndex((one) => one.name === name);
    other[at("right_shoulder.elevation")] = 1.2;
    other[at("right_elbow.flexion")] = 0.6;
    const keys = [
      { time: 0, pose: [...app.pose] },
      { time: 1, pose: [...other] },
    ];
    app.store.run("Two keys", (doc) => ({ ...doc, keys }));
  });
}

test("rings are on the selected joint in every view, and only there", async ({ open }) => {
  const { page } = await openFramed(open);
  const shown = () =>
    page.$$eval(
      ".gizmo-layer .dial:not(.hidden):not(.quiet)",
      (all) => all.filter((one) => getComputedStyle(one).visibility === "visible").length,
    );
  assert.equal(await shown(), 0);
  await select(page, "right_forearm");
  await atRest(page);
  assert.equal(await shown(), 4, "an elbow turns one way, in four views");
  await select(page, "right_thigh");
  await atRest(page);
  assert.equal(await shown(), 12, "a hip turns three ways");
  await page.evaluate(() => limberApp.select({ kind: "nothing" }));
  await atRest(page);
  assert.equal(await shown(), 0);
});

test("a ring turns its joint only; one step, and constraints hold", async ({ open }) => {
  const { page } = await openFramed(open);
  await select(page, "right_forearm");
  await atRest(page);
  const before = await poseOf(page);
  const from = await ringPoint(page, 0);
  await page.mouse.move(from.x, from.y);
  await atRest(page);
  assert.match(
    await page.evaluate(() => document.querySelector(".target-label:not([hidden])")?.textContent ?? ""),
    /right elbow flexion/,
  );
  await pullTo(page, from, { x: from.x + 25, y: from.y - 30 });
  assert.equal(await undoTitle(page), undefined, "nothing is done before the end");
  await page.mouse.up();
  const after = await poseOf(page);
  const names = await page.evaluate(() => limberApp.figure.info.parameters.map(({ name }) => name));
  const changed = names.filter((_, k) => Math.abs(after[k] - before[k]) > 1e-6);
  assert.deepEqual(changed, ["right_elbow.flexion"]);
  const k = names.indexOf("right_elbow.flexion");
  assert.ok(Math.abs(after[k] - before[k]) > 0.2, `turned by ${after[k] - before[k]}`);
  assert.match(await undoTitle(page), /right elbow flexion/);
  assert.ok(await page.evaluate(() => limberApp.report.constraints.every(({ met }) => met)));
  await undo(page);
  assert.deepEqual(await poseOf(page), before);
  assert.equal(await undoTitle(page), undefined);
});

test("a ring of the knee keeps the foot that is pinned; Escape takes it back", async ({ open }) => {
  const { page } = await openFramed(open);
  await select(page, "right_shank");
  await atRest(page);
  const before = await poseOf(page);
  const foot = await siteAt(page, "right_foot");
  const from = await ringPoint(page, 0, "side");
  await pullTo(page, from, { x: from.x + 14, y: from.y + 14 });
  assert.notDeepEqual(await poseOf(page), before);
  assert.ok(distance(await siteAt(page, "right_foot"), foot) < 1e-3);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.deepEqual(await poseOf(page), before);
  assert.equal(await undoTitle(page), undefined);
});

test("the selected part is dragged where a ring seen from its edge crosses it", async ({ open }) => {
  const { page } = await openFramed(open);
  await select(page, "right_hand");
  await atRest(page);
  // The ring of pronation lies across the wrist; seen from the front it is a line over the upper hand.
  const at = await page.evaluate(() => {
    const { stage, figure } = limberApp;
    const s = figure.info.segments.findIndex(({ name }) => name === "right_hand");
    const [x, y, z] = stage.figureView.frames.slice(12 * s + 9, 12 * s + 12);
    return stage.clientPoint([x, y - 0.03, z], stage.view("front"));
  });
  await pullTo(page, at, { x: at.x - 12, y: at.y - 12 });
  await page.mouse.up();
  assert.equal(await undoTitle(page), "Drag right hand");
});

test("a joint at its limit says so", async ({ open }) => {
  const { page } = await openFramed(open);
  await select(page, "right_forearm");
  await page.evaluate(() => {
    const pose = Float64Array.from(limberApp.pose);
    const k = limberApp.figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion");
    pose[k] = limberApp.figure.info.parameters[k].upper;
    limberApp.showPose(pose);
  });
  await atRest(page);
  const label = () =>
    page.$eval(
      ".gizmo-layer[data-view=perspective] .dial:not(.quiet) .dial-limit",
      (one) => getComputedStyle(one).display !== "none",
    );
  assert.ok(await label());
  await page.evaluate(() => limberApp.showPose(limberApp.figure.rest()));
  await atRest(page);
  assert.ok(!(await label()));
});

test("limit arcs are seen on the part under the pointer", async ({ open }) => {
  const { page } = await openFramed(open);
  const at = await page.evaluate(() => {
    const { stage } = limberApp;
    const s = limberApp.figure.info.segments.findIndex(({ name }) => name === "head");
    const [x, y, z] = stage.figureView.frames.slice(12 * s + 9, 12 * s + 12);
    return stage.clientPoint([x, y + 0.05, z], stage.view("perspective"));
  });
  const quiet = () =>
    page.$$eval(
      ".gizmo-layer[data-view=perspective] .dial.quiet",
      (all) => all.filter((one) => getComputedStyle(one).visibility === "visible").length,
    );
  assert.equal(await quiet(), 0);
  await page.mouse.move(at.x, at.y);
  await atRest(page);
  assert.equal(await quiet(), 2, "a head nods and turns");
  await page.mouse.move(at.x - 250, at.y);
  await atRest(page);
  assert.equal(await quiet(), 0);
});

test("a pin's icon is dragged 20 cm: the foot goes with it; one step undoes all", async ({ open }) => {
  const { page } = await openFramed(open);
  const before = await documentText(page);
  const foot = await siteAt(page, "right_foot");
  const other = await siteAt(page, "left_foot");
  const icon = ".gizmo-layer[data-view=front] .goal-icon[data-constraint=foot1]";
  await page.evaluate(() => limberApp.actions.run("view.front"));
  await atRest(page);
  const from = await middleOf(page, icon);
  const pixels = await page.evaluate(() => 0.2 / limberApp.stage.view("front").metresPerPixel);
  await pullTo(page, from, { x: from.x - pixels, y: from.y });
  const during = await siteAt(page, "right_foot");
  assert.ok(Math.abs(during[0] - (foot[0] - 0.2)) < 2e-3, `while it is dragged: ${during[0] - foot[0]}`);
  await page.mouse.up();
  const goal = await page.evaluate(() => limberApp.doc.constraints.find(({ id }) => id === "foot1").goal.placement.p);
  const after = await siteAt(page, "right_foot");
  assert.ok(Math.abs(goal[0] - (foot[0] - 0.2)) < 1e-6, "the goal has moved by 20 cm");
  assert.ok(distance(after, goal) < 1e-3, `the foot is ${distance(after, goal)} m off`);
  assert.ok(distance(await siteAt(page, "left_foot"), other) < 1e-4);
  assert.equal(await page.evaluate(() => limberApp.selection.id), "foot1");
  await undo(page);
  assert.equal(await documentText(page), before);
  assert.equal(await undoTitle(page), undefined, "it was one step");
  assert.ok(distance(await siteAt(page, "right_foot"), foot) < 1e-9);
});

test("Escape takes a dragged goal back", async ({ open }) => {
  const { page } = await openFramed(open);
  const before = await page.evaluate(() => [JSON.stringify(limberApp.doc), [...limberApp.pose]]);
  const from = await middleOf(page, ".gizmo-layer[data-view=perspective] .goal-icon[data-constraint=foot1]");
  await pullTo(page, from, { x: from.x - 40, y: from.y - 30 });
  assert.notEqual(await documentText(page), before[0]);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.deepEqual(await page.evaluate(() => [JSON.stringify(limberApp.doc), [...limberApp.pose]]), before);
});

test("a click on an icon selects its constraint", async ({ open }) => {
  const { page } = await openFramed(open);
  const at = await middleOf(page, ".gizmo-layer[data-view=perspective] .goal-icon[data-constraint=foot0]");
  await page.mouse.click(at.x, at.y);
  assert.deepEqual(await page.evaluate(() => limberApp.selection), { kind: "constraint", id: "foot0" });
  await atRest(page);
  assert.equal((await page.$$(".goal-icon.selected[data-constraint=foot0]")).length, 4);
  assert.equal(await undoTitle(page), undefined);
});

test("balance is green within its support and red beyond it", async ({ open }) => {
  const { page } = await openFramed(open);
  await atRest(page);
  assert.equal((await page.$$(".goal-icon.met:not([data-constraint^=foot])")).length, 4);
  await page.evaluate(() => {
    const { doc } = limberApp;
    const corners = limberApp.engine.scene(doc).faces(doc.constraints.findIndex((one) => one.balance));
    if (corners.length < 18) throw new Error(`found ${corners.length} numbers; expected three edges at least`);
    const pose = Float64Array.from(limberApp.pose);
    pose[limberApp.figure.info.parameters.findIndex(({ name }) => name === "root.x")] += 0.5;
    limberApp.showPose(pose);
    const posed = limberApp.engine.scene(doc);
    posed.solve(pose, { iterations: 0, restarts: 0 });
    limberApp.setReport(posed.report());
  });
  await atRest(page);
  assert.equal((await page.$$(".goal-icon.unmet:not([data-constraint^=foot])")).length, 4);
});

test("ghosts of the neighbouring keys are figures of their own, and away while it plays", async ({ open }) => {
  const { page } = await openFramed(open);
  const ghosts = () =>
    page.evaluate(() => {
      const seen = [];
      limberApp.stage.scene.traverseVisible(
        (one) => one.isMesh && one.material.transparent && one.material.vertexColors && seen.push(one),
      );
      return seen.length;
    });
  await twoKeys(page);
  assert.equal(await ghosts(), 0);
  await page.keyboard.press("g");
  assert.equal(await ghosts(), 1, "at the first key there is only the next one");
  await page.evaluate(() => limberApp.setTime(0.5));
  assert.equal(await ghosts(), 2);
  await page.evaluate(() => limberApp.play(true));
  assert.equal(await ghosts(), 0);
  await page.evaluate(() => limberApp.play(false));
  await page.keyboard.press("g");
  assert.equal(await ghosts(), 0);
});

test("the ghosts of a skinned figure show its skin, in their own colours and where the keys are", async ({ open }) => {
  const { page } = await openFramed(open);
  const bytes = readFileSync(fromRoot("data/gltf/CesiumMan.glb")).toString("base64");
  await page.evaluate((bytes) => {
    const { engine, store, doc, actions } = limberApp;
    engine.limber.giveFile(
      "man.glb",
      Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)),
    );
    const figure = engine.limber.figure({ file: "man.glb" });
    const pose = [...figure.rest()];
    const shifted = (metres) =>
      pose.map((value, j) =>
        j === figure.info.parameters.findIndex((one, k) => one.metres && figure.info.root.includes(k)) ? value + metres : value,
      );
    const keys = [-1, 0, 1].map((time) => ({ time: 1 + time, pose: shifted(0.8 * time) }));
    figure.drop();
    store.load("Open", {
      ...doc,
      figure: { file: "man.glb" },
      files: { "man.glb": bytes },
      constraints: [],
      rigidity: {},
      pose,
      keys,
    });
    limberApp.setTime(1);
    actions.run("view.ghosts");
  }, bytes);
  const seen = () =>
    page.evaluate(() => {
      const found = [];
      limberApp.stage.scene.traverse(
        (one) =>
          one.isSkinnedMesh &&
          one.material.colorWrite &&
          found.push({ opacity: one.material.opacity, colour: one.material.map ? "its own" : one.material.color.getHexString() }),
      );
      return found;
    });
  await expect.poll(async () => (await seen()).length).toBe(3);
  const skins = await seen();
  assert.equal(skins.filter(({ opacity }) => opacity === 1).length, 1, "the figure itself is as it was");
  const ghosts = skins.filter(({ opacity }) => opacity < 1).map(({ colour }) => colour);
  assert.equal(new Set(ghosts).size, 2);
  // The skin of each ghost is seen where it stands: hidden, the picture there is another.
  const middles = await page.evaluate(() => {
    const { stage } = limberApp;
    window.ghosts = stage.scene.children.filter((one) => one.renderOrder === 2 && one.visible);
    return window.ghosts.map((ghost) => {
      let mesh;
      ghost.traverse((one) => one.isSkinnedMesh && one.material.colorWrite && (mesh = one));
      const world = mesh.skeleton.bones[0].matrixWorld.elements.slice(12, 15);
      return { ...stage.clientPoint(world, stage.view("perspective")), world };
    });
  });
  assert.equal(middles.length, 2);
  assert.ok(distance(middles[0].world, middles[1].world) > 1.2, JSON.stringify(middles));
  const shown = await colours(page, middles);
  await page.evaluate(() => {
    for (const ghost of window.ghosts) ghost.visible = false;
  });
  const hidden = await colours(page, middles);
  for (const [k, middle] of middles.entries()) assert.ok(distance(shown[k], hidden[k]) > 15, JSON.stringify(middle));
});

test("a key on the trajectory is dragged: that key changes, and no other", async ({ open }) => {
  const { page } = await openFramed(open);
  await twoKeys(page);
  await page.evaluate(() => limberApp.whenKept());
  await select(page, "right_hand");
  await page.keyboard.press("Shift+T");
  await atRest(page);
  const layer = ".gizmo-layer[data-view=perspective]";
  assert.equal((await page.$$(`${layer} .path-key`)).length, 2);
  assert.equal(
    await page.$eval(`${layer} .path-dots`, (one) => one.getAttribute("d").split("M").length - 1),
    31,
    "a dot each frame",
  );
  const before = await page.evaluate(() => limberApp.doc.keys);
  const from = await middleOf(page, `${layer} .path-key:nth-child(2)`);
  const to = { x: from.x + 20, y: from.y - 30 };
  await pullTo(page, from, to);
  await page.mouse.up();
  await atRest(page);
  const after = await page.evaluate(() => limberApp.doc.keys);
  assert.deepEqual(after[0], before[0]);
  assert.notDeepEqual(after[1].pose, before[1].pose);
  assert.equal(await page.evaluate(() => limberApp.time), 1, "the figure is shown at that key");
  const dot = await middleOf(page, `${layer} .path-key:nth-child(2)`);
  assert.ok(Math.hypot(dot.x - to.x, dot.y - to.y) < 2, `the dot is at ${dot.x} ${dot.y}, expected ${to.x} ${to.y}`);
  const feet = await page.evaluate((pose) => {
    const { figure, doc } = limberApp;
    const posed = limberApp.engine.scene(doc);
    posed.solve(Float64Array.from(pose), { iterations: 0, restarts: 0 });
    return posed.report().constraints.every(({ met }) => met) && figure.parameters === pose.length;
  }, after[1].pose);
  assert.ok(feet, "constraints are kept");
  await undo(page);
  assert.deepEqual(await page.evaluate(() => limberApp.doc.keys), before);
});
