// Reach: the coloured surface of all points that a place of the figure can reach, its numbers, and a slider for the stature
// of the figure.                                                                                        ZB94 section 1
import "./reach.css";
import type { ReachNumbers, ReachSurface, Vec3 } from "limber";
import { handleOfPart, handlesOf, isAnswered, questionOf, witnessPose } from "../../engine/reach_question.js";
import { groundCentre, isHuman, isOtherStature, shiftOf } from "../../document/stature.js";
import type { JobQueue } from "../../engine/job_queue.js";
import type { ReachQuestion } from "../../engine/jobs.js";
import { download } from "../../ui/download.js";
import { h, remembered, replace, section } from "../../ui/dom.js";
import { PointerLabel } from "../../view/hover.js";
import { ReachSurfaceView } from "../../view/reach_surface.js";
import { readable } from "../../view/names.js";
import { targetsOf } from "../../gizmo/targets.js";
import type { View } from "../../view/views.js";
import { ReachForm } from "./reach_form.js";
import { directionsOf, extents, levels, type Extent } from "./reach_levels.js";
import { StatureSlider } from "./reach_stature.js";
import { showLimit } from "../../state/show_limit.js";
import type { Editor } from "../../view/stage.js";

const limitsShown = 4;

interface Found {
  readonly question: ReachQuestion;
  readonly surface: ReachSurface;
  readonly numbers: ReachNumbers;
  readonly far: readonly Extent[];
}

export function mountReach(app: Editor): void {
  new Reach(app);
}

class Reach {
  private found: Found | undefined;
  private queue: JobQueue | undefined; // a separate worker: other solves do not wait for a map
  private job: AbortController | undefined;
  private isStale = false;
  private isShown = true;
  private framedFor = "";
  private readonly view: ReachSurfaceView;
  private readonly form: ReachForm;
  private readonly stature: StatureSlider;
  private readonly panel: HTMLDetailsElement;
  private readonly label: PointerLabel;
  private readonly button = h("button", { class: "on", onclick: () => (this.job ? this.stop() : this.map()) });
  private readonly shown = h("input", { type: "checkbox", checked: true, onchange: () => this.show(this.shown.checked) });
  private readonly progress = h("progress", {
    class: "reach-progress",
    max: 1,
    value: 0,
    hidden: true,
    aria: { label: "Progress of the map" },
  });
  private readonly state = h("output", { class: "reach-state" });
  private readonly numbers = h("div", { class: "reach-numbers" });

  constructor(private readonly app: Editor) {
    this.view = new ReachSurfaceView(app);
    this.form = new ReachForm(
      () => this.asked(),
      () => this.draw(),
    );
    this.stature = new StatureSlider(app, (ratio) => this.preview(ratio));
    this.label = new PointerLabel(app.stage);
    this.label.element.classList.add("target-label");
    const shown = h("label", { class: "check", title: "The surface in the views" }, this.shown, " show");
    this.panel = section(
      "Reach",
      "reach",
      this.form.element,
      this.stature.element,
      h("div", { class: "row" }, this.button, shown, this.progress),
      this.state,
      this.numbers,
    );
    this.panel.open = remembered("open.reach", false);
    document.getElementById("side")!.append(this.panel);
    this.form.setFigure(app.figure);
    this.addActions();
    this.listen();
    this.draw();
  }

  private addActions(): void {
    const { app } = this;
    const group = "Reach";
    const has = () => this.found !== undefined;
    app.actions.add(
      { id: "reach.compute", title: "Reach of the selected part", group, keys: ["R"], run: () => this.ofSelected() },
      { id: "reach.stop", title: "Stop mapping", group, enabled: () => this.job !== undefined, run: () => this.stop() },
      {
        id: "reach.show",
        title: "Show the reach map",
        group,
        enabled: has,
        checked: () => has() && this.isShown,
        run: () => this.show(!this.isShown),
      },
      {
        id: "reach.comfort",
        title: "Colour reach by comfort",
        group,
        enabled: has,
        checked: () => this.form.measure === "comfort",
        run: () => this.form.setMeasure(this.form.measure === "comfort" ? "limits" : "comfort"),
      },
      {
        id: "reach.glb",
        title: "Export reach as GLB",
        group,
        enabled: () => has() && !this.job,
        run: () => void this.export("reach.glb"),
      },
      {
        id: "reach.ply",
        title: "Export reach as PLY",
        group,
        enabled: () => has() && !this.job,
        run: () => void this.export("reach.ply"),
      },
      { id: "reach.clear", title: "Discard the reach map", group, enabled: has, run: () => this.forget() },
    );
  }

