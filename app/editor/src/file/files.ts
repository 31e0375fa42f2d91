// Mounts all that concerns files: actions, drag and drop, links, and recovered work.
import type { Editor } from "../view/stage.js";
import { readDocument } from "../document/save.js";
import { human, startDoc } from "../document/start.js";
import { ask, tell } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { Autosave } from "./autosave.js";
import { embed, isEmbedded } from "./embed.js";
import { showDiagnostic } from "./diagnostic.js";
import { examples, openExample } from "./examples.js";
import { exportMotion, exportPicture, exportScene } from "./export.js";
import type { StoredWork } from "../ui/browser_store.js";
import { docOfFragment, fragmentOf, maxLinkLength } from "./link.js";
import { acceptDrops, makePicker, showBeginning } from "./open.js";
import { Saver } from "./save_file.js";

export async function mountFiles(app: Editor): Promise<void> {
  const saver = new Saver(app);
  addFileActions(app, saver, makePicker(app));
  app.actions.add(
    ...examples.map((one) => ({
      id: `example.${one.id}`,
      title: one.title,
      group: "Examples",
      run: () => void openExample(app, one),
    })),
  );
  acceptDrops(app);
  embed(app);
  if (isEmbedded()) return;
  const autosave = new Autosave(app);
  addEventListener("hashchange", () => void openLink(app));
  const kept = await autosave.begin().catch(() => undefined);
  autosave.listen();
  if (!(await openLink(app)) && kept) await recover(app, kept);
}

const quickExport = "glb"; // the format with a shortcut

function addFileActions(app: Editor, saver: Saver, pick: () => void): void {
  const group = "File";
  app.actions.add(
    { id: "file.new", title: "New", group, run: () => void startNew(app, saver) },
    { id: "file.open", title: "Open…", group, keys: ["Ctrl+O"], run: pick },
    { id: "file.save", title: "Save", group, apart: true, keys: ["Ctrl+S"], run: () => void saver.save() },
    { id: "file.save_as", title: "Save as…", group, keys: ["Ctrl+Shift+S"], run: () => void saver.save(true) },
    { id: "file.link", title: "Copy a link…", group, apart: true, run: () => void offerLink(app, saver) },
    { id: "file.scene", title: "Export scene (JSON)", group, apart: true, run: () => void exportScene(app) },
    ...app.engine.limber.formats
      .filter(({ writes, motions }) => writes && motions)
      .map((format) => ({
        id: `file.${format.key}`,
        title: `Export ${format.name} (${format.extensions.split(" ")[0]!})`,
        group,
        ...(format.key === quickExport ? { keys: ["Ctrl+E"] } : {}),
        run: () => void exportMotion(app, format),
      })),
    {
      id: "file.png",
      title: "Export picture (PNG)",
      group,
      apart: true,
      run: () => void exportPicture(app),
      enabled: () => document.querySelector("#stage canvas") !== null,
    },
  );
}

// The initial document. Undo restores the old one.
function startOver(app: Editor, title: string): void {
  const figure = app.engine.limber.figure(human);
  const doc = startDoc(figure);
  figure.drop();
  app.play(false);
  app.store.load(title, doc);
  showBeginning(app, doc);
}

async function startNew(app: Editor, saver: Saver): Promise<void> {
  if (!app.store.isSaved) {
    const answer = await ask(
      "This document is not saved",
      [h("p", {}, "Save it before you begin another one?")],
      [
        { title: "Cancel", value: "cancel" },
        { title: "Do not save", value: "discard" },
        { title: "Save", value: "save", main: true },
      ],
    );
    if (answer === undefined || answer === "cancel" || (answer === "save" && !(await saver.save()))) return;
  }
  startOver(app, "New");
}

// Returns whether the address held a document.
async function openLink(app: Editor): Promise<boolean> {
  const fragment = location.hash;
  if (!fragment.startsWith("#d=")) return false;
  // A reload must not open the link again over later work.
  history.replaceState(null, "", location.pathname + location.search);
  const queue = app.engine.newQueue();
  try {
    const { doc } = await queue.run("check", { doc: (await docOfFragment(fragment))! });
    app.store.load("Open a link", doc);
    showBeginning(app, doc);
    return true;
  } catch (error) {
    void showDiagnostic("The link", error);
    return false;
  } finally {
    queue.end();
  }
}

async function offerLink(app: Editor, saver: Saver): Promise<void> {
  const address = location.href.split("#")[0]! + (await fragmentOf(app.doc));
  if (address.length > maxLinkLength) {
    const wants = await ask(
      "Too much for a link",
      [
        h(
          "p",
          {},
          `The document would make an address of ${Math.round(address.length / 1000)} thousand characters, which most programs truncate. Save it as a file instead.`,
        ),
      ],
      [
        { title: "Cancel", value: false },
        { title: "Save as a file", value: true, main: true },
      ],
    );
    if (wants) await saver.save(true);
    return;
  }
  const field = h("input", {
    type: "text",
    readOnly: true,
    value: address,
    id: "link-address",
    aria: { label: "Link" },
    onfocus: () => field.select(),
  });
  const copy = h(
    "button",
    { onclick: () => void copied(field).then((done) => (copy.textContent = done ? "Copied" : "Press Ctrl+C")) },
    "Copy",
  );
  await tell("A link that holds the document", [
    h(
      "p",
      {},
      "Anyone who opens the link gets a copy of this document. The document is part of the address and is stored nowhere else.",
    ),
    h("div", { class: "link" }, field, copy),
  ]);
}

async function copied(field: HTMLInputElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return false;
  }
}

async function recover(app: Editor, kept: StoredWork): Promise<void> {
  const queue = app.engine.newQueue();
  try {
    const { doc } = await queue.run("check", { doc: readDocument(kept.text) });
    app.store.load("Recover", doc, kept.saved);
    showBeginning(app, doc);
    if (kept.time) app.setTime(kept.time);
    if (kept.posed) app.showPose(doc.pose);
  } catch (error) {
    return app.say("error", "The saved work could not be read", error instanceof Error ? error.message : String(error));
  } finally {
    queue.end();
  }
  app.emit("message", {
    kind: "info",
    title: "Your work was restored",
    text: `as it was on ${new Date(kept.at).toLocaleString()}`,
    button: { title: "Start over", run: () => startOver(app, "Start over") },
  });
}
