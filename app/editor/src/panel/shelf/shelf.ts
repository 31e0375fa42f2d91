// The shelf beside the timeline: saved poses and sequences as animated thumbnails (W93 6.1.3). A click applies one, a drag
// drops it on the timeline or the figure.
import type { Key } from "limber";
import type { App } from "../../state/app.js";
import { figureMark } from "../../document/figure_mark.js";
import { freshName, joined, readShelf, writeShelf, type ShelfEntry } from "../../document/shelf.js";
import { h, remember, remembered, replace } from "../../ui/dom.js";
import { keySize, paintPose, pictureOf } from "../../ui/thumbnail.js";
import { flipBook } from "./flip_book.js";
import { followPointer } from "../../ui/pointer_drag.js";
import { openPopover, closePopover } from "../../ui/popover.js";
import "./shelf.css";
import { pasteAt } from "../../state/key_edits.js";
import { reasonOf } from "../../state/attempt.js";
import { ShelfStore } from "../../ui/browser_store.js";

const place = "limber.shelf";

// The stored shelf: in localStorage, which is there at once and tells other tabs, and in the database, which lasts. Without
// storage it lasts as long as the page.
function kept(): ShelfEntry[] {
  try {
    const text = localStorage.getItem(place);
    return text ? readShelf(text) : [];
  } catch {
    return [];
  }
}

class Shelf {
  entries: readonly ShelfEntry[] = kept();
  removed: { entry: ShelfEntry; at: number } | undefined;
  changed: () => void = () => {};
  private readonly store = new ShelfStore();
  private isChanged = false; // since the page was opened

  constructor(private readonly app: App) {
    void this.store.get().then((text) => {
      if (text === undefined || this.isChanged) return;
      this.entries = readShelf(text);
      this.changed();
    });
    window.addEventListener("storage", (event) => {
      if (event.key !== place) return;
      this.isChanged = true;
      this.entries = kept();
      this.changed();
    });
  }

  set(entries: readonly ShelfEntry[]): void {
    this.entries = entries;
    this.isChanged = true;
    const text = writeShelf(entries);
    void this.store.put(text);
    try {
      localStorage.setItem(place, text);
    } catch (error) {
      this.app.say("error", "Shelf", `the browser cannot store it: ${reasonOf(error)}`);
    }
    this.changed();
  }

  add(kind: "Pose" | "Motion", keys: readonly Key[]): void {
    const { figure } = this.app;
    const canvas = document.createElement("canvas");
    paintPose(canvas, figure, keys[0]!.pose);
    const entry: ShelfEntry = {
      id: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
      name: freshName(this.entries, kind),
      mark: figureMark(figure),
      figure: figure.info.name,
      keys: keys.map((key) => ({ ...key, time: key.time - keys[0]!.time })),
      picture: canvas.toDataURL("image/png"),
    };
    this.set([...this.entries, entry]);
  }

  rename(id: string, name: string): void {
    if (name.trim()) this.set(this.entries.map((entry) => (entry.id === id ? { ...entry, name: name.trim() } : entry)));
  }

  remove(id: string): void {
    const at = this.entries.findIndex((entry) => entry.id === id);
    if (at < 0) return;
    this.removed = { entry: this.entries[at]!, at };
    this.set(this.entries.filter((entry) => entry.id !== id));
  }

  restore(): void {
    if (!this.removed) return;
    const { entry, at } = this.removed;
    this.removed = undefined;
    this.set([...this.entries.slice(0, at), entry, ...this.entries.slice(at)]);
  }

  fits = (entry: ShelfEntry) =>
    entry.mark === figureMark(this.app.figure) && entry.keys.every(({ pose }) => pose.length === this.app.figure.parameters);

  apply(entry: ShelfEntry): void {
    if (!this.fits(entry)) return this.app.say("info", entry.name, whyNot(entry));
    if (entry.keys.length === 1) return this.app.commitPose(`Pose: ${entry.name}`, entry.keys[0]!.pose);
    if (pasteAt(this.app, `Paste ${entry.name}`, entry.keys, this.app.time)) this.app.setTime(this.app.time);
  }
}

const whyNot = ({ figure }: ShelfEntry) => `is of another figure${figure ? ` (${figure})` : ""}`;

