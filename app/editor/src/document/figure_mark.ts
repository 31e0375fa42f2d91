// A hash of the parameter names of a figure: poses fit a figure with the same hash.
import type { Figure } from "limber";

export function figureMark(figure: Figure): string {
  let mark = 0x811c9dc5; // FNV-1a
  for (const letter of figure.info.parameters.map(({ name }) => name).join("\n")) {
    mark ^= letter.codePointAt(0)!;
    mark = Math.imul(mark, 0x01000193);
  }
  return `${figure.parameters}-${(mark >>> 0).toString(16).padStart(8, "0")}`;
}
