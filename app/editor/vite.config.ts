// Builds the editor as one HTML file: script, styles, worker and WebAssembly module inside.
//
//   npx vite build app/editor        writes build/editor/limber.html
//   npx vite app/editor              serves it while it is being worked on
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const wasm = process.env.LIMBER_WASM ?? at("build/wasm/limber.wasm");

// import bytes from "virtual:limber.wasm": the module, packed, as base64.
function packedModule(): Plugin {
  const id = "virtual:limber.wasm";
  return {
    name: "limber-wasm",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(packed(readFileSync(wasm)))};` : undefined),
  };
}

const packed = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 }).toString("base64");

// Unpacks the script and runs it. A script of text, not of an address: such a one also runs in a page opened from disk.
const starter = `
const letters = atob(document.getElementById("packed").textContent);
const bytes = new Uint8Array(letters.length);
for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text().then((code) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = code;
  document.body.append(script);
});
`;

// Script and styles into the page, the script packed.
function oneFile(): Plugin {
  return {
    name: "limber-one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") return;
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk" && item.isEntry) {
          html = html.replace(/<script type="module"[^>]*><\/script>/, "");
          html = html.replace(
            "</body>",
            () => `<script id="packed" type="text/plain">${packed(item.code)}</script><script>${starter}</script></body>`,
          );
          delete bundle[name];
        } else if (name.endsWith(".css") && item.type === "asset") {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(item.source)}</style>`);
          delete bundle[name];
        }
      }
      delete bundle["index.html"];
      this.emitFile({ type: "asset", fileName: "limber.html", source: html });
    },
  };
}

export default defineConfig({
  root: at("app/editor"),
  base: "./",
  resolve: {
    alias: [
      { find: /^limber$/, replacement: at("binding/js/src/index.ts") },
      { find: /^limber\/(.*)$/, replacement: at("binding/js/src/$1.ts") },
    ],
  },
  plugins: [packedModule(), oneFile()],
  worker: { format: "iife", plugins: () => [packedModule()] },
  build: {
    outDir: at("build/editor"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 1 << 24,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1" },
  test: {
    root: at("."),
    include: ["binding/js/test/**/*.test.ts", "app/editor/test/unit/**/*.test.ts"],
    environment: "node",
    testTimeout: 120_000, // ms; for a test that hangs, not for a busy machine
    hookTimeout: 120_000,
  },
} as Parameters<typeof defineConfig>[0]);
