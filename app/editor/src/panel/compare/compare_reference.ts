// A reference motion with its figure: from a file, or the motion of the document.
import type { Clip, Content, Figure, Limber } from "limber";
import type { App } from "../../state/app.js";
import { fromBase64, toBase64 } from "../../document/base64.js";
import type { Doc } from "../../document/document.js";
import { subjectOf } from "../../engine/engine.js";
import type { Subject } from "../../engine/jobs.js";

export interface Reference {
  readonly name: string;
  readonly subject: Subject;
  readonly figure: Figure; // owned: drop() it with the reference
  readonly start: number; // seconds, of the first frame
  readonly frameTime: number;
  readonly frames: number;
  readonly poses: Float64Array;
}

export const poseIn = ({ figure }: Reference, poses: Float64Array, frame: number): Float64Array =>
  poses.subarray(frame * figure.parameters, (frame + 1) * figure.parameters);

export const endings = [".bvh", ".amc", ".asf", ".glb", ".gltf", ".vrm", ".bin"];
const moving = /[.](bvh|amc|glb|gltf|vrm)$/i;

// The file with the motion.
export const motionFile = (names: readonly string[]): string | undefined => names.find((name) => moving.test(name));

// limber.wasm knows files by name; those of the document are restored afterwards.
function withFiles<T>(limber: Limber, files: Subject["files"], doc: Doc, use: () => T): T {
  const give = (all: Subject["files"]) => {
    limber.forgetFiles();
    for (const [name, bytes] of Object.entries(all)) limber.giveFile(name, fromBase64(bytes));
  };
  give(files);
  try {
    return use();
  } finally {
    give(doc.files);
  }
}

const referenceOf = (name: string, subject: Subject, figure: Figure, clip: Clip, start: number): Reference => {
  const made = { name, subject, figure, start, frameTime: clip.frameTime, frames: clip.frames, poses: clip.poses() };
  clip.drop();
  return made;
};

export async function readFiles(files: Iterable<File>): Promise<Subject["files"]> {
  const read: Record<string, string> = {};
  for (const file of files) read[file.name] = toBase64(new Uint8Array(await file.arrayBuffer()));
  return read;
}

// The names of the motions in a file, with their frames.
export function motionsIn(app: App, name: string, files: Subject["files"]): { name: string; frames: number }[] {
  const { limber } = app.engine;
  const content = withFiles(limber, files, app.doc, () => limber.read(name));
  content.drop();
  return content.info.clips;
}

// Throws a Rejection if the file cannot be read.
export function referenceOfFile(app: App, name: string, files: Subject["files"], index = 0): Reference {
  const { limber } = app.engine;
  return withFiles(limber, files, app.doc, () => {
    const content: Content = limber.read(name);
    let figure: Figure | undefined;
    try {
      figure = content.figure();
      const clip = content.clip(figure, index);
      const title = content.info.clips.length > 1 ? `${name}: ${content.info.clips[index]!.name}` : name;
      return referenceOf(title, { figure: { file: name }, files }, figure, clip, 0);
    } catch (error) {
      figure?.drop();
      throw error;
    } finally {
      content.drop();
    }
  });
}

export function referenceOfDocument(app: App): Reference {
  const { limber } = app.engine;
  const figure = withFiles(limber, app.doc.files, app.doc, () => limber.figure(app.doc.figure));
  return referenceOf(app.doc.title || "this motion", subjectOf(app.doc), figure, app.clip(), app.start);
}

// Whether it is a motion of the document's figure.
export const isOfDocument = (reference: Reference, doc: Doc): boolean =>
  JSON.stringify(reference.subject.figure) === JSON.stringify(doc.figure) &&
  JSON.stringify(Object.entries(reference.subject.files).sort()) === JSON.stringify(Object.entries(doc.files).sort());

const usual = ["left_hand", "right_hand", "left_foot", "right_foot", "head"];

// Hands, feet and head; for figures without them the ends of the limbs.
export function usualPlaces(figure: Figure): string[] {
  const { sites, segments } = figure.info;
  const known = usual.filter((name) => sites.some((site) => site.name === name));
  if (known.length > 0) return known;
  return segments
    .filter(({ end }, s) => end === s + 1)
    .map(({ name }) => name)
    .slice(0, 5);
}
