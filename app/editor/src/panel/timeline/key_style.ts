// A popover with the interpolation of the selected keys: kind, bend, ease and constant speed; and of all keys, which
// rotations are one.
import type { Interpolation, Key } from "limber";
import type { App } from "../../state/app.js";
import type { KeyRange } from "../../state/selection.js";
import { plainStyle, setRotations, setStyle, type Style } from "../../command/key_commands.js";
import { h } from "../../ui/dom.js";
import { openPopover } from "../../ui/popover.js";
import "./key_style.css";
import { targetKeys } from "../../state/key_edits.js";

const kinds: { kind: Interpolation; name: string; means: string }[] = [
  { kind: "step", name: "Step", means: "stays, then jumps to the next key" },
  { kind: "linear", name: "Linear", means: "straight to the next key" },
  { kind: "spline", name: "Spline", means: "on a curve without a corner" },
];

type Number_ = "tension" | "continuity" | "bias" | "easeIn" | "easeOut";
const bends: { name: Number_; title: string; low: string; high: string }[] = [
  { name: "tension", title: "Tension", low: "round", high: "tight" },
  { name: "continuity", title: "Continuity", low: "corner", high: "corner" },
  { name: "bias", title: "Bias", low: "before", high: "after" },
];
const eases: { name: Number_; title: string }[] = [
  { name: "easeIn", title: "Ease in" },
  { name: "easeOut", title: "Ease out" },
];

export function openKeyStyle(app: App, at: { x: number; y: number }): void {
  const range = targetKeys(app);
  if (!range) return app.say("info", "Interpolation", "select a key, or move the playhead to one");
  const content = h("div", { class: "key-style" });
  let holds = range;
  const draw = () => {
    holds = targetKeys(app) ?? holds;
    if (holds.first + holds.count > app.doc.keys.length) return;
    const focused = content.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.field : undefined;
    content.replaceChildren(...fields(app, holds));
    if (focused) content.querySelector<HTMLElement>(`[data-field="${focused}"]`)?.focus();
  };
  draw();
  const stops = [
    app.on("document", (_doc, _before, cause) => cause !== "preview" && draw()),
    app.on("keys", () => !isSliding && draw()),
  ];
  openPopover(at, "Interpolation of keys", content, () => stops.forEach((stop) => stop()));
}

let isSliding = false; // a slider is being dragged and must stay

function fields(app: App, range: KeyRange): HTMLElement[] {
  const keys = app.doc.keys.slice(range.first, range.first + range.count);
  const first = keys[0]!;
  const isMixed = (name: keyof Style) =>
    keys.some((key) => (key[name] ?? plainStyle[name]) !== (first[name] ?? plainStyle[name]));
  const change = (style: Partial<Style>) => app.store.run("Interpolation", (doc) => setStyle(doc, range, style));
  const hasSpline = keys.some(({ interpolation = "spline" }) => interpolation === "spline");
  const isStep = keys.every(({ interpolation }) => interpolation === "step");
  return [
    h(
      "strong",
      {},
      range.count === 1
        ? `Key ${range.first + 1}: interpolation to the next key`
        : `Keys ${range.first + 1} to ${range.first + range.count}: interpolation to the next keys`,
    ),
    h(
      "div",
      { class: "kinds", role: "group", aria: { label: "Interpolation" } },
      ...kinds.map((kind) => kindButton(kind, first, isMixed("interpolation"), change)),
    ),
    ...bends.map(({ name, title, low, high }) =>
      slider({
        app,
        range,
        first,
        name,
        title,
        min: -1,
        disabled: !hasSpline,
        isMixed: isMixed(name),
        hint: `${low} … ${high}`,
      }),
    ),
    ...eases.map(({ name, title }) =>
      slider({
        app,
        range,
        first,
        name,
        title,
        min: 0,
        disabled: isStep,
        isMixed: isMixed(name),
        hint: "fraction of the time to the next key",
      }),
    ),
    h(
      "label",
      { class: "even" },
      h("input", {
        type: "checkbox",
        checked: first.even ?? false,
        indeterminate: isMixed("even"),
        data: { field: "even" },
        onchange: (event) => change({ even: (event.target as HTMLInputElement).checked }),
      }),
      "Constant speed to the next key",
    ),
    h(
      "label",
      { class: "even", title: "Of all keys: three hinges at one place, spine and shoulders take the shortest way together" },
      h("input", {
        type: "checkbox",
        checked: app.doc.rotations === "balls",
        data: { field: "rotations" },
        onchange: (event) =>
          app.store.run("Rotations between keys", (doc) =>
            setRotations(app.rig, doc, (event.target as HTMLInputElement).checked ? "balls" : "joints"),
          ),
      }),
      "Turn ball joints as one",
    ),
  ];
}

function kindButton(
  { kind, name, means }: (typeof kinds)[number],
  first: Key,
  isMixed: boolean,
  change: (style: Partial<Style>) => void,
): HTMLElement {
  const isOn = !isMixed && (first.interpolation ?? "spline") === kind;
  return h(
    "button",
    {
      type: "button",
      title: `${name}: ${means}`,
      data: { field: kind },
      aria: { pressed: String(isOn) },
      onclick: () => change({ interpolation: kind }),
    },
    name,
  );
}

interface SliderOf {
  app: App;
  range: KeyRange;
  first: Key;
  name: Number_;
  title: string;
  min: number;
  disabled: boolean;
  isMixed: boolean;
  hint: string;
}

// Ease in and ease out together are at most the whole time.
function changed(name: Number_, value: number, first: Key): Partial<Style> {
  if (name === "easeIn") return { easeIn: value, easeOut: Math.min(first.easeOut ?? 0, 1 - value) };
  if (name === "easeOut") return { easeOut: value, easeIn: Math.min(first.easeIn ?? 0, 1 - value) };
  return { [name]: value };
}

function slider({ app, range, first, name, title, min, disabled, isMixed, hint }: SliderOf): HTMLElement {
  const value = first[name] ?? 0;
  const shown = h("output", {}, isMixed ? "mixed" : value.toFixed(2));
  const begun = app.doc;
  const input = h("input", {
    type: "range",
    min: String(min),
    max: "1",
    step: "0.05",
    disabled,
    title: `${title}: ${hint}`,
    aria: { label: title },
    data: { field: name },
  });
  input.value = String(value);
  const style = () => changed(name, Number(input.value), first);
  input.addEventListener("input", () => {
    shown.textContent = Number(input.value).toFixed(2);
    isSliding = true;
    app.store.preview(() => setStyle(begun, range, style()));
    isSliding = false;
  });
  input.addEventListener("change", () => app.store.run("Interpolation", () => setStyle(begun, range, style())));
  return h("label", { class: `slider${disabled ? " off" : ""}` }, h("span", {}, title), input, shown);
}
