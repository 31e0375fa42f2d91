// Work that comes back: reload, crash, tabs, links.
import assert from "node:assert/strict";
import { act, choose, downloads, exactDocument, give, isKept, makeTwoKeys, plainDownloads } from "./document.mjs";
import { ready } from "./open.mjs";
import { undo, undoTitle } from "./page.mjs";
import { expect, test } from "./test.mjs";

test("a reload brings the work back exactly, and it can be put away", async ({ open }) => {
  const { page } = await open({ served: true });
  const first = await exactDocument(page);
  await makeTwoKeys(page);
  const before = await exactDocument(page);
  await expect.poll(() => isKept(page, "Two keys")).toBe(true);
  await page.reload();
  await ready(page);
  assert.equal(await exactDocument(page), before);
  assert.equal(await page.evaluate(() => limberApp.store.isSaved), false);
  await page.click('.message button:text-is("Start over")');
  assert.equal(await exactDocument(page), first);
  await undo(page);
  assert.equal(await exactDocument(page), before);
});

test("what stood in the browser for a second is there in a new tab after a crash", async ({ open }) => {
  const { page, context } = await open({ served: true });
  await makeTwoKeys(page);
  const before = await exactDocument(page);
  await expect.poll(() => isKept(page, "Two keys")).toBe(true);
  const url = page.url();
  const session = await context.newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await page.waitForEvent("crash");
  const other = await context.newPage();
  await other.goto(url);
  await ready(other);
  assert.equal(await exactDocument(other), before);
});

test("two tabs keep their own work", async ({ open }) => {
  const { page, context } = await open({ served: true });
  await makeTwoKeys(page);
  await expect.poll(() => isKept(page, "Two keys")).toBe(true);
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  assert.equal(await other.evaluate(() => limberApp.doc.keys.length), 0);
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
});

test("the page that tests share begins without the work of the one before", async ({ open }) => {
  const { page } = await open();
  await makeTwoKeys(page);
  await expect.poll(() => isKept(page, "Two keys")).toBe(true);
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 0);
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), ["limber.tab"]);
});

test("leaving with unsaved work asks first, and without does not", async ({ open }) => {
  const { page } = await open();
  const asked = (change) =>
    page.evaluate((work) => {
      if (work) limberApp.store.run("Title", (doc) => ({ ...doc, title: "work" }));
      return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    }, change);
  assert.equal(await asked(false), false);
  assert.equal(await asked(true), true);
  await undo(page);
  assert.equal(await asked(false), false);
});

test("New asks where work is not saved", async ({ open }) => {
  const { page } = await open();
  await plainDownloads(page);
  await makeTwoKeys(page);
  await act(page, "file.new");
  await choose(page, "Cancel");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await page.evaluate(() => limberApp.doc.keys.length), 2);
  await act(page, "file.new");
  await downloads(page, 1, () => choose(page, "Save"));
  await page.waitForFunction(() => limberApp.doc.keys.length === 0);
  assert.equal(await undoTitle(page), "New");
});

test("a link holds the whole document", async ({ open }) => {
  const { page, context } = await open({ fresh: true });
  await makeTwoKeys(page);
  const before = await exactDocument(page);
  await act(page, "file.link");
  const address = await page.inputValue("#link-address");
  assert.ok(address.length < 60000);
  const other = await context.newPage();
  await other.goto(address);
  await ready(other);
  assert.equal(await exactDocument(other), before);
  assert.ok(!other.url().includes("#d="), "a reload does not open it again");
  await other.evaluate(() => limberApp.store.undo());
  await other.evaluate((hash) => void (location.hash = hash), address.slice(address.indexOf("#"), -30));
  await other.waitForSelector("dialog h2");
  assert.match(await other.innerText("dialog h2"), /could not be opened/);
});

test("a document that is too much for a link is offered as a file", async ({ open }) => {
  const { page } = await open();
  await page.evaluate(() =>
    limberApp.store.run("Many", (doc) => ({
      ...doc,
      keys: Array.from({ length: 400 }, (_, k) => ({ time: k, pose: doc.pose.map((x, j) => x + Math.sin(k * 97 + j) * 0.1) })),
      keep: false,
    })),
  );
  await act(page, "file.link");
  await page.waitForSelector("dialog h2");
  assert.match(await page.innerText("dialog"), /Too much for a link[\s\S]*Save as a file/);
  await choose(page, "Cancel");
});

test("nothing is asked of any network after loading", async ({ open }) => {
  const { page, requests } = await open({ fresh: true });
  const loaded = requests.length;
  await makeTwoKeys(page);
  await act(page, "example.reach");
  await page.waitForFunction(() => limberApp.doc.title.startsWith("A person reaches"));
  await downloads(page, 1, () => act(page, "file.glb"));
  await give(page, "data/gltf/SimpleSkin.gltf");
  await choose(page, "Open as the figure");
  await page.waitForFunction(() => limberApp.doc.keys.length > 1);
  assert.equal(requests.filter((url, k) => k < loaded && !/^(file|blob|data):/.test(url)).length, 0);
  assert.deepEqual(
    requests.slice(loaded).filter((url) => !/^(blob|data):/.test(url)),
    [],
  );
});
