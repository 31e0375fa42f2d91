// Which of several dropped files is the main one, and which files it refers to.

export interface Given {
  readonly name: string;
  readonly bytes: Uint8Array;
}

// In order of preference: a motion before its skeleton.
const order = ["json", "amc", "bvh", "glb", "vrm", "gltf", "asf", "scr", "urdf", "trc", "c3d"];

export const accepted = [...order, "bin", "png", "jpg", "jpeg"].map((ending) => `.${ending}`).join(",");

export const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

const rankOf = ({ name }: Given) => {
  const rank = order.indexOf(endingOf(name));
  return rank < 0 ? order.length : rank;
};

export function mainOf(files: readonly Given[]): Given | undefined {
  return [...files].sort((a, b) => rankOf(a) - rankOf(b))[0];
}

export const textOf = ({ bytes }: Given) => new TextDecoder().decode(bytes);

// The skeleton of an AMC file, by the rule of the library: same name, its subject (02.asf for "02_01.amc"), or the only one.
export function skeletonOf(amc: string, names: readonly string[]): string | undefined {
  const stem = amc.slice(0, amc.lastIndexOf("."));
  const skeletons = names.filter((name) => endingOf(name) === "asf");
  const own = [`${stem}.asf`, `${stem.split("_")[0]}.asf`].find((name) => skeletons.includes(name));
  return own ?? (skeletons.length === 1 ? skeletons[0] : undefined);
}

// A glTF refers to buffers and images by path; dropped files have only names.
export function byPaths(main: Given, files: readonly Given[]): Given[] {
  if (endingOf(main.name) !== "gltf") return [...files];
  let paths: string[] = [];
  try {
    const { buffers = [], images = [] } = JSON.parse(textOf(main)) as {
      buffers?: { uri?: string }[];
      images?: { uri?: string }[];
    };
    paths = [...buffers, ...images].map(({ uri }) => uri ?? "").filter((uri) => uri !== "" && !uri.startsWith("data:"));
  } catch {
    return [...files]; // the reader reports the error
  }
  return files.map((file) => ({
    ...file,
    name: paths.find((path) => decodeURI(path).split("/").at(-1) === file.name) ?? file.name,
  }));
}

// Which kind of Limber file a JSON text is, before it is fully read.
export function markOf(text: string): "document" | "scene" | "figure" {
  const mark = /"limber"\s*:\s*"(document|figure)\b/.exec(text)?.[1];
  return mark === "document" || mark === "figure" ? mark : "scene";
}
