// How well the motion between the keys keeps the constraints. A constraint that is not met links to its worst frame.
import type { App } from "../../state/app.js";
import { frameTime } from "../../document/document.js";
import { h, replace } from "../../ui/dom.js";

type Report = Extract<App["motion"], { kind: "kept" }>["report"];
type Demand = Report["demands"][number];

const finest = 0.01; // mm and degrees: smaller errors are shown as this

type Errors = Pick<Demand, "error_mm" | "error_degrees">;

function errorText(error: Errors): string {
  const mm = error.error_mm === undefined ? undefined : Math.max(finest, error.error_mm);
  const turn = error.error_degrees === undefined ? undefined : Math.max(finest, error.error_degrees);
  if (mm === undefined) return turn === undefined ? "" : `${turn.toPrecision(2)}°`;
  if (turn !== undefined && turn > 1 && mm < 1) return `${turn.toPrecision(2)}°`;
  return mm >= 10 ? `${Math.round(mm)} mm` : `${Number(mm.toPrecision(2))} mm`;
}

export function makeMotionState(app: App): HTMLElement {
  const host = h("span", { class: "tl-state", role: "status" });
  let next = 0; // of those that are not met: the one that a click goes to

  const overlapsOf = (report: Report) => report.keep_clear?.overlaps ?? [];

  const unmet = (report: Report): HTMLElement => {
    const size = ({ error_mm: mm = 0, error_degrees: turn = 0 }: Demand) => mm + 2 * turn; // a degree is as bad as 2 mm
    const off = report.demands.filter(({ met }) => !met).sort((a, b) => size(b) - size(a));
    const frameAt = (frame: number) => Math.round(app.start * app.doc.frameRate) + frame;
    const wrong = [
      ...off.map(({ name, worst_frame: frame = 0, ...error }) => ({
        name,
        frame,
        text: `${name} off by ${errorText(error)} at frame ${frameAt(frame)}`,
      })),
      ...overlapsOf(report)
        .toSorted((a, b) => a.gap_mm - b.gap_mm)
        .map(({ frame, after = 0, text }) => ({ name: "", frame: frame + after, text: `${text} at frame ${frameAt(frame)}` })),
    ];
    const jump = () => {
      const { name, frame } = wrong[next++ % wrong.length]!;
      app.play(false);
      app.setTime(app.start + frame * frameTime(app.doc));
      const constraint = app.doc.constraints.find((one) => one.name === name);
      if (constraint) app.select({ kind: "constraint", id: constraint.id });
    };
    const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : "";
    return h(
      "button",
      {
        type: "button",
        class: "quiet bad",
        title: `${wrong.map(({ text }) => text).join("\n")}\nClick to go there`,
        onclick: jump,
      },
      wrong[0]!.text + more,
    );
  };

  const draw = () => {
    const { motion, doc } = app;
    next = 0;
    if (motion.kind === "none" || doc.keys.length < 2) return replace(host);
    if (motion.kind === "failed") return replace(host, h("span", { class: "bad", title: motion.why }, `failed: ${motion.why}`));
    if (motion.kind === "interpolated")
      return replace(host, h("span", { class: "faint" }, motion.pending ? "solving …" : "interpolated"));
    if (!motion.report.met || overlapsOf(motion.report).length > 0) return replace(host, unmet(motion.report));
    const worst = (of: keyof Errors) =>
      motion.report.demands.reduce<number | undefined>(
        (max, one) => (one[of] === undefined ? max : Math.max(max ?? 0, one[of])),
        undefined,
      );
    const [mm, turn] = [worst("error_mm"), worst("error_degrees")];
    const error = { ...(mm === undefined ? {} : { error_mm: mm }), ...(turn === undefined ? {} : { error_degrees: turn }) };
    replace(
      host,
      h("span", { class: "good", title: "The max error of any constraint in any frame" }, `held to ${errorText(error)}`),
    );
  };
  app.on("motion", draw);
  app.on("document", draw);
  draw();
  return host;
}
