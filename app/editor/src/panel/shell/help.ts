// The sheet of shortcuts, made from the list of actions, and the about dialog.
import "./help.css";
import type { App } from "../../state/app.js";
import { h } from "../../ui/dom.js";
import { openDialog, tell } from "../../ui/dialog.js";
import { groupsOf, printed } from "../../ui/menu.js";

// Pointer gestures have no action.
const pointer: [string, string][] = [
  ["Drag a part", "Pull it; the figure follows"],
  ["Click a part", "Select it: rings turn its joint"],
  ["Double-click a part, or long-press it", "Pin it where it is"],
  ["Right-click a part or an icon", "Open its context menu"],
  ["Drag an icon", "Move the goal of that constraint"],
  ["Drag beside the figure", "Rotate the view"],
  ["Right button", "Rotate the view, also over the figure"],
  ["Middle button, Shift, two fingers", "Move the view"],
  ["Wheel, pinch", "Zoom"],
];

export function mountHelp(app: App): void {
  const group = "Help";
  app.actions.add(
    { id: "help.shortcuts", title: "Shortcuts", group, keys: ["?"], run: () => showShortcuts(app) },
    { id: "help.about", title: "About Limber", group, run: () => void tellAbout() },
  );
}

let sheet: HTMLDialogElement | undefined;

function showShortcuts(app: App): void {
  if (sheet) return;
  const withKeys = app.actions.all.filter(({ keys }) => keys && keys.length > 0);
  const entry = (keys: Node[], what: string) => h("div", { class: "shortcut" }, h("dt", {}, ...keys), h("dd", {}, what));
  const groups = groupsOf(withKeys).map((group) =>
    h(
      "section",
      {},
      h("h3", {}, group),
      h(
        "dl",
        {},
        ...withKeys
          .filter((one) => one.group === group)
          .map(({ keys, title }) =>
            entry(
              keys!.map((key) => h("kbd", {}, printed(key))),
              title,
            ),
          ),
      ),
    ),
  );
  const mouse = h(
    "section",
    {},
    h("h3", {}, "Pointer"),
    h("dl", {}, ...pointer.map(([how, what]) => entry([h("span", {}, how)], what))),
  );
  const close = h(
    "div",
    { class: "choices" },
    h("button", { class: "main", autofocus: true, onclick: () => sheet?.close() }, "Close"),
  );
  sheet = openDialog("Shortcuts", [h("div", { class: "shortcuts" }, ...groups, mouse), close], () => (sheet = undefined), true);
}

const tellAbout = () =>
  tell("About Limber", [
    h("p", {}, "Limber poses and animates figures: pull a hand, and the body follows within its joint limits."),
    h("p", {}, "Everything runs in this page. Files stay on your machine; nothing is sent anywhere."),
    h("p", { class: "faint" }, "Free software under the MIT licence."),
  ]);
