// Stiffness of a joint, as a person sets it and sees it.
import assert from "node:assert/strict";
import { atRest, distance, partAt, undo, undoTitle } from "./page.mjs";
import { test } from "./test.mjs";

const parameter = "right_elbow.flexion";
const valueOf = (page) =>
  page.evaluate((name) => limberApp.pose[limberApp.figure.info.parameters.findIndex((one) => one.name === name)], parameter);

async function bent(open) {
  const { page } = await open();
  await page.keyboard.press("2");
  await page.locator("[data-group=right_elbow]").evaluate((element) => (element.open = true));
  const row = page.locator(`[data-parameter="${parameter}"]`);
  await row.locator(".joint-number").fill("60");
  await page.keyboard.press("Enter");
  await atRest(page);
  await row.locator(".joint-more").click();
  return { page, row, field: row.getByLabel("Stiffness of right elbow flexion") };
}

// Pulls the hand and says by how much the elbow has turned.
async function pulled(page) {
  const before = await valueOf(page);
  const hand = await partAt(page, "right_hand", { view: "side" });
  const end = { x: hand.x + 20, y: hand.y - 45 };
  await page.mouse.move(hand.x, hand.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 20 });
  await atRest(page);
  const there = await partAt(page, "right_hand", { view: "side" });
  await page.mouse.up();
  assert.ok(
    distance([there.x, there.y], [end.x, end.y]) < 6,
    `the hand is at ${there.x}, ${there.y}, the pointer at ${end.x}, ${end.y}`,
  );
  return Math.abs((await valueOf(page)) - before);
}

test("the stiff elbow turns less than the free one for the same pull; the number is a step, and is kept within its limits", async ({
  open,
}) => {
  const { page, row, field } = await bent(open);
  assert.equal(await field.inputValue(), "0");
  const free = await pulled(page);
  await undo(page);
  await field.fill("20");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.stiffness), { [parameter]: 20 });
  assert.equal(await undoTitle(page), "Stiffness of right elbow flexion");
  await atRest(page);
  assert.ok(await row.evaluate((element) => element.classList.contains("stiff")));
  const stiff = await pulled(page);
  assert.ok(free > 0.1 && stiff < 0.5 * free, `free by ${free}, stiff by ${stiff} radians`);
  await field.fill("-3");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.stiffness), {});
  assert.equal(await field.inputValue(), "0");
  await undo(page);
  await atRest(page);
  assert.equal(await field.inputValue(), "20");
});
