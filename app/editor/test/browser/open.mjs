// Opens the built editor in a headless Chromium, from disk, and watches what it says and asks for.
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const pageFile = `${root}build/editor/limber.html`;

const { DISPLAY: _, ...env } = process.env;

export const launchOptions = {
  executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync),
  args: [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--webgl-antialiasing-mode=none", // half the time of a frame where processors draw
    "--disable-gpu-compositing", // the page around the views is painted by the processor as such, not as a graphics card
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
  env,
};

export const patience = 240_000; // ms that something may take on a busy machine; a test has a minute more

export const launch = () => chromium.launch(launchOptions);

// Runs in the page: knows which frames have been asked for and not yet come. `whenAtRest` waits for a frame after which
// there is none and no motion is being computed: panels show what has changed, the figure has followed, the picture is drawn.
function watchFrames() {
  const ask = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  const pending = new Set();
  window.requestAnimationFrame = (work) => {
    const id = ask((now) => {
      pending.delete(id);
      work(now);
    });
    pending.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    pending.delete(id);
    cancel(id);
  };
  // A frame and the task after it: observers of sizes are called at the end of a frame, and may ask for another one.
  const frame = () => new Promise((done) => ask(() => setTimeout(done)));
  window.whenAtRest = async () => {
    for (let frames = 0; frames < 1000; ++frames) {
      await window.limberApp?.whenKept();
      await frame();
      if (pending.size === 0 && !window.limberApp?.motion?.pending) return;
    }
    throw new Error("the page does not come to rest");
  };
}

// Runs in the page: the graphics card gets all calls, but draws nothing unless `draws` is set. Where processors draw, that
// would be most of the time of most tests, and only few look at the picture.
function drawOnRequest() {
  const card = WebGL2RenderingContext.prototype;
  for (const name of ["clear", "drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
    const draw = card[name];
    card[name] = function (...given) {
      if (window.draws) draw.apply(this, given);
    };
  }
}

// Runs in the page: what the page does after two seconds or more, such as taking a notice away, it does not do. A busy
// machine may take longer than that from one step of a test to the next.
function stopSlowTimers() {
  const start = window.setTimeout.bind(window);
  window.setTimeout = (work, time = 0, ...given) => start(work, time < 2000 ? time : 2 ** 31 - 1, ...given);
}

export const ready = (page) => page.waitForSelector("html[data-ready=yes]");

// Runs in a page that several tests use, before its own scripts: what the test before has left is gone.
function forgetWork() {
  localStorage.clear();
  sessionStorage.clear();
  indexedDB.deleteDatabase("limber"); // whoever opens it later waits for that
}

const address = "http://localhost/limber.html"; // no server: the request never leaves the browser

// A page for the editor in a browser context of its own. `errors` and `requests` fill while it lives.
export async function newPage(browser, { hint, served, draws, forgets, init, context: options }) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  context.setDefaultTimeout(patience);
  await context.addInitScript(watchFrames);
  await context.addInitScript(stopSlowTimers);
  if (!draws) await context.addInitScript(drawOnRequest);
  if (forgets) await context.addInitScript(forgetWork);
  if (!hint) await context.addInitScript(() => localStorage.setItem("limber.hint", "false"));
  if (init) await context.addInitScript(init);
  if (served) await context.route(address, (route) => route.fulfill({ path: pageFile, contentType: "text/html" }));
  const page = await context.newPage();
  const editor = { page, context, errors: [], requests: [] };
  page.on("pageerror", (error) => editor.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && editor.errors.push(message.text()));
  page.on("request", (request) => editor.requests.push(request.url()));
  return editor;
}

// Loads the editor in a page.
export async function load(page, { width = 1280, height = 720, balance = true, served = false }) {
  await page.setViewportSize({ width, height });
  await page.goto(served ? address : pathToFileURL(pageFile).href);
  await ready(page);
  if (!balance)
    await page.evaluate(() => {
      const { store, doc } = window.limberApp;
      store.load("", { ...doc, constraints: doc.constraints.filter((one) => !one.balance) });
      store.past = [];
    });
}

// A page with the editor, ready to use. `hint: true` keeps the first-run hint; `balance: false` begins with both feet pinned
// and nothing else; `init` runs in the page before its own scripts; `draws: false` leaves the views empty until a test looks
// at them (`colours` of page.mjs); `served: true` gives the page an address of its own instead of a file's: Chromium may
// lose what a page from a file keeps in localStorage, in about one of six reloads.
export async function openEditor(browser, { draws = true, ...options } = {}) {
  const editor = await newPage(browser, { draws, ...options });
  await load(editor.page, options);
  return editor;
}
