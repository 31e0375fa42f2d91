// The line of a text where an error was found.

const maxLength = 160; // characters of a line that are shown

// The line with a mark under the column; undefined for binary files.
export function excerptOf(
  text: string | undefined,
  line: number,
  column: number,
): { before: string; at: string; after: string; pointer: string } | undefined {
  const whole = text?.split(/\r\n|\r|\n/)[line - 1];
  if (whole === undefined || /[\0\ufffd]/.test(whole)) return undefined;
  const at = Math.max(0, Math.min(column - 1, whole.length));
  const begin = Math.max(0, at - maxLength / 2);
  const shown = whole.slice(begin, begin + maxLength).replaceAll("\t", " ");
  const word = /^("[^"]*"?|[^\s,;:{}[\]]+|.)?/.exec(shown.slice(at - begin))?.[0] ?? "";
  const before = shown.slice(0, at - begin);
  return { before, at: word, after: shown.slice(at - begin + word.length), pointer: " ".repeat(before.length) + "^" };
}
