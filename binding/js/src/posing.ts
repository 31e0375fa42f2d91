// Posing by pulling: parts of a figure are grabbed, moved, turned and released, and the rest of the body follows.
//
//   const posing = limber.posing(figure, pose, { pins: ["left_foot", "right_foot"], feet: ["left_foot", "right_foot"] });
//   const hand = posing.grab("right_palm");
//   posing.move(hand, [-0.2, 1.3, 0.6]);   // with the pointer
//   posing.frame();                        // once per frame; posing.pose is what to show
//   posing.release(hand);
//
// The pose is a function of the goals and of the pose at the grab, not of the way or the speed of the pointer.
import type { Figure } from "./figure.js";
import { Numbers, Owned, type Module } from "./module.js";
import { sceneText, type SceneOf } from "./scene.js";
import type { PulledReport } from "./results.js";
import type { ConstraintValue, MethodValue, Vec3 } from "./types.js";

/** A place that stays where it is; with `turns`, its orientation is free; with `lifts`, the heel of a flat foot may rise. */
export interface PinnedPlace {
  place: string;
  turns?: boolean;
  lifts?: boolean;
}

export interface PosingOptions {
  pins?: readonly (string | PinnedPlace)[];
  locks?: readonly string[]; // parameters that do not move
  feet?: readonly string[]; // that carry the figure; none: no balance
  balanceMargin?: number; // metres; default 0.02
  method?: MethodValue;
  eases?: boolean; // whether jumps of the answer are shown over several frames; default true
  natural?: boolean; // whether the rest of the body follows as people's do, learned from recorded motion; default true
  looks?: boolean; // whether the eyes follow the hand or arm that is pulled; default false
  /**
   * What else holds: constraints, obstacles, rigidity, stiffness. Its pins that are met in the pose are pins, which
   * follow when their part is pulled; its balance over `feet` follows a foot that is lifted.
   */
  scene?: SceneOf;
  moves?: number; // the index of the constraint of the scene that setGoal() changes
}

/** A foot that would have to stand elsewhere. */
export interface SuggestedStep {
  foot: string; // the pinned place
  by: Vec3; // along the ground
  metres: number; // by which the grips would still miss their goals, at most
}

export interface GrabOptions {
  /** What moves: everything, the joints up to where the limb branches off, the joint of the part alone. W93 6.2 */
  chain?: "body" | "limb" | "part";
  from?: number; // the joint where the chain begins, in place of that of the limb or part
  moves?: boolean; // whether it asks for a position; default true
  sights?: boolean; // whether its goals are lines of sight in place of positions
  turns?: boolean; // whether it asks for an orientation
}

/** A grip after a frame, in metres and radians. */
export interface GripState {
  readonly grip: number;
  readonly at: Vec3; // where the point is in the answer
  readonly goal: Vec3; // where it is asked
  readonly metres: number; // error of the position
  readonly radians: number; // error of the orientation, or of the angle that is set
}

const chains = ["body", "limb", "part"] as const;
const numbersPerGrip = 9;

export class Posing {
  /** What to show; the same array in each frame. */
  readonly pose: Float64Array;
  /** The grips of the last frame, in the order in which they were grabbed. */
  grips: readonly GripState[] = [];
  /** The shown pose is the answer: nothing moves until a goal does. */
  settled = true;
  /** All grips, pins and constraints are met, by the answer. */
  met = true;
  private readonly module: Module;
  private readonly theta: Numbers;
  private readonly owned: Owned;

  constructor(
    readonly figure: Figure,
    pose: ArrayLike<number>,
    { pins = [], balanceMargin, scene, ...others }: PosingOptions = {},
  ) {
    const { module } = figure;
    this.module = module;
    const how = JSON.stringify({
      ...others,
      pins: pins.map((pin) => (typeof pin === "string" ? { place: pin } : pin)),
      ...(balanceMargin !== undefined ? { balance_margin: balanceMargin } : {}),
    });
    this.theta = new Numbers(module, figure.parameters);
    this.theta.fill(pose);
    this.pose = Float64Array.from(pose);
    try {
      const id = module.withText(how, (at, size) =>
        module.withText(scene ? sceneText(scene) : "", (begin, count) =>
          module.accepted(module.calls.limber_posing_new(figure.id, at, size, begin, count, this.theta.address)),
        ),
      );
      this.owned = new Owned(module, id, this.theta);
    } catch (error) {
      this.theta.drop();
      throw error;
    }
  }

  get id(): number {
    return this.owned.id;
  }

