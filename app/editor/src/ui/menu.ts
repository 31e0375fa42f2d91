// A menu bar made from the list of actions, a menu for one or more groups. Arrow keys, Home, End, Enter, Escape and, in a
// menu, letters work as in any menu bar (the pattern "menubar" of WAI-ARIA).
import { h, replace } from "./dom.js";
import type { Action, Actions } from "./actions.js";

// Menus and their groups. A group that is not listed gets its own menu before the last two.
const menus: readonly (readonly [string, ...string[]])[] = [
  ["File"],
  ["Edit"],
  ["View", "Compare"],
  ["Pose", "Constrain", "Constraints", "Obstacles"],
  ["Assess", "Reach"],
  ["Keys", "Shelf"],
  ["Playback", "Timeline"],
  ["Examples"],
  ["Help"],
];
const beforeLast = -2;

const menusOf = (actions: readonly Action[]) => {
  const found = new Set(actions.map(({ group }) => group));
  const others = [...found].filter((group) => !menus.some((groups) => groups.includes(group))).map((group): [string] => [group]);
  return [...menus.slice(0, beforeLast), ...others, ...menus.slice(beforeLast)].filter((groups) =>
    groups.some((group) => found.has(group)),
  );
};

// All groups, in the order of the menus.
export function groupsOf(actions: readonly Action[]): string[] {
  const found = new Set(actions.map(({ group }) => group));
  return menusOf(actions)
    .flat()
    .filter((group) => found.has(group));
}

const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? "");
const signs: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: "Del",
  " ": "Space",
};

// "Ctrl+Shift+Z" as it is displayed.
export const printed = (keys: string) =>
  keys
    .split(/\+(?=.)/)
    .map((key) => (isMac && key === "Ctrl" ? "⌘" : (signs[key] ?? key)))
    .join("+");

export class Menus {
  readonly element = h("div", { class: "menubar", role: "menubar", aria: { label: "Menus" } });
  private heads: HTMLButtonElement[] = [];
  private list: HTMLElement | undefined;
  private open = -1;

  constructor(private readonly actions: Actions) {
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.element.addEventListener(
      "focusout",
      (event) => !this.element.contains(event.relatedTarget as Node | null) && this.close(),
    );
    addEventListener("pointerdown", (event) => !this.element.contains(event.target as Node) && this.close());
  }

  // Rebuilds the menus from the list of actions.
  fill(): void {
    const titles = menusOf(this.actions.all).map(([title]) => title);
    if (titles.join() === this.heads.map(({ textContent }) => textContent).join()) return;
    this.close();
    this.heads = titles.map((title, k) => this.head(title, k));
    replace(this.element, ...this.heads.map((head) => h("div", { class: "menu", role: "none" }, head)));
  }

  private head(title: string, k: number): HTMLButtonElement {
    return h(
      "button",
      {
        class: "quiet",
        role: "menuitem",
        tabIndex: k === 0 ? 0 : -1,
        aria: { haspopup: "menu", expanded: "false" },
        onclick: () => (this.open === k ? this.close() : this.show(k)),
        onpointerenter: () => this.open >= 0 && this.open !== k && this.show(k),
      },
      title,
    );
  }

  private show(k: number, focus?: "first" | "last"): void {
    const head = this.heads[k]!;
    if (this.list?.contains(document.activeElement)) head.focus(); // before the focused element is removed
    this.close();
    const groups: readonly string[] = menusOf(this.actions.all)[k]!;
    const actions = groups.flatMap((name) => this.actions.all.filter(({ group }) => group === name));
    const items = actions.map((action) => this.item(action));
    const isApart = (j: number) => j > 0 && (actions[j]!.apart || actions[j]!.group !== actions[j - 1]!.group);
    const lines = items.flatMap((item, j) => (isApart(j) ? [h("div", { class: "menu-line", role: "separator" }), item] : [item]));
    this.list = h("div", { class: "menu-list", role: "menu", aria: { label: head.textContent } }, ...lines);
    head.parentElement!.append(this.list);
    head.setAttribute("aria-expanded", "true");
    this.open = k;
    this.makeCurrent(k);
    const { right } = this.list.getBoundingClientRect();
    if (right > innerWidth) this.list.classList.add("from-right");
    if (focus) items.at(focus === "first" ? 0 : -1)?.focus();
  }

