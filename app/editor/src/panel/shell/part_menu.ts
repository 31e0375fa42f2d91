// The context menu of a part, an obstacle or the icon of a constraint.
import { constraintOf } from "../../gizmo/icons.js";
import { obstacleOf } from "../../gizmo/obstacles.js";
import { targetsOf } from "../../gizmo/targets.js";
import { openActions } from "../../ui/action_menu.js";
import type { Editor } from "../../view/stage.js";

const ofPart = [["pin.here", "pin.position", "constrain.menu"], ["balance", "key.set"], ["view.frame"]];
const ofObstacle = [["obstacle.delete"], ["view.frame"]];
const ofConstraint = [["constraint.toggle", "constraint.delete"], ["span.begin", "span.end", "span.always"], ["view.frame"]];

export function mountPartMenu(app: Editor): void {
  const { stage } = app;
  stage.onMenu((view, { clientX, clientY }) => {
    const at = { x: clientX, y: clientY };
    const target = targetsOf(stage).at(view, clientX, clientY);
    const constraint = constraintOf(target);
    const obstacle = obstacleOf(target);
    if (obstacle !== undefined) {
      app.select({ kind: "obstacle", name: obstacle });
      return openActions(app.actions, "Obstacle", ofObstacle, at, true);
    }
    if (constraint !== undefined) {
      app.select({ kind: "constraint", id: constraint });
      return openActions(app.actions, "Constraint", ofConstraint, at, true);
    }
    const hit = stage.pick(view, clientX, clientY);
    if (hit?.figureView !== stage.figureView) return;
    app.select({ kind: "segment", segment: hit.segment });
    openActions(app.actions, "Part", ofPart, at, true);
  });
}
