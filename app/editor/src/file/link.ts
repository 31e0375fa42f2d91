// The document in the fragment of an address, which browsers never send: #d= and the compressed document.
import type { Doc } from "../document/document.js";
import { fromBase64, toBase64 } from "../document/base64.js";
import { readDocument, writeDocument } from "../document/save.js";

export const maxLinkLength = 60_000; // characters; mail programs and messengers truncate longer links

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

// Undefined if the fragment holds no document; throws if the document is invalid.
export async function docOfFragment(fragment: string): Promise<Doc | undefined> {
  if (!fragment.startsWith(mark)) return undefined;
  const packed = fromBase64(fragment.slice(mark.length).replaceAll("-", "+").replaceAll("_", "/"));
  return readDocument(new TextDecoder().decode(await through(packed, new DecompressionStream("gzip"))));
}
