// Opens the built editor in a headless Chromium, from disk, and watches what it says and asks for.
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const page_file = fileURLToPath(new URL("../../../../build/editor/limber.html", import.meta.url));

const flags = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export async function launch() {
  const { DISPLAY: _, ...env } = process.env;
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  return chromium.launch({ executablePath, args: flags, headless: true, env });
}

// A page with the editor, ready to use. `errors` and `requests` fill while it lives. `hint: true` keeps the first-run hint;
// `balance: false` begins with both feet pinned and nothing else; `init` runs in the page before its own scripts.
export async function openEditor(browser, { width = 1280, height = 720, hint = false, balance = true, context: options = {}, query = "", init } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  if (!hint) await page.addInitScript(() => localStorage.setItem("limber.hint", "false"));
  if (init) await page.addInitScript(init);
  await page.goto(pathToFileURL(page_file).href + query);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 30000 });
  if (!balance)
    await page.evaluate(() => {
      const { store, doc } = window.limberApp;
      store.load("", { ...doc, constraints: doc.constraints.filter((one) => !one.balance) });
      store.past = [];
    });
  return { page, context, errors, requests };
}
