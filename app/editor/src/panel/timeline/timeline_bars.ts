// Constraints as bars over the interval in which they are active, with ramps where they ease in or out. A bar selects its
// constraint; its ends, its ramps and its middle can be dragged.
import type { Span } from "limber";
import { changeConstraint } from "../../command/commands.js";
import { frameTime, onFrame, spanOf, type Constraint, type Doc } from "../../document/document.js";
import { h, replaceChanged } from "../../ui/dom.js";
import { followPointer } from "../../ui/pointer_drag.js";
import type { Timeline } from "./timeline.js";
import type { Lane } from "./timeline_keys.js";
import { secondsText } from "./timeline_view.js";

type Grip = "from" | "to" | "in" | "out" | "middle";

const beyond = 10; // px beyond the visible range: unbounded
const gripRoom = 7; // px outside an end, where its ramp is dragged out

export const nameOf = (constraint: Constraint) => constraint.name || (constraint.balance ? "balance" : "constraint");

const isAlways = ({ from, to }: Span) => from === -Infinity && to === Infinity;

function timesText(span: Span): string {
  if (isAlways(span)) return "always";
  const from = span.from === -Infinity ? "from the beginning" : `from ${secondsText(span.from)} s`;
  const to = span.to === Infinity ? "to the end" : `to ${secondsText(span.to)} s`;
  return `${from} ${to}`;
}

export function makeBars(timeline: Timeline): Lane {
  const { app, view, body } = timeline;
  const lane = h("div", { class: "tl-bars", role: "group", aria: { label: "Constraints over time" } });

  // Pixels of the ends; unbounded ends are at the edge of the visible range.
  const ends = (span: Span) => ({
    begin: span.from === -Infinity ? 0 : view.x(span.from - span.easeIn),
    from: span.from === -Infinity ? 0 : view.x(span.from),
    to: span.to === Infinity ? view.width : view.x(span.to),
    end: span.to === Infinity ? view.width : view.x(span.to + span.easeOut),
  });

  const barElement = (constraint: Constraint) => {
    const span = spanOf(constraint);
    const { begin, from, to, end } = ends(span);
    const isSelected = app.selection.kind === "constraint" && app.selection.id === constraint.id;
    const off =
      app.motion.kind === "kept"
        ? app.motion.report.demands.find(({ name, met }) => !met && name === constraint.name)
        : undefined;
    const name = nameOf(constraint);
    const classes = [
      "tl-bar",
      isSelected && "selected",
      constraint.enabled === false && "disabled",
      off && "off",
      isAlways(span) && "always",
    ]
      .filter(Boolean)
      .join(" ");
    const grip = (kind: Grip, x: number, title: string) =>
      h("span", { class: `grip ${kind}`, data: { grip: kind }, style: `left:${x}px`, title });
    const bar = h(
      "button",
      {
        class: classes,
        type: "button",
        data: { id: constraint.id },
        style: `left:${begin}px;width:${Math.max(2, end - begin)}px`,
        aria: { pressed: String(isSelected), label: `${name}, ${timesText(span)}` },
        title: `${name}: ${timesText(span)}${constraint.enabled === false ? ", off" : ""}${off ? ", not met" : ""}. Drag the ends; [ and ] set them at the playhead`,
      },
      from > begin && h("span", { class: "ramp in", style: `left:0;width:${from - begin}px` }),
      h("span", { class: "solid", style: `left:${from - begin}px;width:${Math.max(2, to - from)}px` }),
      end > to && h("span", { class: "ramp out", style: `left:${to - begin}px;width:${end - to}px` }),
      h(
        "span",
        {
          class: "name",
          style: `left:${Math.max(from, 0) - begin + 10}px;max-width:${Math.max(0, Math.min(to, view.width) - Math.max(from, 0) - 20)}px`,
        },
        name,
      ),
      grip("from", from - begin, `${name} begins here`),
      grip("to", to - begin, `${name} ends here`),
      span.from !== -Infinity && grip("in", -gripRoom, "Drag to ease it in"),
      span.to !== Infinity && grip("out", end - begin + gripRoom, "Drag to ease it out"),
    );
    return bar;
  };

  const draw = () => {
    const focused = lane.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.id : undefined;
    const rows = rowsOf(app.doc.constraints).map((row) => h("div", { class: "tl-row" }, ...row.map(barElement)));
    replaceChanged(lane, rows);
    lane.hidden = app.doc.constraints.length === 0;
    if (focused) lane.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  };

  const withSpan = (doc: Doc, id: string, span: Span) => changeConstraint(doc, id, { span: isAlways(span) ? undefined : span });

  lane.addEventListener("pointerdown", (press) => {
    if (press.button !== 0 || !(press.target instanceof HTMLElement)) return;
    const bar = press.target.closest<HTMLElement>(".tl-bar");
    if (!bar) return;
    const id = bar.dataset.id!;
    const grip = (press.target.dataset.grip ?? "middle") as Grip;
    const begun = app.doc;
    const constraint = begun.constraints.find((one) => one.id === id)!;
    const span = spanOf(constraint);
    app.selectKeys(undefined);
    app.select({ kind: "constraint", id });
    const finish = (commit: boolean) => {
      timeline.showTip(undefined);
      const now = app.doc;
      if (commit && now !== begun) app.store.run(`Interval of ${nameOf(constraint)}`, () => now);
      else app.store.cancel();
    };
    followPointer(lane, press, {
      move(_, event) {
        const left = body.getBoundingClientRect().left;
        const x = event.clientX - left;
        const snapped = (time: number) => (event.altKey ? time : onFrame(begun, time));
        const made = pulled(span, grip, {
          time: x < view.x(0) - beyond ? -Infinity : x > view.width - beyond ? Infinity : Math.max(0, snapped(view.time(x))),
          by: snapped((event.clientX - press.clientX) / view.perSecond),
        });
        app.store.preview(() => withSpan(begun, id, made));
        const tip =
          grip === "to" ? made.to : grip === "out" ? made.to + made.easeOut : grip === "in" ? made.from - made.easeIn : made.from;
        timeline.showTip(Number.isFinite(tip) ? tip : undefined);
      },
      end: () => finish(true),
      cancel: () => finish(false),
    });
  });
  lane.addEventListener("mousedown", (event) => {
    event.preventDefault();
    body.focus({ preventScroll: true });
  });
  lane.addEventListener("click", (event) => {
    const bar = event.target instanceof Element ? event.target.closest<HTMLElement>(".tl-bar") : null;
    if (bar && event.detail === 0) app.select({ kind: "constraint", id: bar.dataset.id! });
  });
  // Arrow keys move the focused bar by frames.
  lane.addEventListener("keydown", (event) => {
    const bar = event.target instanceof Element ? event.target.closest<HTMLElement>(".tl-bar") : null;
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const constraint = bar && app.doc.constraints.find(({ id }) => id === bar.dataset.id);
    if (!by || !constraint?.span || event.ctrlKey) return;
    event.preventDefault();
    const span = pulled(constraint.span, "middle", { time: 0, by: by * (event.shiftKey ? 10 : 1) * frameTime(app.doc) });
    app.store.run(`Interval of ${nameOf(constraint)}`, (doc) => withSpan(doc, constraint.id, span));
  });

  return { lane, draw };
}

