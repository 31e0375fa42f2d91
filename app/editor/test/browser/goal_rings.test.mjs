// Rings at the goal of a constraint that asks for directions.
import assert from "node:assert/strict";
import { atRest, distance, poseOf, undo, undoTitle } from "./page.mjs";
import { constrain } from "./side.mjs";
import { test } from "./test.mjs";

const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);

// Pins the right hand as a wish of the menu says, and selects that.
async function pinned(open, title) {
  const { page } = await open({ width: 900, height: 640 });
  await page.keyboard.press("1");
  await page.evaluate((title) => {
    const app = limberApp;
    const pose = Float64Array.from(app.pose);
    const set = (name, value) => (pose[app.figure.info.parameters.findIndex((one) => one.name === name)] = value);
    set("right_shoulder.elevation", 0.9);
    set("right_elbow.flexion", 0.8);
    app.commitPose("Pose", pose);
    app.select({ kind: "segment", segment: app.figure.info.segments.findIndex((one) => one.name === "right_hand") });
    if (!title) app.actions.run("pin.here");
  }, title);
  if (title) await constrain(page, undefined, title);
  await atRest(page);
  return page;
}

const goalOf = (page) => page.evaluate(() => limberApp.doc.constraints.find(({ id }) => id === limberApp.selection.id).goal);
// Where the axes of the right palm point.
const axesOf = (page) =>
  page.evaluate(() => {
    const { figure, pose } = limberApp;
    const { segment, frame } = figure.info.sites.find((one) => one.name === "right_palm");
    const f = figure.place(pose).slice(12 * segment, 12 * segment + 12);
    return [0, 1].map((axis) => [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, k) => sum + f[3 * k + r] * frame[3 * axis + k], 0)));
  });
const shownRings = (page) =>
  page.$$eval(".gizmo-layer[data-view=front] .dial:not(.hidden):not(.quiet)", (all) =>
    all
      .filter((one) => getComputedStyle(one).visibility === "visible")
      .map((one) => /dial-(\d)/.exec(one.getAttribute("class"))[1]),
  );

// Points of a ring in the front view, by parts of the way along what lies before.
const onRing = (page, style, ...parts) =>
  page.evaluate(
    ([style, parts]) => {
      const path = [...document.querySelectorAll(`.gizmo-layer[data-view=front] .dial-${style}:not(.hidden) .dial-front`)].find(
        (one) => getComputedStyle(one).visibility === "visible",
      );
      const box = path.ownerSVGElement.getBoundingClientRect();
      return parts.map((part) => {
        const { x, y } = path.getPointAtLength(part * path.getTotalLength());
        return { x: box.x + x, y: box.y + y };
      });
    },
    [style, parts],
  );

// Of the rings the one that is nearest to a circle as it is seen, and the way a quarter of it.
async function turn(page, style, { release = true } = {}) {
  const points = await onRing(page, style, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45);
  await page.mouse.move(points[0].x, points[0].y);
  await atRest(page);
  await page.mouse.down();
  for (const { x, y } of points.slice(1)) {
    await page.mouse.move(x, y);
    await atRest(page);
  }
  await atRest(page);
  if (release) await page.mouse.up();
}

test("a pin of both has three rings; one turns the goal about its own axis, and the hand follows; one step", async ({ open }) => {
  const page = await pinned(open, "");
  assert.deepEqual(await shownRings(page), ["0", "1", "2"]);
  const { placement: before } = await goalOf(page);
  const pose = await poseOf(page);
  const title = await undoTitle(page);
  await turn(page, 0);
  const { placement: after } = await goalOf(page);
  assert.deepEqual(after.p, before.p, "it stays where it is");
  assert.ok(distance(after.x, before.x) < 1e-9, "its x axis is what it turns about");
  const angle = Math.acos(dot(after.y, before.y));
  assert.ok(angle > 0.15 && angle < 2.5, `turned by ${angle}`);
  assert.ok(Math.abs(Math.hypot(...after.y) - 1) < 1e-9 && Math.abs(dot(after.x, after.y)) < 1e-9);
  const [x, y] = await axesOf(page);
  assert.ok(dot(x, after.x) > Math.cos(0.03) && dot(y, after.y) > Math.cos(0.03), "the hand has the directions of the goal");
  assert.notDeepEqual(await poseOf(page), pose);
  assert.equal(await undoTitle(page), "Turn right palm");
  await undo(page);
  assert.deepEqual((await goalOf(page)).placement, before);
  assert.deepEqual(await poseOf(page), pose);
  assert.equal(await undoTitle(page), title);
});

test("Escape takes a turned goal back", async ({ open }) => {
  const page = await pinned(open, "Pin orientation");
  const before = await goalOf(page);
  const pose = await poseOf(page);
  assert.deepEqual(await shownRings(page), ["0", "1", "2"]);
  await turn(page, 0, { release: false });
  assert.notDeepEqual(await goalOf(page), before);
  assert.match(await page.locator(".target-label:visible").textContent(), /turn about its x axis-?\d+\.\d°/);
  await page.keyboard.press("Escape");
  assert.deepEqual(await goalOf(page), before);
  assert.deepEqual(await poseOf(page), pose);
  await page.mouse.up();
  assert.deepEqual(await goalOf(page), before);
});

test("a pin of one direction has the two rings that turn it; a position has none", async ({ open }) => {
  const page = await pinned(open, "Pin direction of its x axis");
  assert.deepEqual(await shownRings(page), ["1", "2"]);
  await page.evaluate(() => limberApp.select({ kind: "nothing" }));
  await atRest(page);
  assert.deepEqual(await shownRings(page), []);
  await page.evaluate(() =>
    limberApp.select({ kind: "segment", segment: limberApp.figure.info.segments.findIndex((one) => one.name === "right_hand") }),
  );
  await constrain(page, undefined, "Pin position");
  await atRest(page);
  assert.equal(await page.evaluate(() => limberApp.selection.kind), "constraint");
  assert.deepEqual(await shownRings(page), []);
});
