// The views and dragging, by real mouse and keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { atRest, colours, coloursOfPage, distance, fromRoot, isBody, partAt, poseOf, siteAt, undo, undoTitle } from "./page.mjs";
import { expect, test } from "./test.mjs";

const changed = (page, before) =>
  page.evaluate(
    (before) => limberApp.figure.info.parameters.filter((_, j) => limberApp.pose[j] !== before[j]).map(({ name }) => name),
    before,
  );

async function drag(page, from, dx, dy, { steps = 20, button = "left", release = true } = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move(from.x + dx, from.y + dy, { steps });
  await atRest(page);
  if (release) await page.mouse.up({ button });
  return { x: from.x + dx, y: from.y + dy };
}

const away = { x: 20, y: 120 }; // empty ground of the large view

test("the figure is there in all views", async ({ open }) => {
  const { page } = await open({ width: 1280, height: 720, balance: false, draws: true });
  for (const view of ["front", "side", "top", "perspective"]) {
    const head = await partAt(page, "head", { view });
    assert.ok(await isBody(page, head), `${view}: no head`);
    assert.deepEqual(await coloursOfPage(page, [head]), await colours(page, [head]), `${view}: not the page's`);
  }
  assert.equal(await isBody(page, away), false);
});

test("the hand follows the mouse", async ({ open }) => {
  const { page } = await open();
  const before = await poseOf(page);
  const hand = await partAt(page, "right_hand");
  assert.ok(await isBody(page, hand));
  const pointer = await drag(page, hand, -60, -70, { release: false });
  const there = await partAt(page, "right_hand");
  assert.ok(
    distance([there.x, there.y], [pointer.x, pointer.y]) < 3,
    `the hand is at ${there.x}, ${there.y}, the pointer at ${pointer.x}, ${pointer.y}`,
  );
  await page.mouse.up();
  assert.ok(await isBody(page, pointer));
  assert.ok((await changed(page, before)).includes("right_elbow.flexion"));
  assert.deepEqual(await page.evaluate(() => [limberApp.store.undoTitle, [...limberApp.doc.pose]]), [
    "Drag right hand",
    await poseOf(page),
  ]);
  assert.deepEqual(await page.evaluate(() => limberApp.selection.kind), "segment");
});

test("undo and Escape bring back the very same pose", async ({ open }) => {
  const { page } = await open();
  const before = await poseOf(page);
  await drag(page, await partAt(page, "right_hand"), -60, -70);
  assert.notDeepEqual(await poseOf(page), before);
  await undo(page);
  assert.deepEqual(await poseOf(page), before);
  await drag(page, await partAt(page, "right_hand"), -60, -70, { release: false });
  assert.notDeepEqual(await poseOf(page), before);
  await page.keyboard.press("Escape");
  assert.deepEqual(await poseOf(page), before);
  await page.mouse.move(300, 300);
  await page.mouse.up();
  await atRest(page);
  assert.deepEqual(await poseOf(page), before);
  assert.equal(await undoTitle(page), undefined);
});

test("feet stay while the pelvis is pulled down", async ({ open }) => {
  const { page } = await open();
  await page.keyboard.press("1");
  const feet = [await siteAt(page, "left_foot"), await siteAt(page, "right_foot")];
  const pelvis = await partAt(page, "pelvis", { view: "front" });
  const metre = await page.evaluate(() => 1 / limberApp.stage.view("front").metresPerPixel);
  await drag(page, pelvis, 0, 0.3 * metre, { steps: 30 });
  const lower = await partAt(page, "pelvis", { view: "front" });
  assert.ok(pelvis.world[1] - lower.world[1] > 0.2, `down by ${pelvis.world[1] - lower.world[1]} m`);
  for (const [k, foot] of ["left_foot", "right_foot"].entries()) {
    const off = distance(feet[k], await siteAt(page, foot));
    assert.ok(off < 1e-4, `${foot} moved by ${off} m`);
  }
});

test("a pull beyond reach says what holds it back, and is calm", async ({ open }) => {
  const { page } = await open();
  const hand = await partAt(page, "right_hand");
  await drag(page, hand, -190, -230, { release: false });
  const dragged = await page.evaluate(() => limberApp.report.constraints.find((one) => one.drag));
  assert.equal(dragged.met, false);
  const text = await page.locator(".pointer-label.held").textContent();
  assert.match(text, /at (its|their) limits?$|^held by pinned parts$/);
  const rest = await poseOf(page);
  for (let k = 0; k < 5; ++k) {
    await page.evaluate(() => limberApp.stage.requestRender());
    await atRest(page);
  }
  assert.deepEqual(await poseOf(page), rest);
  await page.mouse.up();
  assert.equal(await page.locator(".pointer-label.held").isVisible(), false);
  assert.deepEqual(await poseOf(page), rest);
});

