// Forward kinematics: a slider per parameter of the figure, in its groups.                                    W93 6.1.3
import "./joints.css";
import type { Figure, FigureInfo } from "limber";
import type { App } from "../../state/app.js";
import { setRigidity } from "../../command/commands.js";
import type { Doc } from "../../document/document.js";
import { plain } from "../../document/handles.js";
import { h, replace, section } from "../../ui/dom.js";
import { grouped, parametersOf } from "../../document/joint_groups.js";
import { digits, JointRow, lockIcon, shownNumber } from "./joint_row.js";
import { checkField } from "../../ui/fields.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";

const settleIterations = 100;

const rigidityOf = (doc: Doc, { name, rigidity }: FigureInfo["parameters"][number]) => doc.rigidity[name] ?? rigidity;

interface Group {
  readonly element: HTMLDetailsElement;
  readonly values: HTMLElement;
  readonly locks: HTMLElement;
  readonly name: string;
  readonly parameters: readonly number[];
  shown: string;
}

class Joints {
  private readonly filter = h("input", {
    type: "text",
    class: "grow",
    placeholder: "Filter joints",
    aria: { label: "Filter joints" },
  });
  private readonly list = h("div", { class: "joint-list" });
  private readonly assumed = checkField(
    "Assumed limits",
    (on) => this.assumeLimits(on),
    "Joints without limits of their own get those of people, by the part of the body that they are",
  );
  private rows: JointRow[] = [];
  private groups: Group[] = [];
  private readonly refresh = oncePerFrame(() => this.show());

