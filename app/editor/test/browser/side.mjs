// The side panel: its rows and its menu of constraints.
import { atRest, select } from "./page.mjs";

export const value = (page, name) =>
  page.evaluate((wanted) => limberApp.pose[limberApp.figure.info.parameters.findIndex((one) => one.name === wanted)], name);
export const degrees = (radians) => (radians * 180) / Math.PI;
export const row = (page, parameter) => page.locator(`[data-parameter="${parameter}"]`);
export const lastRow = (page) => page.locator("li[data-constraint]").last();

// How far both feet are from where the first document pins them, in metres.
export const feetOff = (page) =>
  page.evaluate(() => {
    const { figure, pose } = limberApp;
    const off = ["left_foot", "right_foot"].map((name) => {
      const site = figure.info.sites.find((one) => one.name === name);
      const place = (at) => {
        const f = figure.place(at).slice(12 * site.segment, 12 * site.segment + 12);
        const o = site.frame.slice(9);
        return [0, 1, 2].map((k) => f[k] * o[0] + f[3 + k] * o[1] + f[6 + k] * o[2] + f[9 + k]);
      };
      const [now, rest] = [place(pose), place(figure.rest())];
      return Math.hypot(...now.map((one, k) => one - rest[k]));
    });
    return Math.max(...off);
  });

// Adds by the menu for a part of the body.
export async function constrain(page, segment, wish, other) {
  if (segment) await select(page, segment);
  await page.click("#constraints button:has-text('Constrain')");
  if (other) {
    await page.fill(".constraint-menu [aria-label='Other part']", other);
    await page.keyboard.press("Enter");
  }
  await page.click(`[data-wish="${wish}"]`);
  await atRest(page);
}
