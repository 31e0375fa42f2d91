// The settings of the comparison: tracked places, method, iterations, whether the root is given.
import type { Figure, Limber, TrackerOptions } from "limber";
import { h, replace } from "../../ui/dom.js";
import { usualPlaces } from "./compare_reference.js";

const usualIterations = 20;

export class CompareForm {
  readonly element: HTMLElement;
  readonly shown = h("input", { type: "checkbox", checked: true });
  readonly shownLabel = h(
    "label",
    { class: "check", title: "The red and the green figure, in place of the document's" },
    this.shown,
    " show figures",
  );
  private places: string[] = [];
  private all: string[] = [];
  private readonly chips = h("div", { class: "compare-chips", role: "group", aria: { label: "Places that are followed" } });
  private readonly add = h("select", {
    class: "grow",
    aria: { label: "Add a place" },
    onchange: () => this.include(this.add.value),
  });
  private readonly method: HTMLSelectElement;
  private readonly iterations = h("input", {
    type: "number",
    min: "1",
    max: "1000",
    value: String(usualIterations),
    aria: { label: "Iterations per frame" },
  });
  private readonly rootGiven = h("input", { type: "checkbox" });

  constructor(methods: Limber["methods"]) {
    this.method = h(
      "select",
      { class: "grow", aria: { label: "Method of the comparison" } },
      ...methods.map(({ name }) => h("option", { value: name }, name.replaceAll("-", " "))),
    );
    const field = (label: string, ...children: HTMLElement[]) =>
      h("div", { class: "field" }, h("span", { class: "field-label" }, label), ...children);
    this.element = h(
      "div",
      { class: "compare-form" },
      this.chips,
      field("Add place", this.add),
      field("Method", this.method),
      field("Iterations", this.iterations, h("span", { class: "faint" }, "a frame")),
      field(
        "Root",
        h(
          "label",
          { class: "check", title: "Copy the root from the reference, and solve only for the rest" },
          this.rootGiven,
          " given by the reference",
        ),
      ),
    );
  }

  setFigure(figure: Figure): void {
    this.places = usualPlaces(figure);
    this.all = [...new Set([...figure.info.sites, ...figure.info.segments].map(({ name }) => name))];
    this.draw();
  }

  options(): TrackerOptions {
    if (this.places.length === 0) throw new Error("found no place to follow; expected one or more");
    const iterations = Math.min(1000, Math.max(1, Math.round(this.iterations.valueAsNumber) || usualIterations));
    return { places: this.places, method: this.method.value, iterations, root_given: this.rootGiven.checked };
  }

  private include(place: string): void {
    if (place && !this.places.includes(place)) this.places.push(place);
    this.draw();
  }

  private draw(): void {
    const plain = (place: string) => place.replaceAll("_", " ");
    const remove = (place: string) => {
      this.places = this.places.filter((one) => one !== place);
      this.draw();
    };
    replace(
      this.chips,
      ...this.places.map((place) =>
        h(
          "span",
          { class: "compare-chip" },
          plain(place),
          h(
            "button",
            {
              class: "quiet",
              title: `Do not follow the ${plain(place)}`,
              aria: { label: `Remove ${plain(place)}` },
              onclick: () => remove(place),
            },
            "✕",
          ),
        ),
      ),
    );
    replace(
      this.add,
      h("option", { value: "" }, "choose …"),
      ...this.all.filter((place) => !this.places.includes(place)).map((place) => h("option", { value: place }, plain(place))),
    );
  }
}
