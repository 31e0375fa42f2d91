// The side panel: constraints in all their kinds, solving.
import assert from "node:assert/strict";
import { atRest, documentText, poseOf, select, undo, undoTitle } from "./page.mjs";
import { constrain, degrees, feetOff, lastRow, row, value } from "./side.mjs";
import { test } from "./test.mjs";

const kinds = [
  ["right_hand", "Pin position", "position"],
  ["right_hand", "Pin position and orientation", "placement"],
  ["right_hand", "Pin orientation", "orientation"],
  ["right_hand", "Pin direction of its x axis", "orientation"],
  ["right_hand", "Pin direction of its y axis", "orientation"],
  ["right_hand", "Pin direction of its z axis", "direction"],
  ["right_hand", "Keep in a horizontal plane", "plane"],
  ["right_hand", "Keep in a vertical plane", "plane"],
  ["right_hand", "Keep on a line", "line"],
  ["right_hand", "Stay on one side of a plane", "half_space"],
  ["head", "Aim at a point", "aim_at"],
  ["head", "Aim at that place", "aim_at", "right palm"],
  ["right_hand", "Keep together with it", "coincide", "left palm"],
  [undefined, "Balance over the feet", undefined],
];

test("every kind is added by the menu, met, and taken back by undo", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  const first = await documentText(page);
  for (const [segment, wish, goal, other] of kinds) {
    const before = await poseOf(page);
    await constrain(page, segment, wish, other);
    const made = await page.evaluate(() => limberApp.doc.constraints[2]);
    assert.ok(made, wish);
    if (goal) assert.ok(made.goal[goal] !== undefined, wish);
    else assert.deepEqual(made.balance, ["left_foot", "right_foot"]);
    assert.match(await lastRow(page).innerText(), /✓ met/, wish);
    assert.equal(await page.evaluate(() => limberApp.selection.id), made.id);
    assert.ok(await lastRow(page).locator(".constraint-editor").isVisible());
    if (!other) {
      const moved = await page.evaluate((old) => Math.max(...limberApp.pose.map((one, k) => Math.abs(one - old[k]))), before);
      assert.ok(moved < 1e-8, `${wish} moved something by ${moved}`);
    }
    await undo(page);
    assert.equal(await documentText(page), first);
    await atRest(page);
    assert.equal(await page.locator("li[data-constraint]").count(), 2);
  }
});

test("keys pin, aim, balance, switch and delete", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await select(page, "right_hand");
  for (const key of ["p", "Shift+P", "a", "b"]) await page.locator("body").press(key);
  const added = await page.evaluate(() =>
    limberApp.doc.constraints.slice(2).map((one) => (one.balance ? "balance" : Object.keys(one.goal)[0])),
  );
  assert.deepEqual(added, ["placement", "position", "aim_at", "balance"]);
  await atRest(page);
  await page.locator("body").press("e");
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[5].enabled), false);
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /off/);
  await page.locator("body").press("e");
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[5].enabled), undefined);
  await page.locator("body").press("Delete");
  assert.equal(await page.evaluate(() => limberApp.doc.constraints.length), 5);
  assert.equal(await page.evaluate(() => limberApp.selection.kind), "nothing");
  await page.locator("body").press("Delete");
  assert.equal(await page.evaluate(() => limberApp.doc.constraints.length), 5, "nothing is selected");
});

test("the menu is used by the keyboard alone", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await select(page, "left_hand");
  await page.locator("body").press("Shift+C");
  assert.ok(await page.locator(".constraint-menu").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator(".constraint-menu").isVisible()));
  assert.equal(await page.evaluate(() => limberApp.selection.kind), "segment");
  await page.locator("body").press("Shift+C");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const [made] = await page.evaluate(() => limberApp.doc.constraints.slice(2));
  assert.deepEqual(made.handle, { frame: "left_palm" });
  assert.ok(made.goal.placement);
  assert.ok(!(await page.locator(".constraint-menu").isVisible()));
  await atRest(page);
  await page.locator("[data-constraint=foot0] .constraint-pick").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => limberApp.selection.id), "foot0");
});

