// The stature slider: while it moves, figure and surface are shown scaled; on release the document's human changes.
import type { App } from "../../state/app.js";
import { activeAt } from "../../document/document.js";
import { setPose } from "../../command/commands.js";
import { sexOf, statureOf } from "../../document/stature.js";
import { h } from "../../ui/dom.js";
import { labelled } from "../../ui/fields.js";
import { withStature } from "../../command/stature_commands.js";
import { attempt } from "../../state/attempt.js";

const marks = [5, 50, 95] as const; // percentiles
const people = { male: "men", female: "women" } as const;
const centimetres = (metres: number) => Math.round(100 * metres);
const ordinal = (percentile: number) => {
  const n = Math.round(percentile);
  return `${n}${n % 10 === 1 && n !== 11 ? "st" : n % 10 === 2 && n !== 12 ? "nd" : n % 10 === 3 && n !== 13 ? "rd" : "th"}`;
};

// "174 cm, 50th percentile of men".
export function statureText(metres: number, percentile: number, sex: "male" | "female"): string {
  const place = percentile < 1 ? "below the 1st" : percentile > 99 ? "above the 99th" : `the ${ordinal(percentile)}`;
  return `${centimetres(metres)} cm: ${place} percentile of ${people[sex]}`;
}

// The document with a human of another stature, in a pose that keeps the goals in the world.
export function setStature(app: App, stature: number): void {
  const { engine, figure, time } = app;
  const before = statureOf(app.doc, engine.limber.statures);
  if (before === undefined || Math.abs(stature - before) < 1e-9) return;
  attempt(app, "Stature", () =>
    app.store.run("Stature", (doc) => {
      const next = withStature(doc, figure, stature, stature / before);
      const pose = Float64Array.from(next.pose);
      engine.scene(activeAt(next, time)).solve(pose, { iterations: 100, restarts: 0, untilMet: true });
      return { ...next, pose: setPose(next, pose, time).pose };
    }),
  );
  if (app.doc.keys.length > 0) app.setTime(time);
}

export class StatureSlider {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", step: "1", class: "grow", aria: { label: "Stature in centimetres" } });
  private readonly reading = h("output", { class: "reach-reading" });
  private readonly buttons: HTMLButtonElement[];
  private shown = ""; // the slider's value for the document, whose stature may lie between two centimetres

  constructor(
    private readonly app: App,
    private readonly preview: (ratio: number) => void,
  ) {
    this.buttons = marks.map((mark) =>
      h(
        "button",
        {
          title: `The stature of the ${mark}th percentile`,
          onclick: () => setStature(app, this.statures.at(sexOf(app.doc), mark)),
        },
        `${mark}th`,
      ),
    );
    this.slider.oninput = () => this.slide();
    this.slider.onchange = () => this.put();
    this.slider.onkeydown = ({ key }) => {
      if (key !== "Escape") return;
      this.preview(1);
      this.show();
    };
    this.element = h("div", { class: "reach-stature" }, labelled("Stature", this.slider, ...this.buttons), this.reading);
    this.show();
  }

  private get statures() {
    return this.app.engine.limber.statures;
  }

  private slide(): void {
    const stature = statureOf(this.app.doc, this.statures);
    if (stature === undefined) return;
    // Back at its old value it changes nothing.
    if (this.slider.value === this.shown) {
      this.read(stature);
      return this.preview(1);
    }
    const next = this.slider.valueAsNumber / 100;
    this.read(next);
    this.preview(next / stature);
  }

  private put(): void {
    this.preview(1);
    if (this.slider.value !== this.shown) setStature(this.app, this.slider.valueAsNumber / 100);
    this.show();
  }

  private read(metres: number): void {
    const sex = sexOf(this.app.doc);
    this.reading.textContent = statureText(metres, this.statures.percentile(sex, metres), sex);
    this.slider.setAttribute("aria-valuetext", this.reading.textContent);
  }

  // Shows the stature of the document.
  show(): void {
    const stature = statureOf(this.app.doc, this.statures);
    for (const one of [this.slider, ...this.buttons]) one.disabled = stature === undefined;
    if (stature === undefined) return void (this.reading.textContent = "Only the built-in human has a stature.");
    const sex = sexOf(this.app.doc);
    this.slider.min = String(Math.min(centimetres(this.statures.at(sex, marks[0])), centimetres(stature)));
    this.slider.max = String(Math.max(centimetres(this.statures.at(sex, marks[2])), centimetres(stature)));
    this.slider.value = this.shown = String(centimetres(stature));
    this.read(stature);
  }
}
