// Persistent storage in the browser: IndexedDB, or localStorage where that is not available.

export interface StoredWork {
  readonly text: string; // the document
  readonly at: number; // ms since 1970
  readonly saved: boolean; // it is also saved in a file
  readonly time?: number; // where the playhead was
  readonly posed?: boolean; // the document's pose was shown, not the motion
}

const base = "limber";
const version = 2;
const table = "work";
const shelfTable = "shelf"; // one text under one key
const patience = 10_000; // ms until a database that does not respond counts as unavailable; a busy browser responds late

const mark = (key: string) => `limber.work.${key}`;

function opened(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open(base, version);
    request.onupgradeneeded = () => {
      for (const name of [table, shelfTable])
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    request.onsuccess = () => done(request.result);
    request.onerror = request.onblocked = () => fail(request.error ?? new Error("blocked"));
    setTimeout(() => fail(new Error("no answer")), patience);
  });
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error("the request failed"));
  });

// The shelf, which all tabs share. Undefined without a database, or before anything was put there.
export class ShelfStore {
  private readonly database = opened().catch(() => undefined);

  async put(text: string): Promise<void> {
    const database = await this.database;
    if (database) await settled(database.transaction(shelfTable, "readwrite").objectStore(shelfTable).put(text, shelfTable));
  }

  async get(): Promise<string | undefined> {
    const database = await this.database;
    if (!database) return undefined;
    return (await settled(database.transaction(shelfTable).objectStore(shelfTable).get(shelfTable))) as string | undefined;
  }
}

export class BrowserStore {
  private readonly database: Promise<IDBDatabase | undefined>;

  constructor() {
    this.database = opened().catch(() => undefined);
  }

  async put(key: string, kept: StoredWork): Promise<void> {
    const database = await this.database;
    if (!database) return this.putAtOnce(key, kept);
    await settled(database.transaction(table, "readwrite").objectStore(table).put(kept, key));
    localStorage.removeItem(mark(key));
  }

  // While the page unloads there is no time for a database.
  putAtOnce(key: string, kept: StoredWork): void {
    localStorage.setItem(mark(key), JSON.stringify(kept));
  }

  async drop(key: string): Promise<void> {
    localStorage.removeItem(mark(key));
    const database = await this.database;
    if (database) await settled(database.transaction(table, "readwrite").objectStore(table).delete(key));
  }

  // The newer of both stored versions.
  async get(key: string): Promise<StoredWork | undefined> {
    const database = await this.database;
    const stored = database
      ? ((await settled(database.transaction(table).objectStore(table).get(key))) as StoredWork | undefined)
      : undefined;
    const text = localStorage.getItem(mark(key));
    const quick = text === null ? undefined : (JSON.parse(text) as StoredWork);
    return !quick || (stored && stored.at > quick.at) ? stored : quick;
  }

  async keys(): Promise<string[]> {
    const database = await this.database;
    const stored = database ? ((await settled(database.transaction(table).objectStore(table).getAllKeys())) as string[]) : [];
    const quick = Object.keys(localStorage)
      .filter((key) => key.startsWith(mark("")))
      .map((key) => key.slice(mark("").length));
    return [...new Set([...stored, ...quick])];
  }
}
