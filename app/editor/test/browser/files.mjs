// Opening and saving, work that comes back, menus, help.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const docOf = (page) => page.evaluate(() => JSON.stringify(limberApp.doc, (_, value) => (value === Infinity ? "inf" : value === -Infinity ? "-inf" : value)));
const run = (page, id) => page.evaluate((action) => limberApp.actions.run(action), id);
const withText = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
const give = (page, ...paths) => page.setInputFiles("#open-files", paths.map((path) => (typeof path === "string" ? at(path) : path)));
const choose = (page, title) => page.click(`dialog .choices button:text-is("${title}")`);

// Where it is a test's own: the dialog of the system has no place here.
const plainDownloads = (page) => page.evaluate(() => void (window.showSaveFilePicker = undefined));

async function downloads(page, count, act) {
  const got = [];
  const all = new Promise((done) => page.on("download", (one) => got.push(one) === count && done()));
  await act();
  await all;
  return Promise.all(got.map(async (one) => ({ name: one.suggestedFilename(), bytes: readFileSync(await one.path()) })));
}

// Whether the module in the page reads what was exported; the last file is the one that is meant.
const readAgain = (page, files) =>
  page.evaluate((given) => {
    const { limber } = limberApp.engine;
    for (const { name, base64 } of given) limber.giveFile(`again_${name}`, Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    const content = limber.read(`again_${given.at(-1).name}`);
    const { info } = content;
    content.drop();
    return info;
  }, files.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") })));

const glbJson = (bytes) => JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));