// W93 6.3: a lock can be edited to change its type.
test("the type of a constraint is chosen in its row; weight and place stay, undo brings the old one back", async ({
  open: editor,
}) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Pin position");
  await page.fill("[aria-label='Weight as a number']", "3");
  await page.keyboard.press("Enter");
  await page.fill("[aria-label='Position y']", "110");
  await page.keyboard.press("Enter");
  await atRest(page);
  const texts = [await documentText(page)];
  const made = () => page.evaluate(() => limberApp.doc.constraints[2]);
  const point = (await made()).goal.position;
  for (const [text, check] of [
    ["Pin position and orientation", ({ handle, goal }) => handle.frame && goal.placement.p],
    ["Keep in a horizontal plane", ({ goal }) => goal.plane.v === "y" && goal.plane.p],
    ["Keep on a line", ({ goal }) => goal.line.p],
    ["Pin direction of its z axis", ({ handle, goal }) => handle.direction.local === "z" && goal.direction],
    ["Pin orientation", ({ goal }) => goal.orientation.x && goal.orientation.y],
  ]) {
    await lastRow(page).locator("select[aria-label=Type]").selectOption({ label: text });
    await atRest(page);
    const now = await made();
    assert.ok(check(now), text);
    if (!/direction|Pin orientation/.test(text)) assert.deepEqual(check(now), point, text);
    assert.equal(now.weight, 3);
    assert.equal(await lastRow(page).locator("select[aria-label=Type] option:checked").innerText(), text);
    assert.match(await lastRow(page).innerText(), /✓ met/, text);
    texts.push(await documentText(page));
  }
  assert.equal(await undoTitle(page), "Type of right palm z direction");
  for (const text of texts.slice(0, -1).reverse()) {
    await undo(page);
    assert.equal(await documentText(page), text);
  }
});

test("a row switches, weighs and deletes; undo brings each back", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  const texts = [await documentText(page)];
  const foot = page.locator("li[data-constraint]").first();
  await foot.locator("input[type=checkbox]").first().uncheck();
  texts.push(await documentText(page));
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].enabled), false);
  await foot.locator(".constraint-pick").click();
  await foot.getByText("hard constraint").click();
  texts.push(await documentText(page));
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 1);
  await page.fill("[aria-label='Weight as a number']", "2,5");
  await page.keyboard.press("Enter");
  texts.push(await documentText(page));
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 2.5);
  await page.focus("[aria-label='Weight']");
  await page.keyboard.press("End");
  texts.push(await documentText(page));
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 1000);
  await foot.locator(".constraint-remove").click();
  assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints.map(({ id }) => id)), ["foot1"]);
  await atRest(page);
  assert.equal(await page.locator("li[data-constraint]").count(), 1);
  for (const text of texts.reverse()) {
    await undo(page);
    assert.equal(await documentText(page), text);
  }
});

test("what is out of reach says how far and names limits; a press on one shows its joint", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Pin position");
  await page.fill("[aria-label='Position x']", "-200");
  await page.keyboard.press("Enter");
  await atRest(page);
  const [limit] = await page.evaluate(() => limberApp.report.constraints[2].held_back_by);
  assert.ok(limit.parameter >= 0 && limit.share > 0.2);
  const text = (await lastRow(page).innerText()).replace(/\s+/g, " ");
  assert.match(text, /[\d.]+ cm off/);
  assert.ok(text.includes(`held by ${limit.limit.replace(/[_.]/g, " ")} ${Math.round(100 * limit.share)} %`), text);
  assert.match(await page.locator(".solve-report").innerText(), /2 of 3 met/);
  assert.ok((await feetOff(page)) < 1e-6);
  await lastRow(page).locator(".held-limit").first().click();
  const turned = await page.evaluate((parameter) => {
    const { info } = limberApp.figure;
    const [from, to] = info.segments[limberApp.selection.segment].freedoms;
    return info.freedoms.slice(from, to).some(({ terms }) => terms.includes(parameter));
  }, limit.parameter);
  assert.ok(turned, "what is selected is turned by it");
  const name = limit.limit.split(" ")[0];
  await page.waitForFunction((wanted) => document.activeElement?.closest("[data-parameter]")?.dataset.parameter === wanted, name);
  const shown = row(page, name);
  assert.ok(await shown.evaluate((element) => element.classList.contains("limit") && element.classList.contains("flash")));
  assert.match(await shown.innerText(), limit.limit.includes("upper") ? /max/ : /min/);
  await page.waitForFunction(() => {
    const box = document.activeElement.getBoundingClientRect();
    const panel = document.getElementById("joints").getBoundingClientRect();
    return box.top >= panel.top && box.bottom <= panel.bottom;
  });
});