test("a footprint shows where a step would bring a hand that is out of reach", async ({ open }) => {
  const { page } = await open({ draws: true });
  await page.evaluate(() => limberApp.stage.show("side"));
  await atRest(page);
  const print = () =>
    page.evaluate(() => {
      let found;
      limberApp.stage.scene.traverse((one) => {
        if (one.geometry?.type === "ShapeGeometry" && one.visible) found = one.position.toArray();
      });
      return found;
    });
  const hand = await partAt(page, "right_hand", { view: "side" });
  const forward = await page.evaluate(() => {
    const { stage } = limberApp;
    const [a, b] = [0, 1.4].map((z) => stage.clientPoint([-0.2, 1.2, z], stage.view("side")));
    return { x: b.x - a.x, y: b.y - a.y };
  });
  assert.equal(await print(), undefined);
  await drag(page, hand, forward.x, forward.y - 10, { release: false });
  await expect.poll(print).toBeDefined();
  const at = await print();
  assert.ok(at[2] > 0.15 && Math.abs(at[1]) < 0.01, `${at}`);
  await page.mouse.up();
  assert.equal(await print(), undefined);
});

test("a limb that is pulled beyond its reach names the limits that hold it", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() => {
    limberApp.setChain("branch");
    limberApp.stage.show("side");
  });
  await atRest(page);
  const hand = await partAt(page, "right_hand", { view: "side" });
  await drag(page, hand, -150, -100, { release: false });
  const dragged = await page.evaluate(() => limberApp.report.constraints.find((one) => one.drag));
  assert.equal(dragged.met, false);
  assert.ok(dragged.held_back_by.length > 0);
  assert.match(await page.locator(".pointer-label.held").textContent(), /at (its|their) limits?$/);
  await page.mouse.up();
});

test("a chain of this part alone turns its joint only", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() => limberApp.setChain("part"));
  const before = await poseOf(page);
  await drag(page, await partAt(page, "right_forearm"), 25, -25);
  assert.deepEqual(await changed(page, before), ["right_elbow.flexion"]);
});

test("a pinned foot takes its pin along, in one step", async ({ open }) => {
  const { page } = await open();
  const pin = () =>
    page.evaluate(() => limberApp.doc.constraints.find((one) => one.handle.frame === "right_foot").goal.placement.p);
  const first = await pin();
  const left = await siteAt(page, "left_foot");
  await drag(page, await partAt(page, "right_foot", { along: 0.5 }), -30, -25);
  const foot = await siteAt(page, "right_foot");
  assert.ok(distance(foot, first) > 0.08);
  assert.ok(distance(await pin(), foot) < 1e-3); // the icon of the pin lies over the foot: it is its goal that is dragged
  assert.ok(distance(await siteAt(page, "left_foot"), left) < 1e-4);
  await undo(page);
  assert.deepEqual(await pin(), first);
  assert.equal(await undoTitle(page), undefined);
});

test("a press without a move selects, on empty ground nothing", async ({ open }) => {
  const { page } = await open();
  const name = () =>
    page.evaluate(() =>
      limberApp.selection.kind === "segment"
        ? limberApp.figure.info.segments[limberApp.selection.segment].name
        : limberApp.selection.kind,
    );
  const head = await partAt(page, "head");
  await page.mouse.click(head.x, head.y);
  assert.equal(await name(), "head");
  assert.equal(await undoTitle(page), undefined);
  await page.mouse.click(away.x, away.y);
  assert.equal(await name(), "nothing");
});

test("names on hover", async ({ open }) => {
  const { page } = await open();
  const label = page.locator(".pointer-label.name");
  const hand = await partAt(page, "right_hand");
  await page.mouse.move(hand.x, hand.y);
  await atRest(page);
  assert.equal(await label.textContent(), "right handright wrist");
  await page.mouse.move(away.x, away.y);
  await atRest(page);
  assert.equal(await label.isVisible(), false);
});

test("each view can be the large one", async ({ open }) => {
  const { page } = await open({ balance: false });
  const widths = () =>
    page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll(".view")].map((one) => [one.dataset.view, one.hidden ? 0 : one.clientWidth]),
      ),
    );
  const largest = async () => Object.entries(await widths()).sort((a, b) => b[1] - a[1])[0][0];
  for (const [key, view] of [
    ["1", "front"],
    ["2", "side"],
    ["3", "top"],
    ["4", "perspective"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await largest(), view);
    assert.ok(await isBody(page, await partAt(page, "head", { view })), view);
  }
  await page.getByRole("button", { name: "Side", exact: true }).click();
  assert.equal(await largest(), "side");
  await page.keyboard.press("q");
  const four = Object.values(await widths());
  assert.ok(Math.max(...four) - Math.min(...four) <= 1);
  await page.keyboard.press("6");
  assert.deepEqual(Object.values(await widths()).filter((width) => width > 0).length, 1);
});

