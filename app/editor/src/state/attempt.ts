// Work that may fail: the reason is shown.
import type { App } from "./app.js";

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Runs what may be refused; the document is then as it was, and why is said.
export function attempt(app: App, title: string, work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    app.say("error", `${title} was refused`, why);
    return why;
  }
}
