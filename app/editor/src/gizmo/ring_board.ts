// Rings in the views that can be dragged: those of a joint and those of a goal.
import "./gizmo.css";
import type { Placed } from "./dials.js";
import { layersOf, type Layer } from "./layer.js";
import { DialBoard, FlatDial, ringRadius } from "./limits.js";
import { nearestAngle, Sweep } from "./sweep.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "../view/views.js";
import type { Editor } from "../view/stage.js";

// A drag of a ring.
export interface HeldRing {
  readonly one: Placed;
  frame(): void;
}

// The ring nearest to a point of a view.
export interface NearRing {
  readonly one: Placed;
  readonly layer: Layer;
  readonly distance: number; // pixels
  readonly radius: number;
  sweep(event: PointerEvent): Sweep;
}

export abstract class RingBoard<Held extends HeldRing> {
  held: Held | undefined;
  readonly targets;
  private readonly layers: readonly Layer[];
  private readonly board: DialBoard;
  private placed: readonly Placed[] = [];

  constructor(
    readonly app: Editor,
    private readonly part: number, // of the size of the largest rings
  ) {
    const { stage } = app;
    this.targets = targetsOf(stage);
    this.layers = layersOf(stage);
    this.board = new DialBoard(this.layers);
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    stage.onFrame(() => this.frame());
    // Undo and similar changes cancel a drag: its document is gone.
    app.on("document", (_doc, _before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
    });
  }

  // The current rings.
  protected abstract place(): readonly Placed[];
  protected abstract keyOf(one: Placed): string;
  protected abstract find(view: View, x: number, y: number, slack: number): Target | undefined;

  private frame(): void {
    const { app, targets } = this;
    this.held?.frame();
    const isShown =
      !app.playing && (this.held !== undefined || !app.stage.pointers.busy) && app.stage.figureView.figure === app.figure;
    this.placed = isShown ? this.place() : [];
    if (this.placed.length === 0) return this.board.hide();
    const held = this.held && this.keyOf(this.held.one);
    this.board.show(this.placed, this.part, (one) => {
      const key = this.keyOf(one);
      if (held !== undefined) return key === held ? "held" : "aside";
      return targets.over === key ? "over" : "";
    });
  }

  // Within `slack` pixels; undefined during a drag.
  protected nearest(view: View, x: number, y: number, slack: number): NearRing | undefined {
    const layer = this.layers.find((one) => one.view === view);
    if (!layer || this.held) return undefined;
    const radius = this.part * ringRadius(layer);
    let best: NearRing | undefined;
    for (const one of this.placed) {
      const flat = new FlatDial(layer, one, radius);
      if (!flat.isSeen) continue;
      const { distance, angle } = nearestAngle(flat, one, x, y);
      if (distance > slack || distance >= (best?.distance ?? Infinity)) continue;
      best = { one, layer, distance, radius, sweep: (event) => new Sweep(layer, one, flat, angle, event) };
    }
    return best;
  }
}
