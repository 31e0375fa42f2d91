// What tests do with a page of the editor, and what they read from it.
import { fileURLToPath } from "node:url";

export const fromRoot = (path) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

// Until no frame is asked for any more: what has changed is shown and drawn, and the figure follows no more.
export const atRest = (page) => page.evaluate(() => window.whenAtRest());

export const nextFrame = (page) => page.evaluate(() => new Promise((done) => void requestAnimationFrame(done)));

export const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
export const poseOf = (page) => page.evaluate(() => [...limberApp.pose]);
export const documentText = (page) => page.evaluate(() => JSON.stringify(limberApp.doc));
export const undoTitle = (page) => page.evaluate(() => limberApp.store.undoTitle);
export const undo = (page) => page.evaluate(() => limberApp.store.undo());
export const select = (page, name) =>
  page.evaluate(
    (wanted) =>
      limberApp.select({ kind: "segment", segment: limberApp.figure.info.segments.findIndex((one) => one.name === wanted) }),
    name,
  );

// Where a part is on the page: `along` its bone from 0 to 1, in a view.
export const partAt = (page, name, { view = "perspective", along = 0.6 } = {}) =>
  page.evaluate(
    ([name, view, along]) => {
      const { figure, pose, stage } = limberApp;
      const s = figure.info.segments.findIndex((one) => one.name === name);
      const { at, tip } = figure.info.segments[s];
      const p = at.map((value, k) => value + along * (tip[k] - value));
      const f = figure.place(pose).subarray(12 * s, 12 * s + 12);
      const world = [0, 1, 2].map((r) => f[r] * p[0] + f[3 + r] * p[1] + f[6 + r] * p[2] + f[9 + r]);
      return { ...stage.clientPoint(world, stage.view(view)), world };
    },
    [name, view, along],
  );

export const siteAt = (page, name) =>
  page.evaluate((name) => {
    const { figure, pose } = limberApp;
    const site = figure.info.sites.find((one) => one.name === name);
    const f = figure.place(pose).subarray(12 * site.segment, 12 * site.segment + 12);
    const p = site.frame.slice(9);
    return [0, 1, 2].map((r) => f[r] * p[0] + f[3 + r] * p[1] + f[6 + r] * p[2] + f[9 + r]);
  }, name);

// Colours at points of the page in the picture of the views, without what is written and drawn over it: rings, icons and
// labels lie where the drag that has just ended has led them. `shows`: with the figure, or without it.
export async function colours(page, points, { shows = true } = {}) {
  await atRest(page);
  return page.evaluate(
    ([points, shows]) => {
      const { stage } = limberApp;
      const { x: left, y: top, width } = stage.canvas.getBoundingClientRect();
      const copy = new OffscreenCanvas(stage.canvas.width, stage.canvas.height);
      const context = copy.getContext("2d", { willReadFrequently: true });
      const density = copy.width / width;
      stage.figureView.visible = shows;
      window.draws = true;
      stage.render();
      window.draws = false;
      context.drawImage(stage.canvas, 0, 0); // in the same task: later the picture may be cleared
      stage.figureView.visible = true;
      stage.requestRender();
      const at = (value) => Math.floor(density * value);
      return points.map(({ x, y }) => [...context.getImageData(at(x - left), at(y - top), 1, 1).data.slice(0, 3)]);
    },
    [points, shows],
  );
}

// The same in a picture of the whole page, as it is seen.
export async function coloursOfPage(page, points) {
  await atRest(page);
  const png = (await page.screenshot()).toString("base64");
  return page.evaluate(
    async ([png, points]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      return points.map(({ x, y }) => [...context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3)]);
    },
    [png, points],
  );
}

// Whether it is the figure that is seen at a point: hidden, another colour is there.
export async function isBody(page, point) {
  const [seen] = await colours(page, [point]);
  const [behind] = await colours(page, [point], { shows: false });
  return distance(seen, behind) > 40;
}

// Where an element is once it is in sight: a panel may still be on its way to something else.
export async function boxOf(page, locator) {
  await locator.scrollIntoViewIfNeeded();
  await atRest(page);
  return locator.evaluate((element) => element.getBoundingClientRect().toJSON());
}

// The middle of an element that is seen, in one look: between two, a panel may have put another in its place.
export async function middleOf(page, selector) {
  await atRest(page);
  return page.evaluate((selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    if (width === 0 || height === 0) throw new Error(`${selector} is not seen`);
    return { x: x + width / 2, y: y + height / 2, width, height };
  }, selector);
}

export const cup = [-0.25, 1.15, 0.5];

// Where a segment's origin, or a point of the world, is on the screen, in the view that is large.
export const onScreen = (page, what) =>
  page.evaluate((wanted) => {
    const { figure, pose, stage } = limberApp;
    let point = wanted;
    if (typeof wanted === "string") {
      const segment = figure.info.segments.findIndex(({ name }) => name === wanted);
      const frames = figure.place(pose);
      const { at, tip } = figure.info.segments[segment];
      const middle = at.map((value, k) => 0.5 * (value + tip[k]));
      point = [0, 1, 2].map(
        (row) =>
          frames[12 * segment + 9 + row] + [0, 1, 2].reduce((sum, k) => sum + frames[12 * segment + 3 * k + row] * middle[k], 0),
      );
    }
    const { x, y } = stage.clientPoint(point, stage.current);
    return { x, y };
  }, what);

export const originOf = (page, name) =>
  page.evaluate((wanted) => {
    const { figure, pose } = limberApp;
    const segment = figure.info.segments.findIndex((one) => one.name === wanted);
    return [...figure.place(pose).slice(12 * segment + 9, 12 * segment + 12)];
  }, name);

export async function pull(page, from, to, steps = 12, step = async () => {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 1; k <= steps; ++k) {
    await page.mouse.move(from.x + ((to.x - from.x) * k) / steps, from.y + ((to.y - from.y) * k) / steps);
    await step();
  }
  await page.mouse.up();
}
