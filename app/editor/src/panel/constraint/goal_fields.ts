// The fields of the goal of a constraint. goals.ts lists them by kind; this file makes each type of field.
import type { DirectionValue, GoalValue, Vec3 } from "limber";
import type { Constraint } from "../../document/document.js";
import { fieldsOf, isAim, type Axes, type GoalFieldRow } from "../../document/goals.js";
import { isDifference } from "../../document/handles.js";
import { directionField, checkField, labelled, numberField, vectorField } from "../../ui/fields.js";
import { h } from "../../ui/dom.js";

// A field that reads its value from a constraint.
export interface GoalField {
  readonly element: HTMLElement;
  show(constraint: Constraint): void;
}

interface Tools {
  readonly now: () => GoalValue;
  readonly enter: (goal: GoalValue) => void;
  readonly here: (axis: "x" | "y") => Vec3; // where the handle's axis points
}

type Row<T extends GoalFieldRow["type"]> = Extract<GoalFieldRow, { readonly type: T }>;
type Maker<T extends GoalFieldRow["type"]> = (row: Row<T>, tools: Tools) => GoalField[];

const point: Maker<"point"> = ({ label, get, set }, { now, enter }) => {
  const field = vectorField(label, (p) => enter(set(now(), p)));
  return [{ element: field.element, show: ({ goal }) => field.show(get(goal!)) }];
};

const direction: Maker<"direction"> = ({ label, get, set }, { now, enter }) => {
  const field = directionField(label, (v) => enter(set(now(), v)));
  return [{ element: field.element, show: ({ goal }) => field.show(get(goal!)) }];
};

// One or both directions of a frame; at least one stays.
const axes: Maker<"axes"> = ({ get, set }, { now, enter, here }) => {
  const all = ["x", "y"] as const;
  const change = (axis: "x" | "y", v: DirectionValue | undefined) => {
    const { [axis]: _old, ...others }: Axes = get(now());
    enter(set(now(), v === undefined ? others : { ...others, [axis]: v }));
  };
  const checks = all.map((axis) => checkField(`its ${axis} axis`, (on) => change(axis, on ? here(axis) : undefined)));
  const toggles: GoalField = {
    element: labelled("Directions", ...checks.map(({ element }) => element)),
    show: ({ goal }) => {
      const { x, y } = get(goal!);
      checks[0]!.show(x !== undefined);
      checks[1]!.show(y !== undefined);
      checks[0]!.input.disabled = y === undefined;
      checks[1]!.input.disabled = x === undefined;
    },
  };
  const given = all.filter((axis) => get(now())[axis] !== undefined);
  const fields = given.map((axis): GoalField => {
    const field = directionField(`${axis} axis`, (v) => change(axis, v));
    return { element: field.element, show: ({ goal }) => field.show(get(goal!)[axis]!) };
  });
  return [toggles, ...fields];
};

// No field for a goal that does not have it.
const length: Maker<"length"> = ({ label, get, set }, { now, enter }) => {
  if (get(now()) === undefined) return [];
  const field = numberField(label, (value) => enter(set(now(), value)), { scale: 100, min: 0 });
  return [{ element: labelled(label, field.element, "cm"), show: ({ goal }) => field.show(get(goal!) ?? 0) }];
};

const share: Maker<"share"> = ({ label, hint, get, set }, { now, enter }) => {
  const slider = h("input", { type: "range", class: "grow", min: "0", max: "1", step: "0.01", aria: { label } });
  const text = h("output", { class: "side-value" });
  const say = () => (text.textContent = `${Math.round(100 * Number(slider.value))} %`);
  slider.oninput = say;
  slider.onchange = () => enter(set(now(), Number(slider.value)));
  return [
    {
      element: h("label", { class: "side-field", title: hint }, h("span", { class: "side-label" }, label), slider, text),
      show: ({ goal }) => {
        slider.value = String(get(goal!));
        say();
      },
    },
  ];
};

const makers: { readonly [T in GoalFieldRow["type"]]: Maker<T> } = { point, direction, axes, length, share };

export function goalFields(constraint: Constraint, enter: Tools["enter"], here: Tools["here"]): GoalField[] {
  let { goal } = constraint;
  if (!goal || (isAim(goal) && isDifference(constraint.handle))) return [];
  const keep: GoalField = { element: h("span", { hidden: true }), show: (next) => (goal = next.goal) };
  const tools = { now: () => goal!, enter, here };
  return [keep, ...fieldsOf(goal).flatMap((row) => (makers[row.type] as Maker<typeof row.type>)(row as never, tools))];
}
