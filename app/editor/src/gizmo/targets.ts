// Targets over the figure that take the pointer: rings, icons, dots. The nearest one is picked, before the figure; its label
// is shown beside the pointer.
import type { Gesture } from "../view/pointers.js";
import { PointerLabel } from "../view/hover.js";
import type { Stage } from "../view/stage.js";
import type { View } from "../view/views.js";

export interface Target {
  readonly key: string; // of the target, the same in all views
  readonly distance: number; // pixels from the pointer
  label(): (Node | string | undefined)[];
  press(event: PointerEvent): Gesture | undefined;
}

// The nearest of one kind, not further than `slack` pixels beyond its edge. Pixels of the view.
export type Finder = (view: View, x: number, y: number, slack: number) => Target | undefined;

const mouseSlack = 4;
const fingerSlack = 12;

export class Targets {
  readonly label: PointerLabel;
  private readonly finders: Finder[] = [];
  private readonly listeners = new Set<() => void>();
  private over_: string | undefined;

  constructor(private readonly stage: Stage) {
    this.label = new PointerLabel(stage);
    this.label.element.className = "target-label";
    stage.addCover((view, clientX, clientY) => this.find(view, clientX, clientY, mouseSlack) !== undefined);
    stage.onHover((hover) => {
      const target = hover && this.find(hover.view, hover.clientX, hover.clientY, mouseSlack);
      for (const view of stage.views) view.element.classList.toggle("over-target", target !== undefined && view === hover?.view);
      if (target && hover) this.label.show(hover.clientX, hover.clientY, ...target.label());
      else if (!stage.pointers.busy) this.label.hide();
      this.point(target?.key);
    });
    stage.onPress((view, event) => {
      const target = this.find(view, event.clientX, event.clientY, event.pointerType === "touch" ? fingerSlack : mouseSlack);
      const gesture = target?.press(event);
      if (gesture) this.label.hide();
      return gesture;
    });
  }

  add(finder: Finder): void {
    this.finders.push(finder);
  }

  // The key of the target under the pointer.
  get over(): string | undefined {
    return this.over_;
  }

  onOver(listener: () => void): void {
    this.listeners.add(listener);
  }

  private point(key: string | undefined): void {
    if (key === this.over_) return;
    this.over_ = key;
    for (const listener of this.listeners) listener();
    this.stage.requestRender();
  }

  // The key of the target at a point.
  at(view: View, clientX: number, clientY: number): string | undefined {
    return this.find(view, clientX, clientY, mouseSlack)?.key;
  }

  private find(view: View, clientX: number, clientY: number, slack: number): Target | undefined {
    const box = view.element.getBoundingClientRect();
    let best: Target | undefined;
    for (const finder of this.finders) {
      const found = finder(view, clientX - box.x, clientY - box.y, slack);
      if (found && found.distance < (best?.distance ?? Infinity)) best = found;
    }
    return best;
  }
}

const made = new WeakMap<Stage, Targets>();

export function targetsOf(stage: Stage): Targets {
  let targets = made.get(stage);
  if (!targets) made.set(stage, (targets = new Targets(stage)));
  return targets;
}
