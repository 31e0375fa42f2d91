// Opening and saving.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { act, choose, downloads, exactDocument, give, makeTwoKeys, plainDownloads } from "./document.mjs";
import { fromRoot, undo, undoTitle } from "./page.mjs";
import { test } from "./test.mjs";

const withText = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
// Whether the module in the page reads what was exported; the last file is the one that is meant.
const readAgain = (page, files) =>
  page.evaluate(
    (given) => {
      const { limber } = limberApp.engine;
      for (const { name, base64 } of given)
        limber.giveFile(
          `again_${name}`,
          Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
        );
      const content = limber.read(`again_${given.at(-1).name}`);
      const { info } = content;
      content.drop();
      return info;
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") })),
  );

const glbJson = (bytes) => JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));

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

for (const [files, moves] of formats)
  test(`opens ${files.map((file) => basename(file)).join(" with ")}`, async ({ open }) => {
    const { page } = await open();
    await give(page, ...files);
    if (moves) await choose(page, "Open as the figure");
    await page.waitForFunction(() => "file" in limberApp.doc.figure);
    const found = await page.evaluate(() => {
      const { doc, figure, pose, store } = limberApp;
      return {
        keys: doc.keys.length,
        sizes: [doc.pose, pose, ...doc.keys.map((key) => key.pose)].every((one) => one.length === figure.parameters),
        rate: doc.frameRate,
        files: Object.keys(doc.files),
        file: doc.figure.file,
        saved: store.isSaved,
        undo: store.undoTitle,
      };
    });
    assert.ok(found.sizes, "poses fit the figure");
    assert.equal(found.keys >= 2, moves, `${found.keys} keys`);
    assert.ok(found.files.includes(found.file), "the document holds the file of the figure");
    assert.ok(found.saved && found.undo.startsWith("Open "));
    assert.equal(
      found.rate,
      { "mh_walk1.bvh": 24, "02_03.amc": 120, "SimpleSkin.gltf": 24, "CesiumMan.glb": 24 }[basename(files.at(-1))] ?? 30,
    );
    await undo(page);
    assert.deepEqual(await page.evaluate(() => limberApp.doc.figure), { human: {} });
  });

test("a character without a motion stands on its feet, in balance, with limits of people that can be turned off", async ({
  open,
}) => {
  const { page } = await open();
  await give(page, "data/gltf/vrm1_humanoid_min.vrm");
  await page.waitForFunction(() => "file" in limberApp.doc.figure);
  const stands = () =>
    page.evaluate(() => {
      const { doc, figure } = limberApp;
      return {
        pinned: doc.constraints.flatMap(({ handle, goal }) => (goal?.placement ? [handle.frame] : [])),
        balance: doc.constraints.flatMap(({ balance }) => balance ?? []),
        limits: figure.info.parameters.filter(({ lower }) => lower !== null).length,
      };
    });
  const feet = ["left_foot", "right_foot"];
  const { limits, ...standing } = await stands();
  assert.deepEqual(standing, { pinned: feet, balance: feet });
  assert.ok(limits > 40, `${limits} limits`);
  await page.getByLabel("Assumed limits").uncheck();
  await page.waitForFunction(() => limberApp.figure.info.parameters.every(({ lower }) => lower === null));
  await undo(page);
  await page.waitForFunction(() => limberApp.doc.figure.assumed_limits === true);
  assert.equal((await stands()).limits, limits);
});

