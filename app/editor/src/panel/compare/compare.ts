// Compare: a reference motion as a red figure, a green figure that tracks a few of its places, and the error and time per
// frame.                                                                                         EE09 section 4, Fig. 1
import * as THREE from "three";
import "./compare.css";
import { emptyDoc } from "../../document/start.js";
import type { Jobs } from "../../engine/jobs.js";
import { h, remembered, replace, section } from "../../ui/dom.js";
import type { FigureView } from "../../view/figure_view.js";
import { CompareForm } from "./compare_form.js";
import { Plot } from "./compare_plot.js";
import {
  endings,
  isOfDocument,
  motionFile,
  motionsIn,
  poseIn,
  readFiles,
  referenceOfDocument,
  referenceOfFile,
  type Reference,
} from "./compare_reference.js";
import { mean, short } from "./compare_scale.js";
import type { Editor } from "../../view/stage.js";

const referenceColour = 0xd3433a;
const followerColour = 0x2f9e50;
const keyDegrees = 1; // tolerance of the keys of a reference that becomes the document
const keyMetres = 0.005;

const framedPoses = 9; // the reference that the views have framed

type Result = Jobs["compare"]["out"];

export function mountCompare(app: Editor): void {
  new Compare(app);
}

class Compare {
  private reference: Reference | undefined;
  private result: Result | undefined;
  private views: { reference: FigureView; follower?: FigureView } | undefined;
  private isShown = true;
  private isOpening = false;
  private isRunning = false;
  private job: AbortController | undefined;
  private readonly body = h("div", {});
  private readonly panel: HTMLDetailsElement;
  private readonly picker = h("input", {
    type: "file",
    multiple: true,
    accept: endings.join(","),
    hidden: true,
    aria: { label: "Reference motion" },
  });
  private readonly form: CompareForm;
  private readonly plot = new Plot((frame) => this.scrub(frame));
  private readonly progress = h("progress", { class: "compare-progress", max: 1, value: 0, hidden: true });
  private readonly summary = h("output", {});
  private readonly outcome = h(
    "div",
    { class: "compare-summary", hidden: true },
    h("span", { class: "compare-dot follower" }),
    this.summary,
  );
  private readonly title = h("div", { class: "compare-name" });
  private readonly runButton = h("button", {
    class: "on",
    onclick: () => (this.isRunning ? this.job?.abort() : void this.run()),
  });
  private readonly sheet: HTMLElement;

  constructor(private readonly app: Editor) {
    this.form = new CompareForm(app.engine.limber.methods);
    this.form.shown.onchange = () => this.show(this.form.shown.checked);
    const buttons = h("div", { class: "row" }, this.runButton, this.form.shownLabel, this.progress);
    const legend = h(
      "div",
      { class: "compare-legend" },
      h("span", { class: "compare-dot reference" }),
      "red: the reference",
      h("span", { class: "compare-dot follower" }),
      "green: what follows it",
    );
    this.sheet = h("div", {}, this.title, buttons, legend, this.form.element, this.plot.element, this.plot.readout, this.outcome);
    this.picker.addEventListener("change", () => void this.picked());
    this.panel = section("Compare", "compare", this.picker, this.body);
    this.panel.open = remembered("open.compare", false);
    document.getElementById("side")!.append(this.panel);
    this.addActions();
    app.on("time", () => this.follow());
    app.on("figure", () => this.isOpening || this.close());
    this.draw();
  }

  private addActions(): void {
    const { app } = this;
    const group = "Compare";
    app.actions.add(
      { id: "compare.open", title: "Compare with a motion file…", group, run: () => this.picker.click() },
      {
        id: "compare.own",
        title: "Compare with this motion",
        group,
        enabled: () => app.doc.keys.length > 1,
        run: () => this.attempt("Compare", () => this.take(referenceOfDocument(app))),
      },
      {
        id: "compare.run",
        title: "Run the comparison",
        group,
        enabled: () => !!this.reference && !this.isRunning,
        run: () => void this.run(),
      },
      {
        id: "compare.show",
        title: "Show the compared figures",
        group,
        enabled: () => !!this.reference,
        checked: () => !!this.reference && this.isShown,
        run: () => this.show(!this.isShown),
      },
      { id: "compare.close", title: "End the comparison", group, enabled: () => !!this.reference, run: () => this.close() },
    );
  }

