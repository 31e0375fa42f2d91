// The timeline: keys, playback, bars, the shelf. All by mouse and keyboard; what they did is read from the document.
import assert from "node:assert/strict";
import { ready } from "./open.mjs";
import { atRest, documentText, middleOf, undo } from "./page.mjs";
import { expect, test } from "./test.mjs";

// A figure that has crouched by `down` metres, its feet where they are pinned.
const pose = (page, down, turn = 0) =>
  page.evaluate(
    ([down, turn]) => {
      const app = limberApp;
      const pose = app.figure.rest();
      pose[app.figure.info.parameters.findIndex(({ name }) => name === "spine.forward")] += turn;
      // Straight legs do not know which way to bend.
      for (const [j, { name, upper }] of app.figure.info.parameters.entries())
        if (/(hip|knee|ankle)\.flexion/.test(name)) pose[j] = down * upper;
      const { constraints } = app.doc;
      const pelvis = app.figure.info.segments.findIndex(({ name }) => name === "pelvis");
      const [x, y, z] = app.figure.place(app.figure.rest()).subarray(12 * pelvis + 9, 12 * pelvis + 12);
      const scene = {
        constraints: [
          ...constraints.map(({ id: _, span: __, standing: ___, on: ____, ...one }) => one),
          { handle: { point: "pelvis" }, goal: { position: [x, y - down, z - 1.2 * down] } },
        ],
      };
      const posed = app.engine.limber.scene(app.figure, scene);
      posed.solve(pose);
      posed.drop();
      app.commitPose("Pose", pose);
    },
    [down, turn],
  );

const state = (page) =>
  page.evaluate(() => ({
    keys: limberApp.doc.keys.map(({ time }) => time),
    time: limberApp.time,
    range: limberApp.keyRange,
    selection: limberApp.selection,
  }));
// Where a time is on the page.
async function placeOf(page, time, selector = ".tl-keys") {
  await atRest(page);
  const x = await page.evaluate((time) => {
    const playhead = document.querySelector(".tl-playhead");
    const before = limberApp.time;
    limberApp.setTime(time);
    const { left, width } = playhead.getBoundingClientRect();
    limberApp.setTime(before);
    return left + width / 2;
  }, time);
  return { x, y: (await middleOf(page, selector)).y };
}

async function click(page, time, options = {}) {
  const { x, y } = await placeOf(page, time, options.on);
  await page.mouse.click(x, y);
  await atRest(page);
}

async function drag(page, from, to, { shift = false } = {}) {
  await page.mouse.move(from.x, from.y);
  if (shift) await page.keyboard.down("Shift");
  await page.mouse.down();
  for (let k = 1; k <= 5; ++k) await page.mouse.move(from.x + ((to.x - from.x) * k) / 5, from.y + ((to.y - from.y) * k) / 5);
  await page.mouse.up();
  if (shift) await page.keyboard.up("Shift");
  await atRest(page);
}

// Keys at 0, 1 and 2 s, and the timeline has the focus.
async function withKeys(open, options = {}) {
  const editor = await open(options);
  const { page } = editor;
  for (const [time, down, turn] of [
    [0, 0, 0],
    [1, 0.25, 0.5],
    [2, 0.1, 0],
  ]) {
    await page.evaluate((time) => limberApp.setTime(time), time);
    await pose(page, down, turn);
    await page.keyboard.press("k");
  }
  await page.evaluate(() => document.querySelector(".tl-body").focus());
  assert.deepEqual((await state(page)).keys, [0, 1, 2]);
  return { ...editor, first: await documentText(page) };
}

async function withShelf(page) {
  if (await page.locator(".shelf.folded").count()) await page.locator(".shelf-fold").click();
  await atRest(page);
}

async function undoes(page, before) {
  assert.notEqual(await documentText(page), before, "nothing was changed");
  await undo(page);
  assert.equal(await documentText(page), before);
}

