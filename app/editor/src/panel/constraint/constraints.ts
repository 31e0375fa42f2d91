// The list of constraints with their errors; the selected one can be edited.
import "./constraints.css";
import type { App } from "../../state/app.js";
import { h, section } from "../../ui/dom.js";
import { ConstraintEditor } from "./constraint_editor.js";
import { addMenuActions, ConstraintMenu } from "./constraint_menu.js";
import { ConstraintRow, erase, StateLine, toggle } from "./constraint_row.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";
import { measure } from "../../input/turn.js";

class Constraints {
  private readonly list = h("ul", { class: "constraint-list", aria: { label: "Constraints" } });
  private readonly empty = h(
    "p",
    { class: "faint constraint-empty" },
    "Nothing is constrained. Select a part and press P to pin it.",
  );
  private readonly rows = new Map<string, ConstraintRow>();
  private readonly dragged = h("li", { class: "constraint dragged", hidden: true });
  private readonly draggedName = h("span", { class: "constraint-name" });
  private readonly draggedLine: StateLine;
  private readonly editor: ConstraintEditor;
  private readonly refresh = oncePerFrame(() => this.show());
  private readonly remeasure = oncePerFrame(() => this.measure());
  private hasReport = false; // a report since the last change of the document

  constructor(private readonly app: App) {
    this.editor = new ConstraintEditor(app);
    this.draggedLine = new StateLine(app);
    this.dragged.append(
      h(
        "div",
        { class: "constraint-head" },
        h("span", { class: "constraint-icon", aria: { hidden: "true" } }, "↗"),
        this.draggedName,
      ),
      this.draggedLine.element,
    );
    const open = h("button", { class: "grow", title: "Constrain a part (Shift+C)", aria: { haspopup: "dialog" } }, "Constrain ▾");
    const menu = new ConstraintMenu(app, open);
    open.onclick = () => menu.open();
    addMenuActions(app, () => menu.open());
    this.addActions();
    const pin = h(
      "button",
      { title: "Pin the selected part, position and orientation (P)", onclick: () => app.actions.run("pin.here") },
      "Pin here",
    );
    const follow = () => (pin.disabled = app.selection.kind === "nothing" || app.selection.kind === "obstacle");
    follow();
    app.on("selection", follow);
    document
      .getElementById("side")!
      .append(section("Constraints", "constraints", h("div", { class: "row" }, open, pin), this.empty, this.list));
    app.on("report", () => {
      this.hasReport = true;
      this.refresh();
    });
    app.on("document", (_doc, _before, cause) => {
      if (cause === "preview") return this.refresh();
      if (!this.hasReport || cause !== "command" || app.report?.constraints.some(({ drag }) => drag)) this.remeasure();
      this.hasReport = false;
      this.show(); // at once: the next input builds on it
    });
    const another = () => {
      this.hasReport = false; // of another pose
      this.remeasure();
    };
    app.on("time", () => !app.playing && another());
    app.on("playing", (playing) => !playing && another());
    app.on("motion", () => !app.playing && another());
    app.on("selection", () => {
      this.refresh();
      if (app.selection.kind === "constraint") requestAnimationFrame(() => requestAnimationFrame(() => this.showSelected()));
    });
    this.remeasure();
    this.show();
  }

  // Measures the shown pose if it has not been solved.
  private measure(): void {
    const { app } = this;
    if (app.playing || this.hasReport) return;
    try {
      app.setReport(measure(app));
    } catch {
      app.setReport(undefined); // a document whose constraints cannot be read
    }
    this.hasReport = false;
  }

  private show(): void {
    const { doc, report, selection } = this.app;
    const ids = new Set(doc.constraints.map(({ id }) => id));
    for (const [id, row] of this.rows)
      if (!ids.has(id)) {
        row.element.remove();
        this.rows.delete(id);
      }
    const reports = report?.constraints.filter(({ drag }) => !drag) ?? [];
    doc.constraints.forEach((constraint, k) => {
      let row = this.rows.get(constraint.id);
      if (!row) this.rows.set(constraint.id, (row = new ConstraintRow(this.app, constraint.id)));
      if (this.list.children[k] !== row.element) this.list.insertBefore(row.element, this.list.children[k] ?? null);
      row.show(constraint, reports.length === doc.constraints.length ? reports[k] : undefined);
    });
    this.empty.hidden = doc.constraints.length > 0;
    this.showDragged();
    const selected = selection.kind === "constraint" ? doc.constraints.find(({ id }) => id === selection.id) : undefined;
    if (!selected) return this.editor.forget();
    const host = this.rows.get(selected.id)!.element;
    if (this.editor.element.parentElement !== host) host.append(this.editor.element);
    this.editor.show(selected);
  }

  private showDragged(): void {
    const drag = this.app.report?.constraints.find((one) => one.drag);
    this.dragged.hidden = !drag;
    if (!drag) return;
    if (this.dragged.parentElement !== this.list) this.list.append(this.dragged);
    this.draggedName.textContent = `${drag.name.replaceAll("_", " ")}, dragged`;
    this.draggedLine.show(drag, "");
  }

  private showSelected(): void {
    const { selection } = this.app;
    const row = selection.kind === "constraint" ? this.rows.get(selection.id)?.element : undefined;
    row?.scrollIntoView({ block: "nearest" });
    row?.firstElementChild?.scrollIntoView({ block: "nearest" }); // at least its header
  }

  private addActions(): void {
    const { app } = this;
    const selected = () => (app.selection.kind === "constraint" ? app.selection.id : undefined);
    const enabled = () => selected() !== undefined;
    const group = "Constraints";
    app.actions.add(
      {
        id: "constraint.delete",
        title: "Delete selected constraint",
        group,
        keys: ["Delete", "Backspace"],
        enabled,
        run: () => erase(app, selected()!),
      },
      {
        id: "constraint.toggle",
        title: "Switch selected constraint on or off",
        group,
        keys: ["E"],
        enabled,
        run: () => toggle(app, selected()!),
      },
    );
  }
}

export function mountConstraints(app: App): void {
  new Constraints(app);
}