test("what must hold and cannot is offered a weight, and then the feet stay", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Pin position");
  await page.getByText("hard constraint").click();
  await page.fill("[aria-label='Position x']", "-200");
  await page.keyboard.press("Enter");
  await atRest(page);
  assert.ok((await feetOff(page)) > 0.01, "all that must hold gives way alike");
  await lastRow(page).getByText("Give it a weight instead").click();
  assert.ok((await feetOff(page)) < 1e-6);
  assert.equal(await page.evaluate(() => limberApp.doc.constraints[2].weight), 1000);
  await atRest(page);
  assert.ok(!(await lastRow(page).getByText("Give it a weight instead").isVisible()));
});

test("what the module rejects leaves the document, and the reason is shown", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Keep in a horizontal plane");
  const before = await documentText(page);
  const title = await undoTitle(page);
  await page.fill("[aria-label='Normal y']", "0");
  await page.keyboard.press("Enter");
  assert.equal(await documentText(page), before);
  assert.equal(await undoTitle(page), title);
  assert.match(await page.locator(".trouble").innerText(), /length 0/);
  assert.match(await page.locator("#messages").innerText(), /rejected/);
  assert.equal(await page.inputValue("[aria-label='Normal y']"), "1");
  await page.click("button[aria-label='Normal along x']");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].goal.plane.v), "x");
  await atRest(page);
  assert.ok(!(await page.locator(".trouble").isVisible()));
});

test("the editor changes goal, part, chain, priority and time", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Pin position");
  const made = () => page.evaluate(() => limberApp.doc.constraints[2]);
  await page.fill("[aria-label='Position z']", "30");
  await page.keyboard.press("Enter");
  assert.ok(Math.abs((await made()).goal.position[2] - 0.3) < 1e-12);
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /✓ met/);
  await page.fill(".constraint-editor [aria-label='Part']", "left palm");
  await page.keyboard.press("Enter");
  assert.deepEqual((await made()).handle, { point: "left_palm" });
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /✓ met/, "its goal came along");
  await page.selectOption("select[aria-label='Moves']", "left_shoulder");
  await page.selectOption("select[aria-label='Priority']", "2");
  await page.getByText("always").click();
  await page.fill("[aria-label='To, seconds']", "2.5");
  await page.keyboard.press("Enter");
  await page.fill("[aria-label='Ease in, seconds']", "0.2");
  await page.keyboard.press("Enter");
  const { from, priority, span } = await made();
  assert.deepEqual(
    { from, priority, span },
    { from: "left_shoulder", priority: 2, span: { from: 0, to: 2.5, easeIn: 0.2, easeOut: 0 } },
  );
  await page.fill("[aria-label='Position y']", "250");
  await page.keyboard.press("Enter");
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /cm off/);
  await page.getByText("Set goal to where it is now").click();
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /✓ met/);
});

test("an aim changes from a point to a part and back", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "head", "Aim at a point");
  await page.fill("[aria-label='Aims at']", "right palm");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].handle), {
    difference: [{ ray: "eyes" }, { point: "right_palm" }],
  });
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /✓ met/);
  await page.fill("[aria-label='Aims at']", "a point");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].handle), { ray: "eyes" });
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /✓ met/);
});

test("rows stay the same elements while reports come, and a dragged part has a row as long as it is dragged", async ({
  open: editor,
}) => {
  const { page } = await editor({ balance: false });
  await atRest(page);
  const before = await lastRow(page).elementHandle();
  await page.evaluate(() => {
    const { engine, figure, pose, doc } = limberApp;
    const { constraints } = doc;
    const posing = engine.limber.posing(figure, pose, {
      scene: { constraints: constraints.map(({ id: _id, standing: _standing, ...one }) => one) },
    });
    posing.move(posing.grab("right_hand"), [-2, 1, 1]);
    while (!posing.frame());
    limberApp.setReport(posing.report());
    limberApp.showPose(posing.pose);
    posing.drop();
  });
  await atRest(page);
  assert.match(await page.locator(".constraint.dragged").innerText(), /right hand, dragged[\s\S]*cm off/);
  assert.ok(
    await before.evaluate(
      (element) => element.isConnected && element === [...document.querySelectorAll("li[data-constraint]")].at(-1),
    ),
  );
  await page.evaluate(() => limberApp.commitPose("Drag"));
  await atRest(page);
  assert.ok(!(await page.locator(".constraint.dragged").isVisible()));
  assert.match(await lastRow(page).innerText(), /✓ met/);
});

test("the key of balance switches it off and on again", async ({ open: editor }) => {
  const { page } = await editor();
  const state = () =>
    page.evaluate(() => limberApp.doc.constraints.filter((one) => one.balance).map(({ enabled }) => enabled !== false));
  assert.deepEqual(await state(), [true]);
  await page.keyboard.press("b");
  assert.deepEqual(await state(), [false]);
  await page.keyboard.press("b");
  assert.deepEqual(await state(), [true]);
});

