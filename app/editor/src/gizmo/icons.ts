// An icon per constraint and view, at its goal: its kind, whether it is met, and a line to its handle. A click selects the
// constraint, a drag moves its goal.
import { kinds } from "../document/goals.js";
import "./gizmo.css";
import { GoalMove, type GoalDrag } from "../input/goal_drag.js";
import { kindIcon } from "../ui/constraint_icons.js";
import { h, svg } from "../ui/dom.js";
import { seenOf, stateOf, whereNow, type Seen, type State, type Where } from "./goals.js";
import { Marks } from "./marks.js";
import { layersOf, setAttribute, type Layer } from "./layer.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "../view/views.js";
import { nameOf, errorText } from "../ui/constraint_text.js";
import type { Editor } from "../view/stage.js";

const radius = { large: 11, small: 8.5, tiny: 4.5 }; // pixels

// One constraint in one view.
class Icon {
  readonly element: HTMLElement;
  readonly line = svg("line", { class: "goal-line off" });
  x = 0;
  y = 0;
  isSeen = false;
  private shown = "";

  constructor(
    readonly layer: Layer,
    readonly seen: Seen,
  ) {
    this.element = h("div", { class: "goal-icon", data: { constraint: seen.constraint.id } });
    this.element.append(kindIcon(seen.kind));
    layer.element.append(this.element);
    layer.lines.append(this.line);
  }

  // An icon that would cover another is moved beside it.
  show(where: Where | undefined, classes: string, lineClass: string, earlier: readonly Icon[]): void {
    const at = where && this.layer.at(where.icon);
    this.isSeen = at !== undefined;
    if (this.element.hidden === this.isSeen) this.element.hidden = !this.isSeen;
    setAttribute(this.line, "class", `goal-line ${at && lineClass ? lineClass : "off"}`);
    if (!at) return;
    const step = 2 * this.radius + 1;
    this.x = at.x;
    this.y = at.y;
    // There is a dot where the centre of mass projects onto the ground.
    if (this.seen.kind === "balance") this.y = Math.min(at.y + 1.8 * this.radius, this.layer.view.rect.height - this.radius - 2);
    const covered = () => earlier.find((one) => one.isSeen && Math.hypot(one.x - this.x, one.y - this.y) < step - 2);
    const side = (covered()?.x ?? 0) > at.x ? -1 : 1; // its own side
    for (let other = covered(); other; other = covered()) this.x = other.x + side * step;
    const text = `translate(${this.x.toFixed(1)}px, ${this.y.toFixed(1)}px)`;
    if (text !== this.shown) this.element.style.transform = this.shown = text;
    const name = `goal-icon ${classes} ${this.layer.size}`;
    if (this.element.className !== name) this.element.className = name;
    const from = lineClass && where.from && this.layer.at(where.from);
    if (!from) return setAttribute(this.line, "class", "goal-line off");
    Object.entries({ x1: from.x, y1: from.y, x2: at.x, y2: at.y }).forEach(([key, value]) =>
      setAttribute(this.line, key, value.toFixed(1)),
    );
  }

  get radius(): number {
    return radius[this.layer.size];
  }

  drop(): void {
    this.element.remove();
    this.line.remove();
  }
}

const lineClassOf = ({ kind }: Seen, state: State): string => {
  if (state === "off") return "";
  if (kind === "aim_at") return "aim";
  if (kind === "coincide") return "together";
  return state === "unmet" ? "unmet" : "";
};

export class Icons {
  private seen: Seen[] = [];
  private icons: Icon[][] = []; // by view
  private held: GoalDrag | undefined;
  private readonly layers: readonly Layer[];
  private readonly targets;
  private readonly marks: Marks;

  constructor(private readonly app: Editor) {
    const { stage } = app;
    this.layers = layersOf(stage);
    this.targets = targetsOf(stage);
    this.marks = new Marks(app);
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    stage.onFrame(() => this.frame());
    app.on("document", (doc, before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
      if (doc.constraints !== before.constraints || doc.figure !== before.figure) this.read(doc.figure !== before.figure);
    });
    for (const event of ["report", "selection", "time"] as const)
      app.on(event, () => this.seen.length > 0 && stage.requestRender());
    this.read();
  }

