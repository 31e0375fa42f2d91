// One constraint in the list: its kind, whether it is on, its error, and the limits that prevent it from being met.
import type { ConstraintReport, HoldingLimit } from "limber";
import type { App } from "../../state/app.js";
import { changeConstraint, removeConstraint } from "../../command/commands.js";
import { spanOf, type Constraint } from "../../document/document.js";
import { kindOf, kinds } from "../../document/goals.js";
import { plain } from "../../document/handles.js";
import { h, replace } from "../../ui/dom.js";
import { kindIcon } from "../../ui/constraint_icons.js";
import { clearText, TouchList } from "./touches.js";
import { nameOf, errorText, weightHint, weightText } from "../../ui/constraint_text.js";
import { attempt } from "../../state/attempt.js";
import { showLimit } from "../../state/show_limit.js";

const heldShown = 3;

// State and limits, also of a dragged part, which is no constraint of the document.
export class StateLine {
  readonly element: HTMLElement;
  private readonly state = h("span", { class: "constraint-state" });
  private readonly held = h("span", { class: "constraint-held" });
  private readonly touches: TouchList;
  private shown = "";

  constructor(private readonly app: App) {
    this.touches = new TouchList(app);
    this.element = h("div", { class: "constraint-line" }, this.state, this.held, this.touches.element);
  }

  show(report: ConstraintReport | undefined, isOff: string): void {
    const text = isOff || (!report ? "" : report.met ? "✓ met" : (clearText(report) ?? errorText(report)));
    this.touches.show(isOff ? [] : (report?.touches ?? []));
    const held = isOff || !report || report.met ? [] : report.held_back_by.slice(0, heldShown);
    const key = JSON.stringify([text, held.map(({ limit, share }) => [limit, Math.round(100 * share)])]);
    if (key === this.shown) return;
    this.shown = key;
    this.state.textContent = text;
    this.state.className = `constraint-state ${isOff || !report ? "faint" : report.met ? "good" : "bad"}`;
    this.showHeld(held);
  }

  // Buttons are reused while their number stays the same, so that one can be pressed while numbers change.
  private showHeld(held: readonly HoldingLimit[]): void {
    if (held.length !== this.held.querySelectorAll("button").length)
      replace(this.held, held.length > 0 && "held by ", ...held.map(() => h("button", { class: "held-limit" })));
    this.held.querySelectorAll("button").forEach((button, k) => {
      const limit = held[k]!;
      const text = `${plain(limit.limit)} ${Math.round(100 * limit.share)} %`;
      if (button.textContent !== text) button.textContent = text;
      button.title = "Show this joint";
      button.onclick = () => showLimit(this.app, limit);
    });
  }
}

export class ConstraintRow {
  readonly element: HTMLElement;
  private readonly pick: HTMLButtonElement;
  private readonly icon = h("span", { class: "constraint-icon" });
  private readonly name = h("span", { class: "constraint-name" });
  private readonly weight = h("span", { class: "constraint-weight" });
  private readonly enabled: HTMLInputElement;
  private readonly line: StateLine;
  private readonly ease: HTMLButtonElement;
  private kind = "";
  private constraint: Constraint | undefined;

  constructor(
    private readonly app: App,
    readonly id: string,
  ) {
    this.line = new StateLine(app);
    this.pick = h(
      "button",
      {
        class: "quiet constraint-pick",
        onclick: () => app.select(this.isSelected ? { kind: "nothing" } : { kind: "constraint", id }),
      },
      this.icon,
      this.name,
      this.weight,
    );
    this.enabled = h("input", { type: "checkbox", onchange: () => toggle(app, id) });
    const remove = h(
      "button",
      {
        class: "quiet constraint-remove",
        title: "Delete (Delete)",
        aria: { label: "Delete constraint" },
        onclick: () => erase(app, id),
      },
      "✕",
    );
    this.ease = h(
      "button",
      {
        class: "ease",
        hidden: true,
        title: "A hard constraint that is out of reach disturbs the other hard constraints",
        onclick: () => weigh(app, id),
      },
      "Give it a weight instead",
    );
    this.element = h(
      "li",
      { class: "constraint", data: { constraint: id } },
      h("div", { class: "constraint-head" }, this.enabled, this.pick, remove),
      this.line.element,
      this.ease,
    );
  }

  show(constraint: Constraint, report: ConstraintReport | undefined): void {
    if (constraint !== this.constraint) this.showConstraint(constraint);
    const { from, to } = spanOf(constraint);
    const { time } = this.app;
    this.line.show(report, constraint.enabled === false ? "off" : time < from || time > to ? "not at this time" : "");
    this.ease.hidden = !(
      constraint.weight === "must" &&
      !constraint.keep_clear &&
      constraint.enabled !== false &&
      report?.met === false
    );
    const { isSelected } = this;
    this.element.classList.toggle("selected", isSelected);
    this.pick.setAttribute("aria-expanded", String(isSelected));
  }

  private showConstraint(constraint: Constraint): void {
    this.constraint = constraint;
    const kind = kindOf(constraint);
    if (kind !== this.kind) replace(this.icon, kindIcon((this.kind = kind)));
    this.name.textContent = nameOf(constraint);
    this.pick.title = `${kinds[kind].title}: edit`;
    this.weight.textContent = weightText(constraint);
    this.weight.title = weightHint(constraint);
    const isOn = constraint.enabled !== false;
    this.enabled.checked = isOn;
    this.enabled.title = isOn ? "On; switch off (E)" : "Off; switch on (E)";
    this.enabled.setAttribute("aria-label", `${nameOf(constraint)} on`);
    this.element.classList.toggle("off", !isOn);
  }

  private get isSelected(): boolean {
    const { selection } = this.app;
    return selection.kind === "constraint" && selection.id === this.id;
  }
}

// Makes a hard constraint that cannot be met soft, so that it yields to the other hard constraints.
function weigh(app: App, id: string): void {
  attempt(app, "Weight", () => app.runAndSettle("Weight", (doc) => changeConstraint(doc, id, { weight: 1000 })));
}

export function toggle(app: App, id: string): void {
  const constraint = app.doc.constraints.find((one) => one.id === id);
  if (!constraint) return;
  const isOn = constraint.enabled !== false;
  const title = `${isOn ? "Switch off" : "Switch on"} ${nameOf(constraint)}`;
  attempt(app, title, () => app.runAndSettle(title, (doc) => changeConstraint(doc, id, { enabled: isOn ? false : undefined })));
}

export function erase(app: App, id: string): void {
  const constraint = app.doc.constraints.find((one) => one.id === id);
  if (!constraint) return;
  const title = `Delete ${nameOf(constraint)}`;
  attempt(app, title, () => app.runAndSettle(title, (doc) => removeConstraint(doc, id)));
}
