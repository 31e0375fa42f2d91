// What can be reached, by real mouse and keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { atRest, boxOf, documentText, poseOf, siteAt, undoTitle } from "./page.mjs";
import { expect, test } from "./test.mjs";

const litres = async (page) => Number((await page.textContent(".reach-litres strong")).replace(/[^\d.]/g, ""));
const finished = (page) =>
  page.waitForFunction(() => document.querySelector(".reach-litres") && document.querySelector(".reach-progress").hidden);
const palm = (page) => siteAt(page, "right_palm");
const surface = (page) =>
  page.evaluate(() => {
    const { visible, children, scale } = limberApp.stage.scene.children.find(({ name }) => name === "reach");
    return {
      visible: visible && children.length > 0,
      scale: scale.x,
      colours: children.at(-1)?.material.vertexColors,
      box: children.length ? (children[0].geometry.computeBoundingBox(), children[0].geometry.boundingBox) : undefined,
    };
  });

// The cells of the first map are enough for all that is asked here.
async function mapped(open, options = {}) {
  const { page, errors } = await open({ width: 1100, height: 700, ...options });
  await page.click("#reach summary");
  await page.selectOption('[aria-label="Size of the finest cells"]', "10");
  await page.click("#reach button:has-text('Map reach')");
  await finished(page);
  await atRest(page);
  return { page, errors };
}

// Pixels of a part of the large view: how many are of another colour than when the surface is hidden.
async function changedBySurface(page) {
  const shot = () =>
    page.evaluate(async () => {
      const { stage } = limberApp;
      window.draws = true;
      const picture = stage.picture(stage.view("perspective"));
      window.draws = false;
      const bitmap = await createImageBitmap(await picture);
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(0, 0, bitmap.width, bitmap.height).data.filter((_, k) => k % 16 < 3)];
    });
  const on = await shot();
  await page.click("#reach label.check");
  await atRest(page);
  const off = await shot();
  await page.click("#reach label.check");
  await atRest(page);
  let green = 0,
    changed = 0;
  for (let k = 0; k < on.length; k += 3) {
    if (Math.abs(on[k] - off[k]) + Math.abs(on[k + 1] - off[k + 1]) + Math.abs(on[k + 2] - off[k + 2]) < 12) continue;
    ++changed;
    if (on[k + 1] - off[k + 1] > on[k + 2] - off[k + 2]) ++green;
  }
  return { part: changed / (on.length / 3), green: green / Math.max(1, changed) };
}

test("the right palm's reach is drawn in both themes, with the numbers of the tool", async ({ open }) => {
  const { page, errors } = await mapped(open);
  assert.equal(await litres(page), 793); // limber reach human --handle right_palm --from right_shoulder --resolution 10cm
  assert.match(await page.textContent(".reach-held"), /right elbow flexion lower limit 3[01] %/); // of the tool: 30.5 %
  for (const theme of ["light", "dark"]) {
    await page.evaluate((one) => ((document.documentElement.dataset.theme = one), limberApp.emit("settings")), theme);
    await atRest(page);
    const { part, green } = await changedBySurface(page);
    assert.ok(part > 0.1 && part < 0.8, `${theme}: ${part} of the view`);
    assert.ok(green > 0.8, `${theme}: ${green} of it between yellow and green`);
  }
  assert.deepEqual(errors, []);
});

