// Saves the document into the file that was chosen before if the browser allows it, else as a download.
import type { App } from "../state/app.js";
import { writeDocument } from "../document/save.js";
import { download, fileName } from "../ui/download.js";

interface Writable {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}
interface FileHandle {
  readonly name: string;
  createWritable(): Promise<Writable>;
}
type Picker = (options: {
  suggestedName: string;
  types: { description: string; accept: Record<string, string[]> }[];
}) => Promise<FileHandle>;

const ending = ".limber.json";

export class Saver {
  private handle: FileHandle | undefined;

  constructor(private readonly app: App) {
    // A newly loaded document does not belong to that file.
    app.on("document", (_doc, _before, cause) => cause === "load" && (this.handle = undefined));
  }

  async save(anew = false): Promise<boolean> {
    const { app } = this;
    const { doc } = app;
    const name = fileName(doc.title) + ending;
    try {
      const handle = (anew ? undefined : this.handle) ?? (await this.pick(name));
      if (handle === "none") download(name, writeDocument(doc), "application/json");
      else {
        const file = await handle.createWritable();
        await file.write(writeDocument(doc));
        await file.close();
        this.handle = handle;
      }
      if (app.doc === doc) app.store.markSaved();
      app.emit("saved");
      app.say("info", `Saved as ${handle === "none" ? name : handle.name}`);
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return false;
      app.say("error", "The document could not be saved", error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private async pick(suggestedName: string): Promise<FileHandle | "none"> {
    const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
    if (!picker) return "none";
    try {
      return await this.picked(picker, suggestedName);
    } catch (error) {
      // Cancelled by the user, or forbidden (as in an iframe), where a download is allowed.
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      return "none";
    }
  }

  private picked(picker: Picker, suggestedName: string): Promise<FileHandle> {
    return picker.call(window, {
      suggestedName,
      types: [{ description: "Limber document", accept: { "application/json": [".json"] } }],
    });
  }
}
