// The timeline: a ruler with the playhead, thumbnails of the keys at their times (W93 Fig. 6.2), constraints as bars.
import type { App } from "../../state/app.js";
import { frameTime, keyAt, onFrame } from "../../document/document.js";
import { h } from "../../ui/dom.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";
import { addKeyActions } from "./key_actions.js";
import { followPointer } from "../../ui/pointer_drag.js";
import { makeBars } from "./timeline_bars.js";
import { makeKeys } from "./timeline_keys.js";
import { marksOf, secondsText, spare, TimelineView } from "./timeline_view.js";
import { makeTransport } from "./transport.js";
import "./timeline.css";

// Shared by the lanes.
export interface Timeline {
  readonly app: App;
  readonly view: TimelineView;
  readonly body: HTMLElement;
  readonly showTip: (time: number | undefined) => void; // at the ruler while something is dragged
}

export function mountTimeline(app: App): void {
  const host = document.getElementById("timeline")!;
  const view = new TimelineView();
  const ruler = h("canvas", { class: "tl-ruler", title: "Drag to move the playhead" });
  const tip = h("div", { class: "tl-tip", hidden: true });
  const playhead = h("div", { class: "tl-playhead" });
  const chip = h(
    "button",
    {
      type: "button",
      class: "tl-chip",
      hidden: true,
      title: "The shown pose is not part of the motion until it is a key",
      onclick: () => app.actions.run("key.set"),
    },
    "pose not keyed – K",
  );
  // A button returns to the pose without a key that the playhead has left.
  const back = h(
    "button",
    {
      type: "button",
      class: "tl-left",
      hidden: true,
      title: "The pose that you left here was not a key. Undo (Ctrl+Z) also restores it",
      onclick: () => app.returnToUnkeyed(),
    },
    "pose left here – bring back",
  );
  const body = h("div", { class: "tl-body", tabIndex: 0, role: "group" });
  const showTip = (time: number | undefined) => {
    tip.hidden = time === undefined;
    if (time === undefined) return;
    tip.textContent = timeText(app, time);
    tip.style.left = `${Math.min(Math.max(view.x(time), 40), view.width - 40)}px`;
  };
  const timeline: Timeline = { app, view, body, showTip };
  addKeyActions(app);
  addViewActions(app, view);
  const keys = makeKeys(timeline);
  const bars = makeBars(timeline);
  body.append(ruler, keys.lane, bars.lane, playhead, chip, back, tip);
  host.prepend(makeTransport(app, view), body);

  const movePlayhead = () => (playhead.style.transform = `translateX(${view.x(app.time)}px)`);
  const hint = oncePerFrame(() => {
    chip.hidden = app.playing || app.doc.keys.length === 0 || keyAt(app.doc, app.time) >= 0 || !app.isPosed;
    chip.style.left = `${Math.min(view.x(app.time) + 6, view.width - 140)}px`;
    back.hidden = app.unkeyed === undefined || app.playing;
    back.style.left = `${Math.max(4, Math.min(view.x(app.unkeyed?.time ?? 0) - 20, view.width - 190))}px`;
  });
  for (const event of ["document", "time", "pose", "motion", "playing", "unkeyed"] as const) app.on(event, hint);
  const draw = oncePerFrame(() => {
    if (view.isFitted && !keys.isDragging() && !isScrubbing) view.fit(extent(app));
    drawRuler(ruler, app, view);
    keys.draw();
    bars.draw();
    movePlayhead();
    hint();
    const selected = app.keyRange ? `, ${app.keyRange.count} selected` : "";
    body.setAttribute("aria-label", `Timeline, ${app.doc.keys.length} keys${selected}`);
  });
  view.onChange(draw);
  for (const event of ["document", "figure", "keys", "selection", "settings", "motion"] as const) app.on(event, draw);
  app.on("time", (time) => {
    if (view.isFitted && !isScrubbing) view.fit(extent(app));
    else if (!isScrubbing) view.reveal(time);
    movePlayhead();
  });
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  new ResizeObserver(() => view.setWidth(body.clientWidth)).observe(body);
  new ResizeObserver(() => document.documentElement.style.setProperty("--timeline-height", `${host.offsetHeight}px`)).observe(
    host,
  );
  scrubBy(ruler, timeline);
  zoomBy(body, view);
  draw();
}

const timeText = (app: App, time: number) => `${secondsText(time)} s · frame ${Math.round(time * app.doc.frameRate)}`;

