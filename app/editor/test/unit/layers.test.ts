// The layers of the editor: which folder of src/ may import which. README.md has the same table with what each is for.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const arrows: Record<string, readonly string[]> = {
  document: [],
  command: ["document"],
  engine: ["command", "document"],
  ui: ["document"],
  state: ["ui", "engine", "command", "document"],
  view: ["state", "ui", "document"],
  input: ["view", "state", "engine", "command", "document"],
  gizmo: ["input", "view", "state", "ui", "document"],
  file: ["view", "state", "ui", "engine", "command", "document"],
  panel: ["gizmo", "input", "view", "state", "ui", "engine", "command", "document"],
};

const src = fileURLToPath(new URL("../../src", import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

// The layer of a path in src/: its folder; of a panel, that panel. Files of src/ itself tie all together and have none.
function layerOf(path: string): string | undefined {
  const [folder, panel, file] = path.split("/");
  if (panel === undefined) return undefined;
  return folder === "panel" && file !== undefined ? `panel/${panel}` : folder;
}

// `import … from "x"`, `export … from "x"`, `import "x"`, `import("x")`.
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g)].map(([, target]) => target!);
}

function isAllowed(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || from === to) return true;
  if (to === undefined) return false;
  return arrows[from.split("/")[0]!]?.includes(to) ?? false;
}

function wrongArrows(path: string, text: string): string[] {
  const from = layerOf(path);
  return importsOf(text)
    .map((target) => normalize(join(dirname(path), target)))
    .filter((target) => !isAllowed(from, layerOf(target)))
    .map((target) => `${path} imports ${target}: no arrow ${from} → ${layerOf(target) ?? "src"}`);
}

describe("The layers of the editor", () => {
  test("are all in the table", () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(arrows).sort());
  });

  test("import only what the table allows", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap((path) => wrongArrows(path, readFileSync(join(src, path), "utf8")))).toEqual([]);
  });

  test("form no circle", () => {
    const order = Object.keys(arrows);
    for (const [from, targets] of Object.entries(arrows))
      for (const to of targets) expect(order.indexOf(to), `${from} → ${to}`).toBeLessThan(order.indexOf(from));
  });

  test.each([
    ["document/a.ts", 'import { h } from "../ui/dom.js";'],
    ["engine/a.ts", 'import type { Doc } from "../file/open.js";'],
    ["file/a.ts", 'const late = await import("../panel/reach/reach.js");'],
    ["view/a.ts", 'import {\n  Pull,\n} from "../input/pull.js";'],
    ["panel/joint/a.ts", 'export * from "../reach/reach.js";'],
    ["ui/a.ts", 'import "../main.js";'],
  ])("are checked: %s with %s is rejected", (path, text) => {
    expect(wrongArrows(path, text)).toHaveLength(1);
  });

  test.each([
    ["panel/joint/a.ts", 'import { Turn } from "../../input/turn.js";'],
    ["panel/joint/a.ts", 'import { row } from "./joint_row.js";'],
    ["main.ts", 'import { panels } from "./panels.js";'],
  ])("are checked: %s with %s is accepted", (path, text) => {
    expect(wrongArrows(path, text)).toEqual([]);
  });
});