test("a double click on the surface, and a press on the farthest, pose the figure there; one step each", async ({ open }) => {
  const { page } = await mapped(open);
  const first = await poseOf(page);
  await page.click(".reach-far:has-text('Forward')");
  await atRest(page);
  const forward = await palm(page);
  const { box } = await surface(page);
  assert.ok(Math.abs(forward[2] - box.max.z) < 0.15, `the palm is at ${forward}, the surface ends at ${box.max.z}`);
  assert.equal(await undoTitle(page), "Reach there");
  assert.equal(await page.locator(".reach-stale").count(), 0, "it still fits: only the arm has moved");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await poseOf(page), first);
  const at = await page.evaluate(
    ({ min, max }) =>
      limberApp.stage.clientPoint([min.x + 0.06, (min.y + max.y) / 2, (min.z + max.z) / 2], limberApp.stage.view("perspective")),
    box,
  );
  await page.mouse.dblclick(at.x, at.y);
  await atRest(page);
  assert.equal(await undoTitle(page), "Reach there");
  const p = await palm(page);
  assert.ok(
    p.every(
      (value, k) => value > [box.min.x, box.min.y, box.min.z][k] - 0.1 && value < [box.max.x, box.max.y, box.max.z][k] + 0.1,
    ),
    `the palm is at ${p}`,
  );
  const seen = await page.evaluate((point) => limberApp.stage.clientPoint(point, limberApp.stage.view("perspective")), p);
  assert.ok(
    Math.hypot(seen.x - at.x, seen.y - at.y) < 60,
    `pressed at ${at.x}, ${at.y}, the palm is seen at ${seen.x}, ${seen.y}`,
  );
  await page.keyboard.press("Control+z");
  assert.deepEqual(await poseOf(page), first);
});

test("what no longer fits is grey; a limit that holds back shows its slider; colours follow the choice", async ({ open }) => {
  const { page } = await mapped(open);
  await page.click(".reach-held .held-limit");
  assert.equal(await page.evaluate(() => limberApp.figure.info.segments[limberApp.selection.segment].name), "right_forearm");
  const colours = () =>
    page.evaluate(() =>
      limberApp.stage.scene.children
        .find(({ name }) => name === "reach")
        .children.at(-1)
        .geometry.getAttribute("color")
        .array.slice(0, 300)
        .join(),
    );
  const before = await colours();
  await page.selectOption('[aria-label="What the colours show"]', "comfort");
  assert.notEqual(await colours(), before);
  assert.match(await page.textContent(".reach-legend"), /uncomfortable.*comfortable/);
  assert.equal((await surface(page)).colours, true);
  await page.evaluate(() => {
    const pose = Float64Array.from(limberApp.pose);
    pose[limberApp.figure.info.parameters.findIndex(({ name }) => name === "spine.forward")] = 0.3;
    limberApp.commitPose("Bend", pose);
  });
  await atRest(page);
  assert.match(await page.textContent(".reach-state"), /out of date/i);
  assert.equal((await surface(page)).colours, false);
  await page.keyboard.press("Control+z");
  await atRest(page);
  assert.equal((await surface(page)).colours, true);
});

test("the slider of stature makes figure and surface larger; it is one step, and the surface is made anew", async ({ open }) => {
  const { page } = await mapped(open);
  const first = await documentText(page);
  const small = await litres(page);
  await page.click("#reach button:has-text('95th')");
  await page.waitForFunction(
    (before) =>
      document.querySelector(".reach-progress").hidden &&
      Number(document.querySelector(".reach-litres strong").textContent.replace(/[^\d.]/g, "")) !== before,
    small,
  );
  const ratio = 1.855 / 1.741;
  // To within what cells that do not grow along let it.
  assert.ok(Math.abs((await litres(page)) / small / ratio ** 3 - 1) < 0.04, `${await litres(page)} after ${small} litres`);
  assert.match(await page.textContent(".reach-reading"), /186 cm: the 95th percentile of men/);
  assert.ok(Math.abs((await page.evaluate(() => limberApp.doc.figure.human.stature)) - 1.855) < 1e-9);
  assert.equal(await undoTitle(page), "Stature");
  const off = await page.evaluate(() =>
    limberApp.settle(Float64Array.from(limberApp.pose), 0).constraints.map(({ metres = 0 }) => metres),
  );
  assert.ok(
    off.every((metres) => metres < 1e-3),
    `pins are off by ${off}`,
  );
  await page.focus('[aria-label="Stature in centimetres"]');
  await page.evaluate(() => {
    const slider = document.querySelector('[aria-label="Stature in centimetres"]');
    slider.value = "170";
    slider.dispatchEvent(new Event("input"));
  });
  assert.ok(Math.abs((await surface(page)).scale - 1.7 / 1.855) < 1e-9, "while it is slid, what is there is only shown smaller");
  await page.keyboard.press("Escape");
  assert.equal((await surface(page)).scale, 1);
  // Away and back by the mouse: the browser tells of no change.
  const slid = (value) =>
    page.evaluate((to) => {
      const slider = document.querySelector('[aria-label="Stature in centimetres"]');
      slider.value = to;
      slider.dispatchEvent(new Event("input"));
      return limberApp.stage.figureView.object.scale.x;
    }, value);
  assert.ok(Math.abs((await slid("175")) - 1.75 / 1.855) < 1e-9);
  assert.equal(await slid("186"), 1);
  assert.match(await page.textContent(".reach-reading"), /186 cm: the 95th/);
  await page.keyboard.press("ArrowLeft"); // the slider has the focus
  assert.equal(await page.evaluate(() => limberApp.doc.figure.human.stature), 1.85);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), first);
});