test("two poses with planted feet: between the keys the feet stay within 0.1 mm", async ({ open }) => {
  const { page, errors } = await open();
  await page.keyboard.press("k");
  await click(page, 1, { on: ".tl-ruler" });
  assert.equal((await state(page)).time, 1);
  await pose(page, 0.3, 0.6);
  await atRest(page);
  assert.equal(await page.locator(".tl-chip").isVisible(), true);
  await page.keyboard.press("k");
  await atRest(page);
  assert.equal(await page.locator(".tl-chip").isVisible(), false);
  assert.deepEqual((await state(page)).keys, [0, 1]);
  await page.evaluate(() => limberApp.whenKept());
  const moved = await page.evaluate(() => {
    const app = limberApp;
    const feet = ["left_foot", "right_foot"].map((name) => app.figure.info.segments.findIndex((one) => one.name === name));
    const place = (pose) => feet.map((foot) => [...app.figure.place(pose).subarray(12 * foot + 9, 12 * foot + 12)]);
    const first = place(app.doc.keys[0].pose);
    let [feetMost, rootMost] = [0, 0];
    for (let k = 0; k <= 30; ++k) {
      const pose = app.poseAt(k / 30 + (k % 3) / 100);
      place(pose).forEach((at, foot) => (feetMost = Math.max(feetMost, Math.hypot(...at.map((x, row) => x - first[foot][row])))));
      rootMost = Math.max(rootMost, Math.abs(pose[1] - app.doc.keys[0].pose[1]));
    }
    return { feetMost, rootMost };
  });
  assert.ok(moved.feetMost < 1e-4, `feet moved ${moved.feetMost} m`);
  assert.ok(moved.rootMost > 0.05, "the figure does not move at all");
  await atRest(page);
  assert.match(await page.locator(".tl-state").textContent(), /held to 0\.0\d* mm/);
  assert.deepEqual(errors, []);
});

test("without the toggle the feet slide: it is the toggle that keeps them", async ({ open }) => {
  const { page } = await withKeys(open);
  await page.getByLabel("Keep constraints").click();
  assert.equal(await page.evaluate(() => limberApp.doc.keep), false);
  await atRest(page);
  assert.equal(await page.locator(".tl-state").textContent(), "interpolated");
  const slid = await page.evaluate(() => {
    const app = limberApp;
    const foot = app.figure.info.segments.findIndex(({ name }) => name === "left_foot");
    const place = (time) => [...app.figure.place(app.poseAt(time)).subarray(12 * foot + 9, 12 * foot + 12)];
    const [a, b] = [place(0), place(0.5)];
    return Math.hypot(...a.map((x, row) => x - b[row]));
  });
  assert.ok(slid > 1e-3, `${slid} m`);
});

test("Space plays and pauses; time goes on and stops on a frame", async ({ open }) => {
  const { page } = await withKeys(open);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => limberApp.playing && limberApp.time > 0.1);
  await page.keyboard.press("Space");
  const { time } = await state(page);
  assert.ok(Math.abs(time * 30 - Math.round(time * 30)) < 1e-9, `${time}`);
  await atRest(page);
  assert.equal((await state(page)).time, time);
  assert.equal(await page.evaluate(() => limberApp.playing), false);
});

test("pictures of the keys stand at their times and show something", async ({ open }) => {
  const { page } = await withKeys(open);
  await atRest(page);
  const pictures = await page.locator(".tl-key.picture canvas").evaluateAll((all) =>
    all.map((canvas) => {
      const { left, width } = canvas.getBoundingClientRect();
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let [painted, top] = [0, canvas.height];
      for (let k = 0; k < data.length; k += 4)
        if (data[k + 3] > 128 && data[k + 1] > data[k] + 20) {
          ++painted;
          top = Math.min(top, Math.floor(k / 4 / canvas.width));
        }
      return { x: left + width / 2, part: painted / (canvas.width * canvas.height), top };
    }),
  );
  assert.equal(pictures.length, 3);
  for (const [k, time] of [0, 1, 2].entries()) {
    const { x } = await placeOf(page, time);
    assert.ok(Math.abs(pictures[k].x - x) < 1.5, `the picture of ${time} s is at ${pictures[k].x}, not ${x}`);
  }
  for (const { part } of pictures) assert.ok(part > 0.05 && part < 0.6, `${part} of the picture is figure`);
  assert.ok(pictures[1].top > pictures[0].top, "who crouches is lower");
});

