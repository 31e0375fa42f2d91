// One parameter of the figure: name, slider between its limits, value, lock, rigidity and stiffness.
import { reject } from "../../ui/fields.js";
import type { ParameterInfo } from "limber";
import type { App } from "../../state/app.js";
import { setRigidity, setStiffness } from "../../command/commands.js";
import { plain } from "../../document/handles.js";
import { h, svg } from "../../ui/dom.js";
import { Turn } from "../../input/turn.js";
import { degrees, radians } from "../../document/angle.js";

const widest = { turn: Math.PI, shift: 2 }; // of a slider without limits: half a turn, or metres
const atLimit = 1e-6; // radians or metres: tolerance of a solve at a limit
const keyStep = 1; // degree or centimetre
const fineStep = 0.1;
const maxStiffness = 1000;

// In degrees or centimetres.
export const shownNumber = ({ metres }: ParameterInfo, value: number) => (metres ? 100 * value : degrees(value));
const innerNumber = ({ metres }: ParameterInfo, value: number) => (metres ? value / 100 : radians(value));
export const digits = (value: number) => value.toFixed(1).replace(/^-(0\.0)$/, "$1");

export const lockIcon = (locked: boolean) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    svg("rect", { x: 3.5, y: 7.5, width: 9, height: 6, rx: 1, fill: locked ? "currentColor" : "none", stroke: "currentColor" }),
    svg("path", {
      d: locked ? "M5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5" : "M5.5 7.5V4a2.5 2.5 0 0 1 4.8-1",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.3,
    }),
  );

export class JointRow {
  readonly element: HTMLElement;
  readonly title: string; // "right elbow flexion"
  private readonly info: ParameterInfo;
  private readonly slider: HTMLInputElement;
  private readonly number: HTMLInputElement;
  private readonly unit: HTMLElement;
  private readonly lock: HTMLButtonElement;
  private readonly rigid: HTMLInputElement;
  private readonly rigidNumber: HTMLElement;
  private readonly stiff: HTMLInputElement;
  private readonly low: number;
  private readonly high: number;
  private turn: Turn | undefined;
  private value = NaN;
  private rigidity = NaN;
  private stiffness = NaN;
  private isTyping = false;

  constructor(
    private readonly app: App,
    private readonly parameter: number,
  ) {
    const info = (this.info = app.figure.info.parameters[parameter]!);
    const width = info.metres ? widest.shift : widest.turn;
    this.low = info.lower ?? -width;
    this.high = info.upper ?? width;
    this.title = plain(info.name);
    const short = plain(info.name.includes(".") ? info.name.slice(info.name.indexOf(".") + 1) : info.name);
    const name = h(
      "button",
      {
        class: "quiet joint-name",
        title: `${this.title} ${this.rangeText()}\nDouble click: back to rest`,
        ondblclick: () => this.set(info.rest),
      },
      short,
    );
    this.slider = h("input", { type: "range", class: "joint-slider", aria: { label: this.title } });
    Object.assign(this.slider, { min: String(this.low), max: String(this.high), step: "any" });
    this.slider.style.setProperty("--rest", this.partOf(info.rest));
    this.number = h("input", {
      type: "text",
      inputMode: "decimal",
      class: "joint-number",
      aria: { label: `${this.title} in ${info.metres ? "centimetres" : "degrees"}` },
    });
    this.unit = h("span", { class: "joint-unit" }, this.unitText());
    this.lock = h("button", { class: "quiet joint-lock", onclick: () => this.setRigidity(this.rigidity === 1 ? 0 : 1) });
    const more = h(
      "button",
      {
        class: "quiet joint-more",
        title: "More: rigidity, stiffness and limits",
        aria: { label: `More of ${this.title}`, expanded: "false" },
      },
      "⋯",
    );
    this.rigid = h("input", { type: "range", min: "0", max: "1", step: "0.01", aria: { label: `Rigidity of ${this.title}` } });
    this.rigidNumber = h("output");
    this.stiff = h("input", {
      type: "number",
      class: "joint-stiffness",
      min: "0",
      max: String(maxStiffness),
      step: "any",
      aria: { label: `Stiffness of ${this.title}` },
    });
    const details = h(
      "div",
      { class: "joint-details", hidden: true },
      h(
        "label",
        { title: "How much the joint resists moving in a solve: 0 moves freely, 1 does not move" },
        "Rigidity ",
        this.rigid,
      ),
      this.rigidNumber,
      h(
        "label",
        {
          title:
            "How firmly the joint stays as it is: 0 like the others; with 10 it moves about ten times less, if others can move instead",
        },
        "Stiffness ",
        this.stiff,
      ),
      h("span", { class: "faint" }, this.rangeText()),
    );
    more.onclick = () => {
      details.hidden = !details.hidden;
      more.setAttribute("aria-expanded", String(!details.hidden));
    };
    this.element = h(
      "div",
      { class: "joint-row", data: { parameter: info.name } },
      name,
      this.slider,
      this.number,
      this.unit,
      this.lock,
      more,
      details,
    );
    this.listenToSlider();
    this.listenToNumber();
    this.rigid.oninput = () => (this.rigidNumber.textContent = Number(this.rigid.value).toFixed(2));
    this.stiff.onchange = () => this.setStiffness();
    this.rigid.onchange = () => this.setRigidity(Number(this.rigid.value));
  }

