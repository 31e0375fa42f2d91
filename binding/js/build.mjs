// Makes dist/, what is published: the sources compiled, and the module.
//
//   npm run build -w limber        after cmake --build --preset wasm
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const wasm = process.env.LIMBER_WASM ?? at("../../build/wasm/limber.wasm");
if (!existsSync(wasm)) throw new Error(`${wasm} is not there: cmake --preset wasm && cmake --build --preset wasm makes it`);

rmSync(at("dist"), { recursive: true, force: true });
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "-p", at("tsconfig.json")], { stdio: "inherit" });
copyFileSync(wasm, at("dist/limber.wasm"));
copyFileSync(at("../../LICENSE"), at("LICENSE"));
