// Compare: a reference motion in red, one that follows it in green, error and time by frame.
import assert from "node:assert/strict";
import { boxOf, documentText, fromRoot, undo } from "./page.mjs";
import { test } from "./test.mjs";

const run = (page) => page.getByRole("button", { name: "Run", exact: true });

async function load(page, ...files) {
  await page.evaluate(() => (document.getElementById("compare").open = true));
  await page.locator("#compare input[type=file]").setInputFiles(files.map((name) => fromRoot(`data/${name}`)));
}

async function openFigure(page, ...files) {
  await load(page, ...files);
  await page.getByRole("button", { name: "Open its figure" }).click();
  await run(page).waitFor();
}

async function compared(page) {
  await run(page).click();
  await page.waitForFunction(
    () => !document.querySelector(".compare-summary").hidden && document.querySelector(".compare-progress").hidden,
  );
  return page.locator(".compare-summary output").textContent();
}

// How many pixels of the stage are of a colour, by which of its parts leads.
const coloured = (page) =>
  page.evaluate(async () => {
    const { stage } = limberApp;
    window.draws = true;
    stage.render();
    window.draws = false;
    const { canvas } = stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let red = 0;
    let green = 0;
    for (let k = 0; k < pixels.length; k += 4) {
      const [r, g, b] = pixels.subarray(k, k + 3);
      if (r > 1.6 * g && r > 1.6 * b && r > 60) ++red;
      if (g > 1.4 * r && g > 1.2 * b && g > 50) ++green;
    }
    return { red, green };
  });

test("a reference of another figure is asked about; cancelled, the document stays", async ({ open }) => {
  const { page } = await open();
  const before = await documentText(page);
  await load(page, "bvh/cmu_02_01.bvh");
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await documentText(page), before);
  assert.equal(await page.getByRole("button", { name: "Open its figure" }).count(), 0);
});

test("red reference, green follower, a plot that scrubs with the timeline, and undo", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  const first = await documentText(page);
  await openFigure(page, "bvh/cmu_02_01.bvh");
  assert.equal(await page.evaluate(() => limberApp.figure.parameters), 96);
  assert.ok((await page.evaluate(() => limberApp.end)) > 2.8);
  const alone = await coloured(page);
  assert.ok(alone.red > 500 && alone.green < 20, JSON.stringify(alone));

  assert.match(await compared(page), /Mean error below 0[.]01 cm.* ms per frame$/);
  await page.getByLabel("Method of the comparison").selectOption("cyclic-coordinate-descent");
  await page.getByLabel("Iterations per frame").fill("1");
  const text = await compared(page);
  const [, error] = /Mean error ([\d.]+) cm/.exec(text);
  assert.ok(Number(error) > 0.5 && Number(error) < 10, text);

  const plot = page.locator(".compare-plot");
  const { x, y, width } = await boxOf(page, plot);
  await page.mouse.move(x + 10, y + 30);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 40, { steps: 3 });
  await page.mouse.up();
  const time = await page.evaluate(() => limberApp.time);
  assert.ok(Math.abs(time - 343 / 2 / 120) < 0.03, `time ${time}`);
  const both = await coloured(page);
  assert.ok(both.red > 200 && both.green > 200, JSON.stringify(both));

  const frame = Number(await plot.getAttribute("aria-valuenow"));
  await plot.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(Number(await plot.getAttribute("aria-valuenow")), frame + 1);
  assert.ok((await page.evaluate(() => limberApp.time)) > time);
  await page.evaluate(() => limberApp.setTime(limberApp.end));
  const cursor = await boxOf(page, page.locator(".compare-cursor"));
  assert.ok(Math.abs(cursor.x - (x + width)) < 4, `the cursor is at ${cursor.x}, the plot ends at ${x + width}`);

  await page.getByLabel("show figures").uncheck();
  const hidden = await coloured(page);
  assert.ok(hidden.red < 20 && hidden.green < 20, JSON.stringify(hidden));

  await undo(page);
  assert.equal(await documentText(page), first);
  assert.equal(await run(page).count(), 0);
  assert.equal(await page.evaluate(() => limberApp.stage.figureView.visible), true);
});

test("fewer places leave more open; none are rejected", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  await openFigure(page, "bvh/cmu_02_01.bvh");
  for (const place of ["left hand", "right hand", "left foot", "right foot", "head"])
    await page.getByLabel(`Remove ${place}`, { exact: true }).click();
  await run(page).click();
  await page.locator(".message.error").getByText("no place to follow").waitFor();
  await page.getByLabel("Add a place").selectOption("right_hand");
  assert.match(await compared(page), /^Mean error/);
});

test("the document's own motion, Acclaim with its skeleton, a file without a motion", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  await load(page, "acclaim/02_01.amc");
  await page.locator(".message.error").getByText("ASF").waitFor();
  await openFigure(page, "acclaim/02_01.amc", "acclaim/02.asf");
  assert.match(await compared(page), /^Mean error/);
  await page.getByTitle("End the comparison").click();
  const objects = await page.evaluate(() => limberApp.engine.limber.objects);
  await page.getByRole("button", { name: "This motion" }).click();
  await run(page).waitFor();
  assert.match(await compared(page), /^Mean error/);
  await page.getByTitle("End the comparison").click();
  assert.equal(await page.evaluate(() => limberApp.engine.limber.objects), objects);
});

test("of several motions in a file one is chosen, and all can be seen", async ({ open }) => {
  const { page } = await open({ width: 1024, height: 768 });
  await load(page, "gltf/RobotExpressive.glb");
  const walking = page.getByRole("button", { name: /^Walking/ });
  const [button, side] = [await boxOf(page, walking), await boxOf(page, page.locator("#side"))];
  assert.ok(button.x >= side.x && button.x + button.width <= side.x + side.width, JSON.stringify({ button, side }));
  await walking.click();
  await page.getByRole("button", { name: "Open its figure" }).click();
  await run(page).waitFor();
  assert.match(await page.locator(".compare-name").textContent(), /Walking.*24 frames/);
});

test("a comparison that takes long is abandoned", async ({ open }) => {
  const { page } = await open();
  await openFigure(page, "bvh/cmu_02_01.bvh");
  await page.getByLabel("Method of the comparison").selectOption("jacobian-transpose");
  await page.getByLabel("Iterations per frame").fill("1000");
  await page.evaluate(() => {
    document.querySelector("#compare button.on").click();
    document.querySelector("#compare button.on").click();
  });
  await page.locator(".message").getByText("abandoned").waitFor();
  await run(page).waitFor();
  assert.equal(await page.locator(".compare-summary").isVisible(), false);
});
