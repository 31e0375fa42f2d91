// What happens in the editor, and who listens.
import type { Figure, PoseReport } from "limber";
import type { Doc } from "../document/document.js";
import type { MotionState } from "./motion.js";
import type { ChainMode, KeyRange, Selection } from "./selection.js";
import type { Cause } from "./store.js";

export interface Message {
  readonly kind: "info" | "error";
  readonly title: string;
  readonly text?: string;
  readonly button?: { readonly title: string; readonly run: () => void };
}

export interface Events {
  document: (doc: Doc, before: Doc, cause: Cause) => void;
  figure: (figure: Figure) => void; // another figure is loaded
  pose: (pose: Float64Array) => void; // the shown pose has changed
  time: (time: number) => void;
  playing: (playing: boolean) => void;
  selection: (selection: Selection) => void;
  keys: (range: KeyRange | undefined) => void;
  motion: (state: MotionState) => void; // the motion between keys has changed
  report: (report: PoseReport | undefined) => void; // of the last solve
  chain: (mode: ChainMode, joint: number) => void;
  message: (message: Message) => void;
  settings: () => void; // view settings
  limit: (parameter: number) => void; // the limit of a joint is to be shown
  saved: () => void; // the document is in a file
  unkeyed: () => void; // the playhead left a pose without a key, or the user returned to it
}

export class Emitter {
  private readonly listeners: { [E in keyof Events]: Set<Events[E]> } = {
    document: new Set(),
    figure: new Set(),
    pose: new Set(),
    time: new Set(),
    playing: new Set(),
    selection: new Set(),
    keys: new Set(),
    motion: new Set(),
    report: new Set(),
    chain: new Set(),
    message: new Set(),
    settings: new Set(),
    limit: new Set(),
    saved: new Set(),
    unkeyed: new Set(),
  };

  on<E extends keyof Events>(event: E, listener: Events[E]): () => void {
    this.listeners[event].add(listener);
    return () => this.listeners[event].delete(listener);
  }

  emit<E extends keyof Events>(event: E, ...values: Parameters<Events[E]>): void {
    for (const listener of [...this.listeners[event]]) (listener as (...all: Parameters<Events[E]>) => void)(...values);
  }
}
