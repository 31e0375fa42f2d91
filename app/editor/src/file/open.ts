// Opens files from the browser's dialog or dropped on the editor. They are read in a separate worker, and only a file that
// was read completely becomes the document; after an error everything stays as it was.
import type { ContentInfo } from "limber";
import type { App } from "../state/app.js";
import { toBase64 } from "../document/base64.js";
import type { Doc } from "../document/document.js";
import { readDocument } from "../document/save.js";
import { emptyDoc, standingDoc } from "../document/start.js";
import type { JobQueue } from "../engine/job_queue.js";
import { ask, tell, whileBusy } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { showDiagnostic } from "./diagnostic.js";
import { acceptedBy, byPaths, endingOf, formatOf, mainOf, markOf, textOf, type Given } from "./kinds.js";
import { retargetMotion, motionOf } from "./motion.js";

type Files = Readonly<Record<string, string>>;

const base64Of = (files: readonly Given[]): Files => Object.fromEntries(files.map(({ name, bytes }) => [name, toBase64(bytes)]));

export const titleOf = (name: string) => name.replace(/\.limber\.json$|\.[^.]+$/, "");

// All errors are shown here.
export async function openFiles(app: App, files: readonly Given[]): Promise<void> {
  const main = mainOf(app.engine.limber.formats, files);
  if (!main) return;
  const queue = app.engine.newQueue();
  let isStopped = false;
  const busy = <T>(title: string, work: (tell: (text: string) => void) => Promise<T>) =>
    whileBusy(title, work, () => ((isStopped = true), queue.end()));
  const others = files.filter(({ name }) => name !== main.name && endingOf(name) === endingOf(main.name));
  if (others.length > 0)
    app.say("info", `Only ${main.name} is opened`, `One at a time; not ${others.map(({ name }) => name).join(", ")}.`);
  try {
    if (endingOf(main.name) === "json" && markOf(textOf(main)) !== "figure") await openJson(app, queue, main, files, busy);
    else await openContent(app, queue, main, byPaths(main, files), busy);
  } catch (error) {
    if (!isStopped) await showDiagnostic(main.name, error, textOf(main));
  } finally {
    queue.end();
  }
}

export type Busy = <T>(title: string, work: (tell: (text: string) => void) => Promise<T>) => Promise<T>;

// Shows the motion from its beginning, or the pose if there is no motion.
export function showBeginning(app: App, doc: Doc): void {
  app.play(false);
  app.setTime(doc.keys[0]?.time ?? 0);
  if (doc.keys.length === 0) app.showPose(doc.pose);
}

function loaded(app: App, name: string, doc: Doc): void {
  app.store.load(`Open ${name}`, doc);
  showBeginning(app, doc);
  app.say("info", `${name} is open`, "Undo restores the previous document.");
}

async function openJson(app: App, queue: JobQueue, main: Given, files: readonly Given[], busy: Busy): Promise<void> {
  const text = textOf(main);
  const title = `Opening ${main.name}`;
  const { doc } =
    markOf(text) === "document"
      ? await busy(title, () => queue.run("check", { doc: readDocument(text) }))
      : await busy(title, () =>
          queue.run("scene", { name: main.name, text, files: base64Of(files.filter((file) => file !== main)) }),
        );
  loaded(app, main.name, doc);
}

async function openContent(app: App, queue: JobQueue, main: Given, given: readonly Given[], busy: Busy): Promise<void> {
  const files = base64Of(given);
  const { name } = main;
  const { info, rest } = await busy(`Opening ${name}`, () => queue.run("read", { files, name }));
  if (!info.figure) return tellMarkers(name);
  const answer = info.clips.length === 0 ? { as: "figure" as const, clip: -1 } : await askMotion(app, name, info);
  if (!answer) return;
  const subject = subjectOf(app, name, info, files);
  if (answer.as === "motion")
    return retargetMotion(app, queue, { name, files, clip: answer.clip, title: info.clips[answer.clip]?.name ?? name }, busy);
  const motion = answer.clip < 0 ? undefined : await motionOf(queue, { subject, name, files, clip: answer.clip }, busy);
  const opened = { ...emptyDoc(subject.figure, motion?.keys[0]?.pose ?? rest, subject.files), title: titleOf(name), ...motion };
  // What a motion does is its own; a character without one stands.
  loaded(app, name, motion ? opened : standing(app, opened));
  if (info.notes.length > 0) app.say("info", "Read with these notes", info.notes.join(" · "));
}

