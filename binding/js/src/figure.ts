// A figure: its parts, its limits, and its segments in a pose.
import { Numbers, Owned, type Module } from "./module.js";
import type { AssessOptions, Assessment, BodyMesh, FigureInfo, FigureRoles } from "./results.js";

const frameNumbers = 12;

export interface LimitOptions {
  margin?: number; // part of the range added at either end; default: 0.05
  outliers?: number; // part of the poses dropped at either end
  withRoot?: boolean;
}

export class Figure {
  readonly info: FigureInfo;
  readonly parameters: number;
  readonly segments: number;
  private readonly theta: Numbers;
  private readonly frames: Numbers;
  private readonly axesRoom: Numbers;
  private readonly owned: Owned;

  constructor(
    readonly module: Module,
    id: number,
  ) {
    module.accepted(module.calls.limber_figure_describe(id));
    this.info = module.json<FigureInfo>();
    this.parameters = this.info.parameters.length;
    this.segments = this.info.segments.length;
    this.theta = new Numbers(module, this.parameters);
    this.frames = new Numbers(module, frameNumbers * this.segments);
    this.axesRoom = new Numbers(module, 6 * this.info.freedoms.length);
    this.owned = new Owned(module, id, this.theta, this.frames, this.axesRoom);
  }

  get id(): number {
    return this.owned.id;
  }

  rest(): Float64Array {
    this.module.calls.limber_figure_rest(this.id, this.theta.address);
    return this.theta.view.slice();
  }

  /** Moves the pose to the nearest one within all limits. */
  bounded(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_bound(this.id, this.theta.address);
    return this.theta.view.slice();
  }

  mirrored(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.accepted(this.module.calls.limber_figure_mirror(this.id, this.theta.address, this.theta.address));
    return this.theta.view.slice();
  }

  /** Twelve numbers per segment: its x, y and z axis and its origin. Valid until the next call of this figure. */
  place(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_place(this.id, this.theta.address, this.frames.address);
    return this.frames.view;
  }

  /** Six numbers per degree of freedom: its axis and a point on it. Valid until the next call of this figure. */
  axes(pose: ArrayLike<number>): Float64Array {
    this.theta.fill(pose);
    this.module.calls.limber_figure_axes(this.id, this.theta.address, this.axesRoom.address);
    return this.axesRoom.view;
  }

  /** The figure with the segment of a place as its root; the scene key `root` then names that place.  W93 2.1.2 */
  hungFrom(place: string): Figure {
    const { module } = this;
    return new Figure(
      module,
      module.withText(place, (at, size) => module.accepted(module.calls.limber_figure_hung_from(this.id, at, size))),
    );
  }

  /** The pose of a figure made by hungFrom() in which every segment is where it is on this one. */
  placedAs(pose: ArrayLike<number>, hung: Figure, near: ArrayLike<number> = hung.rest()): Float64Array {
    const { module } = this;
    this.theta.fill(pose);
    hung.theta.fill(near);
    module.accepted(
      module.calls.limber_figure_placed_as(this.id, this.theta.address, hung.id, hung.theta.address, hung.theta.address),
    );
    return hung.theta.view.slice();
  }

  /** The figure with joint limits estimated from its motions: their range, less outliers, plus a margin.  EE09 [10] */
  limitsFrom(clips: readonly { readonly id: number }[], options: LimitOptions = {}): Figure {
    const { module } = this;
    const { margin = 0.05, outliers = 0, withRoot = false } = options;
    const list = clips.map(({ id }) => id);
    return new Figure(
      module,
      module.withNumbers(list, (at) =>
        module.accepted(module.calls.limber_figure_limits_from(this.id, list.length, at, margin, outliers, withRoot ? 1 : 0)),
      ),
    );
  }

  massCentre(pose: ArrayLike<number>): [number, number, number] {
    this.theta.fill(pose);
    return this.module.withNumbers([0, 0, 0], (at) => {
      this.module.calls.limber_figure_mass_centre(this.id, this.theta.address, at);
      const [x, y, z] = new Float64Array(this.module.calls.memory.buffer, at, 3);
      return [x!, y!, z!];
    });
  }

  /** Those of the feet that stand on the ground: within 3 % of the figure's length above the lowest one. */
  feetOnGround(pose: ArrayLike<number>, feet: readonly string[]): string[] {
    const { module } = this;
    this.theta.fill(pose);
    module.withText(JSON.stringify(feet), (at, size) =>
      module.accepted(module.calls.limber_figure_feet_on_ground(this.id, this.theta.address, at, size)),
    );
    return module.json<string[]>();
  }

  /**
   * What holds in a pose if nothing is stated: the feet that stand are pinned and carry the figure in balance. For
   * limber.posing(figure, pose, figure.posingFor(pose)).
   */
  posingFor(pose: ArrayLike<number>): { pins: { place: string; lifts: boolean }[]; feet: string[] } {
    const { module } = this;
    this.theta.fill(pose);
    module.accepted(module.calls.limber_figure_posing(this.id, this.theta.address));
    return module.json();
  }

  /** Which bone is which part of a body, recognised by shape, with a confidence from 0 to 1. */
  roles(): FigureRoles {
    const { module } = this;
    module.accepted(module.calls.limber_figure_roles(this.id));
    return module.json<FigureRoles>();
  }

  /** Assesses a pose: comfort, torques against strength, RULA and REBA. */
  assess(pose: ArrayLike<number>, options: AssessOptions = {}): Assessment {
    this.theta.fill(pose);
    this.module.withText(JSON.stringify(options), (at, size) =>
      this.module.accepted(this.module.calls.limber_figure_assess(this.id, this.theta.address, at, size)),
    );
    return this.module.json<Assessment>();
  }

  /** The joint where a chain to the segment begins: its own joint, or the one after the nearest branch.  W93 6.2 */
  chain(segment: number, mode: "part" | "branch"): number {
    return this.module.calls.limber_figure_chain(this.id, segment, mode === "part" ? 0 : 1);
  }

  /** The figure as a "figure 1" document. */
  document(): string {
    this.module.accepted(this.module.calls.limber_figure_write(this.id));
    return this.module.text();
  }

  body(detail = 16): BodyMesh {
    this.module.accepted(this.module.calls.limber_figure_body(this.id, detail));
    return bodyMesh(this.module.bytes());
  }

  drop(): void {
    this.owned.drop();
  }
}

/** The mesh in the bytes that limber_figure_body gives. */
export function bodyMesh({ buffer }: Uint8Array): BodyMesh {
  const [vertices, triangles] = new Int32Array(buffer, 0, 2) as unknown as [number, number];
  let at = 8;
  const ints = (count: number) => new Int32Array(buffer, (at += 4 * count) - 4 * count, count);
  const floats = (count: number) => new Float32Array(buffer, (at += 4 * count) - 4 * count, count);
  return {
    segment: ints(vertices),
    position: floats(3 * vertices),
    normal: floats(3 * vertices),
    triangle: ints(3 * triangles),
    part: ints(triangles),
    material: ints(triangles),
  };
}
