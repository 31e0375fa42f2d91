// Fingers and a pen, by real events of the browser.
import assert from "node:assert/strict";
import { atRest, distance, partAt, poseOf, siteAt, undo, undoTitle } from "./page.mjs";
import { test } from "./test.mjs";

// Fingers that are down are named by their place in the list, so that each stays what it is when another is lifted.
async function openTouch(open) {
  const editor = await open({ context: { hasTouch: true }, balance: false });
  const client = await editor.context.newCDPSession(editor.page);
  const touch = (type, points) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: Object.entries(points).map(([id, { x, y }]) => ({ x, y, id: Number(id) })),
    });
  return { ...editor, client, touch };
}

const moved = ({ x, y }, dx, dy) => ({ x: x + dx, y: y + dy });
const camera = (page) => page.evaluate(() => limberApp.stage.view("perspective").camera.matrixWorld.toArray());
const away = { x: 20, y: 120 }; // empty ground of the large view

// All fingers step by step on their ways, from where they are.
async function slide(touch, from, by, steps = 10) {
  for (let k = 1; k <= steps; ++k)
    await touch(
      "touchMove",
      Object.fromEntries(
        Object.entries(from).map(([id, at]) => [id, moved(at, (by[id][0] * k) / steps, (by[id][1] * k) / steps)]),
      ),
    );
  return Object.fromEntries(Object.entries(from).map(([id, at]) => [id, moved(at, ...by[id])]));
}

test("a finger on the figure drags, two on one part of it move the camera", async ({ open }) => {
  const { page, touch } = await openTouch(open);
  const before = await poseOf(page);
  const hand = await partAt(page, "right_hand");
  // The first move at once, or a slow machine takes it for a long press.
  await Promise.all([touch("touchStart", [hand]), touch("touchMove", [moved(hand, -15, -15)])]);
  await slide(touch, [moved(hand, -15, -15)], [[-40, -45]]);
  await atRest(page);
  await touch("touchEnd", []);
  assert.equal(await undoTitle(page), "Drag right hand");
  const pose = await poseOf(page);
  assert.notDeepEqual(pose, before);
  const from = await camera(page);
  const chest = await partAt(page, "T6");
  const both = [moved(chest, 0, 16), moved(chest, 0, 26)];
  await Promise.all([touch("touchStart", both.slice(0, 1)), touch("touchStart", both)]);
  await slide(touch, both, [
    [0, -40],
    [0, 40],
  ]);
  await touch("touchEnd", []);
  await atRest(page);
  assert.ok(distance(await camera(page), from) > 0.3, "a pinch comes nearer");
  assert.deepEqual(await poseOf(page), pose);
});

test("two fingers on two hands drag both, each to its own place, in one step", async ({ open }) => {
  const { page, touch } = await openTouch(open);
  await page.keyboard.press("1"); // from the front both hands are seen
  const handAt = (name) => partAt(page, name, { view: "front" });
  const before = await poseOf(page);
  const view = await camera(page);
  const feet = [await siteAt(page, "left_foot"), await siteAt(page, "right_foot")];
  const hands = [await handAt("right_hand"), await handAt("left_hand")];
  await Promise.all([touch("touchStart", [hands[0]]), touch("touchStart", hands)]);
  const ends = await slide(
    touch,
    hands,
    [
      [-40, -70],
      [35, -50],
    ],
    15,
  );
  await atRest(page);
  const there = [await handAt("right_hand"), await handAt("left_hand")];
  for (const k of [0, 1])
    assert.ok(
      distance([there[k].x, there[k].y], [ends[k].x, ends[k].y]) < 4,
      `finger ${k}: the hand is at ${there[k].x}, ${there[k].y}, the finger at ${ends[k].x}, ${ends[k].y}`,
    );
  assert.equal(await page.evaluate(() => limberApp.report.constraints.filter(({ drag }) => drag).length), 2);
  await touch("touchEnd", { 1: ends[1] });
  await atRest(page);
  assert.equal(await undoTitle(page), undefined, "one finger is still down");
  await touch("touchEnd", []);
  await atRest(page);
  assert.equal(await undoTitle(page), "Drag right hand and left hand");
  const last = [await handAt("right_hand"), await handAt("left_hand")];
  for (const k of [0, 1]) assert.ok(distance(last[k].world, there[k].world) < 0.02, "what is let go stays about where it was");
  for (const [k, foot] of ["left_foot", "right_foot"].entries())
    assert.ok(distance(feet[k], await siteAt(page, foot)) < 1e-4, foot);
  assert.deepEqual(await camera(page), view);
  await undo(page);
  assert.deepEqual(await poseOf(page), before);
  assert.equal(await undoTitle(page), undefined);
});

