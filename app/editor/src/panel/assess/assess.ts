// Comfort and load of the shown pose, as numbers and as colours of the body.                            doc/assess.md
//
// It is computed at most once per frame, and only while the panel is open or the body is coloured. The document stores
// loads, sex and percentile; the browser stores which colours are shown, as it does the theme.
import "./assess.css";
import { Rejection, type AssessedJoint, type Assessment } from "limber";
import type { Editor } from "../../view/stage.js";
import { setAssess } from "../../command/assess_commands.js";
import { h, remember, remembered, replace, section } from "../../ui/dom.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";
import { showHeat } from "../../view/heat.js";
import { Legend } from "./assess_legend.js";
import { LoadList } from "./assess_loads.js";
import {
  asOnePiece,
  nameOfFreedom,
  percent,
  placesText,
  scoreLines,
  segmentOfFreedom,
  worstJoints,
  type Colouring,
  type ScoreLine,
} from "./assess_text.js";
import { checkField, labelled, numberField } from "../../ui/fields.js";
import { plain } from "../../document/handles.js";
import { assessOptionsOf, loadsOf, percentileOf, sexOf, maxPercentile, minPercentile } from "../../document/assess.js";

const colourings: readonly Colouring[] = ["none", "comfort", "load"];
const titles: Record<Colouring, string> = { none: "None", comfort: "Comfort", load: "Load" };
const firstBad = 3; // action levels from here on require a change soon

class Assess {
  private by: Colouring = colourings.find((one) => one === remembered<string>("assess.colour", "none")) ?? "none";
  private readonly panel: HTMLDetailsElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly legend = new Legend();
  private readonly loads: LoadList;
  private readonly sex = h(
    "select",
    { class: "grow", aria: { label: "Strength of" } },
    h("option", { value: "male" }, "men"),
    h("option", { value: "female" }, "women"),
  );
  private readonly percentile;
  private readonly sits;
  private readonly verdict = h("div", { class: "assess-verdict" });
  private readonly scores = h("div", { class: "assess-scores" });
  private readonly worst = h("ol", { class: "assess-worst", aria: { label: "Worst joints" } });
  private readonly refresh = oncePerFrame(() => this.assess());
  private shown = "";

  constructor(private readonly app: Editor) {
    this.loads = new LoadList(app);
    this.buttons = colourings.map((by) =>
      h(
        "button",
        {
          class: "grow",
          title: `Colours of the body: ${titles[by].toLowerCase()} (C: next)`,
          data: { colour: by },
          onclick: () => this.colour(by),
        },
        titles[by],
      ),
    );
    const change = (title: string, value: Parameters<typeof setAssess>[1]) =>
      app.store.run(title, (doc) => setAssess(doc, value));
    this.sex.onchange = () => change("Strength", { sex: this.sex.value as "male" | "female" });
    this.percentile = numberField(
      "Percentile of strength",
      (value) => change("Percentile of strength", { percentile: value === 50 ? undefined : value }),
      { digits: 0, min: minPercentile, max: maxPercentile },
    );
    this.sits = checkField(
      "sits, with a backrest",
      (on) => change(on ? "Sits" : "Stands", { sitting: on }),
      "The root carries the body instead of the feet",
    );
    const add = h(
      "button",
      { class: "assess-add", title: "Add a load to carry", onclick: () => app.actions.run("assess.add") },
      "+ Load",
    );
    this.panel = section(
      "Comfort and load",
      "assess",
      h(
        "div",
        { class: "row assess-colours", role: "group", aria: { label: "Colours of the body" } },
        h("span", { class: "side-label" }, "Colours"),
        ...this.buttons,
      ),
      this.legend.element,
      h("div", { class: "assess-settings" }, labelled("Carries", add), this.loads.element),
      this.verdict,
      this.scores,
      this.worst,
      h(
        "div",
        { class: "assess-settings" },
        labelled("Strength", this.sex, this.percentile.element, h("span", { class: "unit faint" }, "percentile")),
        labelled("Body", this.sits.element),
      ),
    );
    this.panel.open = remembered("open.assess", false);
    this.panel.addEventListener("toggle", () => this.panel.open && this.refresh());
    this.panel.querySelector("summary")!.addEventListener("click", () => this.panel.open || this.reveal());
    document.getElementById("side")!.append(this.panel);
    this.addActions();
    app.on("pose", () => this.refresh());
    app.on("figure", () => (this.read(true), this.refresh()));
    app.on("document", (doc, before) => {
      if (doc.assess === before.assess) return;
      this.read();
      this.refresh();
    });
    this.read(true);
    this.showColouring();
  }

