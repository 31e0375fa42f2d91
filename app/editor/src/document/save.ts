// The document as a file: {"limber": "document 1", …}. Numbers come back to the last bit.
import type { Doc } from "./document.js";
import { isAssess } from "./assess.js";

export const documentMark = "document 1";

const infinite = "unbounded"; // JSON has no infinity

export function writeDocument(doc: Doc): string {
  const body = JSON.stringify({ limber: documentMark, ...doc }, (_, value: unknown) =>
    value === Infinity ? infinite : value === -Infinity ? `-${infinite}` : value,
  );
  return body + "\n";
}

const members: Record<keyof Doc, (value: unknown) => boolean> = {
  title: (value) => typeof value === "string",
  figure: (value) => typeof value === "object" && value !== null,
  files: (value) => typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string"),
  pose: isNumbers,
  rigidity: areNumbers,
  stiffness: areNumbers,
  constraints: (value) =>
    Array.isArray(value) &&
    value.every((one) => typeof one === "object" && one !== null && typeof (one as { id: unknown }).id === "string"),
  obstacles: (value) =>
    Array.isArray(value) &&
    value.every((one) => typeof one === "object" && one !== null && typeof (one as { name: unknown }).name === "string"),
  natural: (value) => typeof value === "number" && value >= 0,
  method: (value) => typeof value === "string",
  options: (value) => value === undefined || (typeof value === "object" && value !== null),
  iterations: (value) => typeof value === "number" && value >= 1,
  keys: (value) =>
    Array.isArray(value) &&
    value.every((one) => typeof (one as { time: unknown }).time === "number" && isNumbers((one as { pose: unknown }).pose)),
  rotations: (value) => value === undefined || value === "joints" || value === "balls",
  frameRate: (value) => typeof value === "number" && value > 0 && value <= 1000,
  keep: (value) => typeof value === "boolean",
  assess: isAssess,
};

function areNumbers(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "number" && one >= 0);
}

// Defaults of members that older documents lack.
const usual: Partial<Doc> = { stiffness: {}, obstacles: [] };

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}

// Throws an Error that names the invalid member.
export function readDocument(text: string): Doc {
  const read = JSON.parse(text, (_, one: unknown) =>
    one === infinite ? Infinity : one === `-${infinite}` ? -Infinity : one,
  ) as Record<string, unknown>;
  if (typeof read !== "object" || read === null || read.limber !== documentMark)
    throw new Error(`found no Limber document; expected {"limber": "${documentMark}", …}`);
  const value = { ...read };
  for (const [name, one] of Object.entries(usual)) value[name] ??= one;
  for (const [name, holds] of Object.entries(members))
    if (!holds(value[name]))
      throw new Error(
        `/${name}: found ${JSON.stringify(value[name])?.slice(0, 40) ?? "nothing"}; expected what a Limber document has there`,
      );
  const { limber: _, ...doc } = value;
  for (const name of Object.keys(doc)) if (!(name in members)) delete doc[name];
  return doc as unknown as Doc;
}
