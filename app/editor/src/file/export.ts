// Exports the motion, the pose or a picture in formats of other programs.
import { Rejection, type FileFormat } from "limber";
import { fromBase64 } from "../document/base64.js";
import { tell } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { download, downloadAll, fileName } from "../ui/download.js";
import { sceneOfDoc } from "../engine/scene.js";
import type { Editor } from "../view/stage.js";

// The file that the figure came from, so that its skin and its units are exported too.
const sourceOf = (app: Editor) => {
  const { figure, files } = app.doc;
  const name = "file" in figure && typeof figure.file === "string" ? figure.file : undefined;
  return name !== undefined && name in files ? name : undefined;
};

// The motion, or the pose if there are no keys, in a format.
export async function motionFiles(
  app: Editor,
  format: FileFormat,
): Promise<{ files: { name: string; bytes: Uint8Array }[]; notes: string[] }> {
  await app.whenKept();
  const { limber } = app.engine;
  const { figure } = app;
  const source = sourceOf(app);
  const content = source === undefined ? undefined : limber.read(source);
  const clip = app.clip();
  try {
    return limber.write(fileName(app.doc.title) + format.extensions.split(" ")[0]!, figure, clip, content);
  } finally {
    clip.drop();
    content?.drop();
  }
}

export async function exportMotion(app: Editor, format: FileFormat): Promise<void> {
  try {
    const { files, notes } = await motionFiles(app, format);
    await downloadAll(files);
    app.say("info", `Exported ${files.map(({ name }) => name).join(" and ")}`, notes.join(" · "));
  } catch (error) {
    await tellFailure("The motion could not be exported", error);
  }
}

export async function exportScene(app: Editor): Promise<void> {
  const { doc } = app;
  const name = `${fileName(doc.title)}.json`;
  download(name, sceneText(app), "application/json");
  const beside = Object.entries(doc.files).map(([file, bytes]) => ({ name: file, bytes: fromBase64(bytes) }));
  if (beside.length > 0) await downloadAll(beside);
  const lost = doc.keys.length > 0 ? " A scene is one pose: the keys are not in it." : "";
  app.say("info", `Exported ${[name, ...beside.map((one) => one.name)].join(", ")}`, `limber solve ${name} solves it.${lost}`);
}

export const sceneText = (app: Editor) => JSON.stringify(sceneOfDoc(app.engine.limber, app.figure, app.doc), undefined, 2) + "\n";

// The large view, with nothing selected.
export async function exportPicture(app: Editor): Promise<void> {
  const { selection } = app;
  app.select({ kind: "nothing" });
  const picture = await app.stage.picture();
  app.select(selection);
  if (!picture) return app.say("error", "The picture could not be made");
  const name = `${fileName(app.doc.title)}.png`;
  download(name, picture, "image/png");
  app.say("info", `Exported ${name}`);
}

function tellFailure(title: string, error: unknown): Promise<void> {
  const reason = error instanceof Rejection || error instanceof Error ? error.message : String(error);
  return tell(title, [h("p", {}, reason)]);
}
