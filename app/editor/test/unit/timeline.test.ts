// Intervals of constraints, the part of time that is shown, and the shelf as a file.
import { describe, expect, it } from "vitest";
import { activeAt, type Constraint } from "../../src/document/document.js";
import { freshName, joined, readShelf, writeShelf, type ShelfEntry } from "../../src/document/shelf.js";
import { emptyDoc, human } from "../../src/document/start.js";
import { pulled } from "../../src/panel/timeline/timeline_bars.js";
import { marksOf, secondsText, TimelineView } from "../../src/panel/timeline/timeline_view.js";

describe("a bar that is pulled", () => {
  const span = { from: 1, to: 2, easeIn: 0.25, easeOut: 0.5 };
  const always = { from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 };
  it("at an end moves that end, not past the other", () => {
    expect(pulled(span, "from", { time: 0.5, by: 0 })).toEqual({ ...span, from: 0.5 });
    expect(pulled(span, "from", { time: 5, by: 0 }).from).toBe(2);
    expect(pulled(span, "to", { time: 0, by: 0 }).to).toBe(1);
  });
  it("beyond what is seen has no end there, and no ramp", () => {
    expect(pulled(span, "from", { time: -Infinity, by: 0 })).toEqual({ ...span, from: -Infinity, easeIn: 0 });
    expect(pulled(span, "to", { time: Infinity, by: 0 })).toEqual({ ...span, to: Infinity, easeOut: 0 });
  });
  it("at its ramps changes how long they last, never below 0", () => {
    expect(pulled(span, "in", { time: 0.5, by: 0 }).easeIn).toBe(0.5);
    expect(pulled(span, "in", { time: 1.5, by: 0 }).easeIn).toBe(0);
    expect(pulled(span, "out", { time: 3, by: 0 }).easeOut).toBe(1);
    expect(pulled(span, "out", { time: 1, by: 0 }).easeOut).toBe(0);
  });
  it("in the middle moves as a whole, not before 0", () => {
    expect(pulled(span, "middle", { time: 0, by: 0.5 })).toEqual({ ...span, from: 1.5, to: 2.5 });
    expect(pulled(span, "middle", { time: 0, by: -3 })).toEqual({ ...span, from: 0, to: 1 });
    expect(pulled(always, "middle", { time: 0, by: 1 })).toEqual(always);
  });
});

describe("constraints active at a time", () => {
  const constraints: Constraint[] = [{ id: "a", span: { from: 1, to: 2, easeIn: 0, easeOut: 0 } }, { id: "b" }];
  const doc = { ...emptyDoc(human, [0]), constraints };
  it("are all in their intervals: the same document", () => {
    for (const time of [1, 1.5, 2]) expect(activeAt(doc, time)).toBe(doc);
  });
  it("are off outside", () => {
    for (const time of [0.9, 2.1])
      expect(activeAt(doc, time).constraints.map(({ enabled }) => enabled)).toEqual([false, undefined]);
  });
});

describe("the part of time that is shown", () => {
  const view = () => Object.assign(new TimelineView(), { width: 1000 });
  it("goes from pixels to seconds and back", () => {
    const one = view();
    for (const time of [0, 0.3, 7]) expect(one.time(one.x(time))).toBeCloseTo(time, 12);
  });
  it("zooms about a place that stays", () => {
    const one = view();
    one.fit(10);
    const time = one.time(600);
    one.zoom(3, 600);
    expect(one.time(600)).toBeCloseTo(time, 12);
    expect(one.isFitted).toBe(false);
  });
  it("fits all keys", () => {
    const one = view();
    one.fit(40);
    expect(one.x(40)).toBeLessThan(1000);
    expect(one.x(0)).toBeGreaterThan(0);
  });
  it("has marks on frames, with labels that do not overlap, at every zoom and rate", () => {
    for (const rate of [12, 24, 25, 30, 60, 120])
      for (const end of [0.5, 3, 20, 400]) {
        const one = view();
        one.fit(end);
        const marks = marksOf(one, rate);
        const labels = marks.filter(({ isLabelled }) => isLabelled).map(({ time }) => one.x(time));
        expect(labels.length).toBeGreaterThan(1);
        for (const [k, x] of labels.entries()) if (k > 0) expect(x - labels[k - 1]!).toBeGreaterThan(60);
        for (const { time, frame } of marks) expect(time).toBe(frame / rate);
      }
  });
  it("writes seconds without zeros that say nothing", () => {
    expect([0, 1, 0.5, 10, 1 / 3].map(secondsText)).toEqual(["0", "1", "0.5", "10", "0.333"]);
  });
});

describe("the shelf", () => {
  const entry: ShelfEntry = { id: "1", name: "Pose 1", mark: "2-x", figure: "human", keys: [{ time: 0, pose: [0.1, 1 / 3] }] };
  it("comes back from its file as it was", () => {
    expect(readShelf(writeShelf([entry]))).toEqual([entry]);
  });
  it("says what is wrong with a file", () => {
    expect(() => readShelf("{}")).toThrow(/no shelf/);
    expect(() => readShelf(JSON.stringify({ limber: "shelf 1", entries: [entry, { ...entry, keys: [] }] }))).toThrow(
      "/entries/1/keys",
    );
    expect(() =>
      readShelf(JSON.stringify({ limber: "shelf 1", entries: [{ ...entry, picture: "https://example.org/a.png" }] })),
    ).toThrow("/entries/0/picture");
  });
  it("does not double what it has", () => {
    expect(joined([entry], [entry, { ...entry, id: "2" }]).map(({ id }) => id)).toEqual(["1", "2"]);
  });
  it("finds a name that is free", () => {
    expect(freshName([entry], "Pose")).toBe("Pose 2");
  });
});
