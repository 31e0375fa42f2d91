// Turning one parameter by hand, from the first movement to the last: the parameter is set, the constraints are kept by the
// others, and at the end all of it is one step of the document.                                                W93 6.3
//
// What was met at the beginning stays met: where the others cannot keep it, the parameter itself gives way.
import type { PoseReport, Posing } from "limber";
import type { App } from "../app.js";
import { sceneOf } from "../document/document.js";

const lastIterations = 100; // at the end: constraints hold to rounding

export class Turn {
  private readonly posing: Posing | undefined;
  private readonly metBefore: readonly boolean[] = [];
  private readonly before: Float64Array;
  private pose: Float64Array;
  private asked: number;

  constructor(
    private readonly app: App,
    private readonly parameter: number,
  ) {
    app.play(false);
    const { doc, figure } = app;
    this.before = Float64Array.from(app.pose);
    this.pose = this.before;
    this.asked = this.pose[parameter]!;
    if (!doc.constraints.some((one) => one.enabled !== false)) return;
    this.metBefore = measure(app).constraints.map(({ met, counted }) => met && counted);
    const scene = sceneOf(doc);
    this.posing = app.engine.limber.posing(figure, { ...scene, rigidity: { ...scene.rigidity, [figure.info.parameters[parameter]!.name]: 1 } });
  }

  // Shows the pose with this value, as far as the constraints allow it.
  to(value: number): void {
    this.asked = value;
    this.pose = this.solved(Float64Array.from(this.app.pose), this.app.doc.iterations);
    this.app.showPose(this.pose);
  }

  // How far what is reached is from what was asked for.
  end(title: string): number {
    const pose = this.posing ? this.solved(Float64Array.from(this.pose), lastIterations) : this.pose;
    this.posing?.drop();
    if (pose.some((value, k) => value !== this.before[k])) this.app.commitPose(title, pose);
    return pose[this.parameter]! - this.asked;
  }

  // Back to where it began, and no step.
  cancel(): void {
    this.posing?.drop();
    this.app.showPose(this.before);
  }

  private solved(from: Float64Array, iterations: number): Float64Array {
    const { app, posing } = this;
    from[this.parameter] = this.asked;
    const pose = app.figure.bounded(from);
    if (!posing) return pose;
    posing.solve(pose, { iterations, restarts: 0 });
    let report = posing.report();
    if (this.breaks(report)) {
      const free = app.engine.posing(app.doc);
      free.solve(pose, { iterations: Math.max(iterations, lastIterations), restarts: 0 });
      report = free.report();
    }
    app.setReport(report);
    return pose;
  }

  private breaks(report: PoseReport): boolean {
    return report.constraints.some(({ met }, k) => !met && this.metBefore[k]);
  }
}

// How well the shown pose meets the constraints; it stays as it is.
export function measure(app: App): PoseReport {
  const posing = app.engine.posing(app.doc);
  posing.solve(Float64Array.from(app.pose), { iterations: 0, restarts: 0 });
  return posing.report();
}
