// The context menu of keys.
import type { App } from "../../state/app.js";
import { openActions } from "../../ui/action_menu.js";

const parts = [
  ["key.set", "key.auto", "key.style", "key.delete"],
  ["key.cut", "key.copy", "key.paste", "key.paste_mirrored", "key.insert", "key.duplicate"],
  ["key.stretch", "key.shrink", "key.slide_earlier", "key.slide_later", "key.reverse", "key.mirror", "key.reduce"],
  ["key.select_all", "span.begin", "span.end", "span.always"],
];

export function openKeyMenu(app: App, at: { x: number; y: number }): void {
  document.querySelector<HTMLElement>(".tl-body")!.focus({ preventScroll: true }); // actions of the menu apply to the timeline
  openActions(app.actions, "Keys", parts, at);
}