  private listen(): void {
    const { app } = this;
    app.on("figure", (figure) => {
      const { handle, from } = this.form;
      this.form.setFigure(figure);
      if (!handlesOf(figure).includes(handle)) return;
      this.form.setHandle(figure, handle);
      this.form.setFrom(from);
    });
    // The document event follows in the same task.
    app.on("document", (doc, before, cause) => {
      if (cause === "preview") return;
      const isOther = doc.figure !== before.figure || doc.files !== before.files;
      const isStature = cause !== "load" && isOtherStature(before, doc);
      if (isOther && !isStature) this.forget();
      else if (isStature && (this.found || this.job)) void this.compute();
      else this.check();
      this.stature.show();
    });
    app.on("pose", () => this.check());
    app.stage.onHover((hover) => {
      const isFree = hover && !hover.hit && !app.stage.pointers.busy && !hover.view.label.matches(":hover");
      if (isFree && this.at(hover.view, hover.clientX, hover.clientY))
        this.label.show(hover.clientX, hover.clientY, "reach", h("span", { class: "faint" }, "double-click: reach there"));
      else this.label.hide();
    });
    for (const view of app.stage.views) view.element.addEventListener("dblclick", (event) => this.pressed(view, event));
  }

  // --- The map

  private question(centimetres = this.form.centimetres): ReachQuestion {
    const { app, form } = this;
    return questionOf(app.present, app.pose, form.handle, form.from, centimetres / 100);
  }

  private ofSelected(): void {
    const { selection, figure } = this.app;
    if (selection.kind === "segment") this.form.setHandle(figure, handleOfPart(figure, selection.segment));
    this.panel.open = true;
    this.panel.scrollIntoView({ block: "nearest" });
    this.map();
  }

  // A requested map is shown.
  private map(): void {
    this.show(true);
    void this.compute();
  }

  // The result is dropped once the input has changed.
  private asked(): void {
    if (this.job) void this.compute();
    else this.check();
  }

  private async compute(): Promise<void> {
    this.stop();
    this.check();
    const job = new AbortController();
    this.job = job;
    try {
      for (const centimetres of levels(this.form.centimetres, this.form.from))
        await this.answer(this.question(centimetres), centimetres, job);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (this.job === job && why !== "abandoned") this.app.say("error", "Reach", why);
    }
    if (this.job !== job) return;
    this.job = undefined;
    this.draw();
  }

  private async answer(question: ReachQuestion, centimetres: number, job: AbortController): Promise<void> {
    if (job.signal.aborted) throw new Error("abandoned");
    this.queue ??= this.app.engine.newQueue();
    this.progress.value = 0;
    this.draw(`mapping with cells of ${centimetres} cm …`);
    const { surface, numbers } = await this.queue.run(
      "reach",
      question,
      (done, of) => (this.progress.value = Math.max(this.progress.value, done / of)),
      job.signal,
    );
    if (this.job !== job) return;
    const { app } = this;
    this.found = {
      question,
      surface,
      numbers,
      far: extents(surface, numbers.from_m, directionsOf(app.figure, question.pose, isHuman(app.doc))),
    };
    const isFirst = this.numbers.childElementCount === 0;
    this.isStale = !isAnswered(question, this.question(centimetres), surface);
    this.draw(`cells of ${centimetres} cm`);
    this.frame();
    if (isFirst) this.numbers.scrollIntoView({ block: "nearest" });
  }

  private stop(): void {
    this.job?.abort();
    this.job = undefined;
    this.draw();
  }

  private forget(): void {
    this.stop();
    this.queue?.end();
    this.found = undefined;
    this.isStale = false;
    this.framedFor = "";
    this.draw();
  }

  // Whether the map is still valid for the current input.
  private check(): void {
    const { found } = this;
    const isStale = found !== undefined && !isAnswered(found.question, this.question(), found.surface);
    if (isStale === this.isStale) return;
    this.isStale = isStale;
    this.draw();
  }

  // --- What is shown

  private show(isShown: boolean): void {
    this.isShown = this.shown.checked = isShown;
    this.draw();
    this.app.emit("settings");
  }

  private preview(ratio: number): void {
    const { app } = this;
    const shift: Vec3 = ratio === 1 ? [0, 0, 0] : shiftOf(groundCentre(app.figure, app.doc.pose), ratio);
    const { object } = app.stage.figureView;
    object.scale.setScalar(ratio);
    object.position.set(...shift);
    this.view.scale(ratio, shift);
  }

