// Poses that meet the constraints of a scene.
import type { Figure } from "./figure.js";
import type { Limber } from "./limber.js";
import { Numbers, Owned, type GoalFunction, type Module } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type { GoalJacobian, PoseReport } from "./results.js";
import type { ConstraintValue } from "./types.js";

export interface SolveOptions {
  iterations?: number; // max
  restarts?: number; // max; -1: as many as a few milliseconds allow
  untilMet?: boolean;
  resumes?: boolean; // warm start with the damping of the last solve: for a goal that moves a little
}

/** A goal of your own, over one to three points. */
export interface OwnGoal {
  /** Sites, segments or joints; "mass_centre" is the centre of mass. */
  points: readonly string[];
  rows: number; // residuals, at most 9
  /**
   * Writes the residuals r in metres, and their derivative J: row by row, three numbers per point. It is met where all
   * residuals are 0. r and J are 0 before. It must be smooth, and must not call Limber.
   */
  evaluate: GoalFunction;
  weight?: number | "must"; // default: 1
  from?: string; // where its chain begins
  name?: string;
  priority?: number;
}

/** A scene that is solved repeatedly. */
export class PosedScene {
  private readonly module: Module;
  private readonly theta: Numbers;
  private readonly owned: Owned;
  private readonly usual: Required<SolveOptions>;
  private readonly goals = new Map<number, number>(); // by constraint: the number of its goal on this side

  constructor(
    private readonly limber: Limber,
    readonly figure: Figure,
    scene: SceneOf,
  ) {
    this.module = figure.module;
    const { module } = this;
    const id = module.withText(sceneText(scene), (at, size) =>
      module.accepted(module.calls.limber_scene_new(figure.id, at, size)),
    );
    this.theta = new Numbers(module, figure.parameters);
    this.owned = new Owned(module, id, this.theta);
    const { iterations = 1000, restarts = -1, until_met: untilMet = false } = scene.options ?? {};
    this.usual = { iterations, restarts, untilMet, resumes: false };
  }

  get id(): number {
    return this.owned.id;
  }

  /** Solves from `pose`, writes the result to it, and returns the exit. Missing options are taken from the scene. */
  solve(pose: Float64Array, options: SolveOptions = {}): string {
    const { iterations, restarts, untilMet, resumes } = { ...this.usual, ...options };
    this.theta.fill(pose);
    const exit = this.module.calls.limber_scene_solve(
      this.id,
      this.theta.address,
      iterations,
      restarts,
      untilMet ? 1 : 0,
      resumes ? 1 : 0,
    );
    this.module.goals.rethrow();
    pose.set(this.theta.view);
    return this.limber.exits[exit]!;
  }

  /** The report of the last solve. */
  report(): PoseReport {
    this.module.accepted(this.module.calls.limber_scene_report(this.id));
    return this.module.json<PoseReport>();
  }

  get met(): boolean {
    return this.module.calls.limber_scene_met(this.id) !== 0;
  }

  get iterations(): number {
    return this.module.calls.limber_scene_iterations(this.id);
  }

  /** Replaces the goal of a constraint, by its index in the scene or the number from add(). */
  setGoal(index: number, constraint: ConstraintValue): void {
    const { module } = this;
    module.withText(sceneText({ constraints: [constraint] }), (at, size) =>
      module.accepted(module.calls.limber_scene_set_goal(this.id, index, at, size)),
    );
  }

  /** Adds a constraint, whose row in the report comes last; returns its number. The rest of `scene` is what it refers to. */
  add(constraint: ConstraintValue, scene: Omit<SceneOf, "constraints"> = {}): number {
    const { module } = this;
    return (
      module.withText(sceneText({ ...scene, constraints: [constraint] }), (at, size) =>
        module.accepted(module.calls.limber_scene_add(this.id, at, size)),
      ) - 1
    );
  }

  /** Adds a goal of your own; returns the number of its constraint. */
  addGoal({ evaluate, ...goal }: OwnGoal): number {
    const { module } = this;
    const own = module.goals.add(evaluate);
    try {
      const constraint =
        module.withText(JSON.stringify(goal), (at, size) =>
          module.accepted(module.calls.limber_scene_add_goal(this.id, own, at, size)),
        ) - 1;
      this.goals.set(constraint, own);
      return constraint;
    } catch (error) {
      module.goals.remove(own);
      throw error;
    }
  }

  remove(constraint: number): void {
    this.module.accepted(this.module.calls.limber_scene_remove(this.id, constraint));
    const own = this.goals.get(constraint);
    if (own !== undefined) this.module.goals.remove(own);
    this.goals.delete(constraint);
  }

  setWeight(constraint: number, weight: number | "must"): void {
    const number = weight === "must" ? Infinity : weight;
    this.module.accepted(this.module.calls.limber_scene_set_weight(this.id, constraint, number));
  }

  setEnabled(constraint: number, enabled: boolean): void {
    this.module.accepted(this.module.calls.limber_scene_set_enabled(this.id, constraint, enabled ? 1 : 0));
  }

  /** The Jacobian of all goals in a pose, with its singular values.  W93 3.2 */
  jacobian(pose: ArrayLike<number>): GoalJacobian {
    this.theta.fill(pose);
    const result = this.module.calls.limber_scene_jacobian(this.id, this.theta.address);
    this.module.goals.rethrow();
    this.module.accepted(result);
    return this.module.json<GoalJacobian>();
  }

  /** The handle of a constraint in the pose: points and directions, three numbers each. Empty if it has no handle. */
  handle(index: number, pose: ArrayLike<number>): number[] {
    this.theta.fill(pose);
    return this.module.withNumbers(new Float64Array(9), (at) => {
      const count = this.module.calls.limber_scene_handle(this.id, index, this.theta.address, at);
      return [...new Float64Array(this.module.calls.memory.buffer, at, 3 * count)];
    });
  }

  /**
   * The faces of the region that a constraint must stay inside, such as the support polygon of a balance: six numbers per
   * face, a point and the outward normal. Empty for other constraints.
   */
  faces(index: number): number[] {
    this.module.accepted(this.module.calls.limber_scene_faces(this.id, index));
    return this.module.json<number[]>();
  }

  drop(): void {
    for (const own of this.goals.values()) this.module.goals.remove(own);
    this.goals.clear();
    this.owned.drop();
  }
}