  /** Takes hold of a place where it is shown: a site, segment or joint, or a point of a segment. Returns the grip. */
  grab(
    what: string | { readonly segment: number; readonly local: readonly [number, number, number] },
    { chain = "body", from = -1, moves = true, sights = false, turns = false }: GrabOptions = {},
  ): number {
    const { module, id } = this;
    const asks = (sights ? 4 : moves ? 1 : 0) + (turns ? 2 : 0);
    const number = chains.indexOf(chain);
    if (typeof what !== "string") {
      const [x, y, z] = what.local;
      return module.accepted(module.calls.limber_posing_grab_point(id, what.segment, x, y, z, asks, number, from)) - 1;
    }
    return (
      module.withText(what, (at, size) => module.accepted(module.calls.limber_posing_grab(id, at, size, asks, number, from))) - 1
    );
  }

  /** Takes hold of a parameter, by its index in the figure, to set it. Returns the grip. W93 6.3 */
  grabParameter(parameter: number): number {
    return this.module.accepted(this.module.calls.limber_posing_grab_parameter(this.id, parameter)) - 1;
  }

  /** Nothing is solved until the next frame. */
  move(grip: number, [x, y, z]: readonly [number, number, number]): void {
    this.module.accepted(this.module.calls.limber_posing_move(this.id, grip, x, y, z));
  }

  /**
   * The line of sight through a point along a unit vector: the part comes to the line, and tends to the point, which is
   * best the nearest to where it was grabbed. W93 Fig. 6.3
   */
  sight(grip: number, [x, y, z]: readonly [number, number, number], [vx, vy, vz]: readonly [number, number, number]): void {
    this.module.accepted(this.module.calls.limber_posing_sight(this.id, grip, x, y, z, vx, vy, vz));
  }

  /** Turns the grip so that its axes are there, in the world: a rotation of nine numbers, x axis first. */
  turn(grip: number, axes: ArrayLike<number>): void {
    if (axes.length !== 9) throw new RangeError(`found ${axes.length} numbers; expected 9, three axes`);
    this.module.withNumbers(axes, (at) => this.module.accepted(this.module.calls.limber_posing_turn(this.id, grip, at)));
  }

  set(grip: number, value: number): void {
    this.module.accepted(this.module.calls.limber_posing_set(this.id, grip, value));
  }

  /** Another goal for the constraint that `moves`. */
  setGoal(constraint: ConstraintValue): void {
    const { module } = this;
    module.withText(sceneText({ constraints: [constraint] }), (at, size) =>
      module.accepted(module.calls.limber_posing_set_goal(this.id, at, size)),
    );
  }

  /** The next frame solves even if no goal has moved: for what the scene asks and is not met at first. */
  ask(): void {
    this.module.accepted(this.module.calls.limber_posing_ask(this.id));
  }

  /** Changes nothing that is shown. */
  release(grip: number): void {
    this.module.accepted(this.module.calls.limber_posing_release(this.id, grip));
  }

  /** Solves for the current goals and updates `pose`, `grips`, `settled` and `met`. Returns `settled`. */
  frame(): boolean {
    const { module, id } = this;
    const room = new Float64Array(numbersPerGrip * module.calls.limber_posing_grips(id));
    return module.withNumbers(room, (at) => {
      const result = module.calls.limber_posing_frame(id, this.theta.address, at);
      this.pose.set(this.theta.view);
      const numbers = new Float64Array(module.calls.memory.buffer, at, room.length).slice();
      this.grips = Array.from({ length: room.length / numbersPerGrip }, (_, k) => gripOf(numbers, numbersPerGrip * k));
      this.settled = (result & 1) !== 0;
      this.met = (result & 2) !== 0;
      return this.settled;
    });
  }

  /** What the shown pose tends to. */
  answer(): Float64Array {
    this.module.calls.limber_posing_answer(this.id, this.theta.address);
    return this.theta.view.slice();
  }

  /** Of the last frame: the constraints of the scene in its order, then the grips. */
  report(): PulledReport {
    this.module.accepted(this.module.calls.limber_posing_report(this.id));
    return this.module.json<PulledReport>();
  }

  /**
   * After a frame in which a grip missed its goal: a step of a foot that brings it at least half of the way nearer, if there
   * is one. It takes as long as some frames.
   */
  suggestStep(): SuggestedStep | undefined {
    this.module.accepted(this.module.calls.limber_posing_step(this.id));
    return this.module.json<SuggestedStep | null>() ?? undefined;
  }

  drop(): void {
    this.owned.drop();
  }
}

function gripOf(numbers: Float64Array, from: number): GripState {
  const point = (at: number): Vec3 => [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!];
  return {
    grip: numbers[from]!,
    at: point(from + 1),
    goal: point(from + 4),
    metres: numbers[from + 7]!,
    radians: numbers[from + 8]!,
  };
}
