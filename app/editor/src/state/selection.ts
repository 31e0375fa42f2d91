// What is selected: a part, a constraint or an obstacle, keys of the timeline, and how much of the figure a drag moves.
import type { Doc } from "../document/document.js";
import type { Emitter } from "./events.js";

export type Selection =
  | { readonly kind: "nothing" }
  | { readonly kind: "segment"; readonly segment: number }
  | { readonly kind: "constraint"; readonly id: string }
  | { readonly kind: "obstacle"; readonly name: string };

export interface KeyRange {
  readonly first: number;
  readonly count: number;
}

// How much of the figure follows a drag.                                                                  W93 6.2
export type ChainMode = "part" | "branch" | "joint" | "body";

const nothing: Selection = { kind: "nothing" };

export class Selected {
  private selection_: Selection = nothing;
  private keyRange_: KeyRange | undefined;
  private chainMode_: ChainMode = "body";
  private chainJoint_ = -1;

  constructor(private readonly events: Emitter) {}

  get selection(): Selection {
    return this.selection_;
  }
  get keyRange(): KeyRange | undefined {
    return this.keyRange_;
  }
  get chainMode(): ChainMode {
    return this.chainMode_;
  }
  get chainJoint(): number {
    return this.chainJoint_;
  }

  select(selection: Selection): void {
    if (JSON.stringify(selection) === JSON.stringify(this.selection_)) return;
    this.selection_ = selection;
    this.events.emit("selection", selection);
  }

  selectKeys(range: KeyRange | undefined): void {
    this.keyRange_ = range;
    this.events.emit("keys", range);
  }

  setChain(mode: ChainMode, joint: number): void {
    this.chainMode_ = mode;
    this.chainJoint_ = joint;
    this.events.emit("chain", mode, joint);
  }

  // Drops what the document no longer has; of another figure, all. Silent until announce().
  update(doc: Doc, isOtherFigure: boolean): void {
    if (isOtherFigure || !isIn(doc, this.selection_)) this.selection_ = nothing;
    const range = this.keyRange_;
    if (isOtherFigure || (range && range.first + range.count > doc.keys.length)) this.keyRange_ = undefined;
  }

  announce(): void {
    this.events.emit("selection", this.selection_);
    this.events.emit("keys", this.keyRange_);
  }
}

function isIn({ constraints, obstacles }: Doc, selection: Selection): boolean {
  if (selection.kind === "constraint") return constraints.some(({ id }) => id === selection.id);
  if (selection.kind === "obstacle") return obstacles.some(({ name }) => name === selection.name);
  return true;
}
