// A menu of what can be done with keys, made from the list of actions.
import type { App } from "../app.js";
import { h } from "../ui/dom.js";
import { closePopover, openPopover } from "./popover.js";

const parts = [
  ["key.set", "key.style", "key.delete"],
  ["key.cut", "key.copy", "key.paste", "key.paste_mirrored", "key.insert", "key.duplicate"],
  ["key.stretch", "key.shrink", "key.slide_earlier", "key.slide_later", "key.reverse", "key.mirror", "key.reduce"],
  ["key.select_all", "span.begin", "span.end", "span.always"],
];

const arrows: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const keyText = (key = "") => key.replace(/Arrow\w+/, (name) => arrows[name] ?? name);

export function openKeyMenu(app: App, at: { x: number; y: number }): void {
  document.querySelector<HTMLElement>(".tl-body")!.focus({ preventScroll: true }); // what a menu of keys does is done there
  const item = (id: string) => {
    const action = app.actions.find(id);
    const button = h("button", { type: "button", disabled: !(action.enabled?.() ?? true) }, h("span", {}, action.title), action.keys?.[0] !== undefined && h("kbd", {}, keyText(action.keys[0])));
    button.addEventListener("click", () => {
      closePopover();
      app.actions.run(id);
    });
    return button;
  };
  const list = h("div", { class: "menu", role: "group" });
  for (const [k, ids] of parts.entries()) list.append(...(k > 0 ? [h("hr")] : []), ...ids.map(item));
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const buttons = [...list.querySelectorAll<HTMLElement>("button:not(:disabled)")];
    buttons.at((buttons.indexOf(document.activeElement as HTMLElement) + by) % buttons.length)?.focus();
  });
  openPopover(at, "Keys", list);
}
