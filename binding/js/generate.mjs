// Writes what TypeScript knows of the rest of Limber, so that both sides agree.
//
//   node generate.mjs           writes src/calls.ts and src/types.ts
//   node generate.mjs --check   fails where one is not up to date
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { callsOf } from "./generate_calls.mjs";
import { typesOf } from "./generate_types.mjs";

const read = (path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const written = {
  "src/calls.ts": () => callsOf(read("../wasm/interface.h")),
  "src/types.ts": () => typesOf(JSON.parse(read("../../doc/scene.schema.json"))),
};

for (const [path, make] of Object.entries(written)) {
  const text = make();
  if (!process.argv.includes("--check")) writeFileSync(fileURLToPath(new URL(path, import.meta.url)), text);
  else if (read(path) !== text) {
    console.error(`binding/js/${path} is not up to date: run node binding/js/generate.mjs`);
    process.exitCode = 1;
  }
}