  // Updates the row if something has changed.
  show(value: number, rigidity: number, stiffness: number): void {
    if (value !== this.value) {
      this.value = value;
      if (!this.turn) this.slider.value = String(value);
      if (!this.isTyping) this.number.value = digits(shownNumber(this.info, value));
      const [from, to] = [this.info.rest, value].sort((a, b) => a - b);
      this.slider.style.setProperty("--from", this.partOf(from!));
      this.slider.style.setProperty("--to", this.partOf(to!));
      this.slider.setAttribute(
        "aria-valuetext",
        `${digits(shownNumber(this.info, value))} ${this.info.metres ? "centimetres" : "degrees"}`,
      );
      this.element.classList.toggle("limit", this.limit() !== "");
      this.unit.textContent = this.unitText();
    }
    if (rigidity !== this.rigidity) {
      this.rigidity = rigidity;
      this.rigid.value = String(rigidity);
      this.rigidNumber.textContent = rigidity.toFixed(2);
      const locked = rigidity === 1;
      this.lock.replaceChildren(lockIcon(locked));
      this.lock.setAttribute("aria-pressed", String(locked));
      this.lock.setAttribute("aria-label", `Lock ${this.title}`);
      this.lock.title = locked ? "Locked: solving does not change it" : "Lock: solving does not change it";
    }
    if (stiffness !== this.stiffness) {
      this.stiffness = stiffness;
      this.stiff.value = String(stiffness);
    }
    this.element.classList.toggle("stiff", stiffness > 0 || (rigidity > 0 && rigidity < 1));
  }

  matches(filter: string): boolean {
    return this.title.toLowerCase().includes(filter) || this.info.name.toLowerCase().includes(filter);
  }

  // Highlights the row.
  flash(): void {
    this.element.classList.remove("flash");
    void this.element.offsetWidth; // restarts the animation
    this.element.classList.add("flash");
  }

  focus(): void {
    this.slider.focus({ preventScroll: true });
  }

  private get verb(): string {
    return `${this.info.metres ? "Move" : "Turn"} ${this.title}`;
  }

  private limit(): "" | "min" | "max" {
    const { lower, upper } = this.info;
    if (upper !== null && this.value >= upper - atLimit) return "max";
    return lower !== null && this.value <= lower + atLimit ? "min" : "";
  }

  private unitText(): string {
    const unit = this.info.metres ? "cm" : "°";
    const limit = this.limit();
    return limit ? `${unit} ${limit}` : unit;
  }

  private rangeText(): string {
    const { lower, upper, metres } = this.info;
    if (lower === null && upper === null) return "without limits";
    const end = (value: number | null) =>
      value === null ? "any" : digits(shownNumber(this.info, value)) + (metres ? " cm" : "°");
    return `${end(lower)} to ${end(upper)}`;
  }

