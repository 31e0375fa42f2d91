// Obstacles, by real mouse and keys.
import assert from "node:assert/strict";
import { atRest, distance, documentText, partAt, poseOf, undoTitle } from "./page.mjs";
import { test } from "./test.mjs";

const obstaclesOf = (page) => page.evaluate(() => limberApp.doc.obstacles);
const clearOf = (page) =>
  page.evaluate(() => limberApp.report.constraints.find((_, k) => limberApp.doc.constraints[k]?.keep_clear));
const contacts = (page) =>
  page.evaluate(() =>
    limberApp.stage.scene.children.filter((one) => one.name === "contact" && one.visible).map((one) => one.position.toArray()),
  );
const onPage = (page, point, view = "perspective") =>
  page.evaluate(([point, view]) => limberApp.stage.clientPoint(point, limberApp.stage.view(view)), [point, view]);

// The side view large, and a box before the figure at the height of its hips, its forearm over it.
async function withBox(open) {
  const { page } = await open({ width: 1100, height: 700 });
  await page.keyboard.press("2");
  await page.click("#obstacles summary");
  const first = await documentText(page);
  await page.click("#obstacles button[data-wish=box]");
  await atRest(page);
  return { page, first };
}

async function drag(page, from, to, { release = true } = {}) {
  await page.mouse.move(from.x, from.y);
  await atRest(page);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 25 });
  await atRest(page);
  if (release) await page.mouse.up();
  await atRest(page);
}

test("the first box brings a constraint along; both are one step, in the list, and Delete takes both away", async ({ open }) => {
  const { page, first } = await withBox(open);
  assert.deepEqual(
    (await obstaclesOf(page)).map(({ name }) => name),
    ["box"],
  );
  const clear = await page.evaluate(() => limberApp.doc.constraints.filter((one) => one.keep_clear));
  assert.deepEqual(
    clear.map(({ keep_clear, weight }) => [keep_clear, weight]),
    [[{ margin: 0.005 }, "must"]],
  );
  assert.match(await page.locator(`#constraints [data-constraint="${clear[0].id}"]`).textContent(), /keep clear.*must.*✓ met/);
  assert.equal(await undoTitle(page), "Add box");
  await page.keyboard.press("Delete");
  assert.equal(await documentText(page).then((text) => JSON.parse(text).obstacles.length), 0);
  assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints.filter((one) => one.keep_clear)), []);
  await page.keyboard.press("Control+z");
  assert.equal((await obstaclesOf(page)).length, 1);
  await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), first);
});

test("the hand stops at the box, a disc marks where, and its row names both", async ({ open }) => {
  const { page, first } = await withBox(open);
  const side = "side";
  await page.fill('.obstacle-editor [aria-label="Size x"]', "220"); // no way round
  await page.keyboard.press("Enter");
  await page.evaluate(() => limberApp.stage.show("side"));
  await atRest(page);
  const [box] = await obstaclesOf(page);
  const top = box.p[1] + box.box[1] / 2;
  const hand = await partAt(page, "right_hand", { view: side });
  // Up before the box, over it, and down through it.
  const over = await onPage(page, [hand.world[0], top + 0.25, box.p[2]], side);
  await drag(page, hand, over);
  assert.ok((await partAt(page, "right_hand")).world[1] > top + 0.1, "the hand is over the box");
  const start = await partAt(page, "right_hand", { view: side });
  const below = await onPage(page, [hand.world[0], top - 0.1, box.p[2]], side);
  await drag(page, start, below, { release: false });
  const { touches = [] } = await clearOf(page);
  const onBox = touches.filter(({ obstacle }) => obstacle === "box");
  assert.ok(onBox.length > 0, "it touches");
  for (const { gap_mm: gap } of touches) assert.ok(gap >= 0, `the gap is ${gap} mm`);
  const marks = await contacts(page);
  assert.equal(marks.length, touches.length);
  assert.ok(distance(marks[0], touches[0].at) < 1e-6);
  const { world } = await partAt(page, "right_hand");
  assert.ok(
    world.some((value, k) => Math.abs(value - box.p[k]) > box.box[k] / 2),
    "the hand is not in the wood",
  );
  await page.mouse.up();
  await atRest(page);
  const after = await clearOf(page);
  for (const { gap_mm: gap } of after.touches ?? []) assert.ok(gap >= 0, `put down, the gap is ${gap} mm`);
  const part = page.locator(".touches .touch-part", { hasText: "box" }).first();
  await part.click();
  assert.deepEqual(await page.evaluate(() => limberApp.selection), { kind: "obstacle", name: "box" });
  for (let k = 0; k < 4; ++k) await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), first);
});

