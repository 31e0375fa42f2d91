// Written by generate.mjs from doc/scene.schema.json. Do not edit.

/** [x, y, z]. */
export type Vec3 = [number, number, number];

/** An axis, or [x, y, z] of any length except zero. */
export type DirectionValue = "x" | "y" | "z" | "-x" | "-y" | "-z" | Vec3;

/** An origin and at most one of turns, quaternion and matrix. */
export interface FrameValue {
  /** Origin; default zero. */
  p?: Vec3;
  /** Rotations in sequence: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** A built-in human, a file with a figure, several figures, or a description. */
export type FigureValue =
  | { human: HumanValue }
  | { simple_human: SimpleHumanValue }
  | {
      file: string;
      /** Whether joints without limits of their own get those of people. */
      assumed_limits?: boolean;
    }
  | { figures: Record<string, PlacedFigureValue> }
  | FigureDescription;

/** One of several figures, where its world is, and its pose. */
export interface PosedFigureValue {
  /** One figure. */
  figure: FigureValue;
  /** Hang the figure from this segment, or from that of this site or joint. */
  root?: string;
  /** Values by parameter; all others are at rest. */
  pose?: Record<string, number>;
  /** Origin; default zero. */
  p?: Vec3;
  /** Rotations in sequence: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** One of several figures, and where its world is. */
export interface PlacedFigureValue {
  /** One figure. */
  figure: FigureValue;
  /** Hang the figure from this segment, or from that of this site or joint. */
  root?: string;
  /** Origin; default zero. */
  p?: Vec3;
  /** Rotations in sequence: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** The human with a full spine; default: the average man. */
export interface HumanValue {
  sex?: "male" | "female";
  /** Metres; 0 means the average. */
  stature?: number;
  /** Kilograms; 0 derives it from the stature. */
  mass?: number;
  spine?: "grouped" | "independent";
  root?: "free" | "fixed";
}

/** A human with few degrees of freedom. */
export interface SimpleHumanValue {
  /** Metres; 0 means the average. */
  stature?: number;
  /** Kilograms; 0 derives it from the stature. */
  mass?: number;
  root?: "free" | "fixed";
  /** A shrug for each arm. */
  clavicles?: boolean;
}

/** A full description: segments connected by joints. */
export interface FigureDescription {
  name?: string;
  segments: SegmentValue[];
  joints?: JointValue[];
  sites?: SiteValue[];
  groups?: GroupValue[];
  limits?: LimitValue[];
  /** Pairs of segments that mirror each other; a segment in no pair is its own mirror image. */
  mirror?: { normal?: DirectionValue; pairs: [string, string][] };
  prior?: PriorValue;
}

/** Usual poses of the figure. */
export interface PriorValue {
  terms?: {
    parameter: string;
    /** Degrees, or metres. */
    mean: number;
    spread: number;
    unit?: "m";
  }[];
  /** Lower triangle, row by row, without the diagonal; default: independent. */
  correlation?: number[][];
  /** The direction of a segment that points up. */
  up?: {
    segment: string;
    direction: DirectionValue;
    /** Degrees. */
    spread: number;
  };
}

export interface SegmentValue {
  name: string;
  /** Kilograms. */
  mass?: number;
  /** In the segment's frame; default: its origin. */
  mass_centre?: Vec3;
  /** About the centre of mass, three rows, kg m². */
  inertia?: [Vec3, Vec3, Vec3];
  /** A file with its appearance; it is never opened. */
  object?: string;
}

export interface JointValue {
  name: string;
  /** A segment; default: the world. */
  parent?: string;
  /** A segment. */
  child: string;
  /** The joint's frame in the parent. */
  in_parent?: FrameValue;
  /** The joint's frame in the child. */
  in_child?: FrameValue;
  /** Degrees of freedom, in order. */
  freedoms?: FreedomValue[];
  /** The six degrees of freedom of a floating body. */
  free?: boolean;
}

export interface FreedomValue {
  name: string;
  /** Default: rotate. */
  motion?: "rotate" | "translate";
  /** In the frame reached so far. */
  axis: DirectionValue;
  /** Degrees or metres; default: no limit. */
  lower?: number;
  /** Degrees or metres; default: no limit. */
  upper?: number;
  /** Default 0. */
  rest?: number;
  /** 0 free to 1 fixed. */
  rigidity?: number;
  /** Default 1. */
  stiffness?: number;
}

/** A named frame on a segment. */
export interface SiteValue {
  name: string;
  segment: string;
  /** Origin; default zero. */
  p?: Vec3;
  /** Rotations in sequence: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** Degrees of freedom driven together by a few parameters. */
export interface GroupValue {
  name: string;
  parameters: {
    name: string;
    /** Degrees or metres; default: no limit. */
    lower?: number;
    /** Degrees or metres; default: no limit. */
    upper?: number;
    /** Default 0. */
    rest?: number;
    /** 0 free to 1 fixed. */
    rigidity?: number;
    /** Default 1. */
    stiffness?: number;
  }[];
  drivers: { joint: string; freedom: string; terms: TermValue[] }[];
}

/** A factor or a table of knots by which a parameter drives a degree of freedom. */
export interface TermValue {
  parameter: string;
  slope?: number;
  /** [parameter, freedom]. */
  knots?: [number, number][];
}

/** A linear limit over several parameters: the sum of the terms is at most, or equals, a number. */
export interface LimitValue {
  name: string;
  /** Factors by parameter. */
  terms: Record<string, number>;
  at_most?: number;
  equal?: number;
}

/** A handle and its goal, one of several, a balance, a pull, a clearance, or a strength limit. */
export interface ConstraintValue {
  /** Name in the report. */
  name?: string;
  /** A geometric quantity of the figure. */
  handle?: HandleValue;
  /** The goal of the handle. */
  goal?: GoalValue;
  /** Instead of handle and goal: one of these must be met. */
  one_of?: { handle: HandleValue; goal: GoalValue }[];
  /** Keep the centre of mass over these feet: segments, joints or sites. */
  balance?: string[];
  /** For a balance: metres inside the edge. */
  margin?: number;
  /** What all parameters are pulled towards. */
  pull?:
    | "rest"
    | "middle"
    | "start"
    | "comfort"
    | {
        /** Values by parameter; all others are at rest. */
        pose: Record<string, number>;
      };
  /** Avoid obstacles, and self-collision. */
  keep_clear?:
    | true
    | {
        /** Names of obstacles; default: all. */
        of?: string[];
        /** Also avoid self-collision. */
        self?: boolean;
        /** Pairs of figures or segments that also avoid each other. */
        between?: [string, string][];
        /** In metres. */
        margin?: number;
        /** Capsules around segments, in their frames; default: from lengths and masses. */
        capsules?: { segment: string; a: Vec3; b: Vec3; radius: number }[];
      };
  /** Keep joint torques within the strength. */
  strength?:
    | true
    | {
        /** What the figure carries besides itself. */
        loads?: {
          /** Sites, segments or joints that carry it in equal parts. */
          at: string[];
          kg: number;
        }[];
        /** Of the strength that a torque may use. Default 1. */
        share?: number;
        /** Of people, by strength. Default 50. */
        percentile?: number;
        /** Of the strength; default: that of the figure. */
        sex?: "male" | "female";
        /** What carries the figure; default: both feet, if the root is free. */
        carried_by?: "feet" | "root";
        /** Strength of joints, in place of the published one; see doc/assess.md. */
        rows?: {
          freedom: string;
          direction: "+" | "-";
          /** In N m: one number, or the 5th, 50th and 95th percentile. */
          torque: number | [number, number, number];
          /** Relative to weight times stature. */
          of_size?: boolean;
          curve?: number;
          /** In degrees. */
          best_angle?: number;
          source?: string;
        }[];
      };
  /** "must" makes a hard constraint. Default 1; for a balance 1000, for a clearance or strength "must". */
  weight?: number | "must";
  /** 1 to 16; a later priority never disturbs an earlier one. Default 1. */
  priority?: number;
  /** A joint, segment or group: where the chain starts. */
  from?: string;
  /** A soft constraint: its weight is reduced until the others are met. */
  soft?: boolean;
  /** Default: true. */
  enabled?: boolean;
  /** Weighs the numbers of the goal's error: the diagonal or the rows of a positive definite matrix. */
  weighting?: (number | number[])[];
}

/** A name, one shape, and the frame of that shape. */
export interface ObstacleValue {
  name: string;
  /** The half-space below the plane y = 0 of its frame. */
  floor?: true;
  /** Radius of a sphere. */
  ball?: number;
  capsule?: CapsuleValue;
  /** Edge lengths; the origin of its frame is the centre. */
  box?: [number, number, number];
  /** The convex hull of these points. */
  hull?: Vec3[];
  /** A closed mesh is a solid, an open one a sheet. */
  mesh?: { vertices: Vec3[]; triangles: [number, number, number][] };
  /** Another figure; it does not move. */
  figure?: FigureValue;
  /** Pose of that figure: values by parameter; all others are at rest. */
  pose?: Record<string, number>;
  /** Origin; default zero. */
  p?: Vec3;
  /** Rotations in sequence: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** A geometric quantity of the figure, or the difference of two. */
export type HandleValue = PlainHandleValue | { difference: [PlainHandleValue, PlainHandleValue] };

/** A geometric quantity of one place: a site, segment or joint. */
export type PlainHandleValue =
  | string
  | { point: string }
  | { ray: string }
  | { frame: string }
  | { mass_centre: true | string }
  | { direction: string | { place: string; local: DirectionValue } };

/** What stands at each key of a GoalValue. */
export interface GoalValues {
  /** Be at this point. */
  position: Vec3;
  /** Point this way. */
  direction: DirectionValue | { v: DirectionValue; degrees_per_metre?: DegreesPerMetre };
  /** The x and y axes point this way; give only one to leave the other free. */
  orientation: {
    x?: DirectionValue;
    y?: DirectionValue;
    degrees_per_metre?: DegreesPerMetre;
    degrees_per_metre_y?: DegreesPerMetre;
  };
  /** Position and orientation. */
  placement: {
    p: Vec3;
    x?: DirectionValue;
    y?: DirectionValue;
    degrees_per_metre?: DegreesPerMetre;
    degrees_per_metre_y?: DegreesPerMetre;
    /** Share of the position; default 0.5. */
    w_p?: number;
  };
  /** Pass through the point. */
  aim_at: Vec3 | { p: Vec3; degrees_per_metre?: DegreesPerMetre };
  /** Lie on the line through p along v. */
  line: { p: Vec3; v: DirectionValue };
  /** Lie in the plane through p with normal v. */
  plane: { p: Vec3; v: DirectionValue };
  /** Lie on the side of that plane that v points to. */
  half_space: { p: Vec3; v: DirectionValue };
  /** Be that many metres from p, at most that far, or at least that far. */
  distance: {
    /** Default [0, 0, 0]. */
    p?: Vec3;
    equal?: number;
    at_most?: number;
    at_least?: number;
  };
  /** Lie inside the region. */
  inside: RegionValue;
  /** Lie outside the region. */
  outside: RegionValue;
  /** The difference is zero. */
  coincide: true | { degrees_per_metre?: DegreesPerMetre };
  /** Stay as it is in the scene's pose. */
  hold: true | { degrees_per_metre?: DegreesPerMetre };
}
export type GoalKind = keyof GoalValues;
/** The goal of a handle. */
export type GoalValue = { [K in GoalKind]: Pick<GoalValues, K> }[GoalKind];

/** How many degrees count as much as one metre; default 100. */
export type DegreesPerMetre = number;

/** What stands at each key of a RegionValue. */
export interface RegionValues {
  sphere: { centre: Vec3; radius: number };
  capsule: CapsuleValue;
  /** Centre p and edge lengths; may be rotated. */
  box: {
    /** Origin; default zero. */
    p?: Vec3;
    /** Rotations in sequence: [axis, degrees]. */
    turns?: [DirectionValue, number][];
    /** [w, x, y, z]. */
    quaternion?: [number, number, number, number];
    /** Three rows of a rotation. */
    matrix?: [Vec3, Vec3, Vec3];
    size: [number, number, number];
  };
  /** Convex: per face a point and the outward normal. */
  polyhedron: { faces: { p: Vec3; v: DirectionValue }[] };
}
export type RegionKind = keyof RegionValues;
/** A set of points. */
export type RegionValue = { [K in RegionKind]: Pick<RegionValues, K> }[RegionKind];

/** All points within the radius of the line segment from a to b. */
export interface CapsuleValue {
  a: Vec3;
  b: Vec3;
  radius: number;
}

export interface SceneOptions {
  /** Default: automatic. */
  method?: MethodValue;
  /** Max restarts from other poses while a constraint is unmet; default: as many as a few milliseconds allow. */
  restarts?: number;
  /** Max iterations over all restarts; default 1000. */
  iterations?: number;
  /** Kuhn-Tucker residual at which a solve has converged; default 1e-8. */
  tolerance?: number;
  /** A constraint is met within this many millimetres; default 1. */
  met_mm?: number;
  /** And within this many degrees; default 0.1. */
  met_degrees?: number;
  /** Stop as soon as every constraint is met. */
  until_met?: boolean;
  /** Max change of a parameter per iteration, in radians or lengths of the figure; default 1. */
  longest_step?: number | "unlimited";
  /** The paper's own choices where ours differ. */
  as_printed?: boolean;
  /** What to do with the freedom that the goals leave; default none. */
  secondary?: "none" | "joint-range" | "comfort" | "manipulability";
  /** How a step follows the pull; default runge-kutta. */
  integration?: "runge-kutta" | "euler";
  /** Step of the integration, the first one where it adapts; 0: automatic. Default 0. */
  step?: number;
  /** How fast hard constraints return where they are off; default 1. */
  feedback?: number;
  /** Singular values below this part of the largest are left out; default 0.0001. */
  truncation?: number;
  /** Gains of parameters, 0 or more: one of 0 does not move; default 1. */
  gain?: Record<string, number>;
}

/** Solver options. */
export type MethodValue =
  | "automatic"
  | "levenberg-marquardt"
  | "active-set-bfgs"
  | "projected-conjugate-gradient"
  | "projected-steepest-descent"
  | "projected-trust-region"
  | "jacobian-transpose"
  | "cyclic-coordinate-descent"
  | "lagrange-multipliers"
  | "pseudoinverse"
  | "damped-least-squares";

/** Metres, degrees, kilograms. Described in doc/scene.md. */
export interface SceneValue {
  /** Format and version. */
  limber: "scene 1";
  /** For reports and pictures. */
  title?: string;
  /** The figure to pose. */
  figure?: FigureValue;
  /** Instead of "figure": several figures by name, which are posed together. */
  figures?: Record<string, PosedFigureValue>;
  /** Hang the figure from this segment, or from that of this site or joint. */
  root?: string;
  /** Values by parameter; all others are at rest. */
  pose?: Record<string, number>;
  /** Per parameter: 0 free to 1 fixed. */
  rigidity?: Record<string, number>;
  /** Per parameter: a stiffer one moves less while others can move instead; default 0. */
  stiffness?: Record<string, number>;
  /** Obstacles of the clearance constraints. */
  obstacles?: ObstacleValue[];
  /** Constraints, in the order of the report. */
  constraints?: ConstraintValue[];
  /** Weight of the figure's prior; true is 1. */
  natural?: true | number;
  /** Solver options. */
  options?: SceneOptions;
}
