// Saving into a file that the user chooses: a picker of our own stands in for the dialog of the system.
import assert from "node:assert/strict";
import { documentText } from "./page.mjs";
import { test } from "./test.mjs";

// What was asked and what was written is kept; `answer` is the name of a file, or that of an error.
function fakePicker() {
  const files = (window.files = { asked: [], written: [], open: 0, answer: "first.limber.json" });
  window.showSaveFilePicker = async (options) => {
    files.asked.push(options);
    const name = files.answer;
    if (/Error$/.test(name)) throw new DOMException("no", name);
    return {
      name,
      async createWritable() {
        if (files.isReadOnly) throw new DOMException("This file cannot be written", "NotAllowedError");
        ++files.open;
        let text = "";
        return {
          async write(part) {
            text += part;
          },
          async close() {
            --files.open;
            files.written.push({ name, text });
          },
        };
      },
    };
  };
}

const files = (page) => page.evaluate(() => window.files);
const answer = (page, name) => page.evaluate((name) => void (window.files.answer = name), name);
const title = (page, text) =>
  page.evaluate(
    (text) => limberApp.store.run("Title", (doc) => ({ ...doc, title: text, stiffness: { "right_elbow.flexion": 3 } })),
    text,
  );
const isSaved = (page) => page.waitForFunction(() => limberApp.store.isSaved);

test("the first save asks where, the next goes into the same file; what is written is the document", async ({ open }) => {
  const { page } = await open({ init: fakePicker });
  let downloads = 0;
  page.on("download", () => ++downloads);
  await title(page, "My pose: 1");
  assert.equal(await page.textContent("#saved-mark"), "Not saved");
  await page.keyboard.press("Control+s");
  await isSaved(page);
  const first = await files(page);
  assert.deepEqual(first.asked, [
    {
      suggestedName: "My_pose_1.limber.json",
      types: [{ description: "Limber document", accept: { "application/json": [".json"] } }],
    },
  ]);
  assert.equal(first.open, 0, "the file is closed");
  assert.deepEqual(
    first.written.map(({ name }) => name),
    ["first.limber.json"],
  );
  const { limber, ...doc } = JSON.parse(first.written[0].text);
  assert.equal(limber, "document 1");
  assert.deepEqual(doc, JSON.parse(await documentText(page)));
  assert.equal(await page.textContent("#saved-mark"), "Saved");
  assert.match(await page.innerText("#messages"), /Saved as first\.limber\.json/);

  await title(page, "Another name");
  await page.keyboard.press("Control+s");
  await isSaved(page);
  const second = await files(page);
  assert.equal(second.asked.length, 1, "not asked again");
  assert.deepEqual(
    second.written.map(({ name }) => name),
    ["first.limber.json", "first.limber.json"],
  );
  assert.equal(JSON.parse(second.written[1].text).title, "Another name");

  // What was written opens as the same document.
  const before = await documentText(page);
  await title(page, "Lost");
  await page.setInputFiles("#open-files", {
    name: "first.limber.json",
    mimeType: "application/json",
    buffer: Buffer.from(second.written[1].text),
  });
  await page.waitForFunction(() => limberApp.doc.title === "Another name");
  assert.equal(await documentText(page), before);
  await answer(page, "second.limber.json");
  await title(page, "Of another file");
  await page.keyboard.press("Control+s");
  await isSaved(page);
  assert.equal((await files(page)).written.at(-1).name, "second.limber.json", "what was opened has a file of its own");
  assert.equal(downloads, 0);
});

test("who closes the dialog has saved nothing; where it is forbidden there is a download; what cannot be written says so", async ({
  open,
}) => {
  const { page } = await open({ init: fakePicker });
  await title(page, "Kept");
  await answer(page, "AbortError");
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => window.files.asked.length === 1);
  assert.equal(await page.evaluate(() => limberApp.store.isSaved), false);
  assert.equal(await page.textContent("#saved-mark"), "Not saved");
  await answer(page, "SecurityError");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  assert.equal(download.suggestedFilename(), "Kept.limber.json");
  await isSaved(page);
  await title(page, "Kept again");
  await page.evaluate(() => Object.assign(window.files, { answer: "third.limber.json", isReadOnly: true }));
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => /could not be saved/.test(document.getElementById("messages").innerText));
  assert.match(await page.innerText("#messages"), /This file cannot be written/);
  assert.equal(await page.evaluate(() => limberApp.store.isSaved), false);
  assert.deepEqual((await files(page)).written, []);
});
