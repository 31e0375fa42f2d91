// TypeScript's side of the calls of the WebAssembly module, from the C header that declares them.

const declaration = /^(void\*|const char\*|const double\*|void|int|double) (limber_\w+)\((.*)\);$/;
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function readCalls(header) {
  const [, block] = /\/\/ --- begin\n([\s\S]*?)\/\/ --- end/.exec(header);
  const calls = [];
  for (const line of block.replace(/,\n +/g, ", ").split("\n")) {
    if (line === "" || line.startsWith("//") || line === 'extern "C" {' || line === "}") continue;
    const found = declaration.exec(line);
    if (!found) throw new Error(`cannot read the line: ${line}`);
    const [, result, name, parameters] = found;
    const names = parameters === "" ? [] : parameters.split(", ").map((one) => /(\w+)$/.exec(one)[1]);
    calls.push({ name, result: result === "void" ? "void" : "number", names });
  }
  return calls;
}

// The text of src/calls.ts.
export function callsOf(header) {
  const calls = readCalls(header);
  return `// Written by generate.mjs from binding/wasm/interface.h, which says what each call does. Do not edit.
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
}
