// Autosave: a second after a change the document is stored in the browser under a name that belongs to the tab. The tab
// finds it again after a reload; after a crash a new tab takes over work that no open tab owns.
import type { App } from "../state/app.js";
import { writeDocument } from "../document/save.js";
import { BrowserStore, type StoredWork } from "../ui/browser_store.js";

const delay = 1000; // ms after a change
const tabKey = "limber.tab";

const lockOf = (tab: string) => `limber.tab.${tab}`;

const tries = 8; // a reloaded page releases its lock within a few milliseconds
const between = 100; // ms

// Each open tab holds a lock. A duplicated tab cannot get the lock of the first.
async function claim(tab: string): Promise<boolean> {
  if (!navigator.locks) return true;
  for (let k = 0; k < tries; ++k) {
    if (await claimNow(tab)) return true;
    await new Promise((done) => setTimeout(done, between));
  }
  return false;
}

function claimNow(tab: string): Promise<boolean> {
  return new Promise((answer) => {
    const held = (lock: Lock | null) => (answer(lock !== null), lock ? new Promise<void>(() => {}) : undefined);
    navigator.locks.request(lockOf(tab), { ifAvailable: true }, held).catch(() => answer(false));
  });
}

async function openTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ""));
}

const freshName = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export class Autosave {
  private readonly storage = new BrowserStore();
  private tab = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private written: { doc: unknown; saved: boolean; time: number } | undefined;

  private hasFailed = false;

  constructor(private readonly app: App) {}

  // Claims a name and returns the work stored under it, or work without an owner.
  async begin(): Promise<StoredWork | undefined> {
    const own = sessionStorage.getItem(tabKey);
    this.tab = own !== null && (await claim(own)) ? own : freshName();
    if (this.tab === own) return this.storage.get(own);
    sessionStorage.setItem(tabKey, this.tab);
    const held = await openTabs();
    await claim(this.tab);
    return this.abandonedWork(held);
  }

  private async abandonedWork(held: Set<string>): Promise<StoredWork | undefined> {
    let newest: { key: string; kept: StoredWork } | undefined;
    for (const key of await this.storage.keys()) {
      if (held.has(lockOf(key))) continue;
      const kept = await this.storage.get(key);
      if (kept && !kept.saved && (!newest || kept.at > newest.kept.at)) newest = { key, kept };
      if (kept?.saved && navigator.locks) await this.storage.drop(key);
    }
    if (!newest) return undefined;
    await this.storage.put(this.tab, newest.kept);
    // Without locks it may belong to an open tab.
    if (navigator.locks) await this.storage.drop(newest.key);
    return newest.kept;
  }

  listen(): void {
    const { app } = this;
    this.written = { doc: app.doc, saved: app.store.isSaved, time: app.time };
    app.on("document", (_doc, _before, cause) => cause !== "preview" && this.later());
    app.on("saved", () => this.later());
    app.on("time", () => !app.playing && !app.store.isSaved && this.later());
    addEventListener("pagehide", () => this.atOnce());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.atOnce());
    addEventListener("beforeunload", (event) => {
      if (app.store.isSaved) return;
      event.preventDefault();
      event.returnValue = true; // for browsers without the event above
    });
  }

  private kept(): StoredWork {
    const { doc, store, time, isPosed } = this.app;
    this.written = { doc, saved: store.isSaved, time };
    return { text: writeDocument(doc), at: Date.now(), saved: store.isSaved, time, posed: doc.keys.length > 0 && isPosed };
  }

  private get isWritten(): boolean {
    const { doc, store, time } = this.app;
    return this.written?.doc === doc && this.written.saved === store.isSaved && this.written.time === time;
  }

  // The timer does not restart with every change, so that continuous work is stored too.
  private later(): void {
    this.timer ??= setTimeout(() => void this.now(), delay);
  }

  async now(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWritten) return;
    try {
      await this.storage.put(this.tab, this.kept());
    } catch (error) {
      this.written = undefined;
      if (!this.hasFailed)
        this.app.say(
          "error",
          "The browser cannot store your work",
          `Save it as a file. (${error instanceof Error ? error.message : String(error)})`,
        );
      this.hasFailed = true;
    }
  }

  // In both places: an unloading page may have no time for the database, and a busy browser none for localStorage.
  private atOnce(): void {
    if (this.isWritten) return;
    const kept = this.kept();
    try {
      this.storage.putAtOnce(this.tab, kept);
    } catch {
      // too large for localStorage
    }
    void this.storage.put(this.tab, kept).catch(() => {});
  }
}
