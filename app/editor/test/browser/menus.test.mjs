// Menus, examples, help, themes.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { act, exactDocument, makeTwoKeys } from "./document.mjs";
import { ready } from "./open.mjs";
import { fromRoot, undo } from "./page.mjs";
import { test } from "./test.mjs";

const names = readdirSync(fromRoot("example/scene")).map((name) => name.replace(".json", ""));

test("the menu of examples opens each of them, solved", async ({ open }) => {
  const { page } = await open();
  await page.click('.menubar button:text-is("Examples")');
  const listed = await page.$$eval(".menu-item", (items) => items.map((item) => item.dataset.action));
  assert.deepEqual([...listed].sort(), ["cup", "crouch", ...names].map((name) => `example.${name}`).sort());
  await page.keyboard.press("Escape");
  const outOfReach = ["example.zb94_fig6", "example.zb89_fig5"];
  for (const id of listed) {
    const title = await page.evaluate((action) => limberApp.actions.find(action).title, id);
    await act(page, id);
    await page.waitForFunction((name) => limberApp.doc.title === name && limberApp.report, title);
    const { met, exit } = await page.evaluate(() => limberApp.report);
    assert.equal(met, !outOfReach.includes(id), `${id}: ${exit}`);
  }
});

test("the example with keys keeps the feet on the ground", async ({ open }) => {
  const { page } = await open();
  await act(page, "example.crouch");
  await page.waitForFunction(() => limberApp.motion.kind === "kept");
  const heights = await page.evaluate(() =>
    [0, 0.5, 1].map((time) => {
      const { figure } = limberApp;
      const pose = limberApp.poseAt(time);
      const height = (name) => figure.place(pose)[12 * figure.info.sites.find((site) => site.name === name).segment + 10];
      return [height("left_foot"), height("pelvis")];
    }),
  );
  assert.ok(
    heights.every(([foot]) => Math.abs(foot - heights[0][0]) < 1e-4),
    String(heights),
  );
  assert.ok(heights[0][1] - heights[2][1] > 0.3, String(heights));
});

test("the menus are walked through by keys", async ({ open }) => {
  const { page } = await open();
  await makeTwoKeys(page);
  await page.focus('.menubar [role=menuitem][tabindex="0"]');
  const focused = () =>
    page.evaluate(() => (document.activeElement.querySelector(".grow") ?? document.activeElement).textContent);
  assert.equal(await focused(), "File");
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "Edit");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "Undo");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "New");
  await page.keyboard.press("End");
  assert.equal(await focused(), "Export picture (PNG)");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "New");
  await page.keyboard.press("s");
  assert.equal(await focused(), "Save");
  await page.keyboard.press("Escape");
  assert.equal(await focused(), "File");
  assert.equal(await page.locator("[role=menu]").count(), 0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 0, "Undo was chosen");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
});

test("every group of actions is a menu, and every action stands in one", async ({ open }) => {
  const { page } = await open();
  const heads = await page.$$eval(".menubar [aria-haspopup]", (all) => all.map((one) => one.textContent));
  assert.deepEqual(heads.slice(0, 3), ["File", "Edit", "View"]);
  assert.equal(heads.at(-1), "Help");
  const listed = [];
  for (const head of heads) {
    await page.click(`.menubar [aria-haspopup]:text-is("${head}")`);
    listed.push(...(await page.$$eval(".menu-item", (items) => items.map((item) => item.dataset.action))));
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(listed.sort(), (await page.evaluate(() => limberApp.actions.all.map(({ id }) => id))).sort());
});

test("undo and redo say what they take back", async ({ open }) => {
  const { page } = await open();
  const undo = page.locator('#bar button[data-action="edit.undo"]');
  assert.ok(await undo.isDisabled());
  await makeTwoKeys(page);
  assert.match(await undo.getAttribute("title"), /^Undo: Two keys \(Ctrl\+Z\)/);
  await undo.click();
  assert.match(await page.getAttribute('#bar button[data-action="edit.redo"]', "title"), /^Redo: Two keys/);
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 0);
});

test("the chain is chosen, from a joint too", async ({ open }) => {
  const { page } = await open();
  await page.selectOption("#chain-mode", "branch");
  assert.equal(await page.evaluate(() => limberApp.chainMode), "branch");
  assert.ok(!(await page.isVisible("#chain-joint")));
  await page.selectOption("#chain-mode", "joint");
  await page.selectOption("#chain-joint", { label: "right glenohumeral" });
  assert.deepEqual(await page.evaluate(() => [limberApp.chainMode, limberApp.figure.info.segments[limberApp.chainJoint].joint]), [
    "joint",
    "right_glenohumeral",
  ]);
});

test("the title is changed in the bar, and can be undone", async ({ open }) => {
  const { page } = await open();
  await page.fill("#document-title", "A cup of tea");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => limberApp.doc.title), "A cup of tea");
  assert.equal(await page.title(), "• A cup of tea – Limber");
  await undo(page);
  assert.equal(await page.inputValue("#document-title"), "");
});

test("light and dark are remembered", async ({ open }) => {
  const { page } = await open({ served: true, context: { colorScheme: "light" } });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await theme(), "light");
  const light = await ground();
  await page.click("#theme");
  assert.equal(await theme(), "dark");
  assert.notEqual(await ground(), light);
  await page.reload();
  await ready(page);
  assert.equal(await theme(), "dark");
  await act(page, "view.theme.system");
  assert.equal(await theme(), "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
});

test("the sheet lists every action with keys", async ({ open }) => {
  const { page } = await open();
  await page.focus('.menubar [tabindex="0"]'); // from anywhere
  await page.keyboard.press("?");
  await page.waitForSelector(".shortcuts");
  const listed = await page.$$eval(".shortcuts section:not(:last-child) dd", (all) => all.map((one) => one.textContent));
  const expected = await page.evaluate(() => limberApp.actions.all.filter(({ keys }) => keys?.length).map(({ title }) => title));
  assert.deepEqual(listed.sort(), expected.sort());
  assert.ok(listed.length > 10);
  const before = await exactDocument(page);
  await page.keyboard.press("k"); // keys in a dialog are not the page's
  assert.equal(await exactDocument(page), before);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".shortcuts", { state: "detached" });
});

test("the first steps are ticked as they are done, and do not come back", async ({ open }) => {
  const { page } = await open({ hint: true, served: true });
  assert.equal(await page.locator(".hint li").count(), 3);
  const done = () => page.locator(".hint li.done").count();
  await page.evaluate(() =>
    limberApp.commitPose(
      "Pull",
      limberApp.pose.map((x) => x + 0.01),
    ),
  );
  assert.equal(await done(), 1);
  await makeTwoKeys(page);
  assert.equal(await done(), 2);
  await page.evaluate(() => limberApp.play(true));
  assert.equal(await done(), 3);
  await page.evaluate(() => limberApp.play(false));
  await page.click('.hint button[aria-label="Close the first steps"]');
  assert.equal(await page.locator(".hint").count(), 0);
  assert.equal(await page.evaluate(() => localStorage.getItem("limber.hint")), "false");
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".hint").count(), 0);
});
