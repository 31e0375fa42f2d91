// Changes one parameter by a slider or a ring: the parameter is set, the others move only as far as the constraints need it,
// and at the end all of it is one step of the document. Where that does not help, the parameter stays short of its value.
//                                                                                                        W93 6.3
import type { Figure, Posing, PoseReport } from "limber";
import type { App } from "../state/app.js";
import { posingOf } from "./pull.js";

// The segment whose joint a parameter moves.
function segmentOf({ info }: Figure, parameter: number): number {
  const [freedom = -1] = info.parameters[parameter]!.drives;
  return info.segments.findIndex(({ freedoms: [from, to] }) => freedom >= from && freedom < to);
}

export class Turn {
  private readonly posing: Posing;
  private readonly grip: number;
  private readonly before: Float64Array;
  private asked: number;

  constructor(
    private readonly app: App,
    private readonly parameter: number,
  ) {
    app.play(false);
    const { present, figure, pose } = app;
    this.before = Float64Array.from(pose);
    this.asked = pose[parameter]!;
    // A joint that is locked can be turned by hand.
    const rigidity = { ...present.rigidity, [figure.info.parameters[parameter]!.name]: 0 };
    this.posing = posingOf(app, { ...present, rigidity }, pose, segmentOf(figure, parameter), { eases: false });
    this.grip = this.posing.grabParameter(parameter);
  }

  // Shows the pose with this value, as far as the constraints allow it.
  to(value: number): void {
    const { app, posing } = this;
    this.asked = value;
    posing.set(this.grip, value);
    posing.frame();
    app.showPose(posing.pose);
    if (app.doc.constraints.some(({ enabled }) => enabled !== false)) app.setReport(this.ofDocument());
  }

  // Returns the difference between the reached and the requested value.
  end(title: string): number {
    const { pose } = this.posing;
    if (pose.some((value, k) => value !== this.before[k])) this.app.commitPose(title, pose);
    const off = pose[this.parameter]! - this.asked;
    this.posing.drop();
    return off;
  }

  // Restores the initial pose without a step.
  cancel(): void {
    this.posing.drop();
    this.app.showPose(this.before);
  }

  // Without the grip.
  private ofDocument(): PoseReport {
    const report = this.posing.report();
    const constraints = report.constraints.filter(({ drag }) => !drag);
    return { ...report, constraints, met: constraints.every(({ met, counted }) => met || !counted) };
  }
}

// How well the shown pose meets the constraints, without changing it.
export function measure(app: App): PoseReport {
  const posed = app.engine.scene(app.present);
  posed.solve(Float64Array.from(app.pose), { iterations: 0, restarts: 0 });
  return posed.report();
}