test("a key is dragged, stops at its neighbour, and undo brings it back", async ({ open }) => {
  const { page, first } = await withKeys(open);
  await drag(page, await placeOf(page, 1), await placeOf(page, 1.5));
  assert.deepEqual((await state(page)).keys, [0, 1.5, 2]);
  await undoes(page, first);
  await drag(page, await placeOf(page, 1), await placeOf(page, 2.6));
  const [, second] = (await state(page)).keys;
  assert.ok(Math.abs(second - 59 / 30) < 1e-9, `${second}`);
  await undoes(page, first);
});

test("dragged with Shift, later keys come along; Escape takes a drag back", async ({ open }) => {
  const { page, first } = await withKeys(open);
  await drag(page, await placeOf(page, 1), await placeOf(page, 1.5), { shift: true });
  assert.deepEqual((await state(page)).keys, [0, 1.5, 2.5]);
  await undoes(page, first);
  const { x, y } = await placeOf(page, 1);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  assert.notDeepEqual((await state(page)).keys, [0, 1, 2]);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await documentText(page), first);
});

test("a band chooses keys, and the handle of the range stretches them", async ({ open }) => {
  const { page, first } = await withKeys(open);
  const [from, to] = [await placeOf(page, 0.6), await placeOf(page, 2.3)];
  await drag(page, from, to);
  assert.deepEqual((await state(page)).range, { first: 1, count: 2 });
  const grip = await middleOf(page, ".tl-handle.to");
  const [two, later] = [await placeOf(page, 2), await placeOf(page, 2.5)];
  await drag(page, grip, { x: grip.x + later.x - two.x, y: grip.y });
  assert.deepEqual((await state(page)).keys, [0, 1, 2.5]);
  await undoes(page, first);
});

test("copy, paste, mirrored paste, insert, cut, duplicate, each one step", async ({ open }) => {
  const { page, first } = await withKeys(open);
  const at = async (time, ...presses) => {
    await page.evaluate((time) => limberApp.setTime(time), time);
    for (const press of presses) await page.keyboard.press(press);
    return (await state(page)).keys;
  };
  await click(page, 1);
  await page.keyboard.press("Control+c");
  assert.deepEqual(await at(3, "Control+v"), [0, 1, 2, 3]);
  assert.equal(
    await page.evaluate(() => JSON.stringify(limberApp.doc.keys[3].pose) === JSON.stringify(limberApp.doc.keys[1].pose)),
    true,
  );
  await undoes(page, first);
  await page.evaluate(() => limberApp.selectKeys({ first: 0, count: 2 }));
  await page.keyboard.press("Control+c");
  assert.deepEqual(await at(1, "Control+i"), [0, 1, 2, 3]);
  await undoes(page, first);
  assert.deepEqual(await at(2.5, "Control+Shift+v"), [0, 1, 2, 2.5, 3.5]);
  assert.equal(
    await page.evaluate(
      () =>
        JSON.stringify(limberApp.doc.keys[4].pose) === JSON.stringify([...limberApp.figure.mirrored(limberApp.doc.keys[1].pose)]),
    ),
    true,
  );
  await undoes(page, first);
  await page.evaluate(() => limberApp.selectKeys({ first: 1, count: 1 }));
  assert.deepEqual(await at(1, "Control+x"), [0, 2]);
  assert.deepEqual(await at(1, "Control+v"), [0, 1, 2]);
  await undo(page);
  await undoes(page, first);
  await page.evaluate(() => limberApp.selectKeys({ first: 1, count: 1 }));
  assert.deepEqual(await at(1, "Control+d"), [0, 1, 1.5, 2.5]);
  await undoes(page, first);
});

