import { describe, expect, it } from "vitest";
import { rectsOf, viewKinds, type Rect } from "../../src/view/layout.js";

const overlap = (a: Rect, b: Rect) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe.each([
  [1280, 700],
  [540, 400],
  [300, 900],
])("views on %i × %i pixels", (width, height) => {
  it.each(viewKinds)("%s can be the large one", (large) => {
    const rects = rectsOf(width, height, "beside", large);
    const areas = viewKinds.map((kind) => rects[kind]!.width * rects[kind]!.height);
    expect(Math.max(...areas)).toBe(rects[large]!.width * rects[large]!.height);
    expect(areas.filter((area) => area > areas.reduce((a, b) => a + b) / 2)).toHaveLength(1);
  });

  it.each(["beside", "four"] as const)("%s: all within the stage, none over another", (arrangement) => {
    const rects = Object.values(rectsOf(width, height, arrangement, "front"));
    expect(rects).toHaveLength(4);
    for (const one of rects) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.y).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width).toBeLessThanOrEqual(width);
      expect(one.y + one.height).toBeLessThanOrEqual(height);
      for (const other of rects) if (other !== one) expect(overlap(one, other)).toBe(false);
    }
  });

  it("one alone fills it", () => {
    expect(rectsOf(width, height, "alone", "top")).toEqual({ top: { x: 0, y: 0, width, height } });
  });
});
