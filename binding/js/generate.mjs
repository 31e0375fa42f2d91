// Writes src/calls.ts from binding/wasm/interface.h, so that both sides of the interface agree.
//
//   node generate.mjs           writes it
//   node generate.mjs --check   fails where it is not up to date
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const header = fileURLToPath(new URL("../wasm/interface.h", import.meta.url));
const target = fileURLToPath(new URL("src/calls.ts", import.meta.url));

const [, block] = /\/\/ --- begin\n([\s\S]*?)\/\/ --- end/.exec(readFileSync(header, "utf8"));
const declaration = /^(void\*|const char\*|const double\*|void|int|double) (limber_\w+)\((.*)\);$/;

const calls = [];
for (const line of block.split("\n")) {
  if (line === "" || line.startsWith("//") || line === 'extern "C" {' || line === "}") continue;
  const found = declaration.exec(line);
  if (!found) throw new Error(`${header}: cannot read the line: ${line}`);
  const [, result, name, parameters] = found;
  const names = parameters === "" ? [] : parameters.split(", ").map((one) => /(\w+)$/.exec(one)[1]);
  calls.push({ name, result: result === "void" ? "void" : "number", names });
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const text = `// Written by generate.mjs from binding/wasm/interface.h, which says what each call does. Do not edit.
/* prettier-ignore */
export interface Calls {
  memory: WebAssembly.Memory;
${calls.map(({ name, result, names }) => `  ${name}(${names.map((one) => `${camel(one)}: number`).join(", ")}): ${result};`).join("\n")}
}

// How many numbers each takes.
export const arities: Record<string, number> = {
${calls.map(({ name, names }) => `  ${name}: ${names.length},`).join("\n")}
};
`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("binding/js/src/calls.ts is not what binding/wasm/interface.h says: run node binding/js/generate.mjs");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
