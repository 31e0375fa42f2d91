// Runs work that may fail and shows the reason.
import type { App } from "./app.js";

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Runs work that limber.wasm may reject: the document then stays as it was. Returns the reason.
export function attempt(app: App, title: string, work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    app.say("error", `${title} was rejected`, why);
    return why;
  }
}
