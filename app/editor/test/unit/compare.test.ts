// The plot of a comparison: round axes, no peak lost, places and frames that belong together.
import { describe, expect, it } from "vitest";
import { frameAt, mean, peaks, placeOf, polyline, quantile, roundTop, short } from "../../src/panel/compare/compare_scale.js";

describe("the top of an axis", () => {
  it("is the least of 1, 2, 5 and their tenfolds that holds the value", () => {
    const cases = [
      [0.7, 1],
      [1, 1],
      [1.01, 2],
      [2, 2],
      [3, 5],
      [5, 5],
      [5.1, 10],
      [0.034, 0.05],
      [420, 500],
      [0.2, 0.2],
      [0.1 + 0.2, 0.5],
    ];
    for (const [value, top] of cases) expect(roundTop(value!)).toBeCloseTo(top!, 12);
  });

  it("is never below what can be distinguished, whatever is plotted", () => {
    for (const value of [0, -1, NaN, 1e-9]) expect(roundTop(value)).toBe(0.01);
    for (let value = 0.011; value < 1000; value *= 1.07) {
      expect(roundTop(value)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(roundTop(value)).toBeLessThan(2.6 * value);
    }
  });
});

describe("frames brought to columns", () => {
  it("keep every peak, and stay as they are where there is room", () => {
    const values = Array.from({ length: 1000 }, (_, k) => (k === 617 ? 9 : k % 3));
    expect(peaks(values, 300).length).toBe(300);
    expect(Math.max(...peaks(values, 300))).toBe(9);
    expect(peaks(values, 7).indexOf(9)).toBe(Math.floor((617 * 7) / 1000));
    expect(peaks([1, 5, 2], 300)).toEqual([1, 5, 2]);
    expect(peaks([], 10)).toEqual([]);
  });
});

describe("a line", () => {
  it("goes from the left edge to the right, 0 at the bottom, the top at the top", () => {
    expect(polyline([0, 5, 10], 10, 200, 80)).toBe("0.0,80.0 100.0,40.0 200.0,0.0");
    expect(polyline([20, -1], 10, 200, 80)).toBe("0.0,0.0 200.0,80.0"); // cut, not beyond
    expect(polyline([3], 10, 200, 80)).toBe("0.0,56.0");
  });
});

describe("places and frames", () => {
  it("belong together, also at the edges and beyond", () => {
    for (const frames of [2, 3, 344, 5000])
      for (const frame of [0, 1, Math.floor(frames / 2), frames - 1])
        expect(frameAt(placeOf(frame, 298, frames), 298, frames)).toBe(frame);
    expect(frameAt(-50, 298, 344)).toBe(0);
    expect(frameAt(900, 298, 344)).toBe(343);
    expect(frameAt(10, 298, 1)).toBe(0);
    expect(frameAt(10, 0, 344)).toBe(0);
  });
});

describe("numbers", () => {
  it("are read at a glance", () =>
    expect([123.4, 12.34, 1.234, 0.05, 0.001, 0].map(short)).toEqual(["123", "12.3", "1.23", "0.05", "below 0.01", "0.00"]));
  it("have a mean and a value that most are below", () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBe(0);
    expect(quantile(Float64Array.from([5, 1, 4, 2, 3]), 0.5)).toBe(3);
    expect(quantile([7, 9], 1)).toBe(9);
    expect(quantile([], 0.5)).toBe(0);
  });
});