test("orbit, pan, zoom and frame, by mouse and by keys", async ({ open }) => {
  const { page } = await open();
  const camera = () => page.evaluate(() => [...limberApp.stage.view("perspective").camera.matrixWorld.elements]);
  const turned = (a, b) => distance(a.slice(0, 12), b.slice(0, 12)) > 1e-6;
  let last = await camera();
  const now = async () => {
    const before = last;
    last = await camera();
    return [before, last];
  };
  await drag(page, away, 60, 20);
  assert.ok(turned(...(await now())), "a drag on empty ground orbits");
  const head = await partAt(page, "head");
  await drag(page, head, 60, 0, { button: "right" });
  assert.ok(turned(...(await now())), "the right button orbits");
  await drag(page, await partAt(page, "head"), 40, 10, { button: "middle" });
  let [a, b] = await now();
  assert.ok(!turned(a, b) && distance(a, b) > 0.01, "the middle button pans");
  const under = await partAt(page, "head");
  await page.mouse.move(under.x, under.y);
  await page.mouse.wheel(0, -300);
  [a, b] = await now();
  assert.ok(!turned(a, b) && distance(a, b) > 0.1, "the wheel zooms");
  const stays = await partAt(page, "head");
  assert.ok(distance([stays.x, stays.y], [under.x, under.y]) < 25, "about the pointer");
  await page.keyboard.press("Alt+ArrowLeft");
  assert.ok(turned(...(await now())), "Alt and an arrow orbit");
  await page.keyboard.press("Alt+Shift+ArrowUp");
  [a, b] = await now();
  assert.ok(!turned(a, b) && distance(a, b) > 0.001, "with Shift they pan");
  await page.mouse.click((await partAt(page, "right_hand")).x, (await partAt(page, "right_hand")).y);
  await page.keyboard.press("f");
  const hand = await partAt(page, "right_hand", { along: 0.5 });
  const middle = await page.evaluate(() => {
    const { x, y, width, height } = limberApp.stage.view("perspective").element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
  assert.ok(distance([hand.x, hand.y], middle) < 60, "F frames what is selected");
  assert.equal(await undoTitle(page), undefined);
});

test("a glTF figure wears its skin, and the skin follows", async ({ open }) => {
  const { page } = await open();
  const bytes = readFileSync(fromRoot("data/gltf/CesiumMan.glb")).toString("base64");
  await page.evaluate((bytes) => {
    const { engine, store, doc } = limberApp;
    engine.limber.giveFile(
      "man.glb",
      Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)),
    );
    const figure = engine.limber.figure({ file: "man.glb" });
    const pose = [...figure.rest()];
    figure.drop();
    store.load("Open", {
      ...doc,
      figure: { file: "man.glb" },
      files: { "man.glb": bytes },
      constraints: [],
      keys: [],
      rigidity: {},
      pose,
    });
  }, bytes);
  const skinned = () =>
    page.evaluate(() => {
      let count = 0;
      limberApp.stage.scene.traverse((one) => (count += one.isSkinnedMesh ? 1 : 0));
      return count;
    });
  await expect.poll(skinned).toBe(1);
  // A surface that is right lies about its bones: the hand of the skin is where the hand of the figure is.
  const hand = () =>
    page.evaluate(() => {
      const { figure, stage } = limberApp;
      const segment = figure.info.segments.findIndex((one) => one.name === "Skeleton_arm_joint_R__3_");
      const { min, max } = stage.figureView.bounds(new Set([segment]));
      const f = stage.figureView.frames.subarray(12 * segment + 9, 12 * segment + 12);
      return {
        origin: [...f],
        away: Math.max(...["x", "y", "z"].map((k, j) => Math.max(min[k] - f[j], f[j] - max[k]))),
        size: max.distanceTo(min),
        middle: ["x", "y", "z"].map((k) => (min[k] + max[k]) / 2),
      };
    });
  // Its skin is white: seen on a dark ground.
  await page.evaluate(() => ((document.documentElement.dataset.theme = "dark"), limberApp.emit("settings")));
  const before = await hand();
  assert.ok(before.away < 0.05 && before.size > 0.03 && before.size < 0.6, JSON.stringify(before));
  const at = await page.evaluate((p) => limberApp.stage.clientPoint(p, limberApp.stage.view("perspective")), before.middle);
  assert.ok(await isBody(page, at));
  await drag(page, at, -10, -40);
  const after = await hand();
  assert.ok(distance(after.origin, before.origin) > 0.1);
  assert.ok(after.away < 0.05, JSON.stringify(after));
});

test("a picture of one view", async ({ open }) => {
  const { page } = await open({ draws: true });
  const [width, height, colours] = await page.evaluate(async () => {
    const { stage } = limberApp;
    const image = await createImageBitmap(await stage.picture(stage.view("front")));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return [
      image.width / stage.view("front").rect.width,
      image.height / stage.view("front").rect.height,
      new Set(new Uint32Array(data.buffer)).size,
    ];
  });
  assert.deepEqual([width, height], [1, 1]);
  assert.ok(colours > 50, `${colours} colours`);
});

test("the durations of solves are kept", async ({ open }) => {
  const { page } = await open();
  await drag(page, await partAt(page, "right_hand"), -60, -70, { steps: 40 });
  const { count, half } = await page.evaluate(() => ({
    count: limberApp.stage.timings.count,
    half: limberApp.stage.timings.quantile(0.5),
  }));
  assert.ok(count >= 10, `${count} solves`);
  assert.ok(half > 0);
});