test("the body gives way to a box that is dragged; Escape takes it back, undo too", async ({ open }) => {
  const { page, first } = await withBox(open);
  const view = "side";
  await page.evaluate(() => limberApp.stage.show("side"));
  await atRest(page);
  const [box] = await obstaclesOf(page);
  const pose = await poseOf(page);
  const before = await documentText(page);
  const from = await onPage(page, box.p, view);
  const to = await onPage(page, [box.p[0], box.p[1], box.p[2] - 0.3], view);
  await drag(page, from, to, { release: false });
  const [moved] = await obstaclesOf(page);
  assert.ok(Math.abs(moved.p[2] - (box.p[2] - 0.3)) < 0.02, `it is at ${moved.p}`);
  assert.ok(distance(await poseOf(page), pose) > 0.02, "the figure has moved");
  for (const { gap_mm: gap } of (await clearOf(page)).touches ?? []) assert.ok(gap > -0.5, `the gap is ${gap} mm`);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await documentText(page), before);
  assert.deepEqual(await poseOf(page), pose);
  await drag(page, from, to);
  assert.equal(await undoTitle(page), "Move box");
  assert.deepEqual(await page.evaluate(() => limberApp.selection), { kind: "obstacle", name: "box" });
  for (const { gap_mm: gap } of (await clearOf(page)).touches ?? []) assert.ok(gap >= 0, `put down, the gap is ${gap} mm`);
  await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), before);
  await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), first);
});

test("fields move, turn, resize and rename; a name that is taken is rejected", async ({ open }) => {
  const { page } = await withBox(open);
  const enter = async (label, text) => {
    await page.fill(`.obstacle-editor [aria-label="${label}"]`, text);
    await page.keyboard.press("Enter");
  };
  await enter("Position y", "80");
  await enter("Turned y", "30");
  await enter("Size x", "50");
  await enter("Name", "desk");
  const [desk] = await obstaclesOf(page);
  assert.deepEqual([desk.name, desk.p[1], desk.turns, desk.box[0]], ["desk", 0.8, [["y", 30]], 0.5]);
  assert.equal(await undoTitle(page), "Rename box");
  for (const wish of ["ball", "capsule", "wall", "floor"]) await page.click(`#obstacles button[data-wish=${wish}]`);
  assert.deepEqual(
    (await obstaclesOf(page)).map(({ name }) => name),
    ["desk", "ball", "capsule", "wall", "floor"],
  );
  await enter("Name", "desk");
  assert.deepEqual(
    (await obstaclesOf(page)).map(({ name }) => name),
    ["desk", "ball", "capsule", "wall", "floor"],
  );
  assert.match(await page.locator("#messages").textContent(), /another obstacle called desk/);
  const floor = await page.evaluate(() => limberApp.report.constraints.at(-1));
  assert.equal(floor.met, true, JSON.stringify(floor));
});

test("a scene with obstacles is an example", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() => limberApp.actions.run("example.behind_plate"));
  await page.waitForFunction(() => limberApp.doc.obstacles.length === 1);
  assert.deepEqual(
    (await obstaclesOf(page)).map(({ name }) => name),
    ["plate"],
  );
  await page.waitForFunction(() => limberApp.report?.met);
});
