// The real module, the human, and the document that the editor starts with.
import { load } from "../../../../binding/js/test/load.js";
import { startDoc } from "../../src/document/start.js";

export const limber = await load();
export const figure = limber.figure({ human: {} });
export const start = startDoc(figure);
