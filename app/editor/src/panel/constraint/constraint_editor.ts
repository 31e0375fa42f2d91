// The fields of the selected constraint: name, handle, goal, weight, chain and interval. If limber.wasm rejects a change, the
// document stays as it was and the reason is shown here.
import type { Vec3 } from "limber";
import type { App } from "../../state/app.js";
import { changeConstraint } from "../../command/commands.js";
import type { Constraint } from "../../document/document.js";
import { canBeMust, isAim, kindOf, kinds } from "../../document/goals.js";
import { aimedAt, handleAt, handleOf, massCentre, plain, placesIn, placesOf, whereIs } from "../../document/handles.js";
import { goalAtHandle, makeConstraint, retyped, typeOf, typeRows, type WishKind } from "../../document/make_constraint.js";
import { segmentOf } from "../../document/places.js";
import { h, replace } from "../../ui/dom.js";
import { clearFields } from "./clear_fields.js";
import { checkField, labelled, numberField, placeField, selectField, textField } from "../../ui/fields.js";
import { goalFields, type GoalField } from "./goal_fields.js";
import { attempt } from "../../state/attempt.js";
import { isMust, nameOf, weightHint, weightText } from "../../ui/constraint_text.js";

type Change = Parameters<typeof changeConstraint>[2];

const aPoint = "a point";
const lightest = -2; // powers of ten of a weight
const maxWeightExponent = 3;

export class ConstraintEditor {
  readonly element = h("div", { class: "constraint-editor" });
  private readonly trouble = h("p", { class: "bad trouble", role: "alert", hidden: true });
  private fields: GoalField[] = [];
  private shape = "";
  private now: Constraint | undefined;

  constructor(private readonly app: App) {}

