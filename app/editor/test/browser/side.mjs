// The side panel: joints by sliders and numbers, constraints in all their kinds, solving.
import assert from "node:assert/strict";

// After the frame in which panels show what has changed.
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))));
const value = (page, name) => page.evaluate((wanted) => limberApp.pose[limberApp.figure.info.parameters.findIndex((one) => one.name === wanted)], name);
const degrees = (radians) => (radians * 180) / Math.PI;
const undoTitle = (page) => page.evaluate(() => limberApp.store.undoTitle);
const docText = (page) => page.evaluate(() => JSON.stringify(limberApp.doc));
const select = (page, name) => page.evaluate((wanted) => limberApp.select({ kind: "segment", segment: limberApp.figure.info.segments.findIndex((one) => one.name === wanted) }), name);
const open = (page, group) => page.locator(`[data-group="${group}"]`).evaluate((element) => (element.open = true));
const row = (page, parameter) => page.locator(`[data-parameter="${parameter}"]`);
const lastRow = (page) => page.locator("li[data-constraint]").last();

// How far both feet are from where the first document pins them, in metres.
const feetOff = (page) =>
  page.evaluate(() => {
    const { figure, pose } = limberApp;
    const off = ["left_foot", "right_foot"].map((name) => {
      const site = figure.info.sites.find((one) => one.name === name);
      const place = (at) => {
        const f = figure.place(at).slice(12 * site.segment, 12 * site.segment + 12);
        const o = site.frame.slice(9);
        return [0, 1, 2].map((k) => f[k] * o[0] + f[3 + k] * o[1] + f[6 + k] * o[2] + f[9 + k]);
      };
      const [now, rest] = [place(pose), place(figure.rest())];
      return Math.hypot(...now.map((one, k) => one - rest[k]));
    });
    return Math.max(...off);
  });

// Adds by the menu for a part of the body.
async function constrain(page, segment, wish, other) {
  if (segment) await select(page, segment);
  await page.click("#constraints button:has-text('Constrain')");
  if (other) {
    await page.fill(".constraint-menu [aria-label='Other part']", other);
    await page.keyboard.press("Enter");
  }
  await page.click(`[data-wish="${wish}"]`);
  await drawn(page);
}

