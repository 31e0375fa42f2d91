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

// Nothing, or why it failed.
async function attempt(run) {
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
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const { context } of opened) await context.close();
  }
}

for (const file of files.sort()) {
  const { tests } = await import(`./${file}`);
  if (!tests) continue;
  const begun = Date.now();
  for (const [title, run] of tests) {
    if (!`${file} ${title}`.includes(name)) continue;
    // Real events and a real browser: what fails on a busy machine may pass. It is tried a second time, and told.
    let why = await attempt(run);
    if (why) {
      console.log(`    again: ${title}: ${String(why).split("\n")[0]}`);
      why = await attempt(run);
    }
    if (!why) ++passed;
    else {
      ++failed;
      console.log(`FAILED ${file}: ${title}\n  ${String(why.stack ?? why).split("\n").slice(0, 12).join("\n  ")}`);
    }
  }
  console.log(`    ${file}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
