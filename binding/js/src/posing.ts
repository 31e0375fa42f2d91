// Poses that keep what a scene asks for.
import type { Figure } from "./figure.js";
import type { Limber } from "./limber.js";
import { Numbers, Owned, type Module } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type { PoseReport } from "./results.js";
import type { ConstraintValue } from "./types.js";

export interface SolveOptions {
  iterations?: number; // at most
  restarts?: number;
  untilMet?: boolean;
  resumes?: boolean; // starts with the step length of the last solve: for a goal that moves a little
}

/** A scene that is solved again and again. */
export class Posing {
  private readonly module: Module;
  private readonly theta: Numbers;
  private readonly owned: Owned;
  private readonly usual: Required<SolveOptions>;

  constructor(
    private readonly limber: Limber,
    readonly figure: Figure,
    scene: SceneOf,
  ) {
    this.module = figure.module;
    const { module } = this;
    const id = module.withText(sceneText(scene), (at, size) =>
      module.accepted(module.calls.limber_posing_new(figure.id, at, size)),
    );
    this.theta = new Numbers(module, figure.parameters);
    this.owned = new Owned(module, id, this.theta);
    const { iterations = 1000, restarts = 4, until_met: untilMet = false } = scene.options ?? {};
    this.usual = { iterations, restarts, untilMet, resumes: false };
  }

  get id(): number {
    return this.owned.id;
  }

  /** Solves from the pose, which becomes the answer, and returns the exit. Options that are absent are the scene's. */
  solve(pose: Float64Array, options: SolveOptions = {}): string {
    const { iterations, restarts, untilMet, resumes } = { ...this.usual, ...options };
    this.theta.fill(pose);
    const exit = this.module.calls.limber_posing_solve(
      this.id,
      this.theta.address,
      iterations,
      restarts,
      untilMet ? 1 : 0,
      resumes ? 1 : 0,
    );
    pose.set(this.theta.view);
    return this.limber.exits[exit]!;
  }

  /** Of the last solve. */
  report(): PoseReport {
    this.module.accepted(this.module.calls.limber_posing_report(this.id));
    return this.module.json<PoseReport>();
  }

  get met(): boolean {
    return this.module.calls.limber_posing_met(this.id) !== 0;
  }

  get iterations(): number {
    return this.module.calls.limber_posing_iterations(this.id);
  }

  /** The goal of a constraint of the scene, by its place there. */
  setGoal(index: number, constraint: ConstraintValue): void {
    const { module } = this;
    module.withText(sceneText({ constraints: [constraint] }), (at, size) =>
      module.accepted(module.calls.limber_posing_set_goal(this.id, index, at, size)),
    );
  }

  /** Where the handle of a constraint is: a point, a direction …, three numbers each. Empty for what has none. */
  handle(index: number, pose: ArrayLike<number>): number[] {
    this.theta.fill(pose);
    return this.module.withNumbers(new Float64Array(9), (at) => {
      const count = this.module.calls.limber_posing_handle(this.id, index, this.theta.address, at);
      return [...new Float64Array(this.module.calls.memory.buffer, at, 3 * count)];
    });
  }

  /**
   * What a constraint is to be inside of, such as the support of a balance: a point and the normal that points out, six
   * numbers a face. Empty for others.
   */
  faces(index: number): number[] {
    this.module.accepted(this.module.calls.limber_posing_faces(this.id, index));
    return this.module.json<number[]>();
  }

  /** A point of a segment is to follow the pointer, from the pose on. */
  grab(
    segment: number,
    local: readonly [number, number, number],
    pose: ArrayLike<number>,
    { from = -1, weight = 1, calm = 0 } = {},
  ): void {
    this.theta.fill(pose);
    this.module.accepted(
      this.module.calls.limber_posing_grab(this.id, segment, ...local, from, weight, calm, this.theta.address),
    );
  }

  /** One more point, for another finger: its place among those that are dragged, after the first, which has 0. */
  grabMore(
    segment: number,
    local: readonly [number, number, number],
    pose: ArrayLike<number>,
    { from = -1, weight = 1 } = {},
  ): number {
    this.theta.fill(pose);
    const { module } = this;
    return (
      module.accepted(module.calls.limber_posing_grab_more(this.id, segment, ...local, from, weight, this.theta.address)) - 1
    );
  }

  drag(x: number, y: number, z: number, grab = 0): void {
    this.module.accepted(this.module.calls.limber_posing_drag(this.id, grab, x, y, z));
  }

  letGo(): void {
    this.module.calls.limber_posing_let_go(this.id);
  }

  drop(): void {
    this.owned.drop();
  }
}