const keys = [
  ["a slider turns its joint by keys, a degree each, and a held key is one step", async ({ open: editor }) => {
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
    await drawn(page);
    assert.equal(await row(page, "right_elbow.flexion").locator(".joint-number").inputValue(), "1.9");
    assert.equal(await undoTitle(page), "Turn right elbow flexion");
    await page.keyboard.press("End");
    await drawn(page);
    assert.match(await row(page, "right_elbow.flexion").innerText(), /max/);
    for (let k = 0; k < 3; ++k) await page.evaluate(() => limberApp.store.undo());
    assert.equal(await value(page, "right_elbow.flexion"), 0);
    assert.equal(await undoTitle(page), undefined);
  }],

  ["a slider of the pelvis bends the knees, and pinned feet stay", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "root");
    await row(page, "root.y").locator(".joint-number").fill("-20");
    await page.keyboard.press("Enter");
    assert.ok(Math.abs((await value(page, "root.y")) + 0.2) < 1e-9);
    assert.ok((await value(page, "left_knee.flexion")) > 0.3, "the knees bend");
    assert.ok((await feetOff(page)) < 1e-5);
    await row(page, "root.y").locator(".joint-slider").focus();
    for (let k = 0; k < 5; ++k) await page.keyboard.press("ArrowDown");
    assert.ok(Math.abs((await value(page, "root.y")) + 0.25) < 1e-9);
    assert.ok((await feetOff(page)) < 1e-5);
  }],

  ["a slide of the pelvis by the mouse is one step, with feet held in every frame", async ({ open: editor }) => {
    const { page } = await editor({ width: 1280, height: 720, balance: false });
    await open(page, "root");
    const slider = row(page, "root.pitch").locator(".joint-slider");
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
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
    await page.evaluate(() => limberApp.store.undo());
    assert.equal(await undoTitle(page), undefined);
  }],

  ["Escape takes a slide back", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "spine");
    const before = await docText(page);
    const slider = row(page, "spine.forward").locator(".joint-slider");
    await slider.focus();
    await page.keyboard.down("ArrowRight");
    assert.ok((await value(page, "spine.forward")) > 0.01);
    await page.keyboard.down("Escape");
    assert.equal(await value(page, "spine.forward"), 0);
    await page.keyboard.up("ArrowRight");
    assert.equal(await docText(page), before);
    assert.equal(await undoTitle(page), undefined);
    await drawn(page);
    assert.equal(Number(await slider.inputValue()), 0);
  }],

  ["what would tear a pinned foot away gives way, and that is said", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "root");
    await row(page, "root.y").locator(".joint-number").fill("50");
    await page.keyboard.press("Enter");
    assert.ok((await feetOff(page)) < 1e-4);
    assert.ok((await value(page, "root.y")) < 0.1);
    assert.match(await page.locator("#messages").innerText(), /constrained holds it/);
  }],

  ["a number beyond the limit becomes the limit, and that is said", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "right_elbow");
    const field = row(page, "right_elbow.flexion").locator(".joint-number");
    await field.fill("300");
    await page.keyboard.press("Enter");
    const upper = await page.evaluate(() => limberApp.figure.info.parameters.find((one) => one.name === "right_elbow.flexion").upper);
    assert.equal(await value(page, "right_elbow.flexion"), upper);
    assert.match(await page.locator("#messages").innerText(), /upper limit/);
    await drawn(page);
    assert.match(await row(page, "right_elbow.flexion").innerText(), /max/);
    assert.equal(await field.inputValue(), degrees(upper).toFixed(1));
    const before = await docText(page);
    await field.fill("nonsense");
    await page.keyboard.press("Enter");
    assert.equal(await docText(page), before);
    assert.equal(await field.inputValue(), degrees(upper).toFixed(1));
  }],

  ["a double click on its name brings a joint to rest; a lock is kept by solves", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "right_elbow");
    const one = row(page, "right_elbow.flexion");
    await one.locator(".joint-number").fill("40");
    await page.keyboard.press("Enter");
    await one.locator(".joint-lock").click();
    assert.equal(await page.evaluate(() => limberApp.doc.rigidity["right_elbow.flexion"]), 1);
    await drawn(page);
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
  }],

  ["a selected part has its joint open and in sight, and can be locked by key", async ({ open: editor }) => {
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
  }],

  ["rest pose and mirror pose", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await open(page, "left_elbow");
    await row(page, "left_elbow.flexion").locator(".joint-number").fill("70");
    await page.keyboard.press("Enter");
    await page.click("text=Mirror pose");
    assert.ok(Math.abs(degrees(await value(page, "right_elbow.flexion")) - 70) < 1e-6);
    assert.ok(Math.abs(await value(page, "left_elbow.flexion")) < 1e-6);
    await page.click("text=Rest pose");
    assert.ok((await page.evaluate(() => Math.max(...limberApp.pose.map((one, k) => Math.abs(one - limberApp.figure.rest()[k]))))) < 1e-9);
  }],
];

const kinds = [
  ["right_hand", "Pin position", "position"],
  ["right_hand", "Pin position and orientation", "placement"],
  ["right_hand", "Pin orientation", "orientation"],
  ["right_hand", "Pin direction of its x axis", "orientation"],
  ["right_hand", "Pin direction of its y axis", "orientation"],
  ["right_hand", "Keep in a horizontal plane", "plane"],
  ["right_hand", "Keep in a vertical plane", "plane"],
  ["right_hand", "Keep on a line", "line"],
  ["right_hand", "Stay on one side of a plane", "half_space"],
  ["head", "Aim at a point", "aim_at"],
  ["head", "Aim at that place", "aim_at", "right palm"],
  ["right_hand", "Keep together with it", "coincide", "left palm"],
  [undefined, "Balance over the feet", undefined],
];