// The constraints of one row: pieces of the same constraint at different times.
export function rowsOf(constraints: readonly Constraint[]): Constraint[][] {
  const rows: Constraint[][] = [];
  const isApart = (a: Span, b: Span) => a.to < b.from || b.to < a.from;
  const isOne = (a: Constraint, b: Constraint) =>
    nameOf(a) === nameOf(b) && JSON.stringify([a.handle, a.balance]) === JSON.stringify([b.handle, b.balance]);
  for (const one of constraints) {
    const row = rows.find((others) => others.every((other) => isOne(other, one) && isApart(spanOf(other), spanOf(one))));
    if (row) row.push(one);
    else rows.push([one]);
  }
  return rows;
}

// The interval with one end dragged to a time, or moved as a whole.
export function pulled(span: Span, grip: Grip, { time, by }: { time: number; by: number }): Span {
  switch (grip) {
    case "from":
      return time === Infinity ? span : { ...span, from: Math.min(time, span.to), easeIn: time === -Infinity ? 0 : span.easeIn };
    case "to":
      return time === -Infinity
        ? span
        : { ...span, to: Math.max(time, span.from), easeOut: time === Infinity ? 0 : span.easeOut };
    case "in":
      return { ...span, easeIn: Math.max(0, span.from - Math.max(0, time)) };
    case "out":
      return { ...span, easeOut: Number.isFinite(time) ? Math.max(0, time - span.to) : span.easeOut };
    case "middle": {
      const first = span.from === -Infinity ? span.to : span.from;
      const shift = Math.max(by, -first);
      return { ...span, from: span.from + shift, to: span.to + shift };
    }
  }
}
