// A plot of error and time per frame; a click or drag sets the time.
import { h, svg } from "../../ui/dom.js";
import { frameAt, peaks, placeOf, polyline, quantile, roundTop, short } from "./compare_scale.js";

export interface Series {
  readonly mean: Float64Array; // metres
  readonly max: Float64Array;
  readonly milliseconds: Float64Array;
}

const errorHeight = 84;
const timeHeight = 44;
const margin = 4; // above a lane, so that its line is not clipped
const usualPart = 0.9; // of the times fill the lower half: outliers of a busy machine are clipped

export class Plot {
  readonly element = h("div", {
    class: "compare-plot",
    tabIndex: 0,
    role: "slider",
    title: "Drag to move through the motion",
    aria: { label: "Frame of the comparison", valuemin: "0" },
  });
  private readonly cursor = h("div", { class: "compare-cursor" });
  private readonly values = h("output", { class: "compare-values faint" });
  private series: Series | undefined;
  private frame = 0;
  private width = 0;

  constructor(private readonly choose: (frame: number) => void) {
    this.element.addEventListener("pointerdown", (event) => this.pressed(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  get readout(): HTMLElement {
    return this.values;
  }

  show(series: Series | undefined): void {
    this.series = series;
    this.width = 0; // redrawn
    this.draw();
  }

  setFrame(frame: number): void {
    this.frame = frame;
    const { series } = this;
    if (!series) return;
    const frames = series.mean.length;
    this.cursor.style.transform = `translateX(${placeOf(frame, this.width, frames).toFixed(1)}px)`;
    const cm = (metres: number) => short(100 * metres);
    const text = `frame ${frame}: mean ${cm(series.mean[frame]!)} cm, max ${cm(series.max[frame]!)} cm, ${short(series.milliseconds[frame]!)} ms`;
    this.values.textContent = text;
    this.element.setAttribute("aria-valuemax", String(frames - 1));
    this.element.setAttribute("aria-valuenow", String(frame));
    this.element.setAttribute("aria-valuetext", text);
  }

  private draw(): void {
    const width = this.element.clientWidth;
    this.element.hidden = this.values.hidden = !this.series;
    if (!this.series || width === 0 || width === this.width) return;
    this.width = width;
    const { mean, max, milliseconds } = this.series;
    const cm = (metres: Float64Array) => peaks(metres, width).map((one) => 100 * one);
    this.element.replaceChildren(
      lane("error, cm", width, errorHeight, roundTop(100 * quantile(max, 1)), [
        { values: cm(max), name: "largest" },
        { values: cm(mean), name: "mean" },
      ]),
      lane("time, ms", width, timeHeight, roundTop(2 * quantile(milliseconds, usualPart)), [
        { values: peaks(milliseconds, width), name: "time" },
      ]),
      this.cursor,
    );
    this.setFrame(this.frame);
  }

  private choosePlace(clientX: number): void {
    const { left } = this.element.getBoundingClientRect();
    if (this.series) this.choose(frameAt(clientX - left - this.element.clientLeft, this.width, this.series.mean.length));
  }

  private pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => this.choosePlace(clientX);
    this.element.addEventListener("pointermove", move);
    const end = () => this.element.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"] as const) this.element.addEventListener(name, end, { once: true });
    move(event);
  }

  private key(event: KeyboardEvent): void {
    if (!this.series || event.ctrlKey || event.altKey || event.metaKey) return;
    const last = this.series.mean.length - 1;
    const to = {
      ArrowLeft: this.frame - 1,
      ArrowRight: this.frame + 1,
      PageDown: this.frame - 10,
      PageUp: this.frame + 10,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // arrow keys have another meaning elsewhere
    this.choose(Math.min(last, Math.max(0, to)));
  }
}

function lane(
  title: string,
  width: number,
  height: number,
  top: number,
  lines: readonly { values: readonly number[]; name: string }[],
): HTMLElement {
  const inner = height - margin;
  const curves = lines.map(({ values, name }) =>
    svg("polyline", { points: polyline(values, top, width, inner), class: `compare-line ${name}` }),
  );
  const half = svg("line", { x1: 0, x2: width, y1: inner / 2, y2: inner / 2, class: "compare-grid" });
  const picture = svg(
    "svg",
    { width, height, viewBox: `0 ${-margin} ${width} ${height}`, "aria-hidden": "true" },
    half,
    ...curves,
  );
  const keys = lines.length > 1 ? lines.map(({ name }) => h("span", { class: `compare-key ${name}` }, name)) : [];
  return h(
    "div",
    { class: "compare-lane" },
    h(
      "div",
      { class: "compare-axis faint" },
      h("span", {}, title),
      ...keys,
      h("span", { class: "compare-top" }, `top ${short(top)}`),
    ),
    picture as unknown as HTMLElement,
  );
}