const constraints = [
  ["every kind is added by the menu, met, and taken back by undo", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    const first = await docText(page);
    for (const [segment, wish, goal, other] of kinds) {
      const before = await page.evaluate(() => [...limberApp.pose]);
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
      await page.evaluate(() => limberApp.store.undo());
      assert.equal(await docText(page), first);
      await drawn(page);
      assert.equal(await page.locator("li[data-constraint]").count(), 2);
    }
  }],

  ["keys pin, aim, balance, switch and delete", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await select(page, "right_hand");
    for (const key of ["p", "Shift+P", "a", "b"]) await page.locator("body").press(key);
    const added = await page.evaluate(() => limberApp.doc.constraints.slice(2).map((one) => (one.balance ? "balance" : Object.keys(one.goal)[0])));
    assert.deepEqual(added, ["placement", "position", "aim_at", "balance"]);
    await drawn(page);
    await page.locator("body").press("e");
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[5].enabled), false);
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /off/);
    await page.locator("body").press("e");
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[5].enabled), undefined);
    await page.locator("body").press("Delete");
    assert.equal(await page.evaluate(() => limberApp.doc.constraints.length), 5);
    assert.equal(await page.evaluate(() => limberApp.selection.kind), "nothing");
    await page.locator("body").press("Delete");
    assert.equal(await page.evaluate(() => limberApp.doc.constraints.length), 5, "nothing is selected");
  }],

  ["the menu is used by the keyboard alone", async ({ open: editor }) => {
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
    await drawn(page);
    await page.locator("[data-constraint=foot0] .constraint-pick").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => limberApp.selection.id), "foot0");
  }],

  ["a row switches, weighs and deletes; undo brings each back", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    const texts = [await docText(page)];
    const foot = page.locator("li[data-constraint]").first();
    await foot.locator("input[type=checkbox]").first().uncheck();
    texts.push(await docText(page));
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].enabled), false);
    await foot.locator(".constraint-pick").click();
    await foot.getByText("must hold exactly").click();
    texts.push(await docText(page));
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 1);
    await page.fill("[aria-label='Weight as a number']", "2,5");
    await page.keyboard.press("Enter");
    texts.push(await docText(page));
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 2.5);
    await page.focus("[aria-label='Weight']");
    await page.keyboard.press("End");
    texts.push(await docText(page));
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[0].weight), 1000);
    await foot.locator(".constraint-remove").click();
    assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints.map(({ id }) => id)), ["foot1"]);
    await drawn(page);
    assert.equal(await page.locator("li[data-constraint]").count(), 1);
    for (const text of texts.reverse()) {
      await page.evaluate(() => limberApp.store.undo());
      assert.equal(await docText(page), text);
    }
  }],

  ["what is out of reach says how far and names limits; a press on one shows its joint", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "right_hand", "Pin position");
    await page.fill("[aria-label='Position x']", "-200");
    await page.keyboard.press("Enter");
    await drawn(page);
    const [limit] = await page.evaluate(() => limberApp.report.constraints[2].held);
    assert.ok(limit.parameter >= 0 && limit.share > 0.2);
    const text = (await lastRow(page).innerText()).replace(/\s+/g, " ");
    assert.match(text, /[\d.]+ cm off/);
    assert.ok(text.includes(`held by ${limit.name.replace(/[_.]/g, " ")} ${Math.round(100 * limit.share)} %`), text);
    assert.match(await page.locator(".solve-report").innerText(), /2 of 3 met/);
    assert.ok((await feetOff(page)) < 1e-6);
    await lastRow(page).locator(".held-limit").first().click();
    const turned = await page.evaluate((parameter) => {
      const { info } = limberApp.figure;
      const [from, to] = info.segments[limberApp.selection.segment].freedoms;
      return info.freedoms.slice(from, to).some(({ terms }) => terms.includes(parameter));
    }, limit.parameter);
    assert.ok(turned, "what is selected is turned by it");
    const name = limit.name.split(" ")[0];
    await page.waitForFunction((wanted) => document.activeElement?.closest("[data-parameter]")?.dataset.parameter === wanted, name);
    const shown = row(page, name);
    assert.ok(await shown.evaluate((element) => element.classList.contains("limit") && element.classList.contains("flash")));
    assert.match(await shown.innerText(), limit.name.includes("upper") ? /max/ : /min/);
    await page.waitForFunction(() => {
      const box = document.activeElement.getBoundingClientRect();
      const panel = document.getElementById("joints").getBoundingClientRect();
      return box.top >= panel.top && box.bottom <= panel.bottom;
    });
  }],

  ["what must hold and cannot is offered a weight, and then the feet stay", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "right_hand", "Pin position");
    await page.getByText("must hold exactly").click();
    await page.fill("[aria-label='Position x']", "-200");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.ok((await feetOff(page)) > 0.01, "all that must hold gives way alike");
    await lastRow(page).getByText("Give it a weight instead").click();
    assert.ok((await feetOff(page)) < 1e-6);
    assert.equal(await page.evaluate(() => limberApp.doc.constraints[2].weight), 1000);
    await drawn(page);
    assert.ok(!(await lastRow(page).getByText("Give it a weight instead").isVisible()));
  }],

  ["what the module refuses leaves the document, and the reason is shown", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "right_hand", "Keep in a horizontal plane");
    const before = await docText(page);
    const title = await undoTitle(page);
    await page.fill("[aria-label='Normal y']", "0");
    await page.keyboard.press("Enter");
    assert.equal(await docText(page), before);
    assert.equal(await undoTitle(page), title);
    assert.match(await page.locator(".trouble").innerText(), /length 0/);
    assert.match(await page.locator("#messages").innerText(), /refused/);
    assert.equal(await page.inputValue("[aria-label='Normal y']"), "1");
    await page.click("button[aria-label='Normal along x']");
    assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].goal.plane.v), "x");
    await drawn(page);
    assert.ok(!(await page.locator(".trouble").isVisible()));
  }],

  ["the editor changes goal, part, chain, priority and time", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "right_hand", "Pin position");
    const made = () => page.evaluate(() => limberApp.doc.constraints[2]);
    await page.fill("[aria-label='Position z']", "30");
    await page.keyboard.press("Enter");
    assert.ok(Math.abs((await made()).goal.position[2] - 0.3) < 1e-12);
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /✓ met/);
    await page.fill(".constraint-editor [aria-label='Part']", "left palm");
    await page.keyboard.press("Enter");
    assert.deepEqual((await made()).handle, { point: "left_palm" });
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /✓ met/, "its goal came along");
    await page.selectOption("select[aria-label='Moves']", "left_shoulder");
    await page.selectOption("select[aria-label='Priority']", "2");
    await page.getByText("always").click();
    await page.fill("[aria-label='To, seconds']", "2.5");
    await page.keyboard.press("Enter");
    await page.fill("[aria-label='Ease in, seconds']", "0.2");
    await page.keyboard.press("Enter");
    const { from, priority, span } = await made();
    assert.deepEqual({ from, priority, span }, { from: "left_shoulder", priority: 2, span: { from: 0, to: 2.5, easeIn: 0.2, easeOut: 0 } });
    await page.fill("[aria-label='Position y']", "250");
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /cm off/);
    await page.getByText("Set goal to where it is now").click();
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /✓ met/);
  }],

  ["an aim changes from a point to a part and back", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "head", "Aim at a point");
    await page.fill("[aria-label='Aims at']", "right palm");
    await page.keyboard.press("Enter");
    assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].handle), { difference: [{ ray: "eyes" }, { point: "right_palm" }] });
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /✓ met/);
    await page.fill("[aria-label='Aims at']", "a point");
    await page.keyboard.press("Enter");
    assert.deepEqual(await page.evaluate(() => limberApp.doc.constraints[2].handle), { ray: "eyes" });
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /✓ met/);
  }],

  ["rows stay the same elements while reports come, and a dragged part has a row as long as it is dragged", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await drawn(page);
    const before = await lastRow(page).elementHandle();
    await page.evaluate(() => {
      const posing = limberApp.engine.posing(limberApp.doc);
      const pose = Float64Array.from(limberApp.pose);
      posing.grab(28, [0, 0, 0], pose);
      posing.drag(-2, 1, 1);
      posing.solve(pose, { iterations: 12, restarts: 0 });
      limberApp.setReport(posing.report());
      limberApp.showPose(pose);
      posing.letGo();
    });
    await drawn(page);
    assert.match(await page.locator(".constraint.dragged").innerText(), /right hand, dragged[\s\S]*cm off/);
    assert.ok(await before.evaluate((element) => element.isConnected && element === [...document.querySelectorAll("li[data-constraint]")].at(-1)));
    await page.evaluate(() => limberApp.commitPose("Drag"));
    await drawn(page);
    assert.ok(!(await page.locator(".constraint.dragged").isVisible()));
    assert.match(await lastRow(page).innerText(), /✓ met/);
  }],
];

