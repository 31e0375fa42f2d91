// A drag of an obstacle; the figure avoids it by one solve per frame, starting from the pose of the last frame.
import type { Vec3 } from "limber";
import { setPose } from "../command/commands.js";
import { moveObstacle } from "../command/obstacle_commands.js";
import { nearestOnRay, type Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { FigureFollow } from "./figure_follow.js";
import { obstacleCalled } from "../document/obstacle.js";
import type { Editor } from "../view/stage.js";

const minIterations = 12; // per frame

export class ObstacleDrag extends FigureFollow {
  private readonly from: Point; // its origin
  private readonly held: Point; // the point that was pressed
  private at: Point; // its current position

  constructor(
    app: Editor,
    view: View,
    event: PointerEvent,
    private readonly name: string,
    pressed: Point,
    private readonly ended: () => void,
  ) {
    super(app, view, event);
    this.from = obstacleCalled(app.doc, name)?.p ?? [0, 0, 0];
    this.held = this.at = pressed;
    this.hold(pressed);
  }

  protected begin(): void {
    this.click();
  }

  protected click(): void {
    this.app.select({ kind: "obstacle", name: this.name });
  }

  private get place(): Vec3 {
    const { from, held, at } = this;
    return [0, 1, 2].map((k) => from[k]! + at[k]! - held[k]!) as Vec3;
  }

  frame(iterations = Math.max(minIterations, this.app.doc.iterations)): void {
    const { app } = this;
    if (!this.moved || !this.isNew) return;
    this.isNew = false;
    const { ray, nearest } = this.aim();
    this.at = nearestOnRay(ray, this.at, nearest);
    const { place } = this;
    app.store.preview((doc) => moveObstacle(doc, this.name, place));
    if (app.doc.constraints.length === 0) return;
    this.settle(() => {
      const posed = app.engine.scene(app.present);
      posed.solve(this.pose, { iterations, restarts: 0, untilMet: true });
      return posed.report();
    });
    this.show();
  }

  protected complete(): void {
    const { app, pose, place, name } = this;
    app.store.run(`Move ${name}`, (doc) => setPose(moveObstacle(doc, name, place), pose, app.time));
  }

  protected release(): void {
    this.ended();
  }
}
