// Downloads bytes as a file.

export function download(name: string, parts: BlobPart, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // ms; the download has started by then
}

const between = 150; // ms, because some browsers drop all but the first of simultaneous downloads

export async function downloadAll(files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  for (const [k, { name, bytes }] of files.entries()) {
    if (k > 0) await new Promise((done) => setTimeout(done, between));
    download(name, bytes as Uint8Array<ArrayBuffer>);
  }
}

// A file name that is valid on all systems.
export const fileName = (title: string) =>
  title
    .replace(/[^\p{L}\p{N} ._-]+/gu, "")
    .trim()
    .replace(/\s+/g, "_")
    .slice(0, 60) || "untitled";
