// Playback controls: time, speed, frame rate, and whether constraints are kept between keys.
import type { App } from "../../state/app.js";
import { setMotion } from "../../command/commands.js";
import { frameTime, onFrame } from "../../document/document.js";
import { h, remember, remembered, svg } from "../../ui/dom.js";
import { openKeyMenu } from "./key_menu.js";
import { openKeyStyle } from "./key_style.js";
import { makeMotionState } from "./motion_state.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";
import { reject } from "../../ui/fields.js";
import { secondsText, type TimelineView } from "./timeline_view.js";
import { targetKeys } from "../../state/key_edits.js";

const maxTime = 3600; // seconds that the timeline can show

// Icons of buttons, 16 by 16.
const icons = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  previous: "M4 8l3-3 3 3-3 3zM15 4v8l-5-4z",
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M12 8l-3-3-3 3 3 3zM1 4v8l5-4z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  loop: "M4 5h6V2.5L14 6l-4 3.5V7H5v3H3V6a1 1 0 0 1 1-1zM12 11H6v2.5L2 10l1-.9V10l3-3.5V9h5V6h2v4a1 1 0 0 1-1 1z",
  record: "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z",
  key: "M8 2l5 6-5 6-5-6z",
  curve: "M2 13c6 0 6-10 12-10v1.6C9.5 4.6 9 14.6 2 14.6z",
  more: "M2 6.5h3v3H2zM6.5 6.5h3v3h-3zM11 6.5h3v3h-3z",
  minus: "M3 7h10v2H3z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  fit: "M1 3h2v10H1zM13 3h2v10h-2zM6 5v2h4V5l3 3-3 3V9H6v2L3 8z",
};
export const icon = (name: keyof typeof icons) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true", fill: "currentColor" },
    svg("path", { d: icons[name] }),
  );

// A button for an action, disabled with it. It does not take the focus, so that Space and Delete keep their meaning.
function actionButton(
  app: App,
  id: string,
  content: Node | string,
  refreshes: (() => void)[],
  label?: string,
): HTMLButtonElement {
  const action = app.actions.find(id);
  const hint = action.keys?.length ? ` (${action.keys[0]})` : "";
  const button = h(
    "button",
    {
      type: "button",
      class: "quiet",
      title: action.title + hint,
      aria: { label: action.title },
      onclick: () => app.actions.run(id),
    },
    content,
    label,
  );
  button.addEventListener("mousedown", (event) => event.preventDefault());
  refreshes.push(() => {
    button.disabled = !(action.enabled?.() ?? true);
    if (action.checked) button.setAttribute("aria-pressed", String(action.checked()));
  });
  return button;
}

function addPlayActions(app: App): void {
  const go = (time: number) => {
    app.play(false);
    app.setTime(time);
  };
  const step = (frames: number) => go(onFrame(app.doc, app.time) + frames * frameTime(app.doc));
  const near = () => 0.25 * frameTime(app.doc);
  const hasKeys = () => app.doc.keys.length > 0;
  const previous = () => app.doc.keys.findLast(({ time }) => time < app.time - near()) ?? app.doc.keys[0]!;
  const next = () => app.doc.keys.find(({ time }) => time > app.time + near()) ?? app.doc.keys.at(-1)!;
  const group = "Animate";
  app.actions.add(
    {
      id: "play.toggle",
      apart: true,
      title: "Play or pause",
      group,
      keys: ["Space"],
      enabled: () => app.playing || app.doc.keys.length > 1,
      run: () => app.play(!app.playing),
    },
    { id: "time.first", title: "To the beginning", group, keys: ["Home"], within: "#timeline", run: () => go(app.start) },
    { id: "time.last", title: "To the end", group, keys: ["End"], run: () => go(app.end) },
    {
      id: "time.previous_key",
      title: "To the previous key",
      group,
      keys: [","],
      enabled: hasKeys,
      run: () => go(previous().time),
    },
    { id: "time.next_key", title: "To the next key", group, keys: ["."], enabled: hasKeys, run: () => go(next().time) },
    { id: "time.back", title: "One frame back", group, keys: ["ArrowLeft"], run: () => step(-1) },
    { id: "time.on", title: "One frame on", group, keys: ["ArrowRight"], run: () => step(1) },
    { id: "time.back_ten", title: "Ten frames back", group, keys: ["Shift+ArrowLeft"], run: () => step(-10) },
    { id: "time.on_ten", title: "Ten frames on", group, keys: ["Shift+ArrowRight"], run: () => step(10) },
    {
      id: "play.loop",
      title: "Repeat playback",
      group,
      keys: ["L"],
      checked: () => app.playback.loop,
      run: () => ((app.playback.loop = !app.playback.loop), app.emit("playing", app.playing)),
    },
    {
      id: "motion.keep",
      title: "Keep constraints between keys",
      group,
      checked: () => app.doc.keep,
      run: () =>
        app.store.run(app.doc.keep ? "Interpolate only" : "Keep constraints between keys", (doc) =>
          setMotion(doc, { keep: !doc.keep }),
        ),
    },
    {
      id: "key.auto",
      apart: true,
      title: "Auto key: each new pose becomes a key",
      group: "Keys",
      keys: ["Shift+A"],
      checked: () => app.autoKey,
      run: () => {
        app.autoKey = !app.autoKey;
        remember("auto_key", app.autoKey);
        app.emit("playing", app.playing);
      },
    },
    {
      id: "key.style",
      title: "Interpolation of keys …",
      group: "Keys",
      keys: ["I"],
      enabled: () => targetKeys(app) !== undefined,
      run: () => openKeyStyle(app, placeOf(".tl-style")),
    },
  );
}