// Two keys half a second apart, the second with a bent elbow.
const makeTwoKeys = (page) =>
  page.evaluate(() => {
    const app = limberApp;
    const bent = [...app.doc.pose];
    bent[app.figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion")] = 1.2;
    app.store.run("Two keys", (doc) => ({ ...doc, title: "Two keys", keys: [{ time: 0, pose: doc.pose }, { time: 0.5, pose: bent }] }));
  });

// What is opened, the parameters of its figure, and whether it moves.
const formats = [
  [["data/bvh/mh_walk1.bvh"], true],
  [["data/acclaim/02.asf", "data/acclaim/02_03.amc"], true],
  [["data/acclaim/02.asf"], false],
  [["example/skeleton/stickman.scr"], false],
  [["data/urdf/ur5.urdf"], false],
  [["data/gltf/SimpleSkin.gltf"], true],
  [["data/gltf/CesiumMan.glb"], true],
  [["data/gltf/vrm1_humanoid_min.vrm"], false],
];

const opening = formats.map(([files, moves]) => [
  `opens ${files.map((file) => basename(file)).join(" with ")}`,
  async ({ open }) => {
    const { page } = await open();
    await give(page, ...files);
    if (moves) await choose(page, "Open as the figure");
    await page.waitForFunction(() => "file" in limberApp.doc.figure, undefined, { timeout: 60000 });
    const found = await page.evaluate(() => {
      const { doc, figure, pose, store } = limberApp;
      return { keys: doc.keys.length, sizes: [doc.pose, pose, ...doc.keys.map((key) => key.pose)].every((one) => one.length === figure.parameters), rate: doc.frameRate, files: Object.keys(doc.files), file: doc.figure.file, saved: store.isSaved, undo: store.undoTitle };
    });
    assert.ok(found.sizes, "poses fit the figure");
    assert.equal(found.keys >= 2, moves, `${found.keys} keys`);
    assert.ok(found.files.includes(found.file), "the document holds the file of the figure");
    assert.ok(found.saved && found.undo.startsWith("Open "));
    assert.equal(found.rate, { "mh_walk1.bvh": 24, "02_03.amc": 120, "SimpleSkin.gltf": 24, "CesiumMan.glb": 24 }[basename(files.at(-1))] ?? 30);
    await page.evaluate(() => limberApp.store.undo());
    assert.deepEqual(await page.evaluate(() => limberApp.doc.figure), { human: {} });
  },
]);

const exporting = [
  ["exports the motion as BVH, AMC and GLB, which are read again", async ({ open }) => {
    const { page } = await open();
    await makeTwoKeys(page);
    for (const [id, names] of [["file.bvh", ["Two_keys.bvh"]], ["file.amc", ["Two_keys.asf", "Two_keys.amc"]], ["file.glb", ["Two_keys.glb"]]]) {
      const files = await downloads(page, names.length, () => run(page, id));
      assert.deepEqual(files.map(({ name }) => name), names);
      const info = await readAgain(page, files);
      assert.ok(info.figure, id);
      assert.deepEqual(info.clips.map(({ frames }) => frames), [16], "half a second at 30 a second");
    }
  }],
  ["exports the pose as one frame where there are no keys", async ({ open }) => {
    const { page } = await open();
    const info = await readAgain(page, await downloads(page, 1, () => run(page, "file.bvh")));
    assert.deepEqual(info.clips.map(({ frames }) => frames), [1]);
  }],
  ["exports a character with its skin", async ({ open }) => {
    const { page } = await open();
    await give(page, "data/gltf/CesiumMan.glb");
    await choose(page, "Open as the figure");
    await page.waitForFunction(() => limberApp.doc.keys.length > 1);
    const [file] = await downloads(page, 1, () => run(page, "file.glb"));
    const { skins, meshes, animations } = glbJson(file.bytes);
    const original = glbJson(readFileSync(at("data/gltf/CesiumMan.glb")));
    assert.equal(skins.length, original.skins.length);
    assert.deepEqual(meshes[0].name, original.meshes[0].name);
    assert.equal(animations.length, 1);
  }],
  ["exports a picture of the view that is not empty", async ({ open }) => {
    const { page } = await open();
    const [file] = await downloads(page, 1, () => run(page, "file.png"));
    assert.equal(file.name, "untitled.png");
    const colours = await page.evaluate(async (base64) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0);
      return new Set(new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer)).size;
    }, file.bytes.toString("base64"));
    assert.ok(colours > 50, `${colours} colours`);
  }],
  ["exports a scene that opens as the same pose and constraints", async ({ open }) => {
    const { page } = await open();
    await page.evaluate(() => {
      const bent = [...limberApp.doc.pose];
      bent[17] += 0.5;
      limberApp.store.run("Bend", (doc) => ({ ...doc, title: "Bent", pose: bent }));
    });
    const before = JSON.parse(await docOf(page));
    const [file] = await downloads(page, 1, () => run(page, "file.scene"));
    await give(page, { name: file.name, mimeType: "application/json", buffer: file.bytes });
    await page.waitForFunction(() => limberApp.store.undoTitle === "Open Bent.json");
    const after = JSON.parse(await docOf(page));
    assert.ok(after.pose.every((value, j) => Math.abs(value - before.pose[j]) < 1e-14));
    assert.deepEqual(after.constraints.map(({ goal }) => goal), before.constraints.map(({ goal }) => goal));
    assert.equal(after.title, "Bent");
  }],
  ["saves a document that opens again bit for bit", async ({ open }) => {
    const { page } = await open();
    await plainDownloads(page);
    await makeTwoKeys(page);
    const before = await docOf(page);
    assert.equal(await page.textContent("#saved-mark"), "Not saved");
    const [file] = await downloads(page, 1, () => page.keyboard.press("Control+s"));
    assert.equal(file.name, "Two_keys.limber.json");
    await page.waitForFunction(() => limberApp.store.isSaved);
    assert.equal(await page.textContent("#saved-mark"), "Saved");
    await page.evaluate(() => limberApp.store.undo());
    assert.notEqual(await docOf(page), before);
    await give(page, { name: file.name, mimeType: "application/json", buffer: file.bytes });
    await page.waitForFunction(() => limberApp.doc.title === "Two keys");
    assert.equal(await docOf(page), before);
  }],
];

const scene = readFileSync(at("example/scene/reach.json"), "utf8");
const broken = [
  [withText("broken.bvh", "HIERARCHY\nROOT Hips\n{\n  OFFSET 1 2 b\n}\n"), "broken.bvh:4:14", "a finite number for OFFSET"],
  [withText("broken.json", scene.replace('"handle": {"ray"', '"handel": {"ray"')), "broken.json:8:6: /constraints/1/handel", '"handle"'],
  [withText("cut.json", scene.slice(0, 300)), "cut.json:7:", ""],
  [withText("broken.urdf", "<robot>\n <link name='a'>\n</robot>"), "broken.urdf:", ""],
  [withText("broken.glb", "glTF but no more"), "broken.glb", ""],
  [withText("walk.amc", ":FULLY-SPECIFIED\n1\nroot 0 0 0 0 0 0\n"), "walk.amc", "its ASF file"],
  [withText("notes.txt", "hello"), "notes.txt", ".bvh"],
  [withText("old.limber.json", '{"limber": "document 1", "title": 3}'), "/title", ""],
];

