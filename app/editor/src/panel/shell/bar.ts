// The bar at the top: menus, undo and redo, the chain of a drag, the title of the document, the theme.
import "./bar.css";
import type { App } from "../../state/app.js";
import type { ChainMode } from "../../state/selection.js";
import { setTitle } from "../../command/commands.js";
import { h, replace, svg } from "../../ui/dom.js";
import { Menus, printed } from "../../ui/menu.js";
import { mountTheme } from "./theme.js";

export function mountBar(app: App): void {
  mountTheme(app);
  addEditActions(app);
  const bar = document.getElementById("bar")!;
  bar.setAttribute("aria-label", "Menus and tools");
  const menus = new Menus(app.actions);
  bar.append(
    brand(),
    menus.element,
    undoButtons(app),
    chainChoice(app),
    h("span", { class: "grow" }),
    titleField(app),
    themeButton(app),
  );
  // Other panels add their actions later, when they are mounted.
  queueMicrotask(() => menus.fill());
  app.on("document", () => menus.fill());
}

const icon = (...paths: string[]) =>
  svg(
    "svg",
    {
      viewBox: "0 0 16 16",
      width: 16,
      height: 16,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    ...paths.map((d) => svg("path", { d })),
  ) as unknown as HTMLElement;

const icons = {
  undo: ["M3 6h6.5a3.5 3.5 0 0 1 0 7H6", "M6 3 3 6l3 3"],
  redo: ["M13 6H6.5a3.5 3.5 0 0 0 0 7H10", "m10 3 3 3-3 3"],
  sun: ["M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6", "M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"],
  moon: ["M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5Z"],
};

const brand = () => h("strong", { class: "brand" }, "Limber");

function addEditActions(app: App): void {
  const { store } = app;
  const group = "Edit";
  app.actions.add(
    {
      id: "edit.undo",
      title: "Undo",
      group,
      keys: ["Ctrl+Z"],
      run: () => (app.unkeyed ? app.returnToUnkeyed() : void store.undo()),
      enabled: () => app.unkeyed !== undefined || store.undoTitle !== undefined,
    },
    {
      id: "edit.redo",
      title: "Redo",
      group,
      keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
      run: () => void store.redo(),
      enabled: () => store.redoTitle !== undefined,
    },
  );
}

function undoButtons(app: App): HTMLElement {
  const button = (id: string, name: keyof typeof icons) => {
    const one = h("button", { class: "quiet tool", onclick: () => app.actions.run(id) }, icon(...icons[name]));
    one.dataset.action = id;
    return one;
  };
  const undo = button("edit.undo", "undo");
  const redo = button("edit.redo", "redo");
  const label = (one: HTMLButtonElement, word: string, step: string | undefined, keys: string) => {
    one.disabled = step === undefined;
    one.title = `${word}${step ? `: ${step}` : ""} (${printed(keys)})`;
    one.setAttribute("aria-label", one.title);
  };
  const show = () => {
    label(undo, "Undo", app.unkeyed ? "leaving a pose that is not a key" : app.store.undoTitle, "Ctrl+Z");
    label(redo, "Redo", app.store.redoTitle, "Ctrl+Shift+Z");
  };
  show();
  app.on("document", show);
  app.on("unkeyed", show);
  return h("span", { class: "tools" }, undo, redo);
}

const chains: Record<ChainMode, string> = {
  body: "Whole body",
  branch: "To the nearest branch",
  part: "This part only",
  joint: "From a joint…",
};

// How much of the figure follows a drag.                                                                W93 6.2
function chainChoice(app: App): HTMLElement {
  const mode = h(
    "select",
    { id: "chain-mode", title: "What follows when you pull a part" },
    ...Object.entries(chains).map(([value, name]) => h("option", { value }, name)),
  );
  const joint = h("select", {
    id: "chain-joint",
    title: "The joint where the chain begins",
    aria: { label: "The joint where the chain begins" },
  });
  const show = () => {
    mode.value = app.chainMode;
    joint.hidden = app.chainMode !== "joint";
    joint.value = String(app.chainJoint);
  };
  const fill = () => {
    const { segments } = app.figure.info;
    replace(joint, ...segments.map((one, k) => h("option", { value: String(k) }, one.joint.replaceAll("_", " "))));
    if (app.chainJoint >= segments.length) app.setChain("body", -1);
    show();
  };
  mode.onchange = () =>
    app.setChain(mode.value as ChainMode, mode.value === "joint" ? Math.max(0, app.chainJoint) : app.chainJoint);
  joint.onchange = () => app.setChain("joint", Number(joint.value));
  fill();
  app.on("figure", fill);
  app.on("chain", show);
  return h("span", { class: "tools chain" }, h("label", { htmlFor: "chain-mode" }, "Pull"), mode, joint);
}

function titleField(app: App): HTMLElement {
  const field = h("input", {
    type: "text",
    id: "document-title",
    placeholder: "Untitled",
    maxLength: 200,
    title: "Title of the document",
    aria: { label: "Title of the document" },
    autocomplete: "off",
    spellcheck: false,
  });
  const mark = h("span", { id: "saved-mark", role: "status" });
  let file = false; // the document is in a file
  const show = () => {
    const { title } = app.doc;
    const { isSaved } = app.store;
    if (document.activeElement !== field) field.value = title;
    mark.textContent = isSaved ? (file ? "Saved" : "") : "Not saved";
    mark.className = isSaved ? "saved" : "unsaved";
    mark.title = isSaved
      ? "Nothing has changed since the document was opened or saved"
      : "Changes are kept in this browser; Ctrl+S saves them as a file";
    document.title = `${isSaved ? "" : "• "}${title || "Untitled"} – Limber`;
  };
  field.onchange = () => {
    const title = field.value.trim();
    if (title !== app.doc.title) app.store.run("Title", (doc) => setTitle(doc, title));
  };
  field.onkeydown = ({ key }) => {
    if (key === "Escape") field.value = app.doc.title;
    if (key === "Enter" || key === "Escape") field.blur();
  };
  field.onblur = show;
  show();
  app.on("document", (_doc, _before, cause) => {
    if (cause === "load") file = false;
    show();
  });
  app.on("saved", () => {
    file = true;
    show();
  });
  return h("span", { class: "tools title" }, field, mark);
}

function themeButton(app: App): HTMLElement {
  const button = h("button", { class: "quiet tool", id: "theme", onclick: () => app.actions.run("view.theme") });
  const show = () => {
    const isDark = document.documentElement.dataset.theme === "dark";
    replace(button, icon(...(isDark ? icons.sun : icons.moon)));
    button.title = `${isDark ? "Light" : "Dark"} theme (${printed("Ctrl+Alt+T")})`;
    button.setAttribute("aria-label", button.title);
  };
  show();
  app.on("settings", show);
  return button;
}
