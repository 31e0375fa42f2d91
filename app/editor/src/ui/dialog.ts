// Modal dialogs on the browser's <dialog>: it traps the focus, closes on Escape and restores the focus.
import "./dialog.css";
import { h } from "./dom.js";

type Content = Node | string | undefined | false;

export interface Choice<T> {
  readonly title: string;
  readonly value: T;
  readonly main?: boolean; // chosen by Enter
}

let count = 0;

// `closed` is called once, however the dialog is closed.
export function openDialog(
  title: string,
  body: readonly Content[],
  closed: () => void = () => {},
  wide = false,
): HTMLDialogElement {
  const id = `dialog${++count}`;
  const heading = h("h2", { id }, title);
  const dialog = h("dialog", { class: wide ? "dialog wide" : "dialog", aria: { labelledby: id } }, heading, ...body);
  // Shortcuts do not work in a dialog.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && isOutside(dialog, event) && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the focus may be below the visible part
  return dialog;
}

function isOutside(dialog: HTMLElement, { clientX: x, clientY: y }: PointerEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

// The value of the choice; undefined if the dialog is closed without one.
export function ask<T>(title: string, body: readonly Content[], choices: readonly Choice<T>[]): Promise<T | undefined> {
  return new Promise((answered) => {
    let answer: T | undefined;
    const buttons = choices.map(({ title: name, value, main }) =>
      h(
        "button",
        { class: main ? "main" : "", autofocus: main ?? false, onclick: () => ((answer = value), dialog.close()) },
        name,
      ),
    );
    const dialog = openDialog(title, [...body, h("div", { class: "choices" }, ...buttons)], () => answered(answer));
  });
}

export async function tell(title: string, body: readonly Content[]): Promise<void> {
  await ask(title, body, [{ title: "Close", value: undefined, main: true }]);
}

const patience = 400; // ms: shorter work shows no dialog

// A dialog that shows the progress of long work and can stop it.
export async function whileBusy<T>(
  title: string,
  work: (tell: (text: string) => void) => Promise<T>,
  stop: () => void,
): Promise<T> {
  const text = h("p", { class: "faint", role: "status" }, "One moment…");
  let dialog: HTMLDialogElement | undefined;
  let isOver = false;
  const timer = setTimeout(() => {
    const cancel = h("button", { autofocus: true, onclick: () => dialog?.close() }, "Stop");
    dialog = openDialog(title, [text, h("progress"), h("div", { class: "choices" }, cancel)], () => isOver || stop());
  }, patience);
  try {
    return await work((now) => (text.textContent = now));
  } finally {
    isOver = true;
    clearTimeout(timer);
    dialog?.close();
  }
}
