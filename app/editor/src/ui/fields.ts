// Fields of the side panel: each shows a value of the document and reports what was entered.
import type { DirectionValue, Vec3 } from "limber";
import { vectorOf } from "../document/direction.js";
import { plain } from "../document/handles.js";
import { h } from "./dom.js";

export interface Field<T> {
  readonly element: HTMLElement;
  show(value: T): void;
}

const rejectionTime = 2500; // ms

// Shows at a field that the input is invalid, and what was expected.
export function reject(input: HTMLInputElement, expected: string): void {
  document.querySelector(".rejection")?.remove();
  const { left, bottom } = input.getBoundingClientRect();
  const note = h("div", { class: "rejection", role: "alert" }, `Expected ${expected}`);
  document.body.append(note);
  note.style.left = `${Math.min(left, innerWidth - note.offsetWidth - 8)}px`;
  note.style.top = `${Math.min(bottom + 3, innerHeight - note.offsetHeight - 4)}px`;
  input.classList.remove("rejected");
  void input.offsetWidth; // restarts the animation
  input.classList.add("rejected");
  setTimeout(() => (note.remove(), input.classList.remove("rejected")), rejectionTime);
}

const trimmed = (value: number, digits: number) => String(Number(value.toFixed(digits)) || 0);

// A number. Invalid input is reset; a value that was shown rounded and not edited keeps its digits.
export function numberField(
  label: string,
  enter: (value: number) => void,
  { scale = 1, digits = 2, min = -Infinity, max = Infinity } = {},
): Field<number> {
  const input = h("input", { type: "text", inputMode: "decimal", class: "number-field", aria: { label } });
  let value = 0;
  let isTyping = false;
  const put = () => (input.value = trimmed(value * scale, digits));
  const commit = () => {
    const typed = Number(input.value.trim().replace(",", "."));
    const isNumber = isTyping && input.value.trim() !== "" && Number.isFinite(typed);
    if (isTyping && !isNumber) reject(input, "a number");
    isTyping = false;
    if (isNumber && typed !== Number(trimmed(value * scale, digits))) enter(Math.min(max, Math.max(min, typed)) / scale);
    put();
  };
  input.oninput = () => (isTyping = true);
  input.onfocus = () => input.select();
  input.onblur = commit;
  input.onkeydown = ({ key }) => {
    if (key === "Escape") isTyping = false;
    if (key === "Enter" || key === "Escape") commit();
  };
  return {
    element: input,
    show: (next) => {
      value = next;
      if (!isTyping) put();
    },
  };
}

const letters = ["x", "y", "z"] as const;

// Three numbers in a line.
export function vectorField(
  label: string,
  enter: (value: Vec3) => void,
  { scale = 100, unit = "cm", digits = 2 } = {},
): Field<Vec3> {
  let value: Vec3 = [0, 0, 0];
  const fields = letters.map((letter, k) =>
    numberField(`${label} ${letter}`, (one) => enter(value.map((old, j) => (j === k ? one : old)) as Vec3), { scale, digits }),
  );
  const element = h(
    "div",
    { class: "side-field vector" },
    h("span", { class: "side-label" }, label),
    ...fields.flatMap(({ element: input }, k) => [h("span", { class: `axis ${letters[k]}` }, letters[k]), input]),
    h("span", { class: "unit faint" }, unit),
  );
  return {
    element,
    show: (next) => {
      value = next;
      fields.forEach((field, k) => field.show(next[k]!));
    },
  };
}

const axisNames = ["x", "y", "z", "-x", "-y", "-z"] as const;

// A direction: an axis of the world, or three numbers.
export function directionField(label: string, enter: (value: DirectionValue) => void): Field<DirectionValue> {
  const numbers = vectorField(label, enter, { scale: 1, unit: "", digits: 3 });
  const buttons = axisNames.map((axis) =>
    h(
      "button",
      {
        class: "axis-button",
        title: `${label} along ${axis}`,
        onclick: () => enter(axis),
        aria: { label: `${label} along ${axis}` },
      },
      axis.replace("-", "−"),
    ),
  );
  return {
    element: h(
      "div",
      {},
      numbers.element,
      h("div", { class: "side-field axes" }, h("span", { class: "side-label" }), ...buttons),
    ),
    show: (value) => {
      const v = vectorOf(value);
      numbers.show(v);
      buttons.forEach((button, k) =>
        button.setAttribute("aria-pressed", String(vectorOf(axisNames[k]!).every((one, j) => Math.abs(one - v[j]!) < 1e-9))),
      );
    },
  };
}

export function labelled(label: string, ...children: (HTMLElement | string)[]): HTMLElement {
  return h("div", { class: "side-field" }, h("span", { class: "side-label" }, label), ...children);
}

export function textField(label: string, enter: (value: string) => void): Field<string> {
  const input = h("input", { type: "text", class: "grow", aria: { label } });
  let value = "";
  input.onchange = () => {
    const text = input.value.trim();
    if (text && text !== value) enter(text);
    else input.value = value;
  };
  input.onkeydown = ({ key }) => {
    if (key === "Escape") input.value = value;
  };
  return {
    element: labelled(label, input),
    show: (next) => {
      value = next;
      if (document.activeElement !== input || input.value === "") input.value = next;
    },
  };
}

export function checkField(
  label: string,
  enter: (on: boolean) => void,
  title = "",
): Field<boolean> & { readonly input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", onchange: () => enter(input.checked) });
  return { element: h("label", { class: "check", title }, input, label), input, show: (on) => (input.checked = on) };
}

export function selectField(
  label: string,
  options: readonly { value: string; text: string }[],
  enter: (value: string) => void,
): Field<string> {
  const input = h(
    "select",
    { class: "grow", aria: { label }, onchange: () => enter(input.value) },
    ...options.map(({ value, text }) => h("option", { value }, text)),
  );
  return { element: labelled(label, input), show: (value) => (input.value = value) };
}

let lists = 0;

// A place of the figure, searched by a part of its name.
export function placeField(label: string, places: readonly string[], enter: (place: string) => void): Field<string> {
  const list = h("datalist", {}, ...places.map((place) => h("option", { value: plain(place) })));
  list.id = `places-${++lists}`;
  const input = h("input", { type: "text", class: "grow place-field", title: "Type a part of its name", aria: { label } });
  input.setAttribute("list", list.id);
  let value = "";
  const put = () => (input.value = plain(value));
  const typed = () =>
    places.find(
      (place) =>
        plain(place) === input.value.trim().toLowerCase() || plain(place) === input.value.trim() || place === input.value.trim(),
    );
  input.onfocus = () => {
    input.placeholder = plain(value); // empty, so that the browser offers all of them
    input.value = "";
  };
  input.onchange = () => {
    const place = typed();
    if (place !== undefined && place !== value) {
      value = place;
      enter(place);
    }
  };
  input.onkeydown = ({ key }) => {
    if (key === "Enter" && typed() !== undefined) input.onchange?.(new Event("change"));
    if (key === "Escape") put();
  };
  input.onblur = put;
  return {
    element: h("div", { class: "side-field" }, h("span", { class: "side-label" }, label), input, list),
    show: (next) => {
      value = next;
      if (document.activeElement !== input) put();
    },
  };
}
