// Comfort and load, by real mouse and keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ready } from "./open.mjs";
import { atRest, colours, distance, documentText, fromRoot, partAt, siteAt, undoTitle } from "./page.mjs";
import { test } from "./test.mjs";

const text = (page, selector) => page.locator(selector).innerText();
const loads = (page) => page.evaluate(() => limberApp.doc.assess?.loads ?? []);

// Both elbows bent, so that what is in the hands is felt.
async function bent(open, options = {}) {
  const { page, context } = await open({ width: 1280, height: 720, ...options });
  await page.evaluate(() => {
    const { figure, pose } = limberApp;
    const next = Float64Array.from(pose);
    for (const side of ["left", "right"])
      next[figure.info.parameters.findIndex((one) => one.name === `${side}_elbow.flexion`)] = Math.PI / 2;
    limberApp.commitPose("Bend", next);
  });
  await page.click("#assess summary");
  await atRest(page);
  return { page, context };
}

async function addLoad(page, place, kg) {
  await page.click(".assess-add");
  await page.locator(".assess-loads select").last().selectOption(place);
  await page.locator(".assess-loads .number-field").last().fill(String(kg));
  await page.keyboard.press("Enter");
  await atRest(page);
}

const colourAt = async (page, part) => (await colours(page, [await partAt(page, part, { along: 0.5 })]))[0];
// Red is more than green where much is asked for; on light or dark ground, in light or shade.
const redness = ([r, g]) => r / (r + g);

test("a load in one hand makes that arm red and not the other; undone, all is as it was", async ({ open }) => {
  for (const scheme of ["light", "dark"]) {
    const { page } = await bent(open, { context: { colorScheme: scheme } });
    const plain = await colourAt(page, "right_upper_arm");
    const first = await documentText(page);
    await page.click("[data-colour=load]");
    await atRest(page);
    const parts = ["right_upper_arm", "left_upper_arm"];
    const [light, other] = await Promise.all(parts.map((part) => colourAt(page, part)));
    assert.ok(distance(light, plain) > 30, `${scheme}: ${plain} became ${light}`);
    assert.ok(redness(light) < 0.5, `${scheme}: green without a load: ${light}`);
    await addLoad(page, "right_palm", 20);
    const heavy = await colourAt(page, "right_upper_arm");
    assert.ok(redness(heavy) > redness(light) + 0.12, `${scheme}: ${light} became ${heavy}`);
    assert.ok(distance(await colourAt(page, "left_upper_arm"), other) < 12, `${scheme}: the other arm stays`);
    assert.deepEqual(await loads(page), [{ at: ["right_palm"], kg: 20 }]);
    // An iron ball of that mass hangs from the palm.
    const palm = await siteAt(page, "right_palm");
    const balls = await page.evaluate(() =>
      limberApp.stage.scene.children
        .filter(({ name }) => name === "load")
        .map(({ position, scale }) => [...position.toArray(), scale.x]),
    );
    assert.equal(balls.length, 1);
    const [x, y, z, radius] = balls[0];
    assert.ok(Math.abs((4 / 3) * Math.PI * radius ** 3 * 7800 - 20) < 1e-6, `radius ${radius}`);
    assert.ok(distance([x, y + radius, z], palm) < 1e-6);
    for (let k = 0; k < 3; ++k) await page.keyboard.press("Control+z");
    await atRest(page);
    assert.equal(await documentText(page), first);
    assert.ok(distance(await colourAt(page, "right_upper_arm"), light) < 6);
    await page.click("[data-colour=none]");
    await atRest(page);
    assert.ok(distance(await colourAt(page, "right_upper_arm"), plain) < 6);
  }
});