function placeOf(selector: string): { x: number; y: number } {
  const { left, top } = document.querySelector(selector)!.getBoundingClientRect();
  return { x: left, y: top };
}

function numberField(
  label: string,
  unit: string,
  step: string,
  set: (value: number) => boolean,
): { element: HTMLElement; show: (text: string) => void } {
  const input = h("input", { type: "number", min: "0", step, title: label, aria: { label } });
  input.addEventListener("change", () => {
    const value = input.valueAsNumber;
    if (Number.isFinite(value) && value >= 0 && set(value)) return;
    reject(input, Number.isFinite(value) ? `from 0 to ${maxTime / 3600} hour` : "a number");
    input.value = shown;
  });
  input.addEventListener("blur", () => (input.value = shown));
  input.addEventListener("keydown", (event) => event.key === "Enter" && input.blur());
  let shown = "";
  // Does not overwrite input.
  const show = (text: string) => {
    shown = text;
    if (input.value !== text && document.activeElement !== input) input.value = text;
  };
  return { element: h("label", { class: "field" }, input, unit), show };
}

function choice<T extends number>(
  label: string,
  values: readonly { value: T; text: string }[],
  set: (value: T) => void,
): HTMLSelectElement {
  const select = h(
    "select",
    { title: label, aria: { label } },
    ...values.map(({ value, text }) => h("option", { value: String(value) }, text)),
  );
  select.addEventListener("change", () => {
    set(Number(select.value) as T);
    select.blur();
  });
  return select;
}

const speeds = [
  { value: 0.25, text: "¼×" },
  { value: 0.5, text: "½×" },
  { value: 1, text: "1×" },
  { value: 2, text: "2×" },
  { value: 4, text: "4×" },
];
const rates = [12, 15, 24, 25, 30, 50, 60, 100, 120];

export function makeTransport(app: App, view: TimelineView): HTMLElement {
  app.autoKey = remembered("auto_key", false);
  addPlayActions(app);
  const refreshes: (() => void)[] = [];
  const button = (id: string, name: keyof typeof icons) => actionButton(app, id, icon(name), refreshes);

  const play = button("play.toggle", "play");
  const playIcons = [icon("play"), icon("pause")] as const;
  const shownIcon = () => play.replaceChildren(playIcons[app.playing ? 1 : 0]);
  const speed = choice("Speed of playback", speeds, (value) => (app.playback.speed = value));
  speed.value = "1";
  const rate = choice(
    "Frames per second",
    rates.map((value) => ({ value, text: `${value} fps` })),
    (value) => app.store.run("Frame rate", (doc) => setMotion(doc, { frameRate: value })),
  );
  const go = (time: number) => {
    if (time > maxTime) return false;
    app.play(false);
    app.setTime(time);
    refresh();
    return true;
  };
  const seconds = numberField("Time in seconds", "s", "any", go);
  const frames = numberField("Time in frames", "frame", "1", (frame) => go(Math.round(frame) * frameTime(app.doc)));
  const set = actionButton(app, "key.set", icon("key"), refreshes, "Set key");
  set.className = "tl-set";
  const auto = actionButton(app, "key.auto", icon("record"), refreshes, "Auto");
  auto.classList.add("tl-auto");
  const style = button("key.style", "curve");
  style.classList.add("tl-style");
  const more = h(
    "button",
    { type: "button", class: "quiet", title: "Actions on keys", aria: { label: "Menu of keys", haspopup: "true" } },
    icon("more"),
  );
  more.addEventListener("mousedown", (event) => event.preventDefault());
  more.addEventListener("click", () =>
    openKeyMenu(app, { x: more.getBoundingClientRect().left, y: more.getBoundingClientRect().top }),
  );
  const keep = h("input", { type: "checkbox", onchange: () => app.actions.run("motion.keep") });
  const zoom = (label: string, name: keyof typeof icons, run: () => void) => {
    const one = h("button", { type: "button", class: "quiet", title: label, aria: { label }, onclick: run }, icon(name));
    one.addEventListener("mousedown", (event) => event.preventDefault());
    return one;
  };

  const refresh = oncePerFrame(() => {
    for (const one of refreshes) one();
    shownIcon();
    seconds.show(secondsText(app.time));
    frames.show(String(Math.round(app.time * app.doc.frameRate)));
    if (![...rate.options].some(({ value }) => Number(value) === app.doc.frameRate))
      rate.append(h("option", { value: String(app.doc.frameRate) }, `${app.doc.frameRate} fps`));
    rate.value = String(app.doc.frameRate);
    keep.checked = app.doc.keep;
  });
  for (const event of ["document", "time", "playing", "keys", "selection", "motion"] as const) app.on(event, refresh);
  refresh();
  const row = h(
    "div",
    { class: "tl-transport" },
    h(
      "div",
      { class: "set", role: "group", aria: { label: "Playback" } },
      button("time.first", "first"),
      button("time.previous_key", "previous"),
      play,
      button("time.next_key", "next"),
      button("time.last", "last"),
      button("play.loop", "loop"),
      speed,
    ),
    h("div", { class: "set" }, seconds.element, frames.element, rate),
    h("div", { class: "set" }, set, auto, style, more),
    h(
      "div",
      { class: "set state" },
      h("label", { class: "keep", title: "Keep constraints between keys" }, keep, "Keep constraints"),
      makeMotionState(app),
    ),
    h(
      "div",
      { class: "set" },
      zoom("Zoom out (-)", "minus", () => view.zoom(1 / 1.5)),
      zoom("Zoom in (+)", "plus", () => view.zoom(1.5)),
      button("timeline.fit", "fit"),
    ),
  );
  return row;
}
