// Obstacles: buttons that add them, the list, and the fields of the selected one.
import "./obstacles.css";
import type { ObstacleValue } from "limber";
import type { App } from "../../state/app.js";
import { makeObstacle, wishes, type Wished } from "../../command/make_obstacle.js";
import { addObstacle, firstMargin, moveObstacle, removeObstacle } from "../../command/obstacle_commands.js";
import { sceneOf, type Doc } from "../../document/document.js";
import { h, remembered, replace, section } from "../../ui/dom.js";
import { ObstacleEditor } from "./obstacle_editor.js";
import { obstacleIcon } from "./obstacle_icons.js";
import { obstacleCalled } from "../../document/obstacle.js";
import { attempt } from "../../state/attempt.js";

// A floor is at the soles: as low as the gap that limber.wasm measures for the standing figure.
function underSoles(app: App, doc: Doc, { name, p = [0, 0, 0] }: ObstacleValue): Doc {
  const alone = {
    ...doc,
    obstacles: [obstacleCalled(doc, name)!],
    constraints: doc.constraints.filter((one) => !one.keep_clear),
  };
  const scene = sceneOf(alone);
  const posed = app.engine.limber.scene(app.figure, {
    ...scene,
    constraints: [...scene.constraints!, { keep_clear: { margin: firstMargin } }],
  });
  posed.solve(Float64Array.from(app.pose), { iterations: 0, restarts: 0 });
  const report = posed.report().constraints.at(-1);
  posed.drop();
  const below = report?.error_mm ?? 0;
  return below > 0 ? moveObstacle(doc, name, [p[0], p[1] - Math.ceil(below) / 1000, p[2]]) : doc;
}

function add(app: App, wish: Wished): void {
  const obstacle = makeObstacle(app.doc, app.figure, app.pose, wish);
  const title = `Add ${obstacle.name}`;
  const why = attempt(app, title, () =>
    app.runAndSettle(title, (doc) => {
      const next = addObstacle(doc, obstacle);
      return wish === "floor" ? underSoles(app, next, obstacle) : next;
    }),
  );
  if (why === undefined) app.select({ kind: "obstacle", name: obstacle.name });
}

function erase(app: App, name: string): void {
  const title = `Delete ${name}`;
  attempt(app, title, () => app.runAndSettle(title, (doc) => removeObstacle(doc, name)));
}

class Obstacles {
  private readonly list = h("ul", { class: "obstacle-list", aria: { label: "Obstacles" } });
  private readonly count = h("span", { class: "faint obstacle-count" });
  private readonly section: HTMLDetailsElement;
  private readonly editor: ObstacleEditor;
  private rows: { obstacle: ObstacleValue; element: HTMLElement }[] = [];

  constructor(private readonly app: App) {
    this.editor = new ObstacleEditor(app);
    const buttons = wishes.map((wish) =>
      h(
        "button",
        {
          title: `Add a ${wish}${wish === "box" ? " (O)" : ""}`,
          data: { wish },
          onclick: () => app.actions.run(`obstacle.${wish}`),
        },
        wish,
      ),
    );
    this.section = section("Obstacles", "obstacles", h("div", { class: "row obstacle-add" }, ...buttons), this.list);
    this.section.open = remembered("open.obstacles", false);
    this.section.querySelector("summary")!.append(" ", this.count);
    document.getElementById("side")!.append(this.section);
    this.addActions();
    app.on("document", (doc, before) => doc.obstacles !== before.obstacles && this.read());
    app.on("selection", () => this.show());
    this.read();
  }

  private get selected(): string | undefined {
    const { selection } = this.app;
    return selection.kind === "obstacle" ? selection.name : undefined;
  }

  private addActions(): void {
    const { app } = this;
    const group = "Obstacles";
    const enabled = () => this.selected !== undefined;
    const titles: Record<Wished, string> = {
      box: "Add a box",
      ball: "Add a ball",
      capsule: "Add a capsule",
      wall: "Add a wall",
      floor: "Add a floor",
    };
    app.actions.add(
      ...wishes.map((wish) => ({
        id: `obstacle.${wish}`,
        title: titles[wish],
        group,
        ...(wish === "box" ? { keys: ["O"] } : {}),
        run: () => add(app, wish),
      })),
      {
        id: "obstacle.delete",
        title: "Delete selected obstacle",
        group,
        keys: ["Delete", "Backspace"],
        apart: true,
        enabled,
        run: () => erase(app, this.selected!),
      },
    );
  }

  // Rows are reused while names and shapes stay: a drag changes only positions.
  private read(): void {
    const { obstacles } = this.app.doc;
    const same = obstacles.length === this.rows.length && obstacles.every(({ name }, k) => name === this.rows[k]!.obstacle.name);
    this.rows = same
      ? this.rows.map(({ element }, k) => ({ element, obstacle: obstacles[k]! }))
      : obstacles.map((obstacle) => ({ obstacle, element: this.row(obstacle) }));
    if (!same) replace(this.list, ...this.rows.map(({ element }) => element));
    this.count.textContent = obstacles.length > 0 ? String(obstacles.length) : "";
    this.show();
  }

  private row(obstacle: ObstacleValue): HTMLElement {
    const { app } = this;
    const { name } = obstacle;
    const pick = h(
      "button",
      {
        class: "quiet obstacle-pick",
        title: `${name}: edit`,
        onclick: () => app.select(this.selected === name ? { kind: "nothing" } : { kind: "obstacle", name }),
      },
      obstacleIcon(obstacle) as unknown as Node,
      h("span", { class: "obstacle-name" }, name),
    );
    const remove = h(
      "button",
      {
        class: "quiet constraint-remove",
        title: "Delete (Delete)",
        aria: { label: `Delete ${name}` },
        onclick: () => erase(app, name),
      },
      "✕",
    );
    return h("li", { class: "obstacle", data: { obstacle: name } }, h("div", { class: "obstacle-head" }, pick, remove));
  }

  private show(): void {
    const { selected } = this;
    for (const { obstacle, element } of this.rows) {
      const isSelected = obstacle.name === selected;
      element.classList.toggle("selected", isSelected);
      element.querySelector(".obstacle-pick")!.setAttribute("aria-expanded", String(isSelected));
    }
    const row = this.rows.find(({ obstacle }) => obstacle.name === selected);
    if (!row) return this.editor.forget();
    this.section.open = true;
    if (this.editor.element.parentElement !== row.element) {
      row.element.append(this.editor.element);
      requestAnimationFrame(() => row.element.scrollIntoView({ block: "nearest" }));
    }
    this.editor.show(row.obstacle);
  }
}

export function mountObstacles(app: App): void {
  new Obstacles(app);
}