  private partOf(value: number): string {
    return `${(100 * Math.min(1, Math.max(0, (value - this.low) / (this.high - this.low)))).toFixed(2)}%`;
  }

  // One step, from where it is to a value.
  private set(value: number): void {
    this.turn ??= new Turn(this.app, this.parameter);
    this.turn.to(value);
    this.finish();
  }

  private setRigidity(rigidity: number): void {
    const { name, rigidity: own } = this.info;
    const title = rigidity === 1 ? "Lock" : this.rigidity === 1 && rigidity === 0 ? "Unlock" : "Rigidity of";
    this.app.store.run(`${title} ${this.title}`, (doc) => setRigidity(doc, name, rigidity, own));
  }

  private setStiffness(): void {
    const typed = this.stiff.valueAsNumber;
    const stiffness = Number.isFinite(typed) ? Math.min(maxStiffness, Math.max(0, typed)) : this.stiffness;
    this.stiff.value = String(stiffness);
    if (stiffness === this.stiffness) return;
    this.stiffness = stiffness; // the field shows it already
    this.app.store.run(`Stiffness of ${this.title}`, (doc) => setStiffness(doc, this.info.name, stiffness));
  }

  private finish(): void {
    const off = this.turn?.end(this.verb) ?? 0;
    this.turn = undefined;
    this.slider.value = String(this.value);
    if (Math.abs(shownNumber(this.info, off)) < 0.05) return;
    this.app.say(
      "info",
      this.verb,
      `Constraints hold it at ${digits(shownNumber(this.info, this.value))} ${this.info.metres ? "cm" : "degrees"}.`,
    );
  }

  private cancel(): void {
    this.turn?.cancel();
    this.turn = undefined;
    this.value = NaN; // forces an update
  }

  // A drag of the slider is one step of the document; so are repeated key presses until the key is released.
  private listenToSlider(): void {
    const { slider } = this;
    slider.oninput = () => {
      this.turn ??= new Turn(this.app, this.parameter);
      this.turn.to(Number(slider.value));
    };
    slider.onchange = () => this.finish();
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    slider.onkeydown = (event) => {
      if (event.key === "Escape" && this.turn) return this.cancel();
      const ends: Record<string, number> = { Home: this.low, End: this.high };
      const step = steps[event.key];
      if (step === undefined && !(event.key in ends)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const size = innerNumber(this.info, event.shiftKey ? fineStep : keyStep);
      const value = step === undefined ? ends[event.key]! : this.app.pose[this.parameter]! + step * size;
      this.turn ??= new Turn(this.app, this.parameter);
      this.turn.to(Math.min(this.high, Math.max(this.low, value)));
      slider.value = String(this.app.pose[this.parameter]);
    };
    slider.onkeyup = slider.onblur = () => {
      if (this.turn) this.finish();
    };
  }

  private listenToNumber(): void {
    const { number } = this;
    number.onfocus = () => number.select();
    number.oninput = () => (this.isTyping = true);
    number.onkeydown = (event) => {
      if (event.key === "Escape") this.isTyping = false;
      if (event.key === "Enter" || event.key === "Escape") {
        this.enter();
        number.select();
      }
    };
    number.onblur = () => this.enter();
  }

  private enter(): void {
    const typed = Number(this.number.value.trim().replace(",", "."));
    const wasTyped = this.isTyping && this.number.value.trim() !== "" && Number.isFinite(typed);
    if (this.isTyping && !wasTyped) reject(this.number, "a number");
    this.isTyping = false;
    if (wasTyped) this.enterValue(innerNumber(this.info, typed));
    this.number.value = digits(shownNumber(this.info, this.value));
  }

  // A value beyond a limit is clamped, and a message says so.
  private enterValue(typed: number): void {
    const { lower, upper } = this.info;
    const value = Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, typed));
    if (value !== typed)
      this.app.say(
        "info",
        this.title,
        `${digits(shownNumber(this.info, value))}${this.info.metres ? " cm" : "°"} is its ${value < typed ? "upper" : "lower"} limit; ${digits(shownNumber(this.info, typed))} is beyond.`,
      );
    this.set(value);
  }
}
