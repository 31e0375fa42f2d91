// A test of the editor: `open` gives it a page in a browser context of its own, which must leave no error behind.
import { test as base } from "@playwright/test";
import { openEditor } from "./open.mjs";

export { expect } from "@playwright/test";

export const test = base.extend({
  open: async ({ browser }, use) => {
    const opened = [];
    await use(async (options = {}) => {
      const editor = await openEditor(browser, { width: 800, height: 500, draws: false, ...options });
      opened.push(editor);
      return editor;
    });
    for (const { context } of opened) await context.close();
    const errors = opened.flatMap((editor) => editor.errors);
    if (errors.length > 0) throw new Error(`the page reports ${errors.join("; ")}`);
  },
});
