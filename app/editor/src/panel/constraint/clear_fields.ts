// The fields of a clearance constraint.
import type { Constraint } from "../../document/document.js";
import { h } from "../../ui/dom.js";
import { checkField, labelled, numberField } from "../../ui/fields.js";
import type { GoalField } from "./goal_fields.js";
import { type Clear, clearOf } from "../../document/obstacle.js";

export function clearFields(constraint: Constraint, enter: (what: string, clear: Clear) => void): GoalField[] {
  if (!constraint.keep_clear) return [];
  let now = clearOf(constraint);
  const margin = numberField("Margin", (value) => enter("Margin", { ...now, margin: value }), { scale: 100, digits: 2, min: 0 });
  const self = checkField(
    "its own parts",
    (on) => {
      const { self: _self, ...others } = now;
      enter("Own parts", on ? { ...others, self: true } : others);
    },
    "The parts of the figure keep clear of each other too",
  );
  const of = h("span", { class: "faint" });
  const show = (next: Constraint) => {
    now = clearOf(next);
    margin.show(now.margin ?? 0);
    self.show(now.self === true);
    of.textContent = now.of ? now.of.join(", ") || "none of them" : "all obstacles";
  };
  return [
    {
      element: h(
        "div",
        {},
        labelled("Clear of", of),
        labelled("Margin", margin.element, h("span", { class: "unit faint" }, "cm")),
        labelled("And of", self.element),
      ),
      show,
    },
  ];
}
