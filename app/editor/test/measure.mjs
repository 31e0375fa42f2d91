// What the page costs: its size, its first paint, and what a solve takes while parts are pulled about, twice: the first
// time the browser is still compiling the module. Prints; a clock also counts what other processes take meanwhile, above all on
// a machine without a graphics card, whose cores draw too; the processor time of the page's own thread does not.
//
//   node app/editor/test/measure.mjs [--undrawn]
import { statSync } from "node:fs";
import { launch, openEditor, pageFile } from "./browser/open.mjs";
import { onScreen } from "./browser/page.mjs";

const quantile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
const row = (values) =>
  `median ${quantile(values, 0.5).toFixed(2)} ms, 95th percentile ${quantile(values, 0.95).toFixed(2)} ms, longest ${quantile(values, 1).toFixed(2)} ms`;

// Marks where a frame of a pull begins and ends, and where a frame's solves are over.
const markSolves = () => {
  const { engine, figure, pose, stage } = window.limberApp;
  const posing = engine.limber.posing(figure, pose);
  const own = Object.getPrototypeOf(posing);
  posing.drop();
  const { frame } = own;
  own.frame = function () {
    performance.mark("begins");
    const settled = frame.call(this);
    performance.mark("ends");
    return settled;
  };
  const { add } = Object.getPrototypeOf(stage.timings);
  stage.timings.add = function (ms) {
    performance.mark("frame");
    add.call(this, ms);
  };
};

// By frame, in milliseconds.
function timesOf(trace) {
  const marks = JSON.parse(trace.toString())
    .traceEvents.filter(({ cat }) => cat === "blink.user_timing")
    .sort((a, b) => a.ts - b.ts);
  const times = { processor: [], clock: [] };
  let begun;
  let processor = 0;
  let clock = 0;
  for (const mark of marks) {
    if (mark.name === "begins") begun = mark;
    if (mark.name === "ends" && begun) {
      processor += mark.tts - begun.tts;
      clock += mark.ts - begun.ts;
    }
    if (mark.name !== "frame") continue;
    times.processor.push(processor / 1000);
    times.clock.push(clock / 1000);
    processor = clock = 0;
  }
  return times;
}

async function pulled(page, part) {
  const from = await onScreen(page, part);
  await browser.startTracing(page, { categories: ["blink.user_timing"] });
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 0; k < 120; ++k) {
    const angle = (2 * Math.PI * k) / 60;
    await page.mouse.move(from.x + 90 * Math.sin(angle), from.y - 70 * (1 - Math.cos(angle)));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.keyboard.press("Control+z");
  return timesOf(await browser.stopTracing());
}

const browser = await launch();
const { page } = await openEditor(browser);
const paint = await page.evaluate(() =>
  performance.getEntriesByType("paint").map(({ name, startTime }) => [name, Math.round(startTime)]),
);
const ready = await page.evaluate(() => Math.round(performance.now()));
console.log(
  `page ${(statSync(pageFile).size / 1e6).toFixed(2)} MB; ${paint.map(([name, ms]) => `${name} ${ms} ms`).join(", ")}; ready to drag before ${ready} ms`,
);
if (process.argv.includes("--undrawn")) await page.evaluate(() => (window.limberApp.stage.renderer.render = () => {}));
await page.evaluate(markSolves);
for (const time of ["first", "second"])
  for (const part of ["right_hand", "left_forearm", "pelvis", "head"]) {
    const { processor, clock } = await pulled(page, part);
    console.log(`${time} pull of ${part}, ${clock.length} frames: processor ${row(processor)}; clock ${row(clock)}`);
  }
await browser.close();
