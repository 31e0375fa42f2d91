// All actions of the user: menus, buttons, keys and the shortcut sheet are made from this list.

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly group: string; // in menus and on the shortcut sheet
  readonly keys?: readonly string[]; // "Ctrl+Z", "Shift+K", "Space"; Ctrl also means Cmd on a Mac
  readonly run: () => void;
  readonly enabled?: () => boolean;
  readonly checked?: () => boolean; // for actions that toggle
  readonly apart?: boolean; // a separator is above it in its menu
  readonly within?: string; // a selector: while the focus is there, this action takes precedence over others with the same key
}

// Keys that sliders, menus and lists handle themselves.
const stepKeys = /^(Shift\+)?(Arrow(Left|Right|Up|Down)|Home|End|PageUp|PageDown)$/;

// "Ctrl+Shift+Z" of a key press.
export function chordOf(event: KeyboardEvent): string {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  const letter = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))) parts.push("Shift");
  return [...parts, letter].join("+");
}

export class Actions {
  private readonly byId = new Map<string, Action>();

  add(...actions: Action[]): void {
    for (const action of actions) {
      if (this.byId.has(action.id)) throw new Error(`two actions ${action.id}`);
      this.byId.set(action.id, action);
    }
  }

  get all(): Action[] {
    return [...this.byId.values()];
  }

  find(id: string): Action {
    const action = this.byId.get(id);
    if (!action) throw new Error(`no action ${id}`);
    return action;
  }

  run(id: string): void {
    const action = this.find(id);
    if (action.enabled?.() ?? true) action.run();
  }

  // Keys work everywhere except in text fields, where only those with Ctrl do.
  listen(target: HTMLElement | Document): void {
    target.addEventListener("keydown", (event) => {
      const press = event as KeyboardEvent;
      if (press.defaultPrevented) return;
      const field =
        press.target instanceof HTMLElement &&
        press.target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]");
      const chord = chordOf(press);
      if (field && (!chord.startsWith("Ctrl+") || /^Ctrl\+[ACVXZ]$/.test(chord))) return;
      if (
        (chord === "Space" || chord === "Enter") &&
        press.target instanceof HTMLElement &&
        press.target.closest("button, summary, a[href], [role=button], input[type=checkbox]")
      )
        return;
      if (
        stepKeys.test(chord) &&
        press.target instanceof HTMLElement &&
        press.target.closest("input, [role=slider], [role=menu], [role=listbox], [role=tree], [role=radiogroup]")
      )
        return;
      if (chord === "Ctrl+C" && getSelection()?.type === "Range") return;
      // Several actions may share a key if only one of them is enabled at a time.
      const actions = this.all.filter(({ keys }) => keys?.includes(chord));
      if (actions.length === 0) return;
      const possible = actions.filter(({ enabled }) => enabled?.() ?? true);
      const action = possible.find(({ within }) => within && document.activeElement?.closest(within)) ?? possible[0];
      // Other listeners get the keys of disabled actions, as an open dialog gets Escape; the browser never gets Ctrl keys.
      if (action || chord.startsWith("Ctrl+")) press.preventDefault();
      action?.run();
    });
  }
}

// Controls release the keyboard focus after a click, so that Space plays. A field releases it when its value is entered, or
// when something that takes no focus is pressed.
export function releaseFields(page: Document): void {
  const field = () => page.activeElement?.closest<HTMLInputElement>("input:not([type=range]):not([type=checkbox])");
  page.addEventListener("keydown", ({ key, target }) => {
    if (key === "Enter" && target === field()) field()?.blur();
  });
  page.addEventListener("click", ({ target, detail }) => {
    const pressed =
      target instanceof Element &&
      target.closest<HTMLElement>(
        "#side button, #side input[type=checkbox], #timeline input[type=checkbox], #bar select, #side select",
      );
    if (pressed && detail > 0 && pressed.tagName !== "SELECT") pressed.blur();
  });
  page.addEventListener(
    "change",
    ({ target }) => target instanceof HTMLSelectElement && !target.closest("dialog") && target.blur(),
  );
  page.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (target instanceof Element && target.closest("#stage, #timeline") && target !== field()) field()?.blur();
    },
    { capture: true },
  );
}