function exportShelf(entries: readonly ShelfEntry[]): void {
  const link = h("a", {
    href: URL.createObjectURL(new Blob([writeShelf(entries)], { type: "application/json" })),
    download: "limber_shelf.json",
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function importShelf(app: App, shelf: Shelf): void {
  const input = h("input", { type: "file", accept: ".json,application/json" });
  const read = async (file: File) => {
    try {
      shelf.set(joined(shelf.entries, readShelf(await file.text())));
    } catch (error) {
      app.say("error", file.name, reasonOf(error));
    }
  };
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void read(file);
  });
  input.click();
}

function addActions(app: App, shelf: Shelf): void {
  const group = "Animate";
  const sequence = () => {
    const range = app.keyRange ?? (app.doc.keys.length > 0 ? { first: 0, count: app.doc.keys.length } : undefined);
    return range && range.count > 1 ? app.doc.keys.slice(range.first, range.first + range.count) : undefined;
  };
  app.actions.add(
    {
      id: "shelf.add_pose",
      apart: true,
      title: "Save the shown pose on the shelf",
      group,
      keys: ["Shift+K"],
      run: () => shelf.add("Pose", [{ time: 0, pose: Array.from(app.pose) }]),
    },
    {
      id: "shelf.add_sequence",
      title: "Save the selected keys, or all, on the shelf",
      group,
      keys: ["Shift+S"],
      enabled: () => sequence() !== undefined,
      run: () => shelf.add("Motion", sequence()!),
    },
    {
      id: "shelf.export",
      title: "Export the shelf …",
      group,
      enabled: () => shelf.entries.length > 0,
      run: () => exportShelf(shelf.entries),
    },
    { id: "shelf.import", title: "Import a shelf …", group, run: () => importShelf(app, shelf) },
    {
      id: "shelf.restore",
      title: "Restore removed entries",
      group,
      enabled: () => shelf.removed !== undefined,
      run: () => shelf.restore(),
    },
  );
}

// Renames an entry in place.
function renaming(item: HTMLElement, entry: ShelfEntry, shelf: Shelf): void {
  const input = h("input", { type: "text", class: "shelf-rename", value: entry.name, aria: { label: "Name" } });
  let isDone = false;
  const finish = (keep: boolean) => {
    if (isDone) return;
    isDone = true;
    if (keep && input.value !== entry.name) shelf.rename(entry.id, input.value);
    else shelf.changed();
    document.querySelector<HTMLElement>(`.shelf-item[data-id="${CSS.escape(entry.id)}"] .shelf-apply`)?.focus();
  };
  input.addEventListener("blur", () => finish(true));
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") finish(event.key === "Enter");
  });
  item.querySelector(".shelf-name")!.replaceWith(input);
  input.select();
}

// Where a dragged entry can be dropped: the timeline or the figure.
function dragEntry(app: App, shelf: Shelf, entry: ShelfEntry, apply: HTMLElement, press: PointerEvent): void {
  let ghost: HTMLElement | undefined;
  const under = (event: PointerEvent) =>
    document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.closest(".tl-keys, #stage"));
  followPointer(apply, press, {
    move(_, event) {
      if (!shelf.fits(entry)) return;
      if (!ghost) document.body.append((ghost = h("div", { class: "shelf-ghost" }, pictureOf(app.figure, entry.keys[0]!.pose))));
      ghost.style.transform = `translate(${event.clientX - keySize.width / 2}px, ${event.clientY - keySize.height / 2}px)`;
      ghost.classList.toggle("over", under(event) !== undefined);
    },
    end(event) {
      ghost?.remove();
      apply.dataset.dragged = "yes";
      setTimeout(() => delete apply.dataset.dragged);
      const target = under(event);
      if (!shelf.fits(entry) || !target) return;
      const lane = target.closest(".tl-keys");
      if (lane)
        lane.dispatchEvent(new CustomEvent("shelfdrop", { detail: { keys: entry.keys, x: event.clientX, name: entry.name } }));
      else shelf.apply(entry);
    },
    cancel: () => ghost?.remove(),
  });
}

