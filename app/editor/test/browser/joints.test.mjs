// The side panel: joints by sliders and numbers.
import assert from "node:assert/strict";
import { atRest, boxOf, documentText, select, undo, undoTitle } from "./page.mjs";
import { constrain, degrees, feetOff, row, value } from "./side.mjs";
import { test } from "./test.mjs";

const open = (page, group) => page.locator(`[data-group="${group}"]`).evaluate((element) => (element.open = true));

test("a slider turns its joint by keys, a degree each, and a held key is one step", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "right_elbow");
  const slider = row(page, "right_elbow.flexion").locator(".joint-slider");
  await slider.focus();
  await page.keyboard.down("ArrowRight");
  await page.keyboard.down("ArrowRight");
  await page.keyboard.up("ArrowRight");
  assert.ok(Math.abs(degrees(await value(page, "right_elbow.flexion")) - 2) < 1e-9);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.ok(Math.abs(degrees(await value(page, "right_elbow.flexion")) - 1.9) < 1e-9);
  await atRest(page);
  assert.equal(await row(page, "right_elbow.flexion").locator(".joint-number").inputValue(), "1.9");
  assert.equal(await undoTitle(page), "Turn right elbow flexion");
  await page.keyboard.press("End");
  await atRest(page);
  assert.match(await row(page, "right_elbow.flexion").innerText(), /max/);
  for (let k = 0; k < 3; ++k) await undo(page);
  assert.equal(await value(page, "right_elbow.flexion"), 0);
  assert.equal(await undoTitle(page), undefined);
});

test("a slider of the pelvis bends the knees, and pinned feet stay", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "root");
  await row(page, "root.y").locator(".joint-number").fill("-20");
  await page.keyboard.press("Enter");
  assert.ok(Math.abs((await value(page, "root.y")) + 0.2) < 1e-6);
  assert.ok((await value(page, "left_knee.flexion")) > 0.3, "the knees bend");
  assert.ok((await feetOff(page)) < 1e-5);
  await row(page, "root.y").locator(".joint-slider").focus();
  for (let k = 0; k < 5; ++k) await page.keyboard.press("ArrowDown");
  assert.ok(Math.abs((await value(page, "root.y")) + 0.25) < 1e-6);
  assert.ok((await feetOff(page)) < 1e-5);
});

test("a slide of the pelvis by the mouse is one step, with feet held in every frame", async ({ open: editor }) => {
  const { page } = await editor({ width: 1280, height: 720, balance: false });
  await open(page, "root");
  const slider = row(page, "root.pitch").locator(".joint-slider");
  const box = await boxOf(page, slider);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  let worst = 0;
  for (let k = 1; k <= 6; ++k) {
    await page.mouse.move(box.x + box.width / 2 + k, y);
    worst = Math.max(worst, await feetOff(page));
  }
  assert.ok(Math.abs(await value(page, "root.pitch")) > 0.05, "the pelvis has turned");
  assert.equal(await undoTitle(page), undefined);
  await page.mouse.up();
  assert.ok(worst < 1e-4, `feet moved ${worst} m`);
  assert.equal(await undoTitle(page), "Turn root pitch");
  await undo(page);
  assert.equal(await undoTitle(page), undefined);
});

test("Escape takes a slide back", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "spine");
  const before = await documentText(page);
  const slider = row(page, "spine.forward").locator(".joint-slider");
  await slider.focus();
  await page.keyboard.down("ArrowRight");
  assert.ok((await value(page, "spine.forward")) > 0.01);
  await page.keyboard.down("Escape");
  assert.equal(await value(page, "spine.forward"), 0);
  await page.keyboard.up("ArrowRight");
  assert.equal(await documentText(page), before);
  assert.equal(await undoTitle(page), undefined);
  await atRest(page);
  assert.equal(Number(await slider.inputValue()), 0);
});