  private addActions(): void {
    const group = "Assess";
    const { app } = this;
    app.actions.add(
      {
        id: "assess.next",
        title: "Next colours: comfort, load, none",
        group,
        keys: ["C"],
        run: () => this.colour(colourings[(colourings.indexOf(this.by) + 1) % colourings.length]!),
      },
      ...colourings.map((by) => ({
        id: `assess.colour.${by}`,
        title: by === "none" ? "No colours" : `Colours of ${by}`,
        group,
        checked: () => this.by === by,
        run: () => this.colour(by),
      })),
      { id: "assess.add", title: "Add a load to carry", group, apart: true, run: () => (this.open(), this.loads.add()) },
      {
        id: "assess.remove",
        title: "Remove the last load",
        group,
        enabled: () => loadsOf(app.doc).length > 0,
        run: () => this.loads.removeLast(),
      },
      {
        id: "assess.panel",
        title: "Comfort and load",
        group,
        apart: true,
        checked: () => this.panel.open,
        run: () => (this.panel.open ? (this.panel.open = false) : this.open()),
      },
    );
  }

  private open(): void {
    if (this.panel.open) return;
    this.panel.open = true;
    this.reveal();
  }

  // After the content has been drawn.
  private reveal(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => this.panel.scrollIntoView({ block: "start" })));
  }

  private colour(by: Colouring): void {
    this.by = by;
    remember("assess.colour", by);
    this.showColouring();
    this.refresh();
  }

  private showColouring(): void {
    this.buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(colourings[k] === this.by)));
    this.legend.show(this.by);
    if (this.by === "none") showHeat(this.app, undefined);
  }

  // Shows the settings of the document.
  private read(isOtherFigure = false): void {
    const { doc } = this.app;
    this.loads.show(isOtherFigure);
    this.sex.value = sexOf(doc);
    this.percentile.show(percentileOf(doc));
    this.sits.show(doc.assess?.sitting ?? false);
  }

  private assess(): void {
    const { app } = this;
    if (!this.panel.open && this.by === "none") return;
    if (app.pose.length !== app.figure.parameters) return; // another figure is being loaded
    try {
      const found = app.figure.assess(app.pose, assessOptionsOf(app.doc));
      if (this.by !== "none")
        showHeat(app, this.by === "load" ? asOnePiece(app.figure.info, found.share_by_segment) : found.discomfort_by_segment);
      if (this.panel.open) this.tell(found);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      showHeat(app, undefined);
      this.shown = "";
      replace(this.verdict, h("p", { class: "bad" }, error.message));
      replace(this.scores);
      replace(this.worst);
    }
  }

  // Updates only what has changed, because a drag changes values every frame.
  private tell(found: Assessment): void {
    const lines = scoreLines(found);
    const worst = worstJoints(found, this.by);
    const verdict = this.verdictLines(found);
    const key = JSON.stringify([
      verdict.map(({ innerHTML }) => innerHTML),
      lines,
      found.no_scores,
      worst.map(({ name, comfort, share }) => [name, comfort.toFixed(2), share && percent(share)]),
    ]);
    if (key === this.shown) return;
    this.shown = key;
    replace(this.verdict, ...verdict);
    replace(
      this.scores,
      ...(lines.length > 0
        ? lines.map(scoreRow)
        : [
            h(
              "p",
              { class: "faint", title: found.no_scores },
              "No RULA and REBA: they are for people, and this figure lacks a place that they need.",
            ),
          ]),
    );
    replace(
      this.worst,
      h("li", { class: "faint" }, h("span", {}, "Worst joints"), h("span", {}, "comfort"), h("span", {}, "strength used")),
      ...worst.map((joint) => this.worstRow(joint)),
    );
    this.worst.hidden = worst.length === 0;
  }

  private verdictLines({
    discomfort,
    discomfort_by_segment: limited,
    first,
    max_load: largest,
    outside,
    load_kg: load,
    body_kg: body,
    reactions,
  }: Assessment): HTMLElement[] {
    const row = (label: string, ...children: (HTMLElement | string)[]) =>
      h("div", { class: "assess-line" }, h("span", { class: "side-label" }, label), h("span", {}, ...children));
    const carried =
      reactions.length > 0
        ? `on ${placesText(reactions.map(({ foot }) => foot)).replace("foots", "feet")}`
        : "carried by its root";
    const comfort = limited.some((value) => value >= 0)
      ? [h("b", { data: { value: "comfort" } }, (1 - discomfort).toFixed(2)), " of 1, the whole body"]
      : [h("span", { class: "faint" }, "no joint of this figure has limits")];
    const lines = [
      row("Comfort", ...comfort),
      row(
        "Weight",
        body > 0
          ? `${body.toFixed(1)} kg${load > 0 ? ` and ${Number(load.toFixed(2))} kg` : ""}, ${carried}`
          : "the figure has no masses: only loads count",
      ),
    ];
    if (outside > 0)
      lines.push(
        row(
          "Balance",
          h("span", { class: "bad" }, `would fall: the centre of mass is ${(100 * outside).toFixed(1)} cm outside the feet`),
        ),
      );
    if (first)
      lines.push(
        row(
          "Gives",
          first.share > 1 ? "" : "first ",
          this.joint(first.freedom, first.parameter),
          h("span", { class: first.share > 1 ? "bad" : "" }, ` ${percent(first.share)} of its strength`),
        ),
      );
    else lines.push(row("Strength", h("span", { class: "faint" }, "none is known for the joints of this figure")));
    if (first && largest.freedom >= 0 && largest.kg !== null)
      lines.push(
        row(
          "At most",
          h("b", { data: { value: "largest" } }, `${largest.kg.toFixed(1)} kg`),
          ` at ${placesText(largest.at)}; ${largest.kg > 0 ? "then " : "without any, "}`,
          this.joint(largest.freedom, largest.parameter),
          " gives",
        ),
      );
    return lines;
  }

  // The name of a joint as a button that selects its part.
  private joint(
    freedom: number,
    parameter: number,
    name = nameOfFreedom(this.app.figure.info, freedom, parameter),
  ): HTMLButtonElement {
    const segment = segmentOfFreedom(this.app.figure.info, freedom);
    return h(
      "button",
      { class: "assess-joint", title: `Select ${name}`, onclick: () => this.app.select({ kind: "segment", segment }) },
      name,
    );
  }

  private worstRow({ freedom, parameter, name, comfort, share, at_stop }: AssessedJoint): HTMLElement {
    const used = share === null ? (at_stop ? "at limit" : "–") : percent(share);
    return h(
      "li",
      {},
      this.joint(freedom, parameter, plain(name)),
      h("span", { title: "Comfort, 0 to 1" }, comfort.toFixed(2)),
      h("span", { class: share !== null && share > 1 ? "bad" : "", title: "Share of its strength" }, used),
    );
  }
}

function scoreRow({ method, side, score, of, level, meaning }: ScoreLine): HTMLElement {
  return h(
    "div",
    { class: "assess-line", data: { score: `${method} ${side}` } },
    h("span", { class: "side-label" }, method),
    h(
      "span",
      {},
      `${side} `,
      h("b", { class: level >= firstBad ? "bad" : "", title: `${score} of ${of}` }, String(score)),
      h("span", { class: "faint" }, ` ${meaning}`),
    ),
  );
}

export function mountAssess(app: Editor): void {
  new Assess(app);
}