function itemOf(app: App, shelf: Shelf, entry: ShelfEntry): HTMLElement {
  const isPose = entry.keys.length === 1;
  const fits = shelf.fits(entry);
  const lasts = `${entry.keys.length} keys, ${Number(entry.keys.at(-1)!.time.toFixed(2))} s`;
  const what = fits ? (isPose ? "Click to apply this pose" : `${lasts}. Click to paste at the playhead`) : whyNot(entry);
  const picture = fits
    ? pictureOf(app.figure, entry.keys[0]!.pose)
    : h("img", { src: entry.picture ?? "", alt: "", width: keySize.width, height: keySize.height });
  picture.draggable = false;
  const apply = h(
    "button",
    {
      type: "button",
      class: "shelf-apply",
      title: `${entry.name}: ${what}. F2 renames it, Delete removes it`,
      aria: { label: `${entry.name}: ${what}`, disabled: String(!fits) },
    },
    picture,
    isPose ? undefined : h("span", { class: "shelf-badge", aria: { hidden: "true" } }, "▸"),
  );
  const small = (text: string, title: string, run: () => void) =>
    h(
      "button",
      {
        type: "button",
        class: "shelf-small quiet",
        tabIndex: -1,
        title,
        aria: { label: `${title} ${entry.name}` },
        onclick: run,
      },
      text,
    );
  const name = h("span", { class: "shelf-name", title: `${entry.name}. Double-click to rename` }, entry.name);
  const item = h(
    "div",
    { class: `shelf-item${fits ? "" : " other"}`, data: { id: entry.id } },
    apply,
    name,
    small("✎", "Rename", () => renaming(item, entry, shelf)),
    small("✕", "Remove", () => shelf.remove(entry.id)),
  );
  name.addEventListener("dblclick", () => renaming(item, entry, shelf));
  apply.addEventListener("click", () => apply.dataset.dragged !== "yes" && shelf.apply(entry));
  apply.addEventListener("pointerdown", (press) => press.button === 0 && dragEntry(app, shelf, entry, apply, press));
  apply.addEventListener("keydown", (event) => {
    if (event.key !== "F2" && event.key !== "Delete") return;
    event.preventDefault();
    if (event.key === "F2") renaming(item, entry, shelf);
    else shelf.remove(entry.id);
  });
  if (fits && !isPose) flipBook(app.figure, entry.keys, apply, picture as HTMLCanvasElement);
  return item;
}

export function mountShelf(app: App): void {
  const host = document.getElementById("timeline")!;
  const shelf = new Shelf(app);
  addActions(app, shelf);
  const list = h("div", { class: "shelf-list" });
  const button = (id: string, text: string) => {
    const action = app.actions.find(id);
    return h(
      "button",
      {
        type: "button",
        class: "quiet",
        title: action.title + (action.keys ? ` (${action.keys[0]})` : ""),
        onclick: () => app.actions.run(id),
      },
      text,
    );
  };
  const more = h(
    "button",
    { type: "button", class: "quiet", title: "Export, import", aria: { label: "Menu of the shelf", haspopup: "true" } },
    "⋯",
  );
  more.addEventListener("click", () => {
    const items = ["shelf.export", "shelf.import", "shelf.restore"].map((id) => {
      const action = app.actions.find(id);
      return h(
        "button",
        { type: "button", disabled: !(action.enabled?.() ?? true), onclick: () => (closePopover(), app.actions.run(id)) },
        action.title,
      );
    });
    const { left, top } = more.getBoundingClientRect();
    openPopover({ x: left - 180, y: top }, "Shelf", h("div", { class: "menu" }, ...items));
  });
  const fold = h("button", { type: "button", class: "quiet shelf-fold" });
  const addSequence = button("shelf.add_sequence", "+ Keys");
  const element = h(
    "section",
    { class: "shelf", aria: { label: "Shelf of poses and sequences" } },
    h("div", { class: "shelf-head" }, fold, button("shelf.add_pose", "+ Pose"), addSequence, more),
    list,
  );
  const setFolded = (isFolded: boolean) => {
    element.classList.toggle("folded", isFolded);
    fold.replaceChildren(isFolded ? "◂ Shelf" : "▸ Shelf");
    fold.title = isFolded ? "Show the shelf of saved poses and sequences" : "Collapse the shelf";
    fold.setAttribute("aria-expanded", String(!isFolded));
  };
  setFolded(remembered("shelf.folded", window.innerWidth < 1100));
  fold.addEventListener("click", () => {
    setFolded(!element.classList.contains("folded"));
    remember("shelf.folded", element.classList.contains("folded"));
  });
  shelf.changed = () => {
    const hint = h("p", { class: "shelf-hint" }, "Poses and sequences that you save stay here, for other scenes too.");
    replace(list, ...(shelf.entries.length > 0 ? shelf.entries.map((entry) => itemOf(app, shelf, entry)) : [hint]));
  };
  const enable = () => (addSequence.disabled = !app.actions.find("shelf.add_sequence").enabled!());
  app.on("figure", () => shelf.changed());
  app.on("settings", () => shelf.changed());
  app.on("keys", enable);
  app.on("document", enable);
  new MutationObserver(() => shelf.changed()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  shelf.changed();
  enable();
  host.append(element);
}
