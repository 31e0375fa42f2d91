// Changes one parameter by a slider or a ring: the parameter is set, the others keep the constraints, and at the end all of
// it is one step of the document.                                                                              W93 6.3
//
// A soft constraint holds the segment that carries the figure, so that lowering the pelvis bends the knees and does not
// swing it away. Constraints that were met stay met: if the other parameters cannot keep them, this one yields.
import type { ConstraintValue, PoseReport, Posing } from "limber";
import type { App } from "../state/app.js";
import { sceneOf } from "../document/document.js";
import { makeConstraint } from "../document/make_constraint.js";

const minIterations = 50; // per frame: a value may jump, and the others need many iterations to follow
const lastIterations = 100; // at the end: constraints hold to rounding error

export class Turn {
  private posing: Posing | undefined; // the document's scene with the parameter locked; undefined without constraints
  private readonly metBefore: readonly boolean[] = [];
  private readonly before: Float64Array;
  private pose: Float64Array;
  private asked: number;

  constructor(
    private readonly app: App,
    private readonly parameter: number,
  ) {
    app.play(false);
    const { present: doc } = app;
    this.before = Float64Array.from(app.pose);
    this.pose = this.before;
    this.asked = this.pose[parameter]!;
    if (!doc.constraints.some((one) => one.enabled !== false)) return;
    this.metBefore = measure(app).constraints.map(({ met, counted }) => met && counted);
    this.posing = this.keeping(this.near(this.before));
  }

  private keeping(near: ConstraintValue | undefined): Posing {
    const { engine, present: doc, figure } = this.app;
    const scene = sceneOf(doc);
    const rigidity = { ...scene.rigidity, [figure.info.parameters[this.parameter]!.name]: 1 };
    return engine.limber.posing(figure, { ...scene, constraints: [...scene.constraints!, ...(near ? [near] : [])], rigidity });
  }

  // Holds the segment that carries the figure where it is in the pose.
  private near(pose: Float64Array): ConstraintValue | undefined {
    const { engine, figure } = this.app;
    const { root, parameters, segments } = figure.info;
    const [freedom] = root[0] === undefined ? [] : parameters[root[0]]!.drives;
    const carried = segments.find(({ freedoms: [from, to] }) => freedom !== undefined && freedom >= from && freedom < to);
    if (!carried) return undefined;
    return { ...makeConstraint(engine.limber, figure, pose, { kind: "placement", place: carried.name }), weight: 1 };
  }

  // Shows the pose with this value, as far as the constraints allow it.
  to(value: number): void {
    this.asked = value;
    this.pose = this.solved(Float64Array.from(this.app.pose), Math.max(this.app.doc.iterations, minIterations));
    this.app.showPose(this.pose);
  }

  // Returns the difference between the reached and the requested value.
  end(title: string): number {
    const pose = this.posing ? this.solved(Float64Array.from(this.pose), lastIterations) : this.pose;
    this.drop();
    if (pose.some((value, k) => value !== this.before[k])) this.app.commitPose(title, pose);
    return pose[this.parameter]! - this.asked;
  }

  // Restores the initial pose without a step.
  cancel(): void {
    this.drop();
    this.app.showPose(this.before);
  }

  private drop(): void {
    this.posing?.drop();
    this.posing = undefined;
  }

  private solved(from: Float64Array, iterations: number): Float64Array {
    const { app } = this;
    from[this.parameter] = this.asked;
    const asked = app.figure.bounded(from);
    if (!this.posing) return asked;
    const near = this.near(asked);
    if (near) this.posing.setGoal(app.doc.constraints.length, near);
    const solve = (posing: Posing, atMost: number) => {
      const pose = Float64Array.from(asked);
      posing.solve(pose, { iterations: atMost, restarts: 0 });
      return { pose, report: posing.report() };
    };
    let best = solve(this.posing, iterations);
    if (this.breaks(best.report)) best = solve(app.engine.posing(app.present), lastIterations);
    app.setReport(this.ofDocument(best.report));
    return best.pose;
  }

  // Without the constraint that was added here.
  private ofDocument(report: PoseReport): PoseReport {
    const constraints = report.constraints.slice(0, this.app.doc.constraints.length);
    return { ...report, constraints, met: constraints.every(({ met, counted }) => met || !counted) };
  }

  private breaks(report: PoseReport): boolean {
    return report.constraints.some(({ met }, k) => !met && this.metBefore[k]);
  }
}

// How well the shown pose meets the constraints, without changing it.
export function measure(app: App): PoseReport {
  const posing = app.engine.posing(app.present);
  posing.solve(Float64Array.from(app.pose), { iterations: 0, restarts: 0 });
  return posing.report();
}