  // Once per place and chain: frames the surface in every view that the user has not moved.
  private frame(): void {
    const { stage } = this.app;
    const what = `${this.form.handle} ${this.form.from}`;
    if (what === this.framedFor || !this.found || this.found.surface.triangle.length === 0) return;
    this.framedFor = what;
    const box = this.view.bounds().union(stage.figureView.bounds());
    for (const view of stage.views) if (view.isFramed && !view.contains(box)) stage.frame(box, view);
  }

  private draw(doing = ""): void {
    const { found, job, view } = this;
    view.show(found?.surface, this.form.measure);
    view.stale = this.isStale;
    view.visible = this.isShown;
    this.progress.hidden = !job;
    this.button.textContent = job ? "Stop" : found && !this.isStale ? "Map again" : "Map reach";
    this.button.title = job
      ? "Stop mapping; keep the result so far"
      : "Map all points that this place can reach (R maps the selected part)";
    this.shown.disabled = !found;
    const isEmpty = found !== undefined && found.surface.triangle.length === 0;
    const about = isEmpty
      ? "No cell can be reached: use smaller cells or fewer constraints."
      : this.isStale
        ? "Out of date: the figure, its pose or the settings have changed."
        : "";
    this.state.textContent = job && doing ? `${doing[0]!.toUpperCase()}${doing.slice(1)}` : about;
    this.state.classList.toggle("reach-stale", this.isStale && !job);
    replace(this.numbers, ...(found && !isEmpty ? this.rows(found) : []));
  }

  private rows({ numbers, far, question }: Found): HTMLElement[] {
    const { app } = this;
    const finest = Math.round(100 * numbers.resolution_m);
    const farthest = far.map(({ title, metres, vertex }) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            class: "quiet reach-far",
            title: `Reach there: ${title.toLowerCase()}`,
            disabled: this.isStale,
            onclick: () => this.reachTo(vertex),
          },
          h("span", { class: "grow" }, title),
          h("span", {}, `${(100 * metres).toFixed(0)} cm`),
        ),
      ),
    );
    const held = numbers.held_back_by
      .slice(0, limitsShown)
      .map(({ limit, parameter, share }) =>
        h(
          "button",
          { class: "held-limit", title: "Show this limit", onclick: () => showLimit(app, { limit, parameter }) },
          `${readable(limit).replace(".", " ")} ${(100 * share).toFixed(0)} %`,
        ),
      );
    const { from } = question.options;
    return [
      h(
        "div",
        { class: "reach-litres" },
        h("strong", {}, `${numbers.litres.toLocaleString("en", { maximumFractionDigits: 0 })} litres`),
        h(
          "span",
          { class: "faint" },
          `${finest} cm cells, from ${from ? readable(from === "spine" ? "waist" : from) : "where it is"}`,
        ),
      ),
      h("ul", { class: "reach-list", aria: { label: "Max distances" } }, ...farthest),
      ...(held.length > 0 ? [h("div", { class: "reach-held" }, h("span", { class: "faint" }, "Held back by"), ...held)] : []),
      ...(numbers.left_out.length > 0
        ? [
            h(
              "div",
              { class: "faint reach-left" },
              `Ignored, because it constrains the place itself: ${numbers.left_out.join(", ")}`,
            ),
          ]
        : []),
    ];
  }

  // --- Poses of it

  // The point of the surface under the pointer, unless a target is there.
  private at(view: View, clientX: number, clientY: number): ReturnType<ReachSurfaceView["pick"]> {
    const at = this.view.pick(view, clientX, clientY);
    return at && targetsOf(this.app.stage).at(view, clientX, clientY) === undefined ? at : undefined;
  }

  private pressed(view: View, { clientX, clientY, target }: MouseEvent): void {
    if (target instanceof Element && target.closest("button")) return;
    if (this.app.stage.pick(view, clientX, clientY)) return;
    const at = this.at(view, clientX, clientY);
    if (at) this.reachTo(at.vertex);
  }

  private reachTo(vertex: number): void {
    const { app, found } = this;
    if (!found || this.isStale) return app.say("info", "Reach", "The surface is out of date: map it again.");
    const pose = witnessPose(found.question, found.surface, vertex);
    const report = Float64Array.from(pose);
    app.settle(report, 0);
    app.commitPose("Reach there", pose);
  }

  // --- Files

  private async export(name: string): Promise<void> {
    const { found } = this;
    if (!found) return;
    this.queue ??= this.app.engine.newQueue();
    try {
      const { bytes } = await this.queue.run("reachFile", { ...found.question, name, measure: this.form.measure });
      download(name, bytes as Uint8Array<ArrayBuffer>);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== "abandoned") this.app.say("error", name, why);
    }
  }
}