test("a second finger that rests on a part holds it there", async ({ open }) => {
  const { page, touch } = await openTouch(open);
  const hand = await partAt(page, "right_hand");
  const head = await partAt(page, "head");
  const pulled = async (...others) => {
    await Promise.all([touch("touchStart", [hand]), touch("touchMove", [moved(hand, -14, 0)])]);
    if (others.length > 0) await touch("touchStart", [moved(hand, -14, 0), ...others]);
    for (let k = 1; k <= 10; ++k) await touch("touchMove", [moved(hand, -14 - 14 * k, -5 * k), ...others]);
    await atRest(page);
    const now = await partAt(page, "head");
    await page.keyboard.press("Escape");
    await touch("touchEnd", []);
    await atRest(page);
    return distance([now.x, now.y], [head.x, head.y]);
  };
  const before = await poseOf(page);
  const free = await pulled();
  assert.deepEqual(await poseOf(page), before, "Escape takes it back");
  const held = await pulled(head);
  assert.deepEqual(await poseOf(page), before, "and with two fingers");
  assert.equal(await undoTitle(page), undefined);
  assert.ok(free > 12 && held < 0.5 * free, `the head goes by ${free} px, held by ${held} px`);
});

test("a second finger on empty ground moves the camera while the first drags on", async ({ open }) => {
  const { page, touch } = await openTouch(open);
  const hand = await partAt(page, "right_hand");
  const view = await camera(page);
  await Promise.all([touch("touchStart", [hand]), touch("touchMove", [moved(hand, -20, -20)])]);
  const before = await poseOf(page);
  await touch("touchStart", [moved(hand, -20, -20), away]);
  await slide(
    touch,
    [moved(hand, -20, -20), away],
    [
      [-30, -40],
      [40, 0],
    ],
  );
  await atRest(page);
  assert.ok(distance(await camera(page), view) > 0.05, "the camera has turned");
  assert.notDeepEqual(await poseOf(page), before);
  assert.equal(await page.evaluate(() => limberApp.report.constraints.filter(({ drag }) => drag).length), 1);
  await touch("touchEnd", []);
  assert.equal(await undoTitle(page), "Drag right hand");
});

test("a pen hovers, drags and selects as a mouse does, and a long press is none", async ({ open }) => {
  const { page, client } = await openTouch(open);
  const pen = (type, { x, y }, buttons = 0) =>
    client.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      pointerType: "pen",
      button: type === "mouseMoved" && !buttons ? "none" : "left",
      buttons,
      clickCount: type === "mouseMoved" ? 0 : 1,
    });
  const kinds = await page.evaluate(() => {
    const seen = [];
    addEventListener("pointerdown", ({ pointerType }) => seen.push(pointerType), { capture: true });
    return (window.seenPointers = seen);
  });
  assert.deepEqual(kinds, []);
  const hand = await partAt(page, "right_hand");
  await pen("mouseMoved", hand);
  await atRest(page);
  assert.equal(await page.locator(".pointer-label.name").textContent(), "right handright wrist");
  const count = await page.evaluate(() => limberApp.doc.constraints.length);
  await pen("mousePressed", hand, 1);
  await page.waitForTimeout(700); // longer than a long press of a finger
  assert.equal(await page.evaluate(() => limberApp.doc.constraints.length), count, "nothing is pinned");
  for (let k = 1; k <= 10; ++k) await pen("mouseMoved", moved(hand, -6 * k, -7 * k), 1);
  await atRest(page);
  const there = await partAt(page, "right_hand");
  assert.ok(distance([there.x, there.y], [hand.x - 60, hand.y - 70]) < 3);
  await pen("mouseReleased", moved(hand, -60, -70));
  assert.equal(await undoTitle(page), "Drag right hand");
  const head = await partAt(page, "head");
  await pen("mousePressed", head, 1);
  await pen("mouseReleased", head);
  assert.equal(await page.evaluate(() => limberApp.figure.info.segments[limberApp.selection.segment].name), "head");
  assert.deepEqual(await page.evaluate(() => window.seenPointers), ["pen", "pen"]);
});