  show(constraint: Constraint): void {
    const { goal, handle } = constraint;
    const inner: unknown = goal ? Object.values(goal)[0] : undefined;
    const given = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.keys(inner) : [];
    const shape = JSON.stringify([
      constraint.id,
      kindOf(constraint),
      typeOf(constraint) === undefined,
      placesOf(handle),
      given,
      constraint.span !== undefined,
    ]);
    if (constraint !== this.now) this.trouble.hidden = true;
    this.now = constraint;
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(constraint);
    }
    for (const field of this.fields) field.show(constraint);
  }

  forget(): void {
    this.shape = "";
    this.now = undefined;
    this.element.remove();
  }

  // One step, or none and the reason.
  private change(what: string, change: Change | (() => Change)): void {
    const { app, now } = this;
    if (!now) return;
    const title = `${what} of ${nameOf(now)}`;
    const why = attempt(app, title, () => {
      const next = typeof change === "function" ? change() : change;
      app.runAndSettle(title, (doc) => changeConstraint(doc, now.id, next));
    });
    if (why === undefined) return;
    this.trouble.hidden = false;
    this.trouble.textContent = `Not changed: ${why}`;
    for (const field of this.fields) field.show(now);
  }

  private build(constraint: Constraint): void {
    this.fields = [
      this.name(),
      this.type(constraint),
      ...this.places(constraint),
      ...goalFields(
        constraint,
        (goal) => this.change("Goal", { goal }),
        (axis) => this.axis(axis),
      ),
      this.margin(constraint),
      ...clearFields(constraint, (what, clear) => this.change(what, { keep_clear: clear })),
      this.weight(),
      this.priority(constraint),
      this.chain(constraint),
      ...this.time(constraint),
    ].filter((field) => field !== undefined);
    const here = h(
      "button",
      { title: "The goal moves, the figure stays", onclick: () => this.setHere() },
      constraint.balance ? "Balance over the feet as they are now" : "Set goal to where it is now",
    );
    const canBeHere =
      constraint.balance ||
      (constraint.goal && goalAtHandle(this.app.engine.limber, this.app.figure, constraint, this.app.pose) !== undefined);
    replace(
      this.element,
      this.trouble,
      ...this.fields.map(({ element }) => element),
      canBeHere ? h("div", { class: "side-field" }, here) : undefined,
    );
  }

  private setHere(): void {
    const { app, now } = this;
    if (now) this.change("Goal", () => goalAtHandle(app.engine.limber, app.figure, now, app.pose) ?? {});
  }

  private axis(axis: "x" | "y"): Vec3 {
    const { app, now } = this;
    return whereIs(app.engine.limber, app.figure, now!.handle!, app.pose)[axis];
  }

  private name(): GoalField {
    const field = textField("Name", (name) =>
      this.app.store.run(`Rename ${nameOf(this.now!)}`, (doc) => changeConstraint(doc, this.now!.id, { name })),
    );
    return { element: field.element, show: (constraint) => field.show(nameOf(constraint)) };
  }

  // Of a lock of one place.                                                                                     W93 6.3
  private type(constraint: Constraint): GoalField | undefined {
    const { app } = this;
    const [place, other] = placesOf(constraint.handle);
    if (place === undefined || other !== undefined || !constraint.goal) return undefined;
    const rows = typeRows.filter(([, row]) => place !== massCentre || row.handle === "point");
    const own = typeOf(constraint) === undefined ? [{ value: "", text: kinds[kindOf(constraint)].title }] : [];
    const field = selectField("Type", [...own, ...rows.map(([value, row]) => ({ value, text: row.text }))], (kind) =>
      this.change("Type", () => retyped(app.engine.limber, app.figure, app.pose, this.now!, kind as WishKind)),
    );
    field.element.title = "What it asks; point, directions, weight and time stay where both types have them";
    return { element: field.element, show: (one) => field.show(typeOf(one) ?? "") };
  }

  // A handle at another place gets its goal there.
  private places(constraint: Constraint): GoalField[] {
    const { app } = this;
    const { handle } = constraint;
    if (handle === undefined) return [];
    const aims = isAim(constraint.goal);
    const all = placesIn(app.figure);
    const fields = placesOf(handle).map((_, part) => {
      const field = placeField(
        part === 0 ? "Part" : aims ? "Aims at" : "With",
        part === 1 && aims ? [aPoint, ...all] : all,
        (place) => (part === 1 && place === aPoint ? this.aimAtPoint() : this.move(place, part)),
      );
      return { element: field.element, show: (one: Constraint) => field.show(placesOf(one.handle)[part] ?? "") };
    });
    if (!aims || fields.length > 1) return fields;
    const target = placeField(
      "Aims at",
      [aPoint, ...all],
      (place) =>
        place !== aPoint &&
        this.change("Target", { handle: aimedAt(placesOf(this.now!.handle)[0]!, place), goal: { aim_at: [0, 0, 0] } }),
    );
    return [...fields, { element: target.element, show: () => target.show(aPoint) }];
  }

  private move(place: string, part: number): void {
    const { app, now } = this;
    this.change("Part", () => {
      const next = { ...now!, handle: handleAt(now!.handle!, place, part) };
      const old = plain(placesOf(now!.handle)[part]!);
      const renamed = now!.name?.includes(old) ? { name: now!.name.replace(old, plain(place)) } : {};
      return { handle: next.handle, from: undefined, ...renamed, ...goalAtHandle(app.engine.limber, app.figure, next, app.pose) };
    });
  }

  private aimAtPoint(): void {
    const { app, now } = this;
    const [place] = placesOf(now!.handle);
    this.change("Target", () => {
      const { goal } = makeConstraint(app.engine.limber, app.figure, app.pose, { kind: "aim", place: place! });
      return { handle: handleOf(place!, "ray"), goal };
    });
  }

  private margin(constraint: Constraint): GoalField | undefined {
    if (!constraint.balance) return undefined;
    const field = numberField("Margin", (margin) => this.change("Margin", { margin }), { scale: 100, digits: 1, min: 0 });
    return {
      element: labelled("Margin", field.element, h("span", { class: "unit faint" }, "cm within the edge of the feet")),
      show: (one) => field.show(one.margin ?? 0),
    };
  }

  private weight(): GoalField {
    const slider = h("input", {
      type: "range",
      class: "grow",
      min: String(lightest),
      max: String(maxWeightExponent),
      step: "0.05",
      aria: { label: "Weight" },
    });
    const number = numberField("Weight as a number", (weight) => this.change("Weight", { weight }), { digits: 3, min: 0 });
    const must = checkField(
      "hard constraint",
      (on) => this.change("Weight", { weight: on ? "must" : 1 }),
      "Met before all constraints with a weight, to rounding error",
    );
    const round = () => Number((10 ** Number(slider.value)).toPrecision(2));
    slider.oninput = () => number.show(round());
    slider.onchange = () => this.change("Weight", { weight: round() });
    const weightRow = labelled("Weight", slider, number.element);
    return {
      element: h("div", {}, weightRow, labelled("", must.element)),
      show: (constraint) => {
        const holds = isMust(constraint);
        must.show(holds);
        weightRow.title = weightHint(constraint);
        must.element.hidden = !canBeMust(constraint);
        slider.disabled = (number.element as HTMLInputElement).disabled = holds;
        const weight = holds ? 1 : Number(weightText(constraint));
        slider.value = String(Math.log10(Math.max(weight, 10 ** lightest)));
        number.show(holds ? 1 : typeof constraint.weight === "number" ? constraint.weight : weight);
      },
    };
  }

  private priority(constraint: Constraint): GoalField | undefined {
    if (constraint.keep_clear) return undefined; // it is beside the first
    const field = selectField(
      "Priority",
      [1, 2, 3, 4].map((value) => ({
        value: String(value),
        text: value === 1 ? "1, first" : `${value}, never disturbs earlier ones`,
      })),
      (value) => this.change("Priority", { priority: value === "1" ? undefined : Number(value) }),
    );
    return { element: field.element, show: (constraint) => field.show(String(constraint.priority ?? 1)) };
  }

  // Joints between the part and the root, with groups instead of their joints.
  private chain(constraint: Constraint): GoalField | undefined {
    const { info } = this.app.figure;
    const [place] = placesOf(constraint.handle);
    if (place === undefined) return undefined;
    const joints: string[] = [];
    for (let at = segmentOf(this.app.figure, place); at >= 0; at = info.segments[at]!.parent) {
      const {
        joint,
        freedoms: [from, to],
      } = info.segments[at]!;
      const terms = info.freedoms.slice(from, to).flatMap((freedom) => freedom.terms);
      if (terms.length === 0) continue;
      const group = info.parameters[terms[0]!]!.group;
      const name = group >= 0 ? info.groups[group]!.name : joint;
      if (!joints.includes(name)) joints.push(name);
    }
    if (constraint.from !== undefined && !joints.includes(constraint.from)) joints.push(constraint.from);
    const field = selectField(
      "Moves",
      [{ value: "", text: "whole body" }, ...joints.map((name) => ({ value: name, text: `from ${plain(name)} on` }))],
      (value) => this.change("Chain", { from: value || undefined }),
    );
    field.element.title = "Which part of the figure may move to meet it";
    return { element: field.element, show: (one) => field.show(one.from ?? "") };
  }

  private time(constraint: Constraint): GoalField[] {
    const { app } = this;
    const always = checkField(
      "always",
      (on) =>
        this.change("Time", {
          span: on ? undefined : { from: app.start, to: Math.max(app.end, app.start + 1), easeIn: 0, easeOut: 0 },
        }),
      "Active always, or for an interval",
    );
    const first = { element: labelled("Time", always.element), show: (one: Constraint) => always.show(one.span === undefined) };
    if (!constraint.span) return [first];
    const number = (label: string, key: "from" | "to" | "easeIn" | "easeOut") => {
      const field = numberField(label, (value) => this.change("Time", { span: { ...this.now!.span!, [key]: value } }), {
        digits: 3,
      });
      return { field, key };
    };
    const all = [
      number("From, seconds", "from"),
      number("To, seconds", "to"),
      number("Ease in, seconds", "easeIn"),
      number("Ease out, seconds", "easeOut"),
    ];
    const show = (one: Constraint) => {
      for (const { field, key } of all) field.show(Number.isFinite(one.span?.[key]) ? one.span![key] : 0);
    };
    const pair = (a: number, b: number, texts: [string, string]) =>
      h(
        "div",
        { class: "side-field" },
        h("span", { class: "side-label" }, texts[0]),
        all[a]!.field.element,
        h("span", {}, texts[1]),
        all[b]!.field.element,
        h("span", { class: "unit faint" }, "s"),
      );
    return [first, { element: h("div", {}, pair(0, 1, ["From", "to"]), pair(2, 3, ["Ease in", "out"])), show }];
  }
}