test("by keyboard alone: go, choose, slide, stretch, reverse, mirror, delete; undo all gives the first document", async ({
  open,
}) => {
  const { page } = await open();
  const first = await documentText(page);
  await page.keyboard.press("t");
  await page.keyboard.press("k");
  for (let k = 0; k < 3; ++k) await page.keyboard.press("Shift+ArrowRight");
  assert.equal((await state(page)).time, 1);
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await state(page)).time - 29 / 30) < 1e-12);
  await page.keyboard.press(",");
  assert.equal((await state(page)).time, 0);
  await page.keyboard.press(">");
  assert.deepEqual((await state(page)).range, { first: 0, count: 2 });
  await page.keyboard.press("Control+ArrowUp");
  assert.deepEqual((await state(page)).keys, [0, 2]);
  await page.keyboard.press("Control+ArrowDown");
  await page.keyboard.press("Control+ArrowRight");
  assert.deepEqual(
    (await state(page)).keys.map((time) => Math.round(30 * time)),
    [1, 31],
  );
  await page.keyboard.press("Shift+R");
  await page.keyboard.press("Shift+M");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.deepEqual((await state(page)).range, { first: 1, count: 1 });
  await page.keyboard.press("Delete");
  assert.equal((await state(page)).keys.length, 1);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  assert.deepEqual((await state(page)).keys, []);
  await page.evaluate(() => {
    while (limberApp.store.undo());
  });
  assert.equal(await documentText(page), first);
});

test("a bar selects its constraint; its ends, its middle and its ramp change the span", async ({ open }) => {
  const { page, first } = await withKeys(open);
  const span = () => page.evaluate(() => limberApp.doc.constraints[0].span);
  const bar = page.locator(".tl-bar").first();
  const grip = (name) => middleOf(page, `.tl-bar .grip.${name}`);
  const at = async (time, y) => ({ ...(await placeOf(page, time)), y });
  const stays = await page.evaluate(async () => {
    const bars = () => [...document.querySelectorAll(".tl-bar")];
    const before = bars();
    limberApp.emit("motion", limberApp.motion);
    await window.whenAtRest();
    return bars().every((bar, k) => bar === before[k]);
  });
  assert.ok(stays, "a bar that looks the same stays the same element: a press that has begun on it ends on it");
  let from = await grip("from");
  await drag(page, from, await at(0.5, from.y));
  assert.deepEqual(await span(), { from: 0.5, to: Infinity, easeIn: 0, easeOut: 0 });
  assert.deepEqual((await state(page)).selection, { kind: "constraint", id: "foot0" });
  from = await grip("to");
  await drag(page, from, await at(1.5, from.y));
  assert.deepEqual(await span(), { from: 0.5, to: 1.5, easeIn: 0, easeOut: 0 });
  from = await at(1, from.y);
  await drag(page, from, await at(1.2, from.y));
  const moved = await span();
  assert.ok(Math.abs(moved.from - 0.7) < 1e-9 && Math.abs(moved.to - 1.7) < 1e-9, JSON.stringify(moved));
  from = await grip("out");
  await drag(page, from, await at(2, from.y));
  assert.ok(Math.abs((await span()).easeOut - 0.3) < 1e-9);
  await atRest(page);
  assert.equal(await bar.locator(".ramp.out").count(), 1);
  for (let k = 0; k < 4; ++k) await undo(page);
  assert.equal(await documentText(page), first);
});

test("the sheet of a key sets its interpolation, one step a change", async ({ open }) => {
  const { page, first } = await withKeys(open);
  const { x, y } = await placeOf(page, 1);
  await page.mouse.dblclick(x, y);
  const key = () => page.evaluate(() => ({ ...limberApp.doc.keys[1], pose: undefined }));
  await page.getByRole("button", { name: "Linear" }).click();
  assert.equal((await key()).interpolation, "linear");
  await page.getByLabel("Ease in").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await key()).easeIn - 0.1) < 1e-9, JSON.stringify(await key()));
  assert.equal((await state(page)).time, 1, "the slider's keys are not the playhead's");
  await page.getByLabel("Constant speed").click();
  assert.equal((await key()).even, true);
  assert.equal(await page.evaluate(() => limberApp.doc.keys[0].interpolation), undefined);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".popover").count(), 0);
  for (let k = 0; k < 4; ++k) await undo(page);
  assert.equal(await documentText(page), first);
});

test("keys that the motion does not need are taken out", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() => {
    const app = limberApp;
    app.store.run("dense", (doc) => ({
      ...doc,
      keep: false,
      constraints: [],
      keys: Array.from({ length: 31 }, (_, k) => ({
        time: k / 30,
        pose: doc.pose.map((value, j) => (j === 1 ? value + 0.2 * Math.sin(k / 10) : value)),
      })),
    }));
    app.actions.run("key.reduce");
  });
  await page.waitForFunction(() => limberApp.doc.keys.length < 10);
  const { keys } = await state(page);
  assert.equal(keys[0], 0);
  assert.equal(keys.at(-1), 1);
  await undo(page);
  assert.equal((await state(page)).keys.length, 31);
});

