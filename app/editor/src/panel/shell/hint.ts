// Three first steps for new users. Each is ticked when it is done; once closed, the hint does not return.
import type { App } from "../../state/app.js";
import { h, remember, remembered } from "../../ui/dom.js";

const farewell = 4000; // ms after the last step

export function mountHint(app: App): void {
  app.actions.add({ id: "help.hint", title: "First steps", group: "Help", run: () => showHint(app) });
  if (remembered("hint", true)) showHint(app);
}

let shown: HTMLElement | undefined;

function showHint(app: App): void {
  if (shown) return;
  const step = (number: number, ...text: (Node | string)[]) => h("li", {}, h("b", {}, String(number)), h("span", {}, ...text));
  const pull = step(1, "Drag a hand. The body follows, the feet stay.");
  const key = step(2, "Press ", h("kbd", {}, "K"), " for a key. Click another time, pose, press it again.");
  const play = step(3, "Press ", h("kbd", {}, "Space"), " to play.");
  const card = h(
    "section",
    { class: "hint", aria: { label: "First steps" } },
    h(
      "header",
      {},
      h("strong", {}, "First steps"),
      h(
        "button",
        {
          class: "quiet",
          title: "Close; the Help menu shows it again",
          onclick: () => close(true),
          aria: { label: "Close the first steps" },
        },
        "✕",
      ),
    ),
    h("ol", {}, pull, key, play),
  );
  const place = () => (card.style.bottom = `${document.getElementById("timeline")!.getBoundingClientRect().height + 12}px`);
  const off = [
    app.on("document", (doc, before, cause) => {
      if (cause !== "command") return;
      if (doc.pose !== before.pose) done(pull);
      if (doc.keys.length >= 2 && doc.keys !== before.keys) done(key);
    }),
    app.on("playing", (playing) => playing && done(play)),
  ];
  const resized = new ResizeObserver(place);
  const close = (forEver: boolean) => {
    off.forEach((stop) => stop());
    resized.disconnect();
    card.remove();
    shown = undefined;
    if (forEver) remember("hint", false);
  };
  const done = (one: HTMLElement) => {
    one.classList.add("done");
    one.firstElementChild!.textContent = "✓";
    if ([pull, key, play].every((each) => each.classList.contains("done")))
      setTimeout(() => shown === card && close(true), farewell);
  };
  resized.observe(document.getElementById("timeline")!);
  place();
  document.body.append(card);
  shown = card;
}
