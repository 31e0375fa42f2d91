// What a stranger does in the first five minutes: reach for a cup with both feet planted, make a second key, play it, take
// it along as a file. With nothing but mouse and keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { AnimationMixer, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { cup, distance, documentText, nextFrame, onScreen, originOf, poseOf, pull } from "./page.mjs";
import { test } from "./test.mjs";

globalThis.self ??= globalThis; // the loader was written for a browser

async function clickTime(page, seconds) {
  const field = page.locator("#timeline input").first();
  await field.fill(String(seconds));
  await field.press("Enter");
}

const parse = (bytes) =>
  new Promise((done, fail) =>
    new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "", done, fail),
  );

test("reach for a cup, second key, play with the feet put, export what three.js plays", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  const feet = { left: await originOf(page, "left_foot"), right: await originOf(page, "right_foot") };
  await page.keyboard.press("k");
  await clickTime(page, 1);
  await page.keyboard.press("2"); // from the side a hand is pulled forward
  await pull(page, await onScreen(page, "right_hand"), await onScreen(page, cup), 15);
  await page.waitForFunction(() => limberApp.store.undoTitle?.startsWith("Drag"));
  const reached = await originOf(page, "right_hand");
  const target = await onScreen(page, cup);
  const hand = await onScreen(page, "right_hand");
  assert.ok(
    Math.hypot(hand.x - target.x, hand.y - target.y) < 12,
    `the hand is at ${JSON.stringify(hand)}, the cup at ${JSON.stringify(target)}`,
  );
  for (const side of ["left", "right"])
    assert.ok(distance(await originOf(page, `${side}_foot`), feet[side]) < 1e-4, `${side} foot while reaching`);
  await page.keyboard.press("4");
  await page.keyboard.press("k");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.keys.map(({ time }) => time)), [0, 1]);

  await page.evaluate(() => limberApp.whenKept());
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => limberApp.playing);
  const times = new Set();
  while (times.size < 8) {
    await page.waitForFunction((seen) => !seen.includes(limberApp.time), [...times]);
    times.add(await page.evaluate(() => limberApp.time));
    for (const side of ["left", "right"])
      assert.ok(distance(await originOf(page, `${side}_foot`), feet[side]) < 1e-4, `${side} foot while it plays`);
  }
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => limberApp.playing), false);

  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+e")]);
  const gltf = await parse(readFileSync(await download.path()));
  const node = (name) => gltf.scene.getObjectByName(name);
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.play();
  const at = (name, time) => {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    return node(name).getWorldPosition(new Vector3()).toArray();
  };
  assert.ok(distance(at("right_hand", 0.9999), reached) < 2e-3, "the hand in three.js");
  for (const time of [0, 0.3, 0.5, 0.8])
    for (const side of ["left", "right"])
      assert.ok(distance(at(`${side}_foot`, time), feet[side]) < 1e-4, `${side} foot in three.js at ${time} s`);
});

test("a far pull leans and bends, and does not tip the figure over", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  await page.keyboard.press("2");
  const hand = await onScreen(page, "right_hand");
  const [low, high] = [await onScreen(page, [0, 0, 0]), await onScreen(page, [0, 1, 0])];
  const metre = low.y - high.y;
  await pull(page, hand, { x: hand.x + 1.2 * metre, y: hand.y + 0.2 * metre }, 30, () => nextFrame(page));
  const { balance, forward, toes } = await page.evaluate(() => {
    const app = limberApp;
    const names = app.doc.constraints.map(({ name }) => name);
    const toe = app.figure.info.sites.find(({ name }) => name === "left_toe");
    return {
      balance: app.report.constraints[names.indexOf("balance")],
      forward: app.figure.massCentre(app.pose)[2],
      toes: toe.frame[11] + app.figure.place(app.pose)[12 * toe.segment + 11],
    };
  });
  assert.ok(balance.met, "balance");
  assert.ok(forward < toes, `the centre of mass is ${forward} m ahead, the toes ${toes} m`);
});

test("a step between two keys: each is balanced on its own feet, and so is the way", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  await page.keyboard.press("k");
  await clickTime(page, 1);
  await page.keyboard.press("2");
  const foot = await onScreen(page, "right_foot");
  await pull(page, foot, { x: foot.x + 90, y: foot.y }, 20, () => nextFrame(page));
  await page.keyboard.press("k");
  await page.evaluate(() => limberApp.whenKept());
  const { motion, balances } = await page.evaluate(() => ({
    motion: limberApp.motion.kind,
    balances: limberApp.doc.constraints.filter((one) => one.balance).map(({ span }) => span),
  }));
  assert.equal(motion, "kept");
  assert.equal(balances.length, 2);
  const met = await page.evaluate(() => limberApp.report.constraints.map(({ met, counted }) => met || !counted));
  assert.ok(met.every(Boolean), JSON.stringify(met));
  // The centre of mass goes from one stance to the other and nowhere else.
  const way = await page.evaluate(() =>
    [0, 0.25, 0.5, 0.75, 1].map((time) => limberApp.figure.massCentre(limberApp.poseAt(time))),
  );
  for (const [k, [, , z]] of way.entries()) if (k > 0) assert.ok(z >= way[k - 1][2] - 0.03, JSON.stringify(way));
});

test("a pose that is left without a key comes back by undo, and is a key at once where that is wished", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  await page.keyboard.press("k");
  await clickTime(page, 1);
  const hand = await onScreen(page, "right_hand");
  await pull(page, hand, { x: hand.x - 60, y: hand.y - 60 });
  const posed = await poseOf(page);
  await clickTime(page, 2);
  assert.notDeepEqual(await poseOf(page), posed);
  await page.locator(".tl-left").waitFor();
  await page.keyboard.press("Control+z");
  assert.deepEqual(await page.evaluate(() => [limberApp.time, [...limberApp.pose]]), [1, posed]);
  await page.locator(".tl-left").waitFor({ state: "hidden" });
  await clickTime(page, 2);
  await page.locator(".tl-left").click();
  assert.deepEqual(await page.evaluate(() => [limberApp.time, [...limberApp.pose]]), [1, posed]);

  await page.getByRole("button", { name: "Auto key" }).click();
  await clickTime(page, 2);
  const other = await onScreen(page, "left_hand");
  await pull(page, other, { x: other.x + 60, y: other.y - 60 });
  assert.deepEqual(await page.evaluate(() => limberApp.doc.keys.map(({ time }) => time)), [0, 2]);
  await clickTime(page, 1.5);
  assert.equal(await page.evaluate(() => limberApp.unkeyed), undefined, "a key is not left");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.keys.map(({ time }) => time)), [0]);
});

test("a number that is entered gives the keys back", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720 });
  const before = await documentText(page);
  await page.locator("#side input[placeholder='Filter joints']").fill("right elbow");
  const field = page.getByLabel("right elbow flexion in degrees");
  await field.fill("50");
  await field.press("Enter");
  assert.notEqual(await documentText(page), before);
  await page.keyboard.press("Control+z");
  assert.equal(await documentText(page), before);
  await field.focus();
  await page.locator("#stage").click({ position: { x: 20, y: 300 } });
  await page.keyboard.press("k");
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 1);
});