// W93 6.1.1
test("a skeleton script wears the polygon files that it names, in its folder or below, and keeps them", async ({ open }) => {
  const { page } = await open();
  const script =
    'define skeleton "lamp"\n joint "foot"\n joint "arm"\nend skeleton\ndefine joint "foot"\nend joint\n' +
    'define joint "arm"\n offset 0 1 0\n hinge z -90 90\n object "parts/arm.obj"\n tip 0 1 0\nend joint\n';
  const object = "v 0 0 0\nv 0.3 0 0\nv 0.3 0.3 0\nv 0 0.3 0\nf 1 2 3 4\n";
  const worn = () =>
    page.evaluate(() => {
      const { figure, stage } = limberApp;
      const arm = figure.info.segments.findIndex(({ name }) => name === "arm");
      return [...stage.figureView.surface.part].filter((segment) => segment === arm).length;
    });
  await give(page, withText("lamp.scr", script));
  await page.waitForFunction(() => limberApp.doc.figure.file === "lamp.scr");
  const usual = await worn();
  assert.notEqual(usual, 2);
  await give(page, withText("lamp.scr", script), withText("arm.obj", object));
  await page.waitForFunction(() => "parts/arm.obj" in limberApp.doc.files);
  await page.waitForFunction((before) => {
    const { figure, stage } = limberApp;
    const arm = figure.info.segments.findIndex(({ name }) => name === "arm");
    return [...stage.figureView.surface.part].filter((segment) => segment === arm).length !== before;
  }, usual);
  assert.equal(await worn(), 2);
  await undo(page);
  assert.equal(await worn(), usual);
});

test("exports the motion as BVH, AMC and GLB, which are read again", async ({ open }) => {
  const { page } = await open();
  await makeTwoKeys(page);
  for (const [id, names] of [
    ["file.bvh", ["Two_keys.bvh"]],
    ["file.amc", ["Two_keys.asf", "Two_keys.amc"]],
    ["file.glb", ["Two_keys.glb"]],
  ]) {
    const files = await downloads(page, names.length, () => act(page, id));
    assert.deepEqual(
      files.map(({ name }) => name),
      names,
    );
    const info = await readAgain(page, files);
    assert.ok(info.figure, id);
    assert.deepEqual(
      info.clips.map(({ frames }) => frames),
      [16],
      "half a second at 30 a second",
    );
  }
});

test("exports the pose as one frame where there are no keys", async ({ open }) => {
  const { page } = await open();
  const info = await readAgain(page, await downloads(page, 1, () => act(page, "file.bvh")));
  assert.deepEqual(
    info.clips.map(({ frames }) => frames),
    [1],
  );
});

test("exports a character with its skin", async ({ open }) => {
  const { page } = await open();
  await give(page, "data/gltf/CesiumMan.glb");
  await choose(page, "Open as the figure");
  await page.waitForFunction(() => limberApp.doc.keys.length > 1);
  const [file] = await downloads(page, 1, () => act(page, "file.glb"));
  const { skins, meshes, animations } = glbJson(file.bytes);
  const original = glbJson(readFileSync(fromRoot("data/gltf/CesiumMan.glb")));
  assert.equal(skins.length, original.skins.length);
  assert.deepEqual(meshes[0].name, original.meshes[0].name);
  assert.equal(animations.length, 1);
});

test("exports a picture of the view that is not empty", async ({ open }) => {
  const { page } = await open({ draws: true });
  const [file] = await downloads(page, 1, () => act(page, "file.png"));
  assert.equal(file.name, "untitled.png");
  const colours = await page.evaluate(async (base64) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer)).size;
  }, file.bytes.toString("base64"));
  assert.ok(colours > 50, `${colours} colours`);
});

test("exports a scene that opens as the same pose and constraints", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() => {
    const bent = [...limberApp.doc.pose];
    bent[17] += 0.5;
    limberApp.store.run("Bend", (doc) => ({ ...doc, title: "Bent", pose: bent }));
  });
  const before = JSON.parse(await exactDocument(page));
  const [file] = await downloads(page, 1, () => act(page, "file.scene"));
  await give(page, { name: file.name, mimeType: "application/json", buffer: file.bytes });
  await page.waitForFunction(() => limberApp.store.undoTitle === "Open Bent.json");
  const after = JSON.parse(await exactDocument(page));
  assert.ok(after.pose.every((value, j) => Math.abs(value - before.pose[j]) < 1e-14));
  assert.deepEqual(
    after.constraints.map(({ goal }) => goal),
    before.constraints.map(({ goal }) => goal),
  );
  assert.equal(after.title, "Bent");
});