test("a map can be stopped while the figure is pulled, and a file of it comes out", async ({ open }) => {
  const { page } = await mapped(open);
  await page.selectOption('[aria-label="Size of the finest cells"]', "2");
  await page.click("#reach button:has-text('Map')");
  await page.waitForFunction(() => !document.querySelector(".reach-progress").hidden);
  const pose = await poseOf(page);
  await page.evaluate(() =>
    limberApp.commitPose(
      "Nudge",
      Float64Array.from(limberApp.pose, (value, k) => (k === 24 ? 0.4 : value)),
    ),
  );
  assert.notDeepEqual(await poseOf(page), pose);
  await page.click("#reach button:has-text('Stop')");
  await page.waitForFunction(() => document.querySelector(".reach-progress").hidden);
  assert.equal((await surface(page)).visible, true, "what was there stays");
  await page.keyboard.press("Control+z");
  const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => limberApp.actions.run("reach.ply"))]);
  assert.equal(download.suggestedFilename(), "reach.ply");
  assert.equal(
    readFileSync(await download.path())
      .subarray(0, 3)
      .toString(),
    "ply",
  );
});

test("what stands in the surface is what the pointer is over, and a button is a button", async ({ open }) => {
  const { page } = await open({ width: 1100, height: 700 });
  await page.evaluate(() =>
    limberApp.store.run("Post", (doc) => ({ ...doc, obstacles: [{ name: "post", ball: 0.08, p: [-0.5, 1.4, 0.3] }] })),
  );
  await page.click("#reach summary");
  await page.selectOption('[aria-label="Size of the finest cells"]', "10");
  await page.click("#reach button:has-text('Map reach')");
  await finished(page);
  await atRest(page);
  const seen = (point) =>
    page.evaluate((p) => {
      const { stage } = limberApp;
      const view = stage.view("perspective");
      const at = stage.clientPoint(p, view);
      return { ...at, body: stage.pick(view, at.x, at.y) !== undefined };
    }, point);
  const labels = () => page.locator(".target-label:visible").allTextContents();
  const title = () => undoTitle(page);
  const post = await seen([-0.5, 1.4, 0.3]);
  const beside = await seen([-0.5, 1.6, 0.3]);
  assert.deepEqual([post.body, beside.body], [false, false]);
  await page.mouse.move(beside.x, beside.y);
  await atRest(page);
  assert.deepEqual(await labels(), ["reachdouble-click: reach there"]);
  await page.mouse.move(post.x, post.y);
  await atRest(page);
  assert.deepEqual(await labels(), ["postdrag to move"]);
  await page.mouse.dblclick(post.x, post.y);
  await atRest(page);
  assert.equal(await title(), "Post");
  const twice = (selector) =>
    page.evaluate(
      ([one, { x, y }]) =>
        document.querySelector(one).dispatchEvent(new MouseEvent("dblclick", { bubbles: true, clientX: x, clientY: y })),
      [selector, beside],
    );
  await twice('.view[data-view="perspective"] .view-label');
  assert.equal(await title(), "Post");
  await twice('.view[data-view="perspective"]');
  assert.equal(await title(), "Reach there");
});