// The end of all keys, or the playhead if it is later.
const extent = (app: App) => Math.max(app.end, app.time / spare);

let isScrubbing = false;

function scrubBy(ruler: HTMLElement, { app, view, body, showTip }: Timeline): void {
  ruler.addEventListener("mousedown", (event) => {
    event.preventDefault();
    body.focus({ preventScroll: true });
  });
  ruler.addEventListener("pointerdown", (press) => {
    if (press.button !== 0) return;
    const go = (event: PointerEvent) => {
      const time = Math.max(0, view.time(event.clientX - body.getBoundingClientRect().left));
      app.setTime(event.altKey ? time : onFrame(app.doc, time));
      showTip(app.time);
    };
    const stop = () => {
      isScrubbing = false;
      showTip(undefined);
    };
    isScrubbing = true;
    app.play(false);
    go(press);
    followPointer(ruler, press, { move: (_, event) => go(event), end: stop, click: stop, cancel: stop });
  });
}

function zoomBy(body: HTMLElement, view: TimelineView): void {
  body.addEventListener(
    "wheel",
    (event) => {
      const isBars =
        event.target instanceof Element &&
        event.target.closest(".tl-bars") &&
        !event.ctrlKey &&
        event.deltaX === 0 &&
        !event.shiftKey;
      if (isBars) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey)
        view.zoom(Math.exp(-event.deltaY * 0.002), event.clientX - body.getBoundingClientRect().left);
      else view.scroll(event.deltaX || event.deltaY);
    },
    { passive: false },
  );
}

function addViewActions(app: App, view: TimelineView): void {
  const isHere = () => document.getElementById("timeline")!.contains(document.activeElement);
  const step = 1.5;
  const about = () => Math.min(Math.max(view.x(app.time), 0), view.width);
  app.actions.add(
    {
      id: "timeline.zoom_in",
      apart: true,
      title: "Zoom in on the timeline",
      group: "Animate",
      keys: ["+", "="],
      within: "#timeline",
      enabled: isHere,
      run: () => view.zoom(step, about()),
    },
    {
      id: "timeline.zoom_out",
      title: "Zoom out of the timeline",
      group: "Animate",
      keys: ["-"],
      within: "#timeline",
      enabled: isHere,
      run: () => view.zoom(1 / step, about()),
    },
    {
      id: "timeline.fit",
      title: "Fit all keys into the timeline",
      group: "Animate",
      keys: ["Shift+Home"],
      run: () => view.fit(extent(app)),
    },
    {
      id: "timeline.focus",
      title: "Go to the timeline",
      group: "Animate",
      keys: ["T"],
      run: () => document.querySelector<HTMLElement>(".tl-body")!.focus(),
    },
  );
}

// Clears a canvas and sizes it to its element.
export function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const draw = canvas.getContext("2d")!;
  draw.scale(ratio, ratio);
  draw.clearRect(0, 0, width, height); // some browsers show the old content until something is drawn
  return draw;
}

const rulerHeight = 17;

function drawRuler(canvas: HTMLCanvasElement, app: App, view: TimelineView): void {
  const draw = cleared(canvas, view.width, rulerHeight);
  const style = getComputedStyle(canvas);
  const [line, text, faint, accent] = ["--line", "--text", "--faint", "--accent-ground"].map((name) =>
    style.getPropertyValue(name),
  );
  if (app.doc.keys.length > 1) {
    draw.fillStyle = accent!;
    draw.fillRect(view.x(app.start), 0, view.x(app.end) - view.x(app.start), rulerHeight);
  }
  draw.font = `11px ${style.fontFamily}`;
  draw.textBaseline = "middle";
  for (const { time, frame, isLabelled } of marksOf(view, app.doc.frameRate)) {
    const x = Math.round(view.x(time)) + 0.5;
    draw.strokeStyle = isLabelled ? faint! : line!;
    draw.beginPath();
    draw.moveTo(x, isLabelled ? 3 : 11);
    draw.lineTo(x, rulerHeight);
    draw.stroke();
    if (!isLabelled) continue;
    const seconds = `${secondsText(time)} s`;
    draw.fillStyle = text!;
    draw.fillText(seconds, x + 4, 7);
    draw.fillStyle = faint!;
    if (frameTime(app.doc) < 1) draw.fillText(String(frame), x + 8 + draw.measureText(seconds).width, 7);
  }
}
