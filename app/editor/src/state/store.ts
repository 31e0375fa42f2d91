// The shown document, its history and the steps that were undone. Only the store changes the shown document.
import type { Doc } from "../document/document.js";

export type Listener = (doc: Doc, before: Doc, cause: Cause) => void;
export type Cause = "command" | "preview" | "undo" | "redo" | "load";

interface Step {
  readonly doc: Doc;
  readonly title: string; // of the command that led to it
}

export class Store {
  private past: Step[] = [];
  private future: Step[] = [];
  private now: Step;
  private shown: Doc; // the current step, or a preview of the next
  private saved: Doc;
  private readonly listeners = new Set<Listener>();
  // What else follows from a command, in the same step.
  refine: (before: Doc, doc: Doc) => Doc = (_, doc) => doc;

  constructor(doc: Doc) {
    this.now = { doc, title: "" };
    this.shown = this.saved = doc;
  }

  get doc(): Doc {
    return this.shown;
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private show(doc: Doc, cause: Cause): void {
    const before = this.shown;
    this.shown = doc;
    if (before !== doc) for (const listener of [...this.listeners]) listener(doc, before, cause);
  }

  // A step that can be undone. A command that changes nothing adds no step.
  run(title: string, command: (doc: Doc) => Doc): void {
    const doc = this.refine(this.now.doc, command(this.shown));
    if (doc === this.now.doc) return this.show(doc, "command");
    this.past.push(this.now);
    this.future = [];
    this.now = { doc, title };
    this.show(doc, "command");
  }

  // While something is dragged: shown, but not a step until run() completes it or cancel() reverts it.
  preview(command: (doc: Doc) => Doc): void {
    this.show(command(this.shown), "preview");
  }

  cancel(): void {
    this.show(this.now.doc, "undo");
  }

  // The title of the step that undo reverts; undefined if there is none.
  get undoTitle(): string | undefined {
    return this.past.length > 0 ? this.now.title : undefined;
  }
  get redoTitle(): string | undefined {
    return this.future.at(-1)?.title;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (!before) return false;
    this.future.push(this.now);
    this.now = before;
    this.show(before.doc, "undo");
    return true;
  }

  redo(): boolean {
    const after = this.future.pop();
    if (!after) return false;
    this.past.push(this.now);
    this.now = after;
    this.show(after.doc, "redo");
    return true;
  }

  // Loads a document from a file or, not saved, from the storage of the browser. Undo restores the old one.
  load(title: string, doc: Doc, saved = true): void {
    this.past.push(this.now);
    this.future = [];
    this.now = { doc, title };
    if (saved) this.saved = doc;
    this.show(doc, "load");
  }

  get isSaved(): boolean {
    return this.saved === this.now.doc;
  }
  markSaved(): void {
    this.saved = this.now.doc;
  }
}