  private makeCurrent(k: number): void {
    this.heads.forEach((head, j) => (head.tabIndex = j === k ? 0 : -1));
  }

  private item(action: Action): HTMLButtonElement {
    const checked = action.checked?.();
    const item = h(
      "button",
      {
        class: "menu-item",
        role: checked === undefined ? "menuitem" : "menuitemcheckbox",
        tabIndex: -1,
        onclick: () => this.choose(action),
        data: { action: action.id },
      },
      h("span", { class: "check", aria: { hidden: "true" } }, checked ? "✓" : ""),
      h("span", { class: "grow" }, action.title),
      action.keys?.[0] && h("kbd", {}, printed(action.keys[0])),
    );
    item.onpointerenter = () => item.focus();
    if (checked !== undefined) item.setAttribute("aria-checked", String(checked));
    if (!(action.enabled?.() ?? true)) item.setAttribute("aria-disabled", "true");
    return item;
  }

  private choose(action: Action): void {
    if (!(action.enabled?.() ?? true)) return;
    const head = this.heads[this.open];
    this.close();
    head?.focus();
    head?.blur(); // the next key is for the figure
    action.run();
  }

  close(): void {
    const { list } = this;
    this.list = undefined;
    this.heads[this.open]?.setAttribute("aria-expanded", "false");
    this.open = -1;
    list?.remove(); // last: it may move the focus and call this function again
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = this.open >= 0 ? this.pressedInList(event.key) : this.pressedOnHead(event.key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private step(by: number): number {
    const now = this.open >= 0 ? this.open : this.heads.findIndex((head) => head === document.activeElement);
    return (now + by + this.heads.length) % this.heads.length;
  }

  private pressedOnHead(key: string): boolean {
    const now = this.step(0);
    const to = (k: number) => (this.makeCurrent(k), this.heads[k]!.focus());
    if (key === "ArrowRight" || key === "ArrowLeft") to(this.step(key === "ArrowRight" ? 1 : -1));
    else if (key === "Home" || key === "End") to(key === "Home" ? 0 : this.heads.length - 1);
    else if (key === "ArrowDown" || key === "Enter" || key === " ") this.show(now, "first");
    else if (key === "ArrowUp") this.show(now, "last");
    else return false; // letters are shortcuts while no menu is open
    return true;
  }

  private pressedInList(key: string): boolean {
    const items = [...this.list!.querySelectorAll<HTMLElement>(".menu-item")];
    const now = items.findIndex((item) => item === document.activeElement);
    const to = (k: number) => items[(k + items.length) % items.length]?.focus();
    if (key === "ArrowDown") to(now + 1);
    else if (key === "ArrowUp") to(now < 0 ? -1 : now - 1);
    else if (key === "Home" || key === "End") to(key === "Home" ? 0 : -1);
    else if (key === "ArrowRight" || key === "ArrowLeft") this.show(this.step(key === "ArrowRight" ? 1 : -1), "first");
    else if (key === "Escape") this.leave();
    else if (key === "Tab") return (this.close(), false);
    else if ((key === "Enter" || key === " ") && now >= 0) items[now]!.click();
    else return key.length === 1 && this.toLetter([...items.slice(now + 1), ...items.slice(0, now + 1)], key);
    return true;
  }

  private leave(): void {
    const head = this.heads[this.open];
    this.close();
    head?.focus();
  }

  private toLetter(items: readonly HTMLElement[], letter: string): boolean {
    const item = items.find((one) =>
      (one.querySelector(".grow") ?? one).textContent?.toLowerCase().startsWith(letter.toLowerCase()),
    );
    item?.focus();
    return true;
  }
}