const balanced = [
  ["the key of balance switches it off and on again", async ({ open: editor }) => {
    const { page } = await editor();
    const state = () => page.evaluate(() => limberApp.doc.constraints.filter((one) => one.balance).map(({ enabled }) => enabled !== false));
    assert.deepEqual(await state(), [true]);
    await page.keyboard.press("b");
    assert.deepEqual(await state(), [false]);
    await page.keyboard.press("b");
    assert.deepEqual(await state(), [true]);
  }],
  ["what is no number shakes, says so and changes nothing", async ({ open: editor }) => {
    const { page } = await editor();
    const before = await docText(page);
    await page.locator("#side input[placeholder='Filter joints']").fill("right elbow");
    const field = page.getByLabel("right elbow flexion in degrees");
    await field.fill("abc");
    await field.press("Enter");
    assert.match(await page.locator(".refusal").innerText(), /a number/);
    assert.ok(await field.evaluate((element) => element.classList.contains("refused")));
    assert.equal(await docText(page), before);
    const time = page.locator("#timeline input").first();
    await time.fill("1e9");
    await time.press("Enter");
    assert.match(await page.locator(".refusal").innerText(), /1 hour/);
    assert.equal(await page.evaluate(() => limberApp.time), 0);
    assert.equal(await time.inputValue(), "0");
  }],
  ["a pelvis that is asked straight down bends the knees, though they are straight", async ({ open: editor }) => {
    const { page } = await editor();
    const height = () => page.evaluate(() => limberApp.figure.place(limberApp.pose)[12 * limberApp.figure.info.segments.findIndex((one) => one.name === "pelvis") + 10]);
    const before = await height();
    await constrain(page, "pelvis", "Pin position");
    const field = lastRow(page).getByLabel("Position y");
    await field.fill(String(100 * before - 30));
    await field.press("Enter");
    await drawn(page);
    // Ankles do not bend as far as that takes; but the figure goes down as far as it can.
    assert.ok((await height()) < before - 0.03, `${await height()} m, from ${before} m`);
    assert.ok(degrees(await value(page, "left_knee.flexion")) > 20);
    assert.match(await lastRow(page).innerText(), /ankle/);
  }],
];

