// The legend of the colours of the body.
import { h, replace } from "../../ui/dom.js";
import { cssColour } from "../../view/heat.js";
import type { Colouring } from "./assess_text.js";

const ends: Record<Exclude<Colouring, "none">, { title: string; ticks: readonly string[]; beyond?: string; none: string }> = {
  comfort: {
    title: "Comfort of the joint that carries a part",
    ticks: ["1 at ease", "0.5", "0 at its limit"],
    none: "no limits",
  },
  load: {
    title: "Share of its strength that the joint uses",
    ticks: ["0 %", "50 %", "100 %"],
    beyond: "more: gives",
    none: "no known strength",
  },
};

const swatch = (heat: number) => h("span", { class: "assess-swatch", style: `background: ${cssColour(heat)}` });

export class Legend {
  readonly element = h("div", { class: "assess-legend", role: "note" });

  show(by: Colouring): void {
    this.element.hidden = by === "none";
    if (by === "none") return;
    const { title, ticks, beyond, none } = ends[by];
    const ramp = h("div", {
      class: "assess-ramp",
      style: `background: linear-gradient(90deg, ${[0, 0.5, 1].map(cssColour).join(", ")})`,
      aria: { hidden: "true" },
    });
    replace(
      this.element,
      h("div", {}, title),
      ramp,
      h("div", { class: "assess-ticks" }, ...ticks.map((tick) => h("span", {}, tick))),
      h("div", { class: "assess-keys faint" }, ...(beyond ? [swatch(2), beyond] : []), swatch(-1), none),
    );
  }
}
