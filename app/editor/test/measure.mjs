// What the page costs: its size, its first paint, and what a solve takes while a hand is pulled about. Prints; on a quiet
// machine the numbers mean something.
//
//   node app/editor/test/measure.mjs [--undrawn]
import { statSync } from "node:fs";
import { launch, openEditor, page_file } from "./browser/open.mjs";
import { onScreen } from "./browser/story.mjs";

const browser = await launch();
const { page } = await openEditor(browser);
const paint = await page.evaluate(() => performance.getEntriesByType("paint").map(({ name, startTime }) => [name, Math.round(startTime)]));
const ready = await page.evaluate(() => Math.round(performance.now()));
console.log(`page ${(statSync(page_file).size / 1e6).toFixed(2)} MB; ${paint.map(([name, ms]) => `${name} ${ms} ms`).join(", ")}; ready to drag before ${ready} ms`);
// A machine without a graphics card draws with the cores that solve: then pictures are left out.
if (process.argv.includes("--undrawn")) await page.evaluate(() => (window.limberApp.stage.renderer.render = () => {}));
for (const part of ["right_hand", "left_forearm", "pelvis", "head"]) {
  const from = await onScreen(page, part);
  await page.evaluate(() => window.limberApp.stage.timings.clear());
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 0; k < 120; ++k) {
    const angle = (2 * Math.PI * k) / 60;
    await page.mouse.move(from.x + 90 * Math.sin(angle), from.y - 70 * (1 - Math.cos(angle)));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.keyboard.press("Control+z");
  const [count, ...times] = await page.evaluate(() => {
    const { timings } = window.limberApp.stage;
    return [timings.count, ...[0.5, 0.95, 1].map((part) => timings.quantile(part))];
  });
  const [median, most, longest] = times.map((ms) => ms.toFixed(2));
  console.log(`pull ${part}: ${count} solves, median ${median} ms, 95th percentile ${most} ms, longest ${longest} ms`);
}
await browser.close();
