// The figure of a scene as a separate document with every character at its old position, so that errors are reported with
// the line and column of the scene.

interface Member {
  readonly name: string;
  readonly begin: number; // of its key
  readonly value: number;
  readonly end: number;
}

// The index after the string literal that begins at k.
function pastText(text: string, k: number): number {
  for (++k; k < text.length && text[k] !== '"'; ++k) if (text[k] === "\\") ++k;
  return k + 1;
}

// The members of the outermost object of a valid JSON text.
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let key: { name: string; begin: number; value: number } | undefined;
  const close = (end: number) => {
    if (key) members.push({ ...key, end });
    key = undefined;
  };
  for (let k = 0; k < text.length; ++k) {
    const letter = text[k]!;
    if (letter === '"') {
      const end = pastText(text, k);
      if (depth === 1 && !key) key = { name: text.slice(k + 1, end - 1), begin: k, value: text.indexOf(":", end) + 1 };
      k = end - 1;
    } else if (letter === "{" || letter === "[") ++depth;
    else if (letter === "}" || letter === "]") {
      if (--depth === 0) close(k);
    } else if (letter === "," && depth === 1) close(k);
  }
  return members;
}

export function figureAlone(scene: string): string | undefined {
  const kept = membersOf(scene).filter(({ name }) => name === "limber" || name === "figure");
  if (kept.length !== 2) return undefined;
  const cells = scene.replace(/[^\r\n]/g, " ").split("");
  const put = (at: number, text: string) => text.split("").forEach((letter, k) => (cells[at + k] = letter));
  put(scene.indexOf("{"), "{");
  put(scene.lastIndexOf("}"), "}");
  for (const { begin, end } of kept) put(begin, scene.slice(begin, end));
  const mark = scene.indexOf('"', kept.find(({ name }) => name === "limber")!.value);
  put(mark, '"figure 1');
  cells[mark + 8] = '1"'; // one character longer than "scene 1", so it does not fit: both members in one
  put(kept[0]!.end, ",");
  return cells.join("");
}
