// A popover next to its anchor. Escape or a press outside closes it.
import { h } from "./dom.js";
import "./popover.css";

let closeOpen: (() => void) | undefined;

export function closePopover(): void {
  closeOpen?.();
}

// `label` is for screen readers. Placed above the anchor, or below it if there is room.
export function openPopover(
  at: { x: number; y: number },
  label: string,
  content: HTMLElement,
  onClose?: () => void,
  below = false,
): HTMLElement {
  closePopover();
  const before = document.activeElement;
  const sheet = h("div", { class: "popover", role: "dialog", tabIndex: -1, aria: { label } }, content);
  const close = () => {
    closeOpen = undefined;
    document.removeEventListener("pointerdown", beside, true);
    document.removeEventListener("keydown", escape, true);
    const hadFocus = sheet.contains(document.activeElement);
    sheet.remove();
    if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
    onClose?.();
  };
  const beside = (event: Event) => {
    if (event.target instanceof Node && !sheet.contains(event.target)) close();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    close();
  };
  document.body.append(sheet);
  const { width, height } = sheet.getBoundingClientRect();
  sheet.style.left = `${Math.max(8, Math.min(at.x, innerWidth - width - 8))}px`;
  const top = below ? Math.min(at.y + 2, innerHeight - height - 8) : at.y - height - 6;
  sheet.style.top = `${Math.max(8, top)}px`;
  document.addEventListener("pointerdown", beside, true);
  document.addEventListener("keydown", escape, true);
  closeOpen = close;
  (sheet.querySelector<HTMLElement>("button:not(:disabled), input:not(:disabled), select") ?? sheet).focus();
  return sheet;
}
