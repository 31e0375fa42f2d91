// Shows why a file could not be read: the location, what was found, what was expected, and the line.
import { Rejection } from "limber";
import { tell } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { excerptOf } from "./diagnostic_text.js";

export function showDiagnostic(name: string, error: unknown, text?: string): Promise<void> {
  const isRejection = error instanceof Rejection;
  const reason = error instanceof Error ? error.message : String(error);
  const entry = (term: string, value: string) => [h("dt", {}, term), h("dd", {}, value)];
  const excerpt = isRejection && error.line > 0 ? excerptOf(text, error.line, error.column) : undefined;
  const gutter = isRejection ? `${error.line} | ` : "";
  return tell(`${name} could not be opened`, [
    isRejection
      ? h(
          "dl",
          { class: "diagnostic" },
          ...entry("Where", error.where),
          ...entry("Found", error.found),
          ...entry("Expected", error.expected),
        )
      : h("p", {}, reason),
    excerpt &&
      h(
        "pre",
        { class: "excerpt" },
        gutter + excerpt.before,
        h("b", {}, excerpt.at),
        `${excerpt.after}\n${" ".repeat(gutter.length)}${excerpt.pointer}`,
      ),
    h("p", { class: "faint" }, "Your document stays as it was."),
  ]);
}