  constructor(private readonly app: App) {
    this.filter.oninput = () => this.sift();
    this.filter.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      this.filter.value = "";
      this.sift();
    };
    const all = h("button", { title: "Expand or collapse all groups" }, "⇕");
    all.setAttribute("aria-label", "Expand or collapse all groups");
    all.onclick = () => {
      const open = this.groups.some(({ element }) => !element.open);
      for (const { element } of this.groups) element.open = open;
    };
    const button = (id: string, text: string) =>
      h("button", { title: this.app.actions.find(id).title, onclick: () => this.app.actions.run(id) }, text);
    this.addActions();
    const element = section(
      "Joints",
      "joints",
      h("div", { class: "row joint-filter" }, this.filter, all),
      h(
        "div",
        { class: "row joint-actions" },
        button("pose.rest", "Rest pose"),
        button("pose.mirror", "Mirror pose"),
        button("joint.lock", "Lock joint"),
      ),
      this.assumed.element,
      this.list,
    );
    document.getElementById("side")!.append(element);
    app.on("figure", (figure) => this.build(figure));
    app.on("pose", () => this.refresh());
    app.on("document", (doc, before) => {
      if (doc.rigidity !== before.rigidity || doc.stiffness !== before.stiffness) this.refresh();
    });
    app.on("selection", () => this.showSelection());
    app.on("limit", (parameter) => this.reveal(parameter));
    this.build(app.figure);
  }

  // Of a figure from a file.
  private assumeLimits(on: boolean): void {
    this.app.store.run(`${on ? "Assume" : "Forget"} limits of people`, (doc) => {
      if (!("file" in doc.figure)) return doc;
      const { file } = doc.figure;
      return { ...doc, figure: on ? { file, assumed_limits: true } : { file } };
    });
  }

  private build(figure: Figure): void {
    const own = this.app.doc.figure;
    this.assumed.element.hidden = !("file" in own);
    this.assumed.show("file" in own && own.assumed_limits === true);
    this.rows = figure.info.parameters.map((_, k) => new JointRow(this.app, k));
    this.groups = grouped(figure.info).map(({ name, parameters }) => {
      const values = h("span", { class: "joint-values faint" });
      const locks = h("span", { class: "joint-locks" });
      const title = figure.info.root.includes(parameters[0]!) ? `${plain(name)} (whole body)` : plain(name);
      const element = h(
        "details",
        { class: "joint-group", data: { group: name } },
        h("summary", {}, h("span", {}, title), locks, values),
        ...parameters.map((k) => this.rows[k]!.element),
      );
      return { element, values, locks, name, parameters, shown: "" };
    });
    replace(this.list, ...this.groups.map(({ element }) => element));
    this.sift();
    this.show();
  }

  private show(): void {
    const { doc, pose, figure } = this.app;
    const { parameters } = figure.info;
    if (pose.length !== this.rows.length) return; // another figure is being loaded
    this.rows.forEach((row, k) => row.show(pose[k]!, rigidityOf(doc, parameters[k]!), doc.stiffness[parameters[k]!.name] ?? 0));
    for (const group of this.groups) {
      const text = group.parameters.map((k) => Math.round(shownNumber(parameters[k]!, pose[k]!)) || 0).join("  ");
      const isLocked = group.parameters.some((k) => rigidityOf(doc, parameters[k]!) === 1);
      if (text + isLocked === group.shown) continue;
      group.shown = text + isLocked;
      group.values.textContent = text;
      group.values.title = group.parameters
        .map((k) => `${plain(parameters[k]!.name)} ${digits(shownNumber(parameters[k]!, pose[k]!))}`)
        .join("\n");
      replace(group.locks, isLocked ? lockIcon(true) : undefined);
    }
  }

  // Groups that match the filter are open, the rest is hidden.
  private sift(): void {
    const text = this.filter.value.trim().toLowerCase();
    for (const { element, parameters } of this.groups) {
      const found = parameters.filter((k) => this.rows[k]!.matches(text));
      for (const k of parameters) this.rows[k]!.element.hidden = !found.includes(k);
      element.hidden = found.length === 0;
      if (text) element.open = found.length > 0;
    }
  }

  private showSelection(): void {
    const { selection, figure } = this.app;
    const parameters = selection.kind === "segment" ? parametersOf(figure.info, selection.segment) : [];
    const selected = this.groups.filter((group) => group.parameters.some((k) => parameters.includes(k)));
    let isNews = false;
    for (const group of this.groups) {
      const is = selected.includes(group);
      if (is && !group.element.classList.contains("selected")) isNews = true;
      group.element.classList.toggle("selected", is);
    }
    const [first] = selected;
    if (!first || !isNews || first.element.contains(document.activeElement)) return;
    first.element.hidden = false;
    first.element.open = true;
    for (const k of first.parameters) this.rows[k]!.element.hidden = false;
    requestAnimationFrame(() => scrollInto(first.element, "start"));
  }

  private reveal(parameter: number): void {
    const group = this.groups.find(({ parameters }) => parameters.includes(parameter));
    const row = this.rows[parameter];
    if (!group || !row) return;
    this.filter.value = "";
    this.sift();
    (this.list.closest("details") as HTMLDetailsElement).open = true;
    group.element.open = true;
    // After the scroll of a new selection.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        scrollInto(row.element, "center");
        row.focus();
        row.flash();
      }),
    );
  }

  private addActions(): void {
    const { app } = this;
    const pose = (title: string, make: () => Float64Array) => {
      app.play(false);
      const next = make();
      if (app.doc.constraints.some((one) => one.enabled !== false)) app.settle(next, settleIterations);
      app.commitPose(title, next);
    };
    app.actions.add(
      {
        id: "pose.rest",
        title: "Rest pose; constraints are kept",
        group: "Pose",
        run: () => pose("Rest pose", () => app.figure.rest()),
      },
      {
        id: "pose.mirror",
        title: "Mirror the pose: exchange left and right",
        group: "Pose",
        enabled: () => app.figure.info.mirrors,
        run: () => pose("Mirror pose", () => app.figure.mirrored(app.pose)),
      },
      {
        id: "joint.lock",
        title: "Lock or unlock the selected joint",
        group: "Pose",
        keys: ["Shift+L"],
        enabled: () => app.selection.kind === "segment",
        run: () => this.lockSelected(),
      },
    );
    app.on("selection", () => this.enable());
    app.on("figure", () => this.enable());
    queueMicrotask(() => this.enable());
  }

  private enable(): void {
    const ids = ["pose.rest", "pose.mirror", "joint.lock"];
    document
      .querySelectorAll<HTMLButtonElement>(".joint-actions button")
      .forEach((button, k) => (button.disabled = !(this.app.actions.find(ids[k]!).enabled?.() ?? true)));
  }

  private lockSelected(): void {
    const { app } = this;
    const { selection } = app;
    if (selection.kind !== "segment") return;
    const { info } = app.figure;
    const parameters = parametersOf(info, selection.segment).map((k) => info.parameters[k]!);
    const isLocked = parameters.every((one) => rigidityOf(app.doc, one) === 1);
    const name = plain(info.segments[selection.segment]!.joint);
    app.store.run(`${isLocked ? "Unlock" : "Lock"} ${name}`, (doc) =>
      parameters.reduce((next, one) => setRigidity(next, one.name, isLocked ? 0 : 1, one.rigidity), doc),
    );
  }
}

// Scrolls the panel, not the window.
function scrollInto(element: HTMLElement, block: ScrollLogicalPosition): void {
  element.scrollIntoView({ block, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

export function mountJoints(app: App): void {
  new Joints(app);
}
