// What can be done with the part, or the icon of a constraint, under the right button.
import type { App } from "../app.js";
import { constraintOf } from "../view/icons.js";
import { targetsOf } from "../view/targets.js";
import { openActions } from "./action_menu.js";

const ofPart = [["pin.here", "pin.position", "constrain.menu"], ["balance", "key.set"], ["view.frame"]];
const ofConstraint = [["constraint.toggle", "constraint.delete"], ["span.begin", "span.end", "span.always"], ["view.frame"]];

export function mountPartMenu(app: App): void {
  const { stage } = app;
  stage.onMenu((view, { clientX, clientY }) => {
    const at = { x: clientX, y: clientY };
    const constraint = constraintOf(targetsOf(stage).at(view, clientX, clientY));
    if (constraint !== undefined) {
      app.select({ kind: "constraint", id: constraint });
      return openActions(app, "Constraint", ofConstraint, at, true);
    }
    const hit = stage.pick(view, clientX, clientY);
    if (hit?.figureView !== stage.figureView) return;
    app.select({ kind: "segment", segment: hit.segment });
    openActions(app, "Part", ofPart, at, true);
  });
}
