// A context menu of actions, in groups with separators.
import type { Actions } from "./actions.js";
import { h } from "./dom.js";
import { printed } from "./menu.js";
import { closePopover, openPopover } from "./popover.js";

export function openActions(
  actions: Actions,
  label: string,
  parts: readonly (readonly string[])[],
  at: { x: number; y: number },
  below = false,
): void {
  const item = (id: string) => {
    const action = actions.find(id);
    const button = h(
      "button",
      { type: "button", disabled: !(action.enabled?.() ?? true), data: { action: id } },
      h("span", {}, action.title),
      action.keys?.[0] !== undefined && h("kbd", {}, printed(action.keys[0])),
    );
    button.addEventListener("click", () => {
      closePopover();
      actions.run(id);
    });
    return button;
  };
  const list = h("div", { class: "menu", role: "group" });
  for (const [k, ids] of parts.entries()) list.append(...(k > 0 ? [h("hr")] : []), ...ids.map(item));
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...list.querySelectorAll<HTMLElement>("button:not(:disabled)")];
    buttons.at((buttons.indexOf(document.activeElement as HTMLElement) + by) % buttons.length)?.focus();
  });
  openPopover(at, label, list, undefined, below);
}
