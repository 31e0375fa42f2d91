// The whole document in the fragment of an address, which no browser ever sends anywhere: #d= and the packed document.
import type { Doc } from "../document/document.js";
import { fromBase64, toBase64 } from "../document/base64.js";
import { readDocument, writeDocument } from "../document/save.js";

export const maxLinkLength = 60_000; // letters; mail programs and messengers cut longer ones

const mark = "#d=";

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function fragmentOf(doc: Doc): Promise<string> {
  const packed = await through(new TextEncoder().encode(writeDocument(doc)), new CompressionStream("gzip"));
  return mark + toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// Nothing where the fragment holds no document; throws where it holds a broken one.
export async function docOfFragment(fragment: string): Promise<Doc | undefined> {
  if (!fragment.startsWith(mark)) return undefined;
  const packed = fromBase64(fragment.slice(mark.length).replaceAll("-", "+").replaceAll("_", "/"));
  return readDocument(new TextDecoder().decode(await through(packed, new DecompressionStream("gzip"))));
}
