// The lane of keys: thumbnails where there is room, marks for all. Keys are selected by click, Shift and click, or a
// rectangle; a drag slides them, a drag at an end of the selected range stretches it.
import type { Key } from "limber";
import type { KeyRange } from "../../state/selection.js";
import { setKeys } from "../../command/commands.js";
import { onFrame, type Doc } from "../../document/document.js";
import { onFrames, roomToSlide, slideKeys, stretchKeys, timesOf } from "../../command/key_commands.js";
import { h, replace } from "../../ui/dom.js";
import { keySize, pictureOf } from "../../ui/thumbnail.js";
import { openKeyMenu } from "./key_menu.js";
import { openKeyStyle } from "./key_style.js";
import { drawMarks } from "./key_marks.js";
import { followPointer } from "../../ui/pointer_drag.js";
import { type Timeline } from "./timeline.js";
import { secondsText } from "./timeline_view.js";
import { pasteAt, setKeyAt } from "../../state/key_edits.js";
import { reasonOf } from "../../state/attempt.js";

const apart = 9; // min px between keys that can be pressed individually

const spanning = (a: number, b: number): KeyRange => ({ first: Math.min(a, b), count: Math.abs(a - b) + 1 });
const includes = (range: KeyRange | undefined, k: number) =>
  range !== undefined && k >= range.first && k < range.first + range.count;

export interface Lane {
  readonly lane: HTMLElement;
  draw(): void;
}

