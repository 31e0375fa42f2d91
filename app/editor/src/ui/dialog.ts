// Questions and answers in the middle of the page, on the browser's own <dialog>: it keeps the focus inside, closes on
// Escape and gives the focus back.
import "./dialog.css";
import { h } from "./dom.js";

type Content = Node | string | undefined | false;

export interface Choice<T> {
  readonly title: string;
  readonly value: T;
  readonly main?: boolean; // what Enter does
}

let count = 0;

// Open until it is closed; `closed` is called once, however that happens.
export function openDialog(
  title: string,
  body: readonly Content[],
  closed: () => void = () => {},
  wide = false,
): HTMLDialogElement {
  const id = `dialog${++count}`;
  const heading = h("h2", { id }, title);
  const dialog = h("dialog", { class: wide ? "dialog wide" : "dialog", aria: { labelledby: id } }, heading, ...body);
  // Keys in a dialog are none of the page's shortcuts.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && isOutside(dialog, event) && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the focus may lie below
  return dialog;
}

function isOutside(dialog: HTMLElement, { clientX: x, clientY: y }: PointerEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

// One of the choices; nothing where the dialog is closed without.
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

const patience = 400; // ms that nobody needs to be told about

// While something long runs: a dialog that tells how far it is and can stop it.
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
