// Solves of the shown pose: a few iterations, or all the way in the worker.
import type { PoseReport } from "limber";
import { setPose } from "../command/commands.js";
import { feetAreInPlace } from "../document/balance.js";
import { activeAt, sceneOf, valueOf, type Constraint, type Doc } from "../document/document.js";
import { subjectOf } from "../engine/engine.js";
import { solveBending } from "../engine/nudge.js";
import type { App } from "./app.js";
import { reasonOf } from "./attempt.js";

const minIterations = 12;
const iterationsAfterChange = 100;

// A few iterations that keep the constraints, starting from the pose, which becomes the answer.     W93 6.3
export function settle(app: App, pose: Float64Array, iterations = Math.max(minIterations, app.doc.iterations)): PoseReport {
  const posed = app.engine.scene(app.present);
  posed.solve(pose, { iterations, restarts: 0, untilMet: true });
  const report = posed.report();
  app.setReport(report);
  return report;
}

// A command that changes a constraint or its goal; the pose follows in the same step.
export function runAndSettle(app: App, title: string, command: (doc: Doc) => Doc): void {
  app.store.run(title, (doc) => {
    const next = command(doc);
    const pose = Float64Array.from(app.pose);
    const posed = app.engine.scene(activeAt(next, app.time));
    app.setReport(solveBending(posed, pose, { iterations: iterationsAfterChange, restarts: 0 }));
    return setPose(next, pose, app.time);
  });
}

// Until all is met, in the worker.
export async function solveFully(app: App, signal?: AbortSignal): Promise<void> {
  const { doc } = app;
  try {
    const input = { subject: subjectOf(doc), scene: sceneOf(app.present), pose: [...app.pose] };
    const { pose, report } = await app.engine.run("solve", input, undefined, signal);
    if (app.doc !== doc) return;
    app.setReport(report);
    app.commitPose("Solve", pose);
  } catch (error) {
    const why = reasonOf(error);
    app.say(why === "abandoned" ? "info" : "error", "Solve", why);
  }
}

// Whether a pose meets a constraint.
export function holdsIn(app: App, constraint: Constraint, pose: readonly number[]): boolean {
  const { figure } = app;
  if (constraint.balance) return feetAreInPlace(figure, constraint, pose);
  const posed = app.engine.limber.scene(figure, { constraints: [valueOf(constraint)] });
  posed.solve(Float64Array.from(pose), { iterations: 0, restarts: 0 });
  const [report] = posed.report().constraints;
  posed.drop();
  return report?.met !== false;
}
