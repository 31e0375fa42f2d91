// For a page that shows the editor in a frame, such as a notebook: opens a scene, gives the present one, tells of changes.
// That page marks the frame's document with data-embedded; then no earlier work is recovered in it.
import type { Editor } from "../view/stage.js";
import { sceneText } from "./export.js";
import { openFiles } from "./open.js";

export interface EmbeddedEditor {
  open(name: string, text: string): Promise<void>;
  scene(): string;
  // Not while something is dragged.
  listen(changed: () => void): () => void;
}

export const isEmbedded = () => document.documentElement.dataset.embedded !== undefined;

export function embed(app: Editor): void {
  const editor: EmbeddedEditor = {
    open: (name, text) => openFiles(app, [{ name, bytes: new TextEncoder().encode(text) }]),
    scene: () => sceneText(app),
    listen: (changed) =>
      app.store.subscribe((_, __, cause) => {
        if (cause !== "preview") changed();
      }),
  };
  Object.assign(window, { limberEditor: editor });
}