test("what would tear a pinned foot away gives way, and that is said", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "root");
  await row(page, "root.y").locator(".joint-number").fill("50");
  await page.keyboard.press("Enter");
  assert.ok((await feetOff(page)) < 1e-4);
  assert.ok((await value(page, "root.y")) < 0.1);
  assert.match(await page.locator("#messages").innerText(), /Constraints hold it/);
});

test("a number beyond the limit becomes the limit, and that is said", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "right_elbow");
  const field = row(page, "right_elbow.flexion").locator(".joint-number");
  await field.fill("300");
  await page.keyboard.press("Enter");
  const upper = await page.evaluate(
    () => limberApp.figure.info.parameters.find((one) => one.name === "right_elbow.flexion").upper,
  );
  assert.equal(await value(page, "right_elbow.flexion"), upper);
  assert.match(await page.locator("#messages").innerText(), /upper limit/);
  await atRest(page);
  assert.match(await row(page, "right_elbow.flexion").innerText(), /max/);
  assert.equal(await field.inputValue(), degrees(upper).toFixed(1));
  const before = await documentText(page);
  await field.fill("nonsense");
  await page.keyboard.press("Enter");
  assert.equal(await documentText(page), before);
  assert.equal(await field.inputValue(), degrees(upper).toFixed(1));
});

test("a double click on its name brings a joint to rest; a lock is kept by solves", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "right_elbow");
  const one = row(page, "right_elbow.flexion");
  await one.locator(".joint-number").fill("40");
  await page.keyboard.press("Enter");
  await one.locator(".joint-lock").click();
  assert.equal(await page.evaluate(() => limberApp.doc.rigidity["right_elbow.flexion"]), 1);
  await atRest(page);
  assert.equal(await one.locator(".joint-lock").getAttribute("aria-pressed"), "true");
  await constrain(page, "right_hand", "Pin position");
  await page.fill("[aria-label='Position y']", "130");
  await page.keyboard.press("Enter");
  assert.ok(Math.abs(degrees(await value(page, "right_elbow.flexion")) - 40) < 1e-9, "locked");
  assert.ok(Math.abs(await value(page, "right_shoulder.elevation")) > 0.1, "the shoulder is not");
  await page.keyboard.press("Delete");
  await one.locator(".joint-lock").click();
  assert.deepEqual(await page.evaluate(() => limberApp.doc.rigidity), {});
  await one.locator(".joint-name").dblclick();
  assert.ok(Math.abs(await value(page, "right_elbow.flexion")) < 1e-9);
});

test("a selected part has its joint open and in sight, and can be locked by key", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await select(page, "right_foot");
  await page.waitForFunction(() => {
    const box = document.querySelector("[data-group=right_ankle]").getBoundingClientRect();
    const panel = document.getElementById("joints").getBoundingClientRect();
    return box.top >= panel.top && box.top < panel.bottom;
  });
  assert.ok(await row(page, "right_ankle.flexion").isVisible());
  await page.locator("body").press("Shift+L");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.rigidity), { "right_ankle.flexion": 1, "right_ankle.inversion": 1 });
  await page.fill("[aria-label='Filter joints']", "knee");
  assert.ok(await row(page, "left_knee.flexion").isVisible());
  assert.ok(!(await row(page, "right_ankle.flexion").isVisible()));
});

test("rest pose and mirror pose", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await open(page, "left_elbow");
  await row(page, "left_elbow.flexion").locator(".joint-number").fill("70");
  await page.keyboard.press("Enter");
  await page.click("text=Mirror pose");
  assert.ok(Math.abs(degrees(await value(page, "right_elbow.flexion")) - 70) < 1e-6);
  assert.ok(Math.abs(await value(page, "left_elbow.flexion")) < 1e-6);
  await page.click("text=Rest pose");
  assert.ok(
    (await page.evaluate(() => Math.max(...limberApp.pose.map((one, k) => Math.abs(one - limberApp.figure.rest()[k]))))) < 1e-9,
  );
});