const solving = [
  ["solving until met ends met, by key", async ({ open: editor }) => {
    const { page } = await editor({ balance: false });
    await constrain(page, "right_hand", "Pin position");
    await page.evaluate(() => limberApp.store.run("Rest", (doc) => ({ ...doc, constraints: doc.constraints.map((one, k) => (k === 2 ? { ...one, goal: { position: [-0.4, 1.3, 0.4] } } : one)) })));
    await drawn(page);
    assert.match(await lastRow(page).innerText(), /cm off/);
    await page.locator("body").press("s");
    await page.waitForFunction(() => limberApp.report?.met && limberApp.store.undoTitle === "Solve");
    await drawn(page);
    assert.match(await page.locator(".solve-report").innerText(), /all 3 met · converged/);
    assert.equal(await page.locator("#solving button").first().innerText(), "Solve until met");
  }],

  ["method, iterations and natural pose are of the document; a method without locks says so", async ({ open: editor }) => {
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
    await drawn(page);
    assert.match(await page.locator(".solve-report").innerText(), /keeps no exact locks/);
    assert.match(await page.locator("select[aria-label='Method'] option:checked").innerText(), /no exact holds/);
    await page.selectOption("select[aria-label='Method']", "levenberg-marquardt");
    await drawn(page);
    assert.match(await page.locator(".solve-report").innerText(), /all 2 met/);
  }],
];

export const tests = [...keys, ...constraints, ...balanced, ...solving];
