// Messages at the bottom of the window; errors stay until they are closed.
import type { App } from "../../state/app.js";
import { h } from "../../ui/dom.js";

const readingTime = 5000; // ms
const decidingTime = 20000;

export function mountMessages(app: App): void {
  const host = document.getElementById("messages")!;
  app.on("message", ({ kind, title, text, button }) => {
    const close = h("button", { class: "quiet", title: "Close", onclick: () => item.remove() }, "✕");
    const does = button && h("button", { onclick: () => (item.remove(), button.run()) }, button.title);
    const item = h(
      "div",
      { class: `message ${kind}`, role: kind === "error" ? "alert" : "status" },
      h("strong", {}, title),
      text ? h("span", {}, text) : undefined,
      does,
      close,
    );
    host.append(item);
    if (kind === "info") setTimeout(() => item.remove(), button ? decidingTime : readingTime);
  });
}
