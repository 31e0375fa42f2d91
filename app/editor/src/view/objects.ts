// The polygon files that a skeleton script names for its segments, in place of the usual body.                      W93 6.1.1
import { Rejection, type BodyMesh, type Figure, type Limber } from "limber";
import type { Doc } from "../document/document.js";

const bodies = new WeakMap<Figure, BodyMesh>();

// The body of the document's figure with these objects; undefined if it has none. limber.wasm has the document's files.
export function bodyWithObjects(limber: Limber, doc: Doc, figure: Figure): BodyMesh | undefined {
  const { files } = doc;
  const { file } = doc.figure as { file?: unknown };
  const known = bodies.get(figure);
  if (known || typeof file !== "string" || !/\.scr$/i.test(file) || Object.keys(files).length < 2) return known;
  try {
    const content = limber.read(file);
    const body = content.body(figure);
    content.drop();
    if (body) bodies.set(figure, body);
    return body;
  } catch (error) {
    if (error instanceof Rejection) return undefined; // its script was given in another way
    throw error;
  }
}
