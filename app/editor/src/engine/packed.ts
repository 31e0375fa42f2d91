// The WebAssembly module embedded in the editor.
import packed from "virtual:limber.wasm";
import { fromBase64 } from "../document/base64.js";

export async function compilePacked(): Promise<WebAssembly.Module> {
  const plain = new Response(new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream("gzip")));
  return WebAssembly.compile(await plain.arrayBuffer());
}
