// Runs the browser tests: node app/editor/test/browser/run.mjs [NAME]: those whose file or title contains NAME.
//
// Each test gets a browser context of its own, opens the built page from disk and must leave no error behind.
import { readdirSync } from "node:fs";
import { launch, openEditor } from "./open.mjs";

const name = process.argv[2] ?? "";
const files = readdirSync(new URL(".", import.meta.url)).filter((file) => file.endsWith(".mjs") && !["open.mjs", "run.mjs"].includes(file));

let passed = 0;
let failed = 0;
const browser = await launch();
for (const file of files.sort()) {
  const { tests } = await import(`./${file}`);
  if (!tests) continue;
  const begun = Date.now();
  for (const [title, run] of tests) {
    if (!`${file} ${title}`.includes(name)) continue;
    const opened = [];
    const open = async (options = {}) => {
      const editor = await openEditor(browser, { width: 800, height: 500, ...options });
      opened.push(editor);
      return editor;
    };
    try {
      await run({ open, browser });
      const errors = opened.flatMap((editor) => editor.errors);
      if (errors.length > 0) throw new Error(`the page complained: ${errors.join("; ")}`);
      ++passed;
    } catch (error) {
      ++failed;
      console.log(`FAILED ${file}: ${title}\n  ${String(error.stack ?? error).split("\n").slice(0, 12).join("\n  ")}`);
    }
    for (const { context } of opened) await context.close();
  }
  console.log(`    ${file}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