test("what is not kept is named, and a press goes to the frame", async ({ open }) => {
  const { page } = await withKeys(open);
  await page.evaluate(() =>
    limberApp.store.run("far", (doc) => ({
      ...doc,
      constraints: [
        ...doc.constraints,
        {
          id: "far",
          name: "reach too far",
          handle: { point: "right_palm" },
          goal: { position: [3, 1, 0] },
          span: { from: 0.5, to: 1.2, easeIn: 0, easeOut: 0 },
        },
      ],
    })),
  );
  await page.evaluate(() => limberApp.whenKept());
  await atRest(page);
  const button = page.locator(".tl-state button");
  assert.match(await button.textContent(), /reach too far off by \d+ mm at frame \d+/);
  await button.click();
  const { time, selection } = await state(page);
  assert.ok(time >= 0.5 && time <= 1.2, `${time}`);
  assert.deepEqual(selection, { kind: "constraint", id: "far" });
});

test("the shelf keeps a pose and a sequence over a reload, and gives them back", async ({ open }) => {
  const { page, context } = await withKeys(open, { served: true });
  await withShelf(page);
  await page.evaluate(() => limberApp.setTime(1));
  await page.getByRole("button", { name: "+ Pose" }).click();
  await page.evaluate(() => limberApp.selectKeys({ first: 0, count: 2 }));
  await page.getByRole("button", { name: "+ Keys" }).click();
  assert.equal(await page.locator(".shelf-item").count(), 2);
  const crouched = await page.evaluate(() => limberApp.doc.keys[1].pose);
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  await expect(other.locator(".shelf-item")).toHaveCount(2);
  await other.locator(".shelf-item .shelf-apply").first().click();
  assert.deepEqual(
    await other.evaluate(() => limberApp.doc.pose),
    await page.evaluate(() => JSON.parse(localStorage.getItem("limber.shelf")).entries[0].keys[0].pose),
  );
  assert.ok(Math.abs((await other.evaluate(() => limberApp.doc.pose[1])) - crouched[1]) < 1e-3);
  await other.locator(".shelf-item .shelf-apply").nth(1).click();
  assert.deepEqual((await state(other)).keys, [0, 1]);
  await other.locator(".shelf-apply").first().focus();
  await other.keyboard.press("F2");
  await other.keyboard.type("crouch");
  await other.keyboard.press("Enter");
  assert.equal(await other.locator(".shelf-name").first().textContent(), "crouch");
  await other.keyboard.press("Delete");
  assert.equal(await other.locator(".shelf-item").count(), 1);
  await other.close();
});

test("a pose of the shelf is dragged onto the timeline and is a key there", async ({ open }) => {
  const { page } = await withKeys(open);
  await withShelf(page);
  await page.evaluate(() => limberApp.setTime(1));
  await page.getByRole("button", { name: "+ Pose" }).click();
  await drag(page, await middleOf(page, ".shelf-apply"), await placeOf(page, 1.5));
  assert.deepEqual((await state(page)).keys, [0, 1, 1.5, 2]);
});

test("entries of other figures say so and are not applied", async ({ open }) => {
  const { page } = await open();
  await withShelf(page);
  await page.getByRole("button", { name: "+ Pose" }).click();
  await page.evaluate(() => {
    const app = limberApp;
    const figure = { simple_human: {} };
    const pose = app.engine.limber.figure(figure).rest();
    app.store.load("other", { ...app.doc, figure, pose: [...pose], constraints: [], keys: [] });
  });
  await atRest(page);
  const item = page.locator(".shelf-item.other");
  assert.equal(await item.count(), 1);
  assert.match(await item.locator(".shelf-apply").getAttribute("aria-label"), /of another figure/);
  const before = await documentText(page);
  await item.locator(".shelf-apply").click({ force: true });
  assert.equal(await documentText(page), before);
});
