// Which of several dropped files is the main one, and which files it refers to.
import type { FileFormat } from "limber";

export interface Given {
  readonly name: string;
  readonly bytes: Uint8Array;
}

// What files of these formats may refer to.
const parts = [".bin", ".png", ".jpg", ".jpeg", ".obj", ".off"];

const extensionsOf = ({ extensions }: FileFormat) => extensions.split(" ");

export const acceptedBy = (formats: readonly FileFormat[]) => [...formats.flatMap(extensionsOf), ...parts].join(",");

export const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

export const formatOf = (formats: readonly FileFormat[], name: string) =>
  formats.find((format) => extensionsOf(format).includes(`.${endingOf(name)}`));

export function mainOf(formats: readonly FileFormat[], files: readonly Given[]): Given | undefined {
  const rankOf = ({ name }: Given) => formatOf(formats, name)?.preference ?? 0;
  return [...files].sort((a, b) => rankOf(b) - rankOf(a))[0];
}

export const textOf = ({ bytes }: Given) => new TextDecoder().decode(bytes);

// A glTF refers to buffers and images by path, a skeleton script to polygon files; dropped files have only names.
export function byPaths(main: Given, files: readonly Given[]): Given[] {
  const paths = endingOf(main.name) === "gltf" ? pathsInGltf(main) : endingOf(main.name) === "scr" ? wordsOf(main) : [];
  return files.map((file) => ({
    ...file,
    name: paths.find((path) => decodeURI(path).split("/").at(-1) === file.name) ?? file.name,
  }));
}

function pathsInGltf(main: Given): string[] {
  try {
    const { buffers = [], images = [] } = JSON.parse(textOf(main)) as {
      buffers?: { uri?: string }[];
      images?: { uri?: string }[];
    };
    return [...buffers, ...images].map(({ uri }) => uri ?? "").filter((uri) => uri !== "" && !uri.startsWith("data:"));
  } catch {
    return []; // the reader reports the error
  }
}

// Of a script, each word that may be a path; one with % is none that decodeURI takes.
const wordsOf = (main: Given) =>
  textOf(main)
    .split(/[\s"]+/)
    .filter((word) => word.includes("/") && !word.includes("%"));

// Which kind of Limber file a JSON text is, before it is fully read.
export function markOf(text: string): "document" | "scene" | "figure" {
  const mark = /"limber"\s*:\s*"(document|figure)\b/.exec(text)?.[1];
  return mark === "document" || mark === "figure" ? mark : "scene";
}