  // If only goals have changed, the icons are reused.
  private read(isOther = false): void {
    const { doc, figure, stage } = this.app;
    const before = this.seen;
    this.seen = doc.constraints.map((constraint, k) => seenOf(figure, constraint, k)).filter(({ kind }) => kind !== "pull");
    const same =
      before.length === this.seen.length &&
      this.seen.every(({ constraint, kind }, k) => constraint.id === before[k]!.constraint.id && kind === before[k]!.kind);
    if (!same) {
      for (const icon of this.icons.flat()) icon.drop();
      this.icons = this.layers.map((layer) => this.seen.map((seen) => new Icon(layer, seen)));
    }
    this.marks.read(this.seen, isOther);
    stage.requestRender();
  }

  private frame(): void {
    const { app, layers, targets } = this;
    this.held?.frame();
    if (this.seen.length === 0 || app.stage.figureView.figure !== app.figure) return;
    const { frames } = app.stage.figureView;
    this.marks.frame();
    this.seen.forEach((seen, k) => {
      const where = whereNow(app, seen, frames);
      const state = stateOf(app, seen);
      const { id } = seen.constraint;
      const isSelected = app.selection.kind === "constraint" && app.selection.id === id;
      const classes = [state, isSelected && "selected", targets.over === keyOf(id) && "over"].filter(Boolean).join(" ");
      const lineClass = lineClassOf(seen, state);
      layers.forEach(
        ({ view }, v) => view.shown && this.icons[v]![k]!.show(where, classes, lineClass, this.icons[v]!.slice(0, k)),
      );
    });
  }

  private find(view: View, x: number, y: number, slack: number): Target | undefined {
    const v = this.layers.findIndex((layer) => layer.view === view);
    if (this.held || v < 0) return undefined;
    let best: Target | undefined;
    this.icons[v]?.forEach((icon, k) => {
      const distance = Math.max(0, Math.hypot(x - icon.x, y - icon.y) - icon.radius);
      const seen = this.seen[k]!;
      if (!icon.isSeen || distance > Math.max(0, slack - 3) || distance >= (best?.distance ?? Infinity)) return;
      best = {
        key: keyOf(seen.constraint.id),
        distance,
        label: () => this.label(seen),
        press: (event) => this.press(view, seen, event),
      };
    });
    return best;
  }

  private label(seen: Seen): (Node | string)[] {
    const { constraint, index, kind, goal } = seen;
    const state = stateOf(this.app, seen);
    const report = this.app.report?.constraints[index];
    const text =
      state === "off"
        ? constraint.enabled === false
          ? "off"
          : "not at this time"
        : state === "met"
          ? "met"
          : state === "unmet" && report
            ? errorText(report)
            : "";
    const name = nameOf(constraint);
    const type = kinds[kind].title;
    return [
      name,
      h("span", { class: "faint" }, type.toLowerCase() === name.toLowerCase() ? "" : type.toLowerCase()),
      h("span", { class: state === "met" ? "good" : state === "unmet" ? "bad" : "faint" }, text),
      h("span", { class: "faint" }, goal ? "drag to move" : ""),
    ];
  }

  private press(view: View, seen: Seen, event: PointerEvent): GoalDrag {
    return new GoalMove(
      {
        app: this.app,
        title: nameOf(seen.constraint),
        begun: (drag) => (this.held = drag),
        ended: () => (this.held = undefined),
      },
      view,
      seen.constraint,
      event,
    );
  }
}

const mark = "goal ";
const keyOf = (id: string) => mark + id;
// The constraint of a target, if it is an icon.
export const constraintOf = (key: string | undefined) => (key?.startsWith(mark) ? key.slice(mark.length) : undefined);

export function mountIcons(app: Editor): void {
  new Icons(app);
}
