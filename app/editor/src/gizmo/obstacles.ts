// Obstacles in the views. A click selects one, a drag moves it, except where the figure hides it.
import { ObstacleDrag } from "../input/obstacle_drag.js";
import { h } from "../ui/dom.js";
import { ObstacleMesh } from "../view/obstacle_mesh.js";
import { firstHit, type Point } from "../view/pick.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "../view/views.js";
import type { Editor } from "../view/stage.js";

const mark = "obstacle ";
// The obstacle of a target, if it is one.
export const obstacleOf = (key: string | undefined) => (key?.startsWith(mark) ? key.slice(mark.length) : undefined);

class Obstacles {
  private meshes: ObstacleMesh[] = [];
  private held: ObstacleDrag | undefined;
  private readonly targets;

  constructor(private readonly app: Editor) {
    const { stage } = app;
    this.targets = targetsOf(stage);
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    this.targets.onOver(() => this.paint());
    stage.onFrame(() => this.held?.frame());
    app.on("document", (doc, before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
      if (doc.obstacles !== before.obstacles) this.read();
    });
    app.on("selection", () => this.paint());
    app.on("settings", () => this.paint());
    this.read();
  }

  // Meshes whose shape has not changed are reused.
  private read(): void {
    const { obstacles } = this.app.doc;
    const before = this.meshes;
    this.meshes = obstacles.map((value, k) => {
      const old = before.find((one) => one.value === value) ?? (before[k]?.canBe(value) ? before[k] : undefined);
      if (old && old.value === value) return old;
      if (old && !obstacles.includes(old.value)) return (old.become(value), old);
      return new ObstacleMesh(value);
    });
    for (const one of before) if (!this.meshes.includes(one)) one.drop();
    for (const { object } of this.meshes) if (!object.parent) this.app.stage.scene.add(object);
    this.paint();
  }

  private paint(): void {
    const { selection, stage } = this.app;
    for (const mesh of this.meshes) {
      const { name } = mesh.value;
      mesh.paint(selection.kind === "obstacle" && selection.name === name, this.targets.over === mark + name);
    }
    stage.requestRender();
  }

  private find(view: View, x: number, y: number, slack: number): Target | undefined {
    if (this.held || this.meshes.length === 0) return undefined;
    const { stage } = this.app;
    const box = view.element.getBoundingClientRect();
    const ray = view.ray(box.x + x, box.y + y);
    let best: { name: string; point: Point; distance: number } | undefined;
    for (const { value, surface } of this.meshes) {
      const hit = firstHit(surface, ray);
      if (hit && hit.distance < (best?.distance ?? Infinity))
        best = { name: value.name, point: hit.point, distance: hit.distance };
    }
    if (!best) return undefined;
    const { name, point, distance } = best;
    const body = stage.pick(view, box.x + x, box.y + y);
    if (body && body.distance < distance) return undefined;
    // Rings and icons come first.
    return {
      key: mark + name,
      distance: slack,
      label: () => [name, h("span", { class: "faint" }, "drag to move")],
      press: (event) => this.press(view, event, name, point),
    };
  }

  private press(view: View, event: PointerEvent, name: string, point: Point): ObstacleDrag {
    return (this.held = new ObstacleDrag(this.app, view, event, name, point, () => (this.held = undefined)));
  }
}

export function mountObstacleViews(app: Editor): void {
  new Obstacles(app);
}
