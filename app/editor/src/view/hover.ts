// Hover: the part under the pointer is lighter and its name is shown beside the pointer. The selected part has a colour.
import type { App } from "../state/app.js";
import { h, replace } from "../ui/dom.js";
import { paletteNow } from "./ground.js";
import { partNames } from "./names.js";
import type { Stage } from "./stage.js";

export class PointerLabel {
  readonly element = h("div", { class: "pointer-label", hidden: true, role: "status" });

  constructor(private readonly stage: Stage) {
    stage.overlay.append(this.element);
  }

  // Beside the pointer, on the side where there is room.
  show(clientX: number, clientY: number, ...children: (Node | string | undefined)[]): void {
    const { element, stage } = this;
    const box = stage.host.getBoundingClientRect();
    element.hidden = false;
    replace(element, ...children);
    const { offsetWidth: width, offsetHeight: height } = element;
    const x = clientX - box.x;
    const y = clientY - box.y;
    const left = x + 16 + width > box.width ? x - 12 - width : x + 16;
    const top = Math.max(2, y - 10 - height);
    element.style.transform = `translate(${Math.round(Math.max(2, left))}px, ${Math.round(top)}px)`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

export function mountHover(app: App, stage: Stage): void {
  const label = new PointerLabel(stage);
  label.element.classList.add("name");
  let over = -1;

  function tint(): void {
    const tints = new Map<number, number>();
    const palette = paletteNow();
    if (over >= 0) tints.set(over, palette.hover);
    if (app.selection.kind === "segment") tints.set(app.selection.segment, palette.selected);
    stage.setTints(tints);
  }

  stage.onHover((hover) => {
    const segment = hover?.hit?.segment ?? -1;
    for (const view of stage.views) view.element.classList.toggle("over-part", segment >= 0 && view === hover?.view);
    const info = app.figure.info.segments[segment];
    if (info && hover) {
      const { part, joint } = partNames(info);
      label.show(hover.clientX, hover.clientY, part, joint === undefined ? undefined : h("span", { class: "faint" }, joint));
    } else label.hide();
    if (segment === over) return;
    over = segment;
    tint();
  });
  app.on("selection", tint);
  app.on("settings", tint);
  app.on("figure", () => {
    over = -1;
    tint();
  });
}
