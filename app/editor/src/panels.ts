// All parts of the page, in the order in which they are mounted.
import type { App } from "./app.js";
import { mountMessages } from "./panel/messages.js";
import { mountTimeline } from "./panel/timeline.js";

export type Mount = (app: App) => void;

export const panels: Mount[] = [mountMessages, mountTimeline];