// With the limits of people, on its feet.
function standing(app: App, doc: Doc): Doc {
  const figure = "file" in doc.figure ? { ...doc.figure, assumed_limits: true } : doc.figure;
  const assumed = { ...doc, figure };
  return standingDoc(app.engine.figure(assumed), assumed);
}

// The files that the document stores: the skeleton of a motion that needs one, all files that a glTF may refer to.
function subjectOf(app: App, name: string, info: ContentInfo, files: Files): { figure: { file: string }; files: Files } {
  if (formatOf(app.engine.limber.formats, name)?.refers) return { figure: { file: name }, files };
  const file = info.skeleton ?? name;
  return { figure: { file }, files: { [file]: files[file]! } };
}

function tellMarkers(name: string): Promise<void> {
  return tell(`${name} holds markers`, [
    h(
      "p",
      {},
      "Markers are points over time, without a figure that they belong to. The editor shows figures, so there is nothing to open here yet.",
    ),
    h(
      "p",
      {},
      "The command-line tool makes a figure follow them: ",
      h("code", {}, `limber track figure.asf ${name} --markers places.json -o motion.bvh`),
      ". The motion that it writes opens here.",
    ),
    h("p", { class: "faint" }, "Your document stays as it was."),
  ]);
}

interface MotionAnswer {
  readonly as: "figure" | "motion";
  readonly clip: number; // -1: the figure alone
}

async function askMotion(app: App, name: string, info: ContentInfo): Promise<MotionAnswer | undefined> {
  const many = info.clips.map(({ name: clip, frames, frame_time }, k) =>
    h("option", { value: String(k) }, `${clip}: ${frames} frames, ${(frames * frame_time).toFixed(1)} s`),
  );
  const choice = h("select", {}, ...many, h("option", { value: "-1" }, "none: the figure alone"));
  const { name: figure } = app.figure.info;
  const as = await ask<MotionAnswer["as"] | undefined>(
    `${name} holds a figure and ${info.clips.length === 1 ? "a motion" : `${info.clips.length} motions`}`,
    [
      h("label", { class: "field" }, "Motion", choice),
      h("p", {}, `Open it as it is, or let the current figure${figure ? ` (${figure})` : ""} do the same?`),
    ],
    [
      { title: "Cancel", value: undefined },
      { title: "Retarget the motion to the current figure", value: "motion" },
      { title: "Open as the figure", value: "figure", main: true },
    ],
  );
  if (!as) return undefined;
  const clip = Number(choice.value);
  return as === "motion" && clip < 0 ? undefined : { as, clip };
}

const given = async (file: File): Promise<Given> => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });

export async function openDropped(app: App, files: Iterable<File>): Promise<void> {
  await openFiles(app, await Promise.all([...files].map(given)));
}

// The file dialog. Its field stays in the DOM, where tests find it and no browser drops it.
export function makePicker(app: App): () => void {
  const field = h("input", {
    type: "file",
    multiple: true,
    accept: acceptedBy(app.engine.limber.formats),
    hidden: true,
    id: "open-files",
  });
  field.setAttribute("aria-hidden", "true");
  field.onchange = async () => {
    const files = [...(field.files ?? [])];
    field.value = "";
    await openDropped(app, files);
  };
  document.body.append(field);
  return () => field.click();
}

export function acceptDrops(app: App): void {
  const veil = h("div", { class: "drop-veil", hidden: true }, h("p", {}, "Drop to open"));
  document.body.append(veil);
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => (veil.hidden = event.relatedTarget === null || veil.hidden));
  addEventListener("drop", (event) => {
    veil.hidden = true;
    if (!holdsFiles(event)) return;
    event.preventDefault();
    void openDropped(app, event.dataTransfer!.files);
  });
}