test("what is no number shakes, says so and changes nothing", async ({ open: editor }) => {
  const { page } = await editor();
  const before = await documentText(page);
  await page.locator("#side input[placeholder='Filter joints']").fill("right elbow");
  const field = page.getByLabel("right elbow flexion in degrees");
  await field.fill("abc");
  await field.press("Enter");
  assert.match(await page.locator(".rejection").innerText(), /a number/);
  assert.ok(await field.evaluate((element) => element.classList.contains("rejected")));
  assert.equal(await documentText(page), before);
  const time = page.locator("#timeline input").first();
  await time.fill("1e9");
  await time.press("Enter");
  assert.match(await page.locator(".rejection").innerText(), /1 hour/);
  assert.equal(await page.evaluate(() => limberApp.time), 0);
  assert.equal(await time.inputValue(), "0");
});

test("a pelvis that is asked straight down bends the knees, though they are straight", async ({ open: editor }) => {
  const { page } = await editor();
  const height = () =>
    page.evaluate(
      () =>
        limberApp.figure.place(limberApp.pose)[
          12 * limberApp.figure.info.segments.findIndex((one) => one.name === "pelvis") + 10
        ],
    );
  const before = await height();
  await constrain(page, "pelvis", "Pin position");
  const field = lastRow(page).getByLabel("Position y");
  await field.fill(String(100 * before - 30));
  await field.press("Enter");
  await atRest(page);
  // Ankles do not bend as far as that takes; but the figure goes down as far as it can.
  assert.ok((await height()) < before - 0.03, `${await height()} m, from ${before} m`);
  assert.ok(degrees(await value(page, "left_knee.flexion")) > 20);
  assert.match(await lastRow(page).innerText(), /ankle/);
});

test("solving until met ends met, by key", async ({ open: editor }) => {
  const { page } = await editor({ balance: false });
  await constrain(page, "right_hand", "Pin position");
  await page.evaluate(() =>
    limberApp.store.run("Rest", (doc) => ({
      ...doc,
      constraints: doc.constraints.map((one, k) => (k === 2 ? { ...one, goal: { position: [-0.4, 1.3, 0.4] } } : one)),
    })),
  );
  await atRest(page);
  assert.match(await lastRow(page).innerText(), /cm off/);
  await page.locator("body").press("s");
  await page.waitForFunction(() => limberApp.report?.met && limberApp.store.undoTitle === "Solve");
  await atRest(page);
  assert.match(await page.locator(".solve-report").innerText(), /all 3 met · converged/);
  assert.equal(await page.locator("#solving button").first().innerText(), "Solve until met");
});

test("method, its options, iterations and natural pose are of the document; every method keeps the feet", async ({
  open: editor,
}) => {
  const { page } = await editor({ balance: false });
  await page.click(".solve-more > summary");
  await page.fill("[aria-label='Iterations per refresh']", "1000");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => limberApp.doc.iterations), 100);
  await page.getByText("natural pose").click();
  assert.equal(await page.evaluate(() => limberApp.doc.natural), 1);
  assert.ok((await page.evaluate(() => Math.max(...limberApp.pose.map(Math.abs)))) > 0.05, "the figure moves");
  assert.ok((await feetOff(page)) < 1e-6);
  await page.selectOption("select[aria-label='Method']", "cyclic-coordinate-descent");
  await atRest(page);
  assert.match(await page.locator(".solve-report").innerText(), /all 2 met/);
  assert.match(await page.locator("select[aria-label='Method'] option:checked").innerText(), /no priorities/);
  assert.match(await page.locator(".solve-cannot").innerText(), /supports no priorities/);
  assert.ok((await feetOff(page)) < 1e-6);
  assert.equal(await page.locator("select[aria-label='secondary']").count(), 0);
  await page.getByText("as printed").click();
  assert.deepEqual(await page.evaluate(() => limberApp.doc.options), { as_printed: true });
  await page.selectOption("select[aria-label='Method']", "damped-least-squares");
  await page.selectOption("select[aria-label='secondary']", "comfort");
  await atRest(page);
  assert.deepEqual(await page.evaluate(() => limberApp.doc.options), { secondary: "comfort" });
  assert.ok((await feetOff(page)) < 1e-6);
  await page.selectOption("select[aria-label='Method']", "levenberg-marquardt");
  await atRest(page);
  assert.match(await page.locator(".solve-report").innerText(), /all 2 met/);
});
