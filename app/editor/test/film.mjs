// Makes doc/picture/editor.gif and editor.png: the first five minutes of a stranger, by real mouse and keys. Needs ffmpeg.
//
//   node app/editor/test/film.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, openEditor } from "./browser/open.mjs";
import { cup, onScreen } from "./browser/page.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const frames = `${root}build/film`;
const lowCup = [-0.2, 0.42, 0.62];
const rate = 10; // frames a second
rmSync(frames, { recursive: true, force: true });
mkdirSync(frames, { recursive: true });

const browser = await launch();
const { page } = await openEditor(browser, { width: 1120, height: 630 });
let count = 0;
const shot = async (times = 1) => {
  for (let k = 0; k < times; ++k) await page.screenshot({ path: `${frames}/${String(count++).padStart(4, "0")}.png` });
};

// A pointer, which pictures of a page do not show, and the key that is pressed.
await page.evaluate(() => {
  const pointer = document.createElement("div");
  pointer.style.cssText =
    "position:fixed;z-index:99;width:18px;height:18px;margin:-9px;border-radius:50%;border:2px solid #d33;background:rgb(221 51 51 / .25);pointer-events:none;left:600px;top:300px";
  const key = document.createElement("div");
  key.style.cssText =
    "position:fixed;z-index:99;left:24px;top:110px;padding:6px 14px;border-radius:6px;background:#1b2430;color:#fff;font:600 18px system-ui;pointer-events:none;opacity:0";
  document.body.append(pointer, key);
  addEventListener(
    "pointermove",
    ({ clientX, clientY }) => Object.assign(pointer.style, { left: `${clientX}px`, top: `${clientY}px` }),
    { capture: true },
  );
  addEventListener("pointerdown", () => (pointer.style.background = "rgb(221 51 51 / .8)"), { capture: true });
  addEventListener("pointerup", () => (pointer.style.background = "rgb(221 51 51 / .25)"), { capture: true });
  Object.assign(window, { showKey: (text) => ((key.textContent = text), (key.style.opacity = text ? 1 : 0)) });
});
const press = async (key, text = key) => {
  await page.evaluate((shown) => window.showKey(shown), text);
  await page.keyboard.press(key);
  await shot(5);
  await page.evaluate(() => window.showKey(""));
};
const glide = async (from, to, steps) => {
  for (let k = 1; k <= steps; ++k) {
    const part = (1 - Math.cos((Math.PI * k) / steps)) / 2;
    await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
    await page.waitForTimeout(60);
    await shot();
  }
};
const drag = async (what, to) => {
  const from = await onScreen(page, what);
  await page.mouse.move(from.x, from.y);
  await shot(2);
  await page.mouse.down();
  await glide(from, to, 14);
  await page.waitForTimeout(400);
  await page.mouse.up();
  await page.waitForFunction(() => window.limberApp.store.undoTitle?.startsWith("Drag"));
};

await page.mouse.move(560, 330);
await shot(4);
await press("k", "K: a key");
await page.locator("#timeline input").first().fill("1");
await page.locator("#timeline input").first().press("Enter");
await press("2", "2: from the side");
await drag("right_hand", await onScreen(page, cup));
await shot(4);
await drag("right_hand", await onScreen(page, lowCup));
await shot(3);
await press("k", "K: a key");
await press("4", "4: perspective");
await page.evaluate(() => window.limberApp.whenKept());
await page.screenshot({ path: `${root}doc/picture/editor.png` });
await page.evaluate(() => window.showKey("Space: play"));
for (const lap of [0, 1])
  for (let k = 0; k < 12; ++k) {
    await page.evaluate((time) => window.limberApp.setTime(time), lap ? 1 - k / 12 : k / 12); // at an even pace, whatever the machine
    await shot();
  }
await browser.close();

execFileSync("ffmpeg", [
  "-y",
  "-loglevel",
  "error",
  "-framerate",
  String(rate),
  "-i",
  `${frames}/%04d.png`,
  "-vf",
  "scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none",
  `${root}doc/picture/editor.gif`,
]);