  private attempt(title: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.app.say("error", title, error instanceof Error ? error.message : String(error));
    }
  }

  // --- The reference

  private async picked(): Promise<void> {
    const files = await readFiles(this.picker.files ?? []);
    this.picker.value = "";
    const name = motionFile(Object.keys(files));
    if (!name)
      return this.app.say("error", "Compare", "Found no motion among the files; expected BVH, AMC with its ASF, or glTF.");
    this.attempt(name, () => {
      const motions = motionsIn(this.app, name, files);
      if (motions.length === 0) throw new Error(`${name}: found no motion; expected one or more`);
      if (motions.length === 1) return this.offer(referenceOfFile(this.app, name, files));
      const buttons = motions.map((motion, index) =>
        h(
          "button",
          { onclick: () => this.attempt(name, () => this.offer(referenceOfFile(this.app, name, files, index))) },
          `${motion.name || index} (${motion.frames} frames)`,
        ),
      );
      this.ask(
        `${name} has several motions. Compare with`,
        ...buttons,
        h("button", { class: "quiet", onclick: () => this.draw() }, "Cancel"),
      );
    });
  }

  // Offers to open the figure of the reference as the document.
  private offer(reference: Reference): void {
    if (isOfDocument(reference, this.app.doc)) return this.take(reference);
    const open = h("button", { class: "on", onclick: () => void this.openFigure(reference) }, "Open its figure");
    const cancel = h("button", { onclick: () => (reference.figure.drop(), this.draw()) }, "Cancel");
    this.ask(
      `${reference.name} moves a figure of its own. Open it instead of the document? Undo restores the document.`,
      open,
      cancel,
    );
    open.focus();
  }

  private ask(question: string, ...answers: HTMLElement[]): void {
    this.panel.open = true;
    replace(
      this.body,
      h(
        "div",
        { class: "compare-ask", role: "group", aria: { label: question } },
        h("p", {}, question),
        h("div", { class: "row" }, ...answers),
      ),
    );
    this.panel.scrollIntoView({ block: "nearest" });
  }

  private async openFigure(reference: Reference): Promise<void> {
    const { app } = this;
    const { subject, poses, frameTime, name } = reference;
    this.ask(`Reading the keys of ${name} …`);
    this.isOpening = true;
    try {
      const { keys } = await app.engine.run("reduce", { subject, frameTime, poses, degrees: keyDegrees, metres: keyMetres });
      const frameRate = Math.min(1000, Math.max(1, Math.round(1 / frameTime)));
      const pose = poses.subarray(0, reference.figure.parameters);
      app.store.load(`Open ${name}`, { ...emptyDoc(subject.figure, pose, subject.files), title: name, keys, frameRate });
      this.take(reference);
    } catch (error) {
      reference.figure.drop();
      this.draw();
      app.say("error", name, error instanceof Error ? error.message : String(error));
    } finally {
      this.isOpening = false;
    }
  }

  private take(reference: Reference): void {
    this.close();
    this.reference = reference;
    this.form.setFigure(reference.figure);
    this.panel.open = true;
    this.isShown = true;
    this.makeViews();
    this.draw();
    this.panel.scrollIntoView({ block: "start" });
    this.frameMotion(reference);
    this.app.setTime(reference.start);
  }

  // Frames the whole motion in every view.
  private frameMotion(reference: Reference): void {
    const view = this.views?.reference;
    if (!view) return;
    const box = new THREE.Box3();
    for (let k = 0; k < framedPoses; ++k) {
      view.setPose(poseIn(reference, reference.poses, Math.floor((k * (reference.frames - 1)) / (framedPoses - 1))));
      box.union(view.bounds());
    }
    for (const one of this.app.stage.views) this.app.stage.frame(box, one);
  }

  private close(): void {
    this.job?.abort();
    this.dropViews();
    this.reference?.figure.drop();
    this.reference = undefined;
    this.result = undefined;
    this.plot.show(undefined);
    this.draw();
  }

  // --- The comparison

  private async run(): Promise<void> {
    const { reference, app } = this;
    if (!reference || this.isRunning) return;
    const { subject, poses } = reference;
    const job = new AbortController();
    this.job = job;
    this.isRunning = true;
    this.progress.value = 0;
    this.draw();
    try {
      const result = await app.engine.run(
        "compare",
        { subject, poses, options: this.form.options() },
        (done, of) => (this.progress.value = done / of),
        job.signal,
      );
      if (this.reference !== reference) return;
      this.result = result;
      this.plot.show(result);
      this.summary.textContent = summaryOf(result);
      this.makeViews();
      requestAnimationFrame(() => this.outcome.scrollIntoView({ block: "nearest" }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      app.say(why === "abandoned" ? "info" : "error", "Compare", why);
    } finally {
      this.isRunning = false;
      this.job = undefined;
      this.draw();
    }
  }

  // --- What is shown

  private makeViews(): void {
    const { reference, result, app } = this;
    this.dropViews();
    if (!reference || !app.stage) return;
    const under = app.stage.addFigure(reference.figure, { colour: referenceColour, pickable: false });
    pushBack(under);
    this.views = { reference: under };
    if (result) this.views.follower = app.stage.addFigure(reference.figure, { colour: followerColour, pickable: false });
    this.show(this.isShown);
  }

  private dropViews(): void {
    for (const view of Object.values(this.views ?? {})) this.app.stage.removeFigure(view);
    this.views = undefined;
    if (this.app.stage) this.app.stage.figureView.visible = true;
    this.app.stage?.requestRender();
  }

  // The document's figure would be in the same place.
  private show(isShown: boolean): void {
    this.isShown = isShown;
    for (const view of Object.values(this.views ?? {})) view.visible = isShown;
    if (this.views) this.app.stage.figureView.visible = !isShown;
    this.form.shown.checked = isShown;
    this.follow();
    this.app.stage?.requestRender();
  }

  private frameNow(): number {
    const { start, frameTime, frames } = this.reference!;
    return Math.min(frames - 1, Math.max(0, Math.round((this.app.time - start) / frameTime)));
  }

  private follow(): void {
    const { reference, result, views } = this;
    if (!reference) return;
    const frame = this.frameNow();
    views?.reference.setPose(poseIn(reference, reference.poses, frame));
    if (result) views?.follower?.setPose(poseIn(reference, result.poses, frame));
    this.plot.setFrame(frame);
    if (views) this.app.stage.requestRender();
  }

  private scrub(frame: number): void {
    const { reference, app } = this;
    if (!reference) return;
    app.play(false);
    app.setTime(reference.start + frame * reference.frameTime);
  }

  private button(id: string, text: string, name = ""): HTMLButtonElement {
    const { actions } = this.app;
    return h(
      "button",
      {
        class: name,
        title: actions.find(id).title,
        onclick: () => actions.run(id),
        disabled: !(actions.find(id).enabled?.() ?? true),
      },
      text,
    );
  }

  // Without a reference, and with one. The latter is updated in place, so that nothing jumps.
  private draw(): void {
    const { reference, sheet } = this;
    if (!reference) {
      const about = h("div", { class: "row faint" }, "How well a figure follows a few places of a recorded motion.");
      return replace(this.body, about, h("div", { class: "row" }, this.button("compare.open", "Motion file…"), this.ownButton()));
    }
    if (this.body.firstChild !== sheet) replace(this.body, sheet);
    replace(
      this.title,
      h("span", { class: "compare-dot reference" }),
      h("strong", { class: "grow", title: reference.name }, reference.name),
      h("span", { class: "faint" }, `${reference.frames} frames`),
      this.button("compare.close", "✕", "quiet"),
    );
    this.runButton.textContent = this.isRunning ? "Abandon" : "Run";
    this.runButton.title = this.isRunning ? "Stop the comparison" : this.app.actions.find("compare.run").title;
    this.progress.hidden = !this.isRunning;
    this.outcome.hidden = !this.result;
    this.follow();
  }

  // Other panels change the keys; a click checks whether there is a motion.
  private ownButton(): HTMLButtonElement {
    const { app } = this;
    const press = () =>
      app.doc.keys.length > 1
        ? app.actions.run("compare.own")
        : app.say("info", "There is no motion yet", "Set two keys, or open a motion file.");
    return h("button", { title: app.actions.find("compare.own").title, onclick: press }, "This motion");
  }
}

// Moved back in depth, so that the red figure is under the green one.
function pushBack({ object }: FigureView): void {
  object.traverse((one) => {
    if (one instanceof THREE.Mesh)
      Object.assign(one.material as THREE.Material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  });
}

export const summaryOf = ({ mean: error, max, milliseconds }: Pick<Result, "mean" | "max" | "milliseconds">): string =>
  `Mean error ${short(100 * mean(error))} cm, max ${short(100 * max.reduce((a, b) => Math.max(a, b), 0))} cm; ${short(mean(milliseconds))} ms per frame`;