test("the panel says what the module says, and follows a pull", async ({ open }) => {
  const { page } = await bent(open);
  await addLoad(page, "left_palm+right_palm", 10);
  const assessed = () => page.evaluate(() => limberApp.figure.assess(limberApp.pose, { loads: limberApp.doc.assess.loads }));
  let found = await assessed();
  assert.equal(await text(page, "[data-value=comfort]"), (1 - found.discomfort).toFixed(2));
  assert.equal(await text(page, "[data-value=largest]"), `${found.max_load.kg.toFixed(1)} kg`);
  assert.match(
    await text(page, ".assess-verdict"),
    new RegExp(`73\\.0 kg and 10 kg, on both feet[^]*${Math.round(100 * found.first.share)} % of its strength[^]*at both palms`),
  );
  const scores = await text(page, ".assess-scores");
  for (const [method, key] of [
    ["RULA", "rula"],
    ["REBA", "reba"],
  ])
    for (const side of ["left", "right"]) {
      const { score, meaning } = found[side][key];
      assert.match(scores, new RegExp(`${method}\\s+(${side}|both sides) ${score}\\s+${meaning}`));
    }
  const before = await text(page, "#assess");
  const hand = await partAt(page, "right_hand");
  await page.mouse.move(hand.x, hand.y);
  await page.mouse.down();
  await page.mouse.move(hand.x + 120, hand.y - 90, { steps: 15 });
  await atRest(page);
  await atRest(page);
  found = await assessed();
  assert.notEqual(await text(page, "#assess"), before);
  assert.equal(await text(page, "[data-value=largest]"), `${found.max_load.kg.toFixed(1)} kg`);
  await page.mouse.up();
});

test("a press on a worst joint selects its part, and its number stands beside it", async ({ open }) => {
  const { page } = await bent(open);
  await addLoad(page, "right_palm", 12);
  await page.click("[data-colour=load]");
  await atRest(page);
  const worst = await page.evaluate(() => limberApp.figure.assess(limberApp.pose, { loads: limberApp.doc.assess.loads }).first);
  const row = page.locator(".assess-worst li").nth(1);
  assert.match(await row.innerText(), new RegExp(`\\s${Math.round(100 * worst.share)} %$`));
  await row.locator("button").click();
  assert.deepEqual(await page.evaluate(() => limberApp.selection), {
    kind: "segment",
    segment: await page.evaluate((freedom) => limberApp.figure.info.freedoms[freedom].joint, worst.freedom),
  });
  // Selected, it keeps most of the colour of its value.
  const heat = await page.evaluate(
    (freedom) => limberApp.stage.heat.get(limberApp.figure.info.freedoms[freedom].joint),
    worst.freedom,
  );
  assert.equal(typeof heat, "number");
});

test("C goes on from comfort to load to none; the legend has numbers; the choice is kept by the browser", async ({ open }) => {
  const { page } = await bent(open, { served: true });
  const pressed = () => page.locator(".assess-colours [aria-pressed=true]").getAttribute("data-colour");
  const heat = () => page.evaluate(() => limberApp.stage.heat?.size ?? 0);
  assert.deepEqual([await pressed(), await heat()], ["none", 0]);
  await page.keyboard.press("c");
  await atRest(page);
  assert.equal(await pressed(), "comfort");
  assert.ok((await heat()) > 10);
  assert.match(await text(page, ".assess-legend"), /1 at ease\s+0\.5\s+0 at its limit\s+no limits/);
  await page.keyboard.press("c");
  assert.match(await text(page, ".assess-legend"), /0 %\s+50 %\s+100 %\s+more: gives\s+no known strength/);
  await page.reload();
  await ready(page);
  await atRest(page);
  assert.equal(await pressed(), "load");
  assert.ok((await heat()) > 10);
  await page.keyboard.press("c");
  await atRest(page);
  assert.deepEqual([await pressed(), await heat()], ["none", 0]);
});

test("strength, percentile and sitting are steps of the document, and change what can be held", async ({ open }) => {
  const { page } = await bent(open);
  const largest = async () => Number.parseFloat(await text(page, "[data-value=largest]"));
  const man = await largest();
  await page.selectOption('#assess [aria-label="Strength of"]', "female");
  await atRest(page);
  const woman = await largest();
  assert.ok(woman < man, `${woman} < ${man}`);
  await page.fill('#assess [aria-label="Percentile of strength"]', "5");
  await page.keyboard.press("Enter");
  await atRest(page);
  assert.ok((await largest()) < woman);
  await page.check("#assess label.check input");
  await atRest(page);
  assert.match(await text(page, ".assess-verdict"), /carried by its root/);
  assert.deepEqual(await page.evaluate(() => limberApp.doc.assess), { sex: "female", percentile: 5, sitting: true });
  for (let k = 0; k < 3; ++k) await page.keyboard.press("Control+z");
  await atRest(page);
  assert.equal(await largest(), man);
});

