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
    load: (source) =>
      source === `\0${id}` ? `export default ${JSON.stringify(gzipSync(readFileSync(wasm), { level: 9 }).toString("base64"))};` : undefined,
  };
}

// Script and styles into the page.
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
          const code = item.code.replaceAll("</script", "<\\/script");
          html = html.replace(/<script type="module"[^>]*><\/script>/, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script></body>`);
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
  resolve: { alias: [{ find: /^limber$/, replacement: at("binding/js/src/index.ts") }, { find: /^limber\/(.*)$/, replacement: at("binding/js/src/$1.ts") }] },
  plugins: [packedModule(), oneFile()],
  worker: { format: "iife", plugins: () => [packedModule()] },
  build: { outDir: at("build/editor"), emptyOutDir: true, target: "es2022", assetsInlineLimit: 1 << 24, cssCodeSplit: false, modulePreload: false, chunkSizeWarningLimit: 4096, reportCompressedSize: false },
  server: { host: "127.0.0.1" },
  test: { root: at("."), include: ["binding/js/test/**/*.test.ts", "app/editor/test/unit/**/*.test.ts"], environment: "node" },
} as Parameters<typeof defineConfig>[0]);
