// The fields of the goal of a constraint, by its kind.
import type { DirectionValue, GoalValue, Vec3 } from "limber";
import type { Constraint } from "../../document/document.js";
import { directionField, checkField, labelled, vectorField } from "../../ui/fields.js";
import { h } from "../../ui/dom.js";

// A field that reads its value from a constraint.
export interface GoalField {
  readonly element: HTMLElement;
  show(constraint: Constraint): void;
}

type Enter = (goal: GoalValue) => void;
type Of<K extends string> = Extract<GoalValue, { [key in K]: unknown }>;

const as = <K extends string>({ goal }: Constraint) => goal as Of<K>;

const point = (label: string, read: (constraint: Constraint) => Vec3, enter: (p: Vec3) => void): GoalField => {
  const field = vectorField(label, enter);
  return { element: field.element, show: (constraint) => field.show(read(constraint)) };
};

const direction = (
  label: string,
  read: (constraint: Constraint) => DirectionValue,
  enter: (v: DirectionValue) => void,
): GoalField => {
  const field = directionField(label, enter);
  return { element: field.element, show: (constraint) => field.show(read(constraint)) };
};

// A plane, a line, a half-space: a point and a direction.
function throughPoint(kind: "plane" | "line" | "half_space", called: string, constraint: Constraint, enter: Enter): GoalField[] {
  const read = ({ goal }: Constraint) => (goal as Record<typeof kind, { p: Vec3; v: DirectionValue }>)[kind];
  const now = () => read(held.constraint);
  const held = { constraint };
  const keep: GoalField = { element: h("span", { hidden: true }), show: (next) => (held.constraint = next) };
  return [
    keep,
    point(
      "Through",
      (one) => read(one).p,
      (p) => enter({ [kind]: { ...now(), p } } as GoalValue),
    ),
    direction(
      called,
      (one) => read(one).v,
      (v) => enter({ [kind]: { ...now(), v } } as GoalValue),
    ),
  ];
}

// One or both directions of a frame; at least one stays.
function axesOf(
  kind: "orientation" | "placement",
  constraint: Constraint,
  enter: Enter,
  here: (axis: "x" | "y") => Vec3,
): GoalField[] {
  type Turned = { x?: DirectionValue; y?: DirectionValue };
  const read = ({ goal }: Constraint) => (goal as Record<typeof kind, Turned>)[kind];
  const held = { constraint };
  const set = (axis: "x" | "y", v: DirectionValue | undefined) => {
    const { [axis]: _old, ...others } = read(held.constraint);
    enter({ [kind]: v === undefined ? others : { ...others, [axis]: v } } as GoalValue);
  };
  const checks = (["x", "y"] as const).map((axis) =>
    checkField(`its ${axis} axis`, (on) => set(axis, on ? here(axis) : undefined)),
  );
  const toggles: GoalField = {
    element: labelled("Directions", ...checks.map(({ element }) => element)),
    show: (next) => {
      held.constraint = next;
      const { x, y } = read(next);
      checks[0]!.show(x !== undefined);
      checks[1]!.show(y !== undefined);
      checks[0]!.input.disabled = y === undefined;
      checks[1]!.input.disabled = x === undefined;
    },
  };
  const given = (["x", "y"] as const).filter((axis) => read(constraint)[axis] !== undefined);
  return [
    toggles,
    ...given.map((axis) =>
      direction(
        `${axis} axis`,
        (one) => read(one)[axis]!,
        (v) => set(axis, v),
      ),
    ),
  ];
}

// The balance between position and orientation.
function share(enter: Enter): GoalField {
  const slider = h("input", {
    type: "range",
    class: "grow",
    min: "0",
    max: "1",
    step: "0.01",
    aria: { label: "Share of the position" },
  });
  const text = h("output", { class: "side-value" });
  let now: Constraint;
  const say = () => (text.textContent = `${Math.round(100 * Number(slider.value))} %`);
  slider.oninput = say;
  slider.onchange = () => enter({ placement: { ...as<"placement">(now).placement, w_p: Number(slider.value) } });
  return {
    element: h(
      "label",
      { class: "side-field", title: "0: only the orientation counts, 100 %: only the position" },
      h("span", { class: "side-label" }, "Position's share"),
      slider,
      text,
    ),
    show: (constraint) => {
      now = constraint;
      slider.value = String(as<"placement">(constraint).placement.w_p ?? 0.5);
      say();
    },
  };
}

export function goalFields(constraint: Constraint, enter: Enter, here: (axis: "x" | "y") => Vec3): GoalField[] {
  const { goal, handle } = constraint;
  if (!goal) return [];
  if ("position" in goal)
    return [
      point(
        "Position",
        (one) => as<"position">(one).position,
        (position) => enter({ position }),
      ),
    ];
  if ("plane" in goal) return throughPoint("plane", "Normal", constraint, enter);
  if ("half_space" in goal) return throughPoint("half_space", "Side", constraint, enter);
  if ("line" in goal) return throughPoint("line", "Along", constraint, enter);
  if ("orientation" in goal) return axesOf("orientation", constraint, enter, here);
  if ("direction" in goal) {
    const read = (one: Constraint) => {
      const { direction: v } = as<"direction">(one);
      return typeof v === "object" && "v" in v ? v.v : v;
    };
    return [direction("Direction", read, (v) => enter({ direction: v }))];
  }
  if ("placement" in goal) {
    const held = { constraint };
    const keep: GoalField = { element: h("span", { hidden: true }), show: (next) => (held.constraint = next) };
    const position = point(
      "Position",
      (one) => as<"placement">(one).placement.p,
      (p) => enter({ placement: { ...as<"placement">(held.constraint).placement, p } }),
    );
    return [keep, position, ...axesOf("placement", constraint, enter, here), share(enter)];
  }
  const isDifference = typeof handle === "object" && "difference" in handle;
  if ("aim_at" in goal && !isDifference) {
    const read = (one: Constraint) => {
      const { aim_at } = as<"aim_at">(one);
      return Array.isArray(aim_at) ? aim_at : aim_at.p;
    };
    return [point("Point", read, (p) => enter({ aim_at: p }))];
  }
  return [];
}