test("a load under which the figure would fall is reported as such", async ({ open }) => {
  const { page } = await bent(open);
  assert.doesNotMatch(await text(page, ".assess-verdict"), /would fall/);
  await addLoad(page, "left_palm+right_palm", 200);
  assert.match(await text(page, ".assess-verdict"), /would fall: the centre of mass is \d+\.\d cm outside the feet/);
});

test("a robot's arm has no scores and no strengths, and that is said calmly; a load is a load", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  const { figure } = JSON.parse(readFileSync(fromRoot("example/scene/arm.json"), "utf8"));
  await page.evaluate((figure) => {
    const made = limberApp.engine.limber.figure(figure);
    const pose = [...made.rest()];
    made.drop();
    limberApp.store.load("arm", { ...limberApp.doc, figure, pose, constraints: [] });
  }, figure);
  await page.click("#assess summary");
  await page.click("[data-colour=load]");
  await page.click(".assess-add");
  await atRest(page);
  const shown = await text(page, "#assess");
  assert.match(shown, /No RULA and REBA: they are for people/);
  assert.match(shown, /none is known for the joints of this figure/);
  assert.match(shown, /4\.0 kg and 5 kg, carried by its root/);
  assert.equal(await page.locator("#messages .error").count(), 0);
  assert.deepEqual(await loads(page), [{ at: ["tip"], kg: 5 }]);
  await page.click("[data-colour=comfort]");
  await atRest(page);
  assert.ok(
    new Set(await page.evaluate(() => [...limberApp.stage.heat.values()])).size >= 2,
    "the base has no limits, the joints have",
  );
});

test("a skin gives way to the plain body while that shows values, and comes back", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  const bytes = readFileSync(fromRoot("data/gltf/CesiumMan.glb")).toString("base64");
  await page.evaluate((bytes) => {
    const { engine, store, doc } = limberApp;
    engine.limber.giveFile(
      "CesiumMan.glb",
      Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)),
    );
    const made = engine.limber.figure({ file: "CesiumMan.glb" });
    const pose = [...made.rest()];
    made.drop();
    store.load("man", { ...doc, figure: { file: "CesiumMan.glb" }, files: { "CesiumMan.glb": bytes }, pose, constraints: [] });
  }, bytes);
  await page.waitForFunction(() => limberApp.stage.figureView.skin !== undefined);
  const seen = () =>
    page.evaluate(() => [limberApp.stage.figureView.skin.object.visible, limberApp.stage.figureView.meshes[0].visible]);
  assert.deepEqual(await seen(), [true, false]);
  await page.keyboard.press("c");
  await atRest(page);
  assert.deepEqual(await seen(), [false, true]);
  const hit = await page.evaluate(() => {
    const { stage } = limberApp;
    const box = stage.figureView.bounds();
    return box.max.y - box.min.y;
  });
  assert.ok(hit > 1, "the plain body stands where the skin stood");
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await atRest(page);
  assert.deepEqual(await seen(), [true, false]);
});

test("a link brings the loads back, and they can be removed", async ({ open }) => {
  const { page } = await bent(open, { fresh: true });
  await addLoad(page, "right_palm", 7.5);
  const saved = await page.evaluate(() => limberApp.doc.assess);
  const link = await page.evaluate(async () => {
    const written = JSON.stringify({ limber: "document 1", ...limberApp.doc });
    const bytes = new Uint8Array(
      await new Response(new Blob([written]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
    return btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "");
  });
  await page.keyboard.press("Control+z");
  await page.evaluate((link) => ((location.hash = `d=${link}`), location.reload()), link);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes" && limberApp?.doc.assess !== undefined);
  assert.deepEqual(await page.evaluate(() => limberApp.doc.assess), saved);
  await atRest(page);
  assert.equal(await page.locator(".assess-loads .number-field").inputValue(), "7.5");
  // A busy browser may not have stored that the panel was open.
  if (!(await page.locator("#assess[open]").count())) await page.click("#assess summary");
  await page.click(".assess-loads button");
  assert.deepEqual(await loads(page), []);
  assert.equal(await page.locator(".assess-loads li").count(), 0);
  assert.equal(await undoTitle(page), "Remove load");
});
