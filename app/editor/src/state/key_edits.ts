// Edits of the keys of the document, one step each.
import type { Key } from "limber";
import { setKey, setKeys } from "../command/commands.js";
import { onFrames, pasteKeys, pastedRange } from "../command/key_commands.js";
import { keyAt, onFrame, type Doc } from "../document/document.js";
import type { App } from "./app.js";
import type { KeyRange } from "./selection.js";
import { reasonOf } from "./attempt.js";

// The selected keys, or the one at the playhead.
export function targetKeys(app: App): KeyRange | undefined {
  if (app.keyRange) return app.keyRange;
  const at = keyAt(app.doc, app.time);
  return at < 0 ? undefined : { first: at, count: 1 };
}

const areSame = (a: readonly Key[], b: readonly Key[]) => a.length === b.length && a.every((key, k) => key === b[k]);

// Runs an edit as one step; shows the error if limber.wasm rejects it. Returns whether it was done.
export function editKeys(
  app: App,
  title: string,
  edit: (doc: Doc) => Key[],
  range?: (keys: readonly Key[]) => KeyRange | undefined,
): boolean {
  try {
    const keys = onFrames(edit(app.doc), app.doc.frameRate);
    if (!areSame(keys, app.doc.keys)) app.store.run(title, (doc) => setKeys(doc, keys));
    if (range) app.selectKeys(range(app.doc.keys));
    return true;
  } catch (error) {
    app.say("info", title, reasonOf(error));
    return false;
  }
}

// Pastes keys at a time.
export function pasteAt(app: App, title: string, keys: readonly Key[], time: number, move = false): boolean {
  const at = onFrame(app.doc, Math.max(0, time));
  return editKeys(
    app,
    title,
    (doc) => pasteKeys(app.rig, doc.keys, keys, at, move),
    (after) => pastedRange(after, at, keys.length),
  );
}

export function setKeyAt(app: App, title: string, pose: ArrayLike<number>, time: number): void {
  const key: Key = { time: onFrame(app.doc, Math.max(0, time)), pose: Array.from(pose) };
  app.selectKeys(undefined);
  app.store.run(title, (doc) => setKey(doc, key));
}