export function makeKeys(timeline: Timeline): Lane & { isDragging(): boolean } {
  const { app, view, body } = timeline;
  const marks = h("canvas", { class: "tl-marks", aria: { hidden: "true" } });
  const band = h("div", { class: "tl-band", hidden: true });
  const hint = h("div", { class: "tl-hint" });
  const items = h("div", { class: "tl-items" });
  const lane = h("div", { class: "tl-keys" }, items, marks, band, hint);
  let dragging = false;
  let anchor = 0; // start of a range selected with Shift

  const xOf = (event: MouseEvent) => event.clientX - body.getBoundingClientRect().left;

  const keyElement = (key: Key, k: number, hasPicture: boolean) => {
    const isChosen = includes(app.keyRange, k);
    const element = h("button", {
      class: `tl-key${hasPicture ? " picture" : ""}${isChosen ? " chosen" : ""}`,
      tabIndex: -1,
      data: { key: String(k) },
      style: `left:${view.x(key.time)}px`,
      aria: { pressed: String(isChosen), label: `Key ${k + 1} at ${secondsText(key.time)} s` },
      title: `Key ${k + 1} at ${secondsText(key.time)} s, frame ${Math.round(key.time * app.doc.frameRate)}. Drag to slide, with Shift the later ones too; double-click for its interpolation`,
    });
    if (hasPicture) element.append(pictureOf(app.figure, key.pose));
    return element;
  };

  const rangeElements = (): HTMLElement[] => {
    const range = app.keyRange;
    if (!range || range.count < 2 || range.first + range.count > app.doc.keys.length) return [];
    const { from, to } = timesOf(app.doc.keys, range);
    const half = keySize.width / 2;
    const box = h("div", {
      class: "tl-range",
      style: `left:${view.x(from) - half}px;width:${view.x(to) - view.x(from) + 2 * half}px`,
    });
    const handle = (end: "from" | "to", x: number) =>
      h("div", {
        class: `tl-handle ${end}`,
        data: { handle: end },
        style: `left:${x}px`,
        title: "Drag to stretch or shrink the selected keys",
      });
    return [box, handle("from", view.x(from) - half), handle("to", view.x(to) + half)];
  };

  const draw = () => {
    const { keys } = app.doc;
    const elements: HTMLElement[] = [];
    let [lastPicture, last] = [-Infinity, -Infinity];
    for (const [k, key] of keys.entries()) {
      const x = view.x(key.time);
      if (x < -keySize.width || x > view.width + keySize.width) continue;
      const hasPicture = x - lastPicture >= keySize.width + 2;
      if (!hasPicture && x - last < apart) continue;
      elements.push(keyElement(key, k, hasPicture));
      if (hasPicture) lastPicture = x;
      last = x;
    }
    replace(items, ...rangeElements(), ...elements);
    drawMarks(marks, app.doc, view, (k) => includes(app.keyRange, k));
    hint.textContent = hintOf(keys.length);
    hint.style.left = `${keys.length === 0 ? 40 : view.x(keys[0]!.time) + 40}px`;
  };

  const preview = (begun: Doc, edit: () => Key[]) => {
    const keys = onFrames(edit(), begun.frameRate);
    app.store.preview(() => setKeys(begun, keys));
  };

  // Previews the edit during the drag; one step at its end.
  const dragEdit = (
    press: PointerEvent,
    title: string,
    edit: (doc: Doc, dx: number, event: PointerEvent) => { keys: Key[]; time: number } | undefined,
    click?: (event: PointerEvent) => void,
  ) => {
    const begun = app.doc;
    const finish = (commit: boolean) => {
      dragging = false;
      timeline.showTip(undefined);
      const { keys } = app.doc;
      const isChanged = keys.some((key, k) => key.time !== begun.keys[k]!.time);
      if (commit && isChanged) app.store.run(title, () => setKeys(begun, keys));
      else app.store.cancel();
    };
    followPointer(lane, press, {
      move(dx, event) {
        dragging = true;
        try {
          const made = edit(begun, dx, event);
          if (!made) return;
          preview(begun, () => made.keys);
          timeline.showTip(made.time);
        } catch (error) {
          app.say("info", title, reasonOf(error));
        }
      },
      end: () => finish(true),
      cancel: () => finish(false),
      ...(click ? { click } : {}),
    });
  };

  const slide = (press: PointerEvent, k: number) => {
    const isExtending = press.shiftKey;
    if (!isExtending && !includes(app.keyRange, k)) {
      anchor = k;
      app.selectKeys({ first: k, count: 1 });
    }
    dragEdit(
      press,
      "Move keys",
      (doc, dx, event) => {
        if (!includes(app.keyRange, k)) app.selectKeys({ first: k, count: 1 });
        const range = app.keyRange!;
        const { from } = timesOf(doc.keys, range);
        const move = isExtending || event.shiftKey;
        const { min, max } = roomToSlide(doc, range, move);
        const grabbed = doc.keys[k]!.time;
        const wanted = (event.altKey ? grabbed + dx / view.perSecond : onFrame(doc, grabbed + dx / view.perSecond)) - grabbed;
        const seconds = Math.min(max, Math.max(min, wanted));
        return { keys: slideKeys(app.rig, doc.keys, range, seconds, move), time: from + seconds };
      },
      () => {
        if (isExtending) return app.selectKeys(spanning(app.keyRange ? anchor : k, k));
        anchor = k;
        app.selectKeys({ first: k, count: 1 });
        app.play(false);
        app.setTime(app.doc.keys[k]!.time);
      },
    );
  };

  const stretch = (press: PointerEvent, end: "from" | "to") => {
    const range = app.keyRange!;
    dragEdit(press, "Stretch keys", (doc, dx) => {
      const { from, to } = timesOf(doc.keys, range);
      const frame = 1 / doc.frameRate;
      const about = end === "to" ? from : to;
      const pulled = end === "to" ? to : from;
      // Earlier keys move with the first one and must stay after time 0.
      const wanted = Math.max(onFrame(doc, pulled + dx / view.perSecond), end === "from" ? from - doc.keys[0]!.time : 0);
      const min = (range.count - 1) * frame;
      const time = end === "to" ? Math.max(from + min, wanted) : Math.min(to - min, wanted);
      return { keys: stretchKeys(app.rig, doc.keys, range, (time - about) / (pulled - about), about), time };
    });
  };

  const select = (press: PointerEvent) => {
    const begin = xOf(press);
    followPointer(lane, press, {
      move(_, event) {
        const [left, right] = [begin, xOf(event)].sort((a, b) => a - b) as [number, number];
        Object.assign(band, { hidden: false });
        Object.assign(band.style, { left: `${left}px`, width: `${right - left}px` });
        const inside = [...app.doc.keys.keys()].filter(
          (k) => view.x(app.doc.keys[k]!.time) >= left && view.x(app.doc.keys[k]!.time) <= right,
        );
        anchor = inside[0] ?? 0;
        app.selectKeys(inside.length > 0 ? spanning(inside[0]!, inside.at(-1)!) : undefined);
      },
      end: () => (band.hidden = true),
      cancel: () => (band.hidden = true),
      click(event) {
        app.selectKeys(undefined);
        app.play(false);
        app.setTime(onFrame(app.doc, Math.max(0, view.time(xOf(event)))));
      },
    });
  };

  // Where keys are too close for separate elements, the nearest is picked.
  const keyUnder = (event: MouseEvent): number => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(".tl-key") : null;
    if (element) return Number(element.dataset.key);
    const x = xOf(event);
    let best = -1;
    for (const [k, key] of app.doc.keys.entries())
      if (
        Math.abs(view.x(key.time) - x) < apart / 2 &&
        (best < 0 || Math.abs(view.x(key.time) - x) < Math.abs(view.x(app.doc.keys[best]!.time) - x))
      )
        best = k;
    return best;
  };

  lane.addEventListener("mousedown", (event) => {
    event.preventDefault();
    body.focus({ preventScroll: true });
  });
  lane.addEventListener("pointerdown", (press) => {
    if (press.button !== 0) return;
    const handle = press.target instanceof HTMLElement ? press.target.dataset.handle : undefined;
    if (handle) return stretch(press, handle as "from" | "to");
    const k = keyUnder(press);
    if (k >= 0) slide(press, k);
    else select(press);
  });
  lane.addEventListener("dblclick", (event) => {
    const k = keyUnder(event);
    if (k < 0) return;
    if (!includes(app.keyRange, k)) app.selectKeys({ first: k, count: 1 });
    openKeyStyle(app, { x: event.clientX - 120, y: lane.getBoundingClientRect().top });
  });
  lane.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const k = keyUnder(event);
    if (k >= 0 && !includes(app.keyRange, k)) app.selectKeys({ first: k, count: 1 });
    openKeyMenu(app, { x: event.clientX, y: event.clientY });
  });
  // Clicks from the keyboard or a screen reader.
  lane.addEventListener("click", (event) => {
    const k = event.detail === 0 ? keyUnder(event) : -1;
    if (k < 0) return;
    app.selectKeys({ first: k, count: 1 });
    app.setTime(app.doc.keys[k]!.time);
  });
  // From the shelf.
  lane.addEventListener("shelfdrop", (event) => {
    const { keys, x, name } = (event as CustomEvent<{ keys: readonly Key[]; x: number; name: string }>).detail;
    const time = view.time(x - body.getBoundingClientRect().left);
    if (keys.length === 1) setKeyAt(app, `Key from ${name}`, keys[0]!.pose, time);
    else pasteAt(app, `Paste ${name}`, keys, time);
    app.setTime(onFrame(app.doc, Math.max(0, time)));
  });

  return { lane, draw, isDragging: () => dragging };
}

function hintOf(keys: number): string {
  if (keys === 0) return "Pose the figure, then set a key (K). It appears here.";
  if (keys === 1) return "Click further right, pose again, and set another key (K).";
  return "";
}