test("saves a document that opens again bit for bit", async ({ open }) => {
  const { page } = await open();
  await plainDownloads(page);
  await makeTwoKeys(page);
  const before = await exactDocument(page);
  assert.equal(await page.textContent("#saved-mark"), "Not saved");
  const [file] = await downloads(page, 1, () => page.keyboard.press("Control+s"));
  assert.equal(file.name, "Two_keys.limber.json");
  await page.waitForFunction(() => limberApp.store.isSaved);
  assert.equal(await page.textContent("#saved-mark"), "Saved");
  await undo(page);
  assert.notEqual(await exactDocument(page), before);
  await give(page, { name: file.name, mimeType: "application/json", buffer: file.bytes });
  await page.waitForFunction(() => limberApp.doc.title === "Two keys");
  assert.equal(await exactDocument(page), before);
});

const scene = readFileSync(fromRoot("example/scene/reach.json"), "utf8");
const broken = [
  [withText("broken.bvh", "HIERARCHY\nROOT Hips\n{\n  OFFSET 1 2 b\n}\n"), "broken.bvh:4:14", "a finite number for OFFSET"],
  [
    withText("broken.json", scene.replace('"handle": {"ray"', '"handel": {"ray"')),
    "broken.json:8:6: /constraints/1/handel",
    '"handle"',
  ],
  [withText("cut.json", scene.slice(0, 300)), "cut.json:7:", ""],
  [withText("broken.urdf", "<robot>\n <link name='a'>\n</robot>"), "broken.urdf:", ""],
  [withText("broken.glb", "glTF but no more"), "broken.glb", ""],
  [withText("walk.amc", ":FULLY-SPECIFIED\n1\nroot 0 0 0 0 0 0\n"), "walk.amc", "its ASF file"],
  [withText("notes.txt", "hello"), "notes.txt", ".bvh"],
  [withText("old.limber.json", '{"limber": "document 1", "title": 3}'), "/title", ""],
];

for (const [file, where, expected] of broken)
  test(`${file.name}: the reader says what is wrong, and the document stays`, async ({ open }) => {
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
  });

test("carries a motion over to the present figure", async ({ open }) => {
  const { page } = await open();
  await give(page, "data/bvh/mh_walk1.bvh");
  await choose(page, "Retarget the motion to the current figure");
  await page.waitForFunction(() => limberApp.doc.keys.length > 2);
  const found = await page.evaluate(() => ({
    figure: limberApp.doc.figure,
    rate: limberApp.doc.frameRate,
    end: limberApp.end,
    off: limberApp.doc.constraints.every(({ enabled }) => enabled === false),
  }));
  assert.deepEqual(found.figure, { human: {} });
  assert.equal(found.rate, 24);
  assert.ok(Math.abs(found.end - 13 / 24) < 1e-9 && found.off);
});

test("says kindly that markers are no figure", async ({ open }) => {
  const { page } = await open();
  for (const file of ["data/trc/exampleFormat.trc", "data/c3d/02_01.c3d"]) {
    await give(page, file);
    await page.waitForSelector("dialog h2:has-text('holds markers')"); // after the one that says what is being opened
    assert.match(await page.innerText("dialog"), /limber track/);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  }
  assert.equal(await undoTitle(page), undefined);
});

test("takes files that are dropped on the page", async ({ open }) => {
  const { page } = await open();
  const drop = (type) =>
    page.evaluate(
      ([kind, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.json"));
        document
          .querySelector("#stage")
          .dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [type, scene],
    );
  await drop("dragover");
  assert.ok(await page.isVisible(".drop-veil"));
  await drop("drop");
  await page.waitForFunction(() => limberApp.doc.title.startsWith("A person reaches"));
  assert.ok(!(await page.isVisible(".drop-veil")));
});
