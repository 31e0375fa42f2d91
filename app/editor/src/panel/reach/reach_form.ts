// The settings of a reach map: place, start of the chain, resolution, and the meaning of the colours.
import type { Figure, ReachMeasure } from "limber";
import { plain } from "../../document/handles.js";
import { chainStarts, handlesOf, usualHandle, usualStart, wholeBody } from "../../engine/reach_question.js";
import { h, remember, remembered, replace } from "../../ui/dom.js";
import { labelled, placeField } from "../../ui/fields.js";

const resolutions = [10, 5, 3, 2] as const; // centimetres
const usualResolution = 5;
const measures: readonly { value: ReachMeasure; text: string; ends: readonly [string, string] }[] = [
  { value: "limits", text: "distance from the limits", ends: ["at limits", "far from all"] },
  { value: "comfort", text: "comfort of the joints", ends: ["uncomfortable", "comfortable"] },
];

export class ReachForm {
  readonly element = h("div", { class: "reach-form" });
  private place: ReturnType<typeof placeField> | undefined;
  private handle_ = "";
  private readonly start = h("select", {
    class: "grow",
    aria: { label: "First joint that moves" },
    onchange: () => this.changed(),
  });
  private readonly resolution = h(
    "select",
    {
      aria: { label: "Size of the finest cells" },
      onchange: () => (remember("reach.resolution", this.centimetres), this.changed()),
    },
    ...resolutions.map((one) => h("option", { value: String(one) }, `${one} cm`)),
  );
  private readonly colours = h(
    "select",
    { class: "grow", aria: { label: "What the colours show" }, onchange: () => (this.showLegend(), this.painted()) },
    ...measures.map(({ value, text }) => h("option", { value }, text)),
  );
  private readonly legend = h(
    "div",
    { class: "reach-legend" },
    h("span", {}),
    h("span", { class: "reach-ramp", aria: { hidden: "true" } }),
    h("span", {}),
  );

  constructor(
    private readonly changed: () => void, // another map is needed
    private readonly painted: () => void, // other colours of the same map
  ) {
    this.resolution.value = String(remembered("reach.resolution", usualResolution));
    if (this.resolution.selectedIndex < 0) this.resolution.value = String(usualResolution);
    this.showLegend();
  }

  get handle(): string {
    return this.handle_;
  }
  get from(): string {
    return this.start.value;
  }
  get centimetres(): number {
    return Number(this.resolution.value);
  }
  get measure(): ReachMeasure {
    return this.colours.value as ReachMeasure;
  }

  setMeasure(measure: ReachMeasure): void {
    this.colours.value = measure;
    this.showLegend();
    this.painted();
  }

  setFigure(figure: Figure): void {
    const enter = (handle: string) => (this.setHandle(figure, handle), this.changed());
    this.place = placeField("Place", handlesOf(figure), enter);
    replace(
      this.element,
      this.place.element,
      labelled("From", this.start),
      labelled("Cells", this.resolution, h("span", { class: "faint" }, "at the boundary")),
      labelled("Colour", this.colours),
      this.legend,
    );
    this.setHandle(figure, usualHandle(figure));
  }

  // The chain stays if the other place has it too.
  setHandle(figure: Figure, handle: string): void {
    const { value, options } = this.start;
    const before =
      options.length > 0 && handle.replace(/left|right/, "") === this.handle_.replace(/left|right/, "") ? value : undefined;
    this.handle_ = handle;
    this.place?.show(handle);
    const starts = chainStarts(figure, handle);
    const text = (start: string) => (start === "spine" ? "waist (spine)" : plain(start));
    replace(
      this.start,
      ...starts.map((start) => h("option", { value: start }, text(start))),
      h("option", { value: wholeBody }, "whole body, with its constraints"),
    );
    this.start.value =
      before !== undefined && (before === wholeBody || starts.includes(before)) ? before : usualStart(figure, handle);
  }

  // Keeps the settings of the old figure where this one has the same names.
  setFrom(from: string): void {
    if ([...this.start.options].some(({ value }) => value === from)) this.start.value = from;
  }

  private showLegend(): void {
    const { ends } = measures.find(({ value }) => value === this.colours.value)!;
    this.legend.firstElementChild!.textContent = ends[0];
    this.legend.lastElementChild!.textContent = ends[1];
  }
}
