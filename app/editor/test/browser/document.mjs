// Documents in and out of a page: files that are opened, downloads, a motion to work with.
import { readFileSync } from "node:fs";
import { fromRoot } from "./page.mjs";

export const exactDocument = (page) =>
  page.evaluate(() =>
    JSON.stringify(limberApp.doc, (_, value) => (value === Infinity ? "inf" : value === -Infinity ? "-inf" : value)),
  );
export const act = (page, id) => page.evaluate((action) => limberApp.actions.run(action), id);
export const give = (page, ...paths) =>
  page.setInputFiles(
    "#open-files",
    paths.map((path) => (typeof path === "string" ? fromRoot(path) : path)),
  );
export const choose = (page, title) => page.click(`dialog .choices button:text-is("${title}")`);

// Where it is a test's own: the dialog of the system has no place here.
export const plainDownloads = (page) => page.evaluate(() => void (window.showSaveFilePicker = undefined));

export async function downloads(page, count, cause) {
  const got = [];
  const all = new Promise((done) => page.on("download", (one) => got.push(one) === count && done()));
  await cause();
  await all;
  return Promise.all(got.map(async (one) => ({ name: one.suggestedFilename(), bytes: readFileSync(await one.path()) })));
}

// Two keys half a second apart, the second with a bent elbow.
export const makeTwoKeys = (page) =>
  page.evaluate(() => {
    const app = limberApp;
    const bent = [...app.doc.pose];
    bent[app.figure.info.parameters.findIndex(({ name }) => name === "right_elbow.flexion")] = 1.2;
    app.store.run("Two keys", (doc) => ({
      ...doc,
      title: "Two keys",
      keys: [
        { time: 0, pose: doc.pose },
        { time: 0.5, pose: bent },
      ],
    }));
  });

// Whether the database of the browser has work with this text, and with these other members. What is only in localStorage
// may be lost where a page from a file is reloaded.
export const isKept = (page, text, members = {}) =>
  page.evaluate(
    ([part, wanted]) =>
      new Promise((done) => {
        const request = indexedDB.open("limber");
        request.onsuccess = () => {
          const all = request.result.transaction("work").objectStore("work").getAll();
          const fits = (work) => work.text.includes(part) && Object.entries(wanted).every(([key, value]) => work[key] === value);
          all.onsuccess = () => (request.result.close(), done(all.result.some(fits)));
        };
      }),
    [text, members],
  );
