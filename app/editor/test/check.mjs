// Both sides of the WebAssembly interface agree, the types hold, and the page is one file that is not too large.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const maxBytes = 3_400_000; // bytes of the page; without the weights of the learned poses 2.1 million

const checks = {
  "generated files are up to date: node binding/js/generate.mjs": () =>
    execFileSync("node", ["binding/js/generate.mjs", "--check"], { cwd: root, stdio: "pipe" }),
  "lint: npm run lint": () => execFileSync("npm", ["run", "--silent", "lint"], { cwd: root, stdio: "pipe" }),
  "format: npm run format": () => execFileSync("npm", ["run", "--silent", "format:check"], { cwd: root, stdio: "pipe" }),
  "types hold": () => execFileSync("npx", ["--no-install", "tsc", "-p", "."], { cwd: root, stdio: "pipe" }),
  "the page is one file": () => {
    const files = readdirSync(`${root}build/editor`);
    if (files.join() !== "limber.html") throw new Error(`found ${files.join(", ")}; expected limber.html alone`);
  },
  "the page is under 3.4 MB": () => {
    const { length } = readFileSync(`${root}build/editor/limber.html`);
    if (length >= maxBytes) throw new Error(`found ${length} bytes; expected fewer than ${maxBytes}`);
  },
};

let failed = 0;
for (const [title, check] of Object.entries(checks))
  try {
    check();
  } catch (error) {
    ++failed;
    console.log(`FAILED ${title}\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
  }
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
