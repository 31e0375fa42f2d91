// A test of the editor: `open` gives it a page, which must leave no error behind.
//
// A page that is loaded anew in the same process takes a third of the time of one in a browser context of its own. So tests
// share one page per worker, which forgets all that it kept whenever it is loaded. A test that looks at how work is kept, or
// that needs a browser of another kind, gets a context of its own: where it asks for one (`fresh`), and with every option
// but size and balance.
import { test as base } from "@playwright/test";
import { load, newPage, openEditor } from "./open.mjs";

export { expect } from "@playwright/test";

const shareable = ["width", "height", "balance"];

// Nothing is held down any more, nobody listens, the editor and its work are gone.
async function leave({ page }) {
  for (const event of ["dialog", "download", "filechooser"]) page.removeAllListeners(event);
  await page.mouse.up();
  await page.mouse.move(0, 0);
  for (const key of ["Shift", "Control", "Alt"]) await page.keyboard.up(key);
  await page.goto("about:blank");
}

export const test = base.extend({
  shared: [
    async ({ browser }, use) => {
      let editor;
      await use(async () => (editor ??= await newPage(browser, { draws: false, forgets: true })));
      await editor?.context.close();
    },
    { scope: "worker" },
  ],

  open: async ({ browser, shared }, use) => {
    const opened = [];
    let inUse;
    await use(async (options = {}) => {
      const all = { width: 800, height: 500, draws: false, ...options };
      if (inUse || Object.keys(options).some((key) => !shareable.includes(key))) {
        opened.push(await openEditor(browser, all));
        return opened.at(-1);
      }
      inUse = await shared();
      Object.assign(inUse, { errors: [], requests: [] });
      await load(inUse.page, all);
      return inUse;
    });
    const errors = [...opened, inUse].flatMap((editor) => editor?.errors ?? []);
    for (const { context } of opened) await context.close();
    if (inUse) await leave(inUse);
    if (errors.length > 0) throw new Error(`the page reports ${errors.join("; ")}`);
  },
});
