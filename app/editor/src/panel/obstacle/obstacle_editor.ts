// The fields of the selected obstacle: name, position, orientation and size.
import type { CapsuleValue, ObstacleValue, Vec3 } from "limber";
import type { App } from "../../state/app.js";
import type { Doc } from "../../document/document.js";
import { moveObstacle, renameObstacle, resizeObstacle, turnObstacle } from "../../command/obstacle_commands.js";
import { anglesOf, turnsOf } from "../../document/obstacle_frame.js";
import { h, replace } from "../../ui/dom.js";
import { labelled, numberField, textField, vectorField } from "../../ui/fields.js";
import { type ShapeValue, shapeOf } from "../../document/obstacle.js";
import { attempt } from "../../state/attempt.js";

interface ObstacleField {
  readonly element: HTMLElement;
  show(obstacle: ObstacleValue): void;
}

const minSize = 0.1; // centimetres

export class ObstacleEditor {
  readonly element = h("div", { class: "obstacle-editor" });
  private fields: ObstacleField[] = [];
  private shape = "";
  private now: ObstacleValue | undefined;

  constructor(private readonly app: App) {}

  show(obstacle: ObstacleValue): void {
    const shape = shapeOf(obstacle);
    this.now = obstacle;
    if (shape !== this.shape) {
      this.shape = shape;
      this.fields = [this.name(), this.place(), this.turn(), ...this.size(obstacle)];
      replace(this.element, ...this.fields.map(({ element }) => element));
    }
    for (const field of this.fields) field.show(obstacle);
  }

  forget(): void {
    this.now = undefined;
    this.element.remove();
  }

  // One step; after a rejection all stays as it was.
  private change(verb: string, command: (doc: Doc, name: string) => Doc): void {
    const { app, now } = this;
    if (!now) return;
    const title = `${verb} ${now.name}`;
    if (attempt(app, title, () => app.runAndSettle(title, (doc) => command(doc, now.name))) !== undefined)
      for (const field of this.fields) field.show(now);
  }

  private name(): ObstacleField {
    const field = textField("Name", (next) => {
      const { app, now } = this;
      if (!now) return;
      const why = attempt(app, `Rename ${now.name}`, () =>
        app.store.run(`Rename ${now.name}`, (doc) => renameObstacle(doc, now.name, next)),
      );
      if (why !== undefined) return field.show(now.name);
      app.select({ kind: "obstacle", name: next });
    });
    return { element: field.element, show: ({ name }) => field.show(name) };
  }

  private place(): ObstacleField {
    const field = vectorField("Position", (p) => this.change("Move", (doc, name) => moveObstacle(doc, name, p)));
    return { element: field.element, show: ({ p }) => field.show(p ?? [0, 0, 0]) };
  }

  private turn(): ObstacleField {
    const field = vectorField(
      "Turned",
      (angles) => this.change("Turn", (doc, name) => turnObstacle(doc, name, turnsOf(angles))),
      { scale: 1, unit: "°" },
    );
    field.element.title = "Degrees: first about y, then about its own x, then about its own z";
    return { element: field.element, show: (obstacle) => field.show(anglesOf(obstacle)) };
  }

  private resize(shape: ShapeValue): void {
    this.change("Resize", (doc, name) => resizeObstacle(doc, name, shape));
  }

  private size(obstacle: ObstacleValue): ObstacleField[] {
    if (obstacle.box) {
      const field = vectorField("Size", (box) => this.resize({ box: box.map((one) => Math.max(minSize / 100, one)) as Vec3 }));
      return [{ element: field.element, show: ({ box }) => field.show(box!) }];
    }
    if (obstacle.ball !== undefined)
      return [
        this.radius(
          ({ ball }) => ball!,
          (ball) => ({ ball }),
        ),
      ];
    if (obstacle.capsule) {
      const end = (label: string, key: "a" | "b") => {
        const field = vectorField(label, (p) => this.resize({ capsule: { ...this.capsule, [key]: p } }));
        return { element: field.element, show: ({ capsule }: ObstacleValue) => field.show(capsule![key]) };
      };
      return [
        end("From", "a"),
        end("To", "b"),
        this.radius(
          ({ capsule }) => capsule!.radius,
          (radius) => ({ capsule: { ...this.capsule, radius } }),
        ),
      ];
    }
    const text = obstacle.floor
      ? "all behind its plane"
      : obstacle.figure
        ? "another figure, as its file poses it"
        : obstacle.hull
          ? `the hull of ${obstacle.hull.length} points`
          : `${obstacle.mesh?.triangles.length ?? 0} triangles`;
    return [{ element: labelled("Shape", h("span", { class: "faint" }, text)), show: () => undefined }];
  }

  private get capsule(): CapsuleValue {
    return this.now!.capsule!;
  }

  private radius(read: (obstacle: ObstacleValue) => number, make: (radius: number) => ShapeValue): ObstacleField {
    const field = numberField("Radius", (radius) => this.resize(make(radius)), { scale: 100, min: minSize });
    return {
      element: labelled("Radius", field.element, h("span", { class: "unit faint" }, "cm")),
      show: (obstacle) => field.show(read(obstacle)),
    };
  }
}