const refusing = broken.map(([file, where, expected]) => [
  `${file.name}: the reader says what is wrong, and the document stays`,
  async ({ open }) => {
    const { page } = await open();
    await page.evaluate(() => (window.before = limberApp.doc));
    await give(page, file);
    await page.waitForSelector("dialog h2");
    const text = await page.innerText("dialog");
    assert.match(text, new RegExp(`^${file.name} could not be opened`));
    assert.ok(text.includes(where), text);
    assert.ok(text.includes(expected), text);
    assert.ok(await page.evaluate(() => limberApp.doc === window.before && limberApp.store.undoTitle === undefined));
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await makeTwoKeys(page); // and it goes on
    assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
  },
]);

const motions = [
  ["carries a motion over to the present figure", async ({ open }) => {
    const { page } = await open();
    await give(page, "data/bvh/mh_walk1.bvh");
    await choose(page, "Carry the motion over to the present figure");
    await page.waitForFunction(() => limberApp.doc.keys.length > 2, undefined, { timeout: 120000 });
    const found = await page.evaluate(() => ({ figure: limberApp.doc.figure, rate: limberApp.doc.frameRate, end: limberApp.end, off: limberApp.doc.constraints.every(({ enabled }) => enabled === false) }));
    assert.deepEqual(found.figure, { human: {} });
    assert.equal(found.rate, 24);
    assert.ok(Math.abs(found.end - 13 / 24) < 1e-9 && found.off);
  }],
  ["says kindly that markers are no figure", async ({ open }) => {
    const { page } = await open();
    for (const file of ["data/trc/exampleFormat.trc", "data/c3d/02_01.c3d"]) {
      await give(page, file);
      await page.waitForSelector("dialog h2");
      assert.match(await page.innerText("dialog"), /holds markers[\s\S]*limber track/);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
    }
    assert.equal(await page.evaluate(() => limberApp.store.undoTitle), undefined);
  }],
  ["takes files that are dropped on the page", async ({ open }) => {
    const { page } = await open();
    const drop = (type) =>
      page.evaluate(([kind, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.json"));
        document.querySelector("#stage").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }, [type, scene]);
    await drop("dragover");
    assert.ok(await page.isVisible(".drop-veil"));
    await drop("drop");
    await page.waitForFunction(() => limberApp.doc.title.startsWith("A person reaches"));
    assert.ok(!(await page.isVisible(".drop-veil")));
  }],
];

// Whether the browser has a text in its database.
const isKept = (page, text) =>
  page.evaluate((part) => new Promise((done) => {
    const request = indexedDB.open("limber");
    request.onsuccess = () => {
      const all = request.result.transaction("work").objectStore("work").getAll();
      all.onsuccess = () => (request.result.close(), done(all.result.some((one) => one.text.includes(part))));
    };
  }), text);

const trust = [
  ["a reload brings the work back exactly, and it can be put away", async ({ open }) => {
    const { page } = await open();
    const first = await docOf(page);
    await makeTwoKeys(page);
    const before = await docOf(page);
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    assert.equal(await docOf(page), before);
    assert.equal(await page.evaluate(() => limberApp.store.isSaved), false);
    await page.click('.message button:text-is("Start afresh")');
    assert.equal(await docOf(page), first);
    await page.evaluate(() => limberApp.store.undo());
    assert.equal(await docOf(page), before);
  }],
  ["what stood in the browser for a second is there in a new tab after a crash", async ({ open }) => {
    const { page, context } = await open();
    await makeTwoKeys(page);
    const before = await docOf(page);
    while (!(await isKept(page, "Two keys"))) await page.waitForTimeout(100);
    const url = page.url();
    const session = await context.newCDPSession(page);
    session.send("Page.crash").catch(() => {});
    await page.waitForEvent("crash");
    const other = await context.newPage();
    await other.goto(url);
    await other.waitForSelector("html[data-ready=yes]");
    assert.equal(await docOf(other), before);
  }],
  ["two tabs keep their own work", async ({ open }) => {
    const { page, context } = await open();
    await makeTwoKeys(page);
    while (!(await isKept(page, "Two keys"))) await page.waitForTimeout(100);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForSelector("html[data-ready=yes]");
    assert.equal(await other.evaluate(() => limberApp.doc.keys.length), 0);
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
  }],
  ["leaving with unsaved work asks first, and without does not", async ({ open }) => {
    const { page } = await open();
    const asked = (change) => page.evaluate((work) => {
      if (work) limberApp.store.run("Title", (doc) => ({ ...doc, title: "work" }));
      return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    }, change);
    assert.equal(await asked(false), false);
    assert.equal(await asked(true), true);
    await page.evaluate(() => limberApp.store.undo());
    assert.equal(await asked(false), false);
  }],
  ["New asks where work is not saved", async ({ open }) => {
    const { page } = await open();
    await plainDownloads(page);
    await makeTwoKeys(page);
    await run(page, "file.new");
    await choose(page, "Cancel");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
    await run(page, "file.new");
    await downloads(page, 1, () => choose(page, "Save"));
    await page.waitForFunction(() => limberApp.doc.keys.length === 0);
    assert.equal(await page.evaluate(() => limberApp.store.undoTitle), "New");
  }],
  ["a link holds the whole document", async ({ open }) => {
    const { page, context } = await open();
    await makeTwoKeys(page);
    const before = await docOf(page);
    await run(page, "file.link");
    const address = await page.inputValue("#link-address");
    assert.ok(address.length < 60000);
    const other = await context.newPage();
    await other.goto(address);
    await other.waitForSelector("html[data-ready=yes]");
    assert.equal(await docOf(other), before);
    assert.ok(!other.url().includes("#d="), "a reload does not open it again");
    await other.evaluate(() => limberApp.store.undo());
    await other.evaluate((hash) => void (location.hash = hash), address.slice(address.indexOf("#"), -30));
    await other.waitForSelector("dialog h2");
    assert.match(await other.innerText("dialog h2"), /could not be opened/);
  }],
  ["a document that is too much for a link is offered as a file", async ({ open }) => {
    const { page } = await open();
    await page.evaluate(() => limberApp.store.run("Many", (doc) => ({ ...doc, keys: Array.from({ length: 400 }, (_, k) => ({ time: k, pose: doc.pose.map((x, j) => x + Math.sin(k * 97 + j) * 0.1) })) , keep: false })));
    await run(page, "file.link");
    await page.waitForSelector("dialog h2");
    assert.match(await page.innerText("dialog"), /Too much for a link[\s\S]*Save as a file/);
    await choose(page, "Cancel");
  }],
  ["nothing is asked of any network after loading", async ({ open }) => {
    const { page, requests } = await open();
    const loaded = requests.length;
    await makeTwoKeys(page);
    await run(page, "example.reach");
    await page.waitForFunction(() => limberApp.doc.title.startsWith("A person reaches"));
    await downloads(page, 1, () => run(page, "file.glb"));
    await give(page, "data/gltf/SimpleSkin.gltf");
    await choose(page, "Open as the figure");
    await page.waitForFunction(() => limberApp.doc.keys.length > 1);
    assert.equal(requests.filter((url, k) => k < loaded && !/^(file|blob|data):/.test(url)).length, 0);
    assert.deepEqual(requests.slice(loaded).filter((url) => !/^(blob|data):/.test(url)), []);
  }],
];

const names = readdirSync(at("example/scene")).map((name) => name.replace(".json", ""));
const way = [
  ["the menu of examples opens each of them, solved", async ({ open }) => {
    const { page } = await open();
    await page.click('.menubar button:text-is("Examples")');
    const listed = await page.$$eval(".menu-item", (items) => items.map((item) => item.dataset.action));
    assert.deepEqual([...listed].sort(), ["cup", "crouch", ...names].map((name) => `example.${name}`).sort());
    await page.keyboard.press("Escape");
    const outOfReach = ["example.zb94_fig6", "example.zb89_fig5"];
    for (const id of listed) {
      const title = await page.evaluate((action) => limberApp.actions.find(action).title, id);
      await run(page, id);
      await page.waitForFunction((name) => limberApp.doc.title === name && limberApp.report, title, { timeout: 20000 });
      const { met, exit } = await page.evaluate(() => limberApp.report);
      assert.equal(met, !outOfReach.includes(id), `${id}: ${exit}`);
    }
  }],
  ["the example with keys keeps the feet on the ground", async ({ open }) => {
    const { page } = await open();
    await run(page, "example.crouch");
    await page.waitForFunction(() => limberApp.motion.kind === "kept", undefined, { timeout: 60000 });
    const heights = await page.evaluate(() => [0, 0.5, 1].map((time) => {
      const { figure } = limberApp;
      const pose = limberApp.poseAt(time);
      const height = (name) => figure.place(pose)[12 * figure.info.sites.find((site) => site.name === name).segment + 10];
      return [height("left_foot"), height("pelvis")];
    }));
    assert.ok(heights.every(([foot]) => Math.abs(foot - heights[0][0]) < 1e-4), String(heights));
    assert.ok(heights[0][1] - heights[2][1] > 0.3, String(heights));
  }],
  ["the menus are walked through by keys", async ({ open }) => {
    const { page } = await open();
    await makeTwoKeys(page);
    await page.focus('.menubar [role=menuitem][tabindex="0"]');
    const focused = () => page.evaluate(() => (document.activeElement.querySelector(".grow") ?? document.activeElement).textContent);
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
  }],
  ["every group of actions is a menu, and every action stands in one", async ({ open }) => {
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
  }],
  ["undo and redo say what they take back", async ({ open }) => {
    const { page } = await open();
    const undo = page.locator('#bar button[data-action="edit.undo"]');
    assert.ok(await undo.isDisabled());
    await makeTwoKeys(page);
    assert.match(await undo.getAttribute("title"), /^Undo: Two keys \(Ctrl\+Z\)/);
    await undo.click();
    assert.match(await page.getAttribute('#bar button[data-action="edit.redo"]', "title"), /^Redo: Two keys/);
    assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 0);
  }],
  ["the chain is chosen, from a joint too", async ({ open }) => {
    const { page } = await open();
    await page.selectOption("#chain-mode", "branch");
    assert.equal(await page.evaluate(() => limberApp.chainMode), "branch");
    assert.ok(!(await page.isVisible("#chain-joint")));
    await page.selectOption("#chain-mode", "joint");
    await page.selectOption("#chain-joint", { label: "right glenohumeral" });
    assert.deepEqual(await page.evaluate(() => [limberApp.chainMode, limberApp.figure.info.segments[limberApp.chainJoint].joint]), ["joint", "right_glenohumeral"]);
  }],
  ["the title is changed in the bar, and can be undone", async ({ open }) => {
    const { page } = await open();
    await page.fill("#document-title", "A cup of tea");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => limberApp.doc.title), "A cup of tea");
    assert.equal(await page.title(), "• A cup of tea – Limber");
    await page.evaluate(() => limberApp.store.undo());
    assert.equal(await page.inputValue("#document-title"), "");
  }],
  ["light and dark are remembered", async ({ open }) => {
    const { page } = await open({ context: { colorScheme: "light" } });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await theme(), "light");
    const light = await ground();
    await page.click("#theme");
    assert.equal(await theme(), "dark");
    assert.notEqual(await ground(), light);
    await page.waitForTimeout(500); // the browser keeps it in its own time
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    assert.equal(await theme(), "dark");
    await run(page, "view.theme.system");
    assert.equal(await theme(), "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  }],
  ["the sheet lists every action with keys", async ({ open }) => {
    const { page } = await open();
    await page.focus('.menubar [tabindex="0"]'); // from anywhere
    await page.keyboard.press("?");
    await page.waitForSelector(".shortcuts");
    const listed = await page.$$eval(".shortcuts section:not(:last-child) dd", (all) => all.map((one) => one.textContent));
    const expected = await page.evaluate(() => limberApp.actions.all.filter(({ keys }) => keys?.length).map(({ title }) => title));
    assert.deepEqual(listed.sort(), expected.sort());
    assert.ok(listed.length > 10);
    const before = await docOf(page);
    await page.keyboard.press("k"); // keys in a dialog are not the page's
    assert.equal(await docOf(page), before);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".shortcuts", { state: "detached" });
  }],
  ["the first steps are ticked as they are done, and do not come back", async ({ open }) => {
    const { page } = await open({ hint: true });
    assert.equal(await page.locator(".hint li").count(), 3);
    const done = () => page.locator(".hint li.done").count();
    await page.evaluate(() => limberApp.commitPose("Pull", limberApp.pose.map((x) => x + 0.01)));
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
    await page.waitForSelector("html[data-ready=yes]");
    assert.equal(await page.locator(".hint").count(), 0);
  }],
];

export const tests = [...opening, ...exporting, ...refusing, ...motions, ...trust, ...way];
