// Settings of the solver: method, iterations per refresh, natural pose; and a full solve on request.          W93 6.3
import "./constraints.css";
import type { MethodValue, PoseReport } from "limber";
import type { App } from "../../state/app.js";
import { solveFully } from "../../state/solving.js";
import { setSolving } from "../../command/commands.js";
import type { Doc } from "../../document/document.js";
import { h, remember, remembered } from "../../ui/dom.js";
import { checkField, labelled, numberField } from "../../ui/fields.js";
import { oncePerFrame } from "../../ui/once_per_frame.js";
import { attempt } from "../../state/attempt.js";
import { optionField, optionsOf, usedOptions } from "./method_options.js";

// "2 of 3 met".
export function summary(report: PoseReport | undefined): { text: string; isGood: boolean } {
  if (!report) return { text: "", isGood: true };
  if (report.exit === "rejected") return { text: report.rejection || "rejected", isGood: false };
  const counted = report.constraints.filter(({ counted: is, drag }) => is && !drag);
  const met = counted.filter((one) => one.met).length;
  const text =
    counted.length === 0 ? "nothing to meet" : met === counted.length ? `all ${met} met` : `${met} of ${counted.length} met`;
  const how =
    report.iterations > 0 ? ` · ${report.exit}, ${report.iterations} iteration${report.iterations === 1 ? "" : "s"}` : "";
  return { text: text + how, isGood: met === counted.length };
}

export function mountSolving(app: App): void {
  let isBusy = false;
  let job: AbortController | undefined;
  const solve = h("button", { onclick: () => (isBusy ? job?.abort() : app.actions.run("solve.fully")) }, "Solve until met");
  const line = h("output", { class: "grow solve-report" });
  const change = (title: string, value: Parameters<typeof setSolving>[1]) =>
    attempt(app, title, () => app.runAndSettle(title, (doc) => setSolving(doc, value)));

  const solveNow = async () => {
    isBusy = true;
    showBusy();
    job = new AbortController();
    await solveFully(app, job.signal);
    isBusy = false;
    showBusy();
  };
  app.actions.add({
    id: "solve.fully",
    title: "Solve until met",
    group: "Constraints",
    keys: ["S"],
    enabled: () => !isBusy,
    run: () => void solveNow(),
  });
  function showBusy(): void {
    solve.textContent = isBusy ? "Solving… stop" : "Solve until met";
    solve.title = isBusy ? "Stop this solve" : "Solve until all constraints are met, without a time limit (S)";
    solve.setAttribute("aria-busy", String(isBusy));
  }

  const { methods, options: table } = app.engine.limber;
  const changeMethod = (to: MethodValue) => change("Method", { method: to, options: usedOptions(table, app.doc.options, to) });
  const method = h(
    "select",
    {
      class: "grow",
      aria: { label: "Method" },
      onchange: () => changeMethod(methods[method.selectedIndex]!.name),
    },
    ...methods.map(({ name, levels, cannot }) =>
      h("option", { value: name, title: cannot }, name.replaceAll("-", " ") + (levels ? "" : " (no priorities)")),
    ),
  );
  const cannot = h("div", { class: "solve-cannot faint" });
  const ofMethod = h("div", { class: "solve-options" });
  const iterations = numberField(
    "Iterations per refresh",
    (value) => app.store.run("Iterations", (doc) => setSolving(doc, { iterations: Math.round(value) })),
    { digits: 0, min: 1, max: 100 },
  );
  const natural = checkField(
    "natural pose",
    (on) => change(on ? "Natural pose" : "No natural pose", { natural: on ? 1 : 0 }),
    "Prefer usual poses of people, as far as the constraints allow",
  );
  const more = h(
    "details",
    { class: "solve-more" },
    h("summary", {}, "Method"),
    labelled("Method", method),
    cannot,
    ofMethod,
    labelled("Iterations", iterations.element, h("span", { class: "unit faint" }, "per refresh")),
    labelled("", natural.element),
  );
  more.open = remembered("open.method", false);
  more.addEventListener("toggle", () => remember("open.method", more.open));
  document
    .getElementById("side")!
    .append(h("div", { id: "solving", class: "section" }, h("div", { class: "row" }, solve, line), more));

  let shown: Doc | undefined;
  const showDocument = (doc: Doc) => {
    method.value = doc.method;
    cannot.textContent = methods.find(({ name }) => name === doc.method)?.cannot ?? "";
    if (shown?.method !== doc.method || shown.options !== doc.options) {
      shown = doc;
      ofMethod.replaceChildren(
        ...optionsOf(table, methods.length, doc.method).map((row) =>
          optionField(row, doc.options ?? {}, (options) => change("Solver option", { options })),
        ),
      );
    }
    iterations.show(doc.iterations);
    natural.show(doc.natural > 0);
    natural.input.disabled = !app.figure.info.natural;
  };
  const refresh = oncePerFrame(() => {
    const { text, isGood } = summary(app.report);
    if (line.textContent === text) return;
    line.textContent = line.title = text;
    line.className = `grow solve-report ${isGood ? "faint" : "bad"}`;
  });
  app.on("report", () => refresh());
  app.on("document", showDocument);
  app.on("figure", () => showDocument(app.doc));
  showBusy();
  showDocument(app.doc);
}