test("a stature goes on with a map under way; cameras that were moved and a surface that is hidden stay so; another document ends it", async ({
  open,
}) => {
  const { page } = await open({ width: 1100, height: 700 });
  const camera = () =>
    page.evaluate(() =>
      limberApp.stage
        .view("perspective")
        .camera.matrixWorld.elements.map((value) => value.toFixed(9))
        .join(),
    );
  const stood = () => page.evaluate(() => limberApp.doc.figure.human.stature);
  const { x, y, width, height } = await boxOf(page, page.locator('.view[data-view="perspective"]'));
  await page.mouse.move(x + width / 2, y + height / 3);
  await page.mouse.wheel(0, -400);
  await atRest(page);
  const first = await camera();
  await page.click("#reach summary");
  await page.selectOption('[aria-label="Size of the finest cells"]', "10");
  await page.evaluate(() => {
    const press = (text) =>
      [...document.querySelectorAll("#reach button")].find(({ textContent }) => textContent === text).click();
    press("Map reach");
    press("95th");
  });
  await finished(page);
  assert.ok((await litres(page)) > 850, `${await litres(page)} litres are of the 95th percentile`);
  assert.equal((await surface(page)).visible, true);
  assert.equal(await camera(), first);
  await page.click("#reach label.check");
  const other = async (act) => {
    const before = await litres(page);
    await act();
    await page.waitForFunction(
      (was) =>
        document.querySelector(".reach-progress").hidden && document.querySelector(".reach-litres strong").textContent !== was,
      `${before} litres`,
    );
    await atRest(page);
    assert.deepEqual([(await surface(page)).visible, await camera()], [false, first]);
  };
  await other(() => page.click("#reach button:has-text('50th')"));
  await other(() => page.keyboard.press("Control+z"));
  assert.ok(Math.abs((await stood()) - 1.855) < 1e-9);
  await other(() => page.keyboard.press("Control+y"));
  const workers = page.workers().length;
  await page.evaluate(() => limberApp.store.load("Other", { ...limberApp.doc, files: {} }));
  await atRest(page);
  assert.equal(await page.locator(".reach-litres").count(), 0);
  assert.equal(await page.locator(".reach-progress").isVisible(), false);
  await expect.poll(() => page.workers().length, "its worker has ended").toBe(workers - 1);
  assert.notEqual(await camera(), first, "another document is seen whole");
  // Far from the origin it stays where it stands, while it is slid and when it is put down.
  const away = await page.evaluate(() => {
    const at = limberApp.figure.info.parameters.findIndex(({ name }) => name === "root.x");
    const { doc, store } = limberApp;
    store.load("Away", {
      ...doc,
      files: {},
      constraints: [],
      figure: { human: { stature: 1.7 } },
      pose: doc.pose.map((value, k) => (k === at ? 2 : value)),
    });
    const slider = document.querySelector('[aria-label="Stature in centimetres"]');
    slider.value = "180";
    slider.dispatchEvent(new Event("input"));
    const { position, scale } = limberApp.stage.figureView.object;
    const shown = position.x + scale.x * 2;
    slider.dispatchEvent(new Event("change"));
    return [shown, limberApp.pose[at], limberApp.stage.figureView.object.position.x, limberApp.doc.figure.human.stature];
  });
  [2, 2, 0, 1.8].forEach((value, k) => assert.ok(Math.abs(away[k] - value) < 1e-6, `${away}`));
});
