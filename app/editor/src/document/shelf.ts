// The shelf: named poses and sequences that are stored outside the document, in the browser. As a file it is
// {"limber": "shelf 1", …}.
import type { Key } from "limber";

export interface ShelfEntry {
  readonly id: string;
  readonly name: string;
  readonly mark: string; // identifies the figure that it fits: figure_mark.ts
  readonly figure: string; // the name of that figure
  readonly keys: readonly Key[]; // a single key is a pose
  readonly picture?: string; // shown while the editor has another figure
}

export const shelfMark = "shelf 1";

export const writeShelf = (entries: readonly ShelfEntry[]) => JSON.stringify({ limber: shelfMark, entries }, undefined, 1) + "\n";

const isNumbers = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number" && Number.isFinite(one));

function isKeys(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const times = value.map((key: { time?: unknown } | null) => key?.time);
  return value.every(
    (key: { pose?: unknown }, k) =>
      typeof times[k] === "number" && isNumbers(key.pose) && (k === 0 || times[k] > (times[k - 1] as number)),
  );
}

const members: { [K in keyof ShelfEntry]-?: (value: unknown) => boolean } = {
  id: (value) => typeof value === "string" && value !== "",
  name: (value) => typeof value === "string",
  mark: (value) => typeof value === "string",
  figure: (value) => typeof value === "string",
  keys: isKeys,
  picture: (value) => value === undefined || (typeof value === "string" && value.startsWith("data:image/png;base64,")),
};

// Throws an Error that names the invalid entry.
export function readShelf(text: string): ShelfEntry[] {
  const value = JSON.parse(text) as { limber?: unknown; entries?: unknown } | null;
  if (value?.limber !== shelfMark || !Array.isArray(value.entries))
    throw new Error(`found no shelf; expected {"limber": "${shelfMark}", "entries": […]}`);
  return value.entries.map((entry: Record<string, unknown> | null, k) => {
    for (const [name, holds] of Object.entries(members))
      if (!holds(entry?.[name]))
        throw new Error(
          `/entries/${k}/${name}: found ${JSON.stringify(entry?.[name])?.slice(0, 40) ?? "nothing"}; expected what an entry of a shelf has there`,
        );
    return Object.fromEntries(
      Object.keys(members).flatMap((name) => (entry![name] === undefined ? [] : [[name, entry![name]]])),
    ) as unknown as ShelfEntry;
  });
}

// A name that no other entry has.
export function freshName(entries: readonly ShelfEntry[], kind: string): string {
  const names = new Set(entries.map(({ name }) => name));
  for (let k = 1; ; ++k) if (!names.has(`${kind} ${k}`)) return `${kind} ${k}`;
}

// Adds entries; those that are already there are skipped.
export function joined(entries: readonly ShelfEntry[], more: readonly ShelfEntry[]): ShelfEntry[] {
  const ids = new Set(entries.map(({ id }) => id));
  return [...entries, ...more.filter(({ id }) => !ids.has(id))];
}
