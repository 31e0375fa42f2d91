// Written by generate.mjs from doc/scene.schema.json. Do not edit.

/** [x, y, z]. */
export type Vec3 = [number, number, number];

/** An axis, or [x, y, z] of any length but zero. */
export type DirectionValue = "x" | "y" | "z" | "-x" | "-y" | "-z" | Vec3;

/** An origin and at most one of turns, quaternion and matrix. */
export interface FrameValue {
  /** Origin; zero if left out. */
  p?: Vec3;
  /** Turns one after the other: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** A built-in human, a file that holds a figure, or a description. */
export type FigureValue = { human: HumanValue } | { simple_human: SimpleHumanValue } | { file: string } | FigureDescription;

/** The human with a full spine; what is left out is the mean man. */
export interface HumanValue {
  sex?: "male" | "female";
  /** Metres; 0 is the mean. */
  stature?: number;
  /** Kilograms; 0 follows the stature. */
  mass?: number;
  spine?: "grouped" | "independent";
  root?: "free" | "fixed";
}

/** A human with few degrees of freedom. */
export interface SimpleHumanValue {
  /** Metres; 0 is the mean. */
  stature?: number;
  /** Kilograms; 0 follows the stature. */
  mass?: number;
  root?: "free" | "fixed";
  /** A shrug for each arm. */
  clavicles?: boolean;
}

/** A figure in full: segments joined by joints. */
export interface FigureDescription {
  name?: string;
  segments: SegmentValue[];
  joints?: JointValue[];
  sites?: SiteValue[];
  groups?: GroupValue[];
  limits?: LimitValue[];
  /** Segments that mirror each other; those in no pair mirror themselves. */
  mirror?: { normal?: DirectionValue; pairs: [string, string][] };
  prior?: PriorValue;
}

/** How the figure usually stands. */
export interface PriorValue {
  terms?: {
    parameter: string;
    /** Degrees, or metres. */
    mean: number;
    spread: number;
    unit?: "m";
  }[];
  /** Lower triangle, row by row, without the ones; independent if left out. */
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
  /** In the segment; its origin if left out. */
  mass_centre?: Vec3;
  /** About the mass centre, three rows, kg m². */
  inertia?: [Vec3, Vec3, Vec3];
  /** A file with its appearance, which is never opened. */
  object?: string;
}

export interface JointValue {
  name: string;
  /** A segment; the world if left out. */
  parent?: string;
  /** A segment. */
  child: string;
  /** The joint's frame in the parent. */
  in_parent?: FrameValue;
  /** The joint's frame in the child. */
  in_child?: FrameValue;
  /** One after the other. */
  freedoms?: FreedomValue[];
  /** Six freedoms of a body that floats. */
  free?: boolean;
}

export interface FreedomValue {
  name: string;
  /** rotate if left out. */
  motion?: "rotate" | "translate";
  /** In the frame reached so far. */
  axis: DirectionValue;
  /** Degrees or metres; no limit if left out. */
  lower?: number;
  /** Degrees or metres; no limit if left out. */
  upper?: number;
  /** 0 if left out. */
  rest?: number;
  /** 0 free, 1 does not move. */
  rigidity?: number;
  /** 1 if left out. */
  stiffness?: number;
}

/** A named frame on a segment. */
export interface SiteValue {
  name: string;
  segment: string;
  /** Origin; zero if left out. */
  p?: Vec3;
  /** Turns one after the other: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** Degrees of freedom that a few parameters drive together. */
export interface GroupValue {
  name: string;
  parameters: {
    name: string;
    /** Degrees or metres; no limit if left out. */
    lower?: number;
    /** Degrees or metres; no limit if left out. */
    upper?: number;
    /** 0 if left out. */
    rest?: number;
    /** 0 free, 1 does not move. */
    rigidity?: number;
    /** 1 if left out. */
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

/** A row over several parameters: the sum of the terms is at most, or equals, a number. */
export interface LimitValue {
  name: string;
  /** Factors by parameter. */
  terms: Record<string, number>;
  at_most?: number;
  equal?: number;
}

/** A handle and its goal, one of several, a balance, a pull, or a clearance. */
export interface ConstraintValue {
  /** For the report. */
  name?: string;
  /** A quantity of the figure. */
  handle?: HandleValue;
  /** What is asked of the handle. */
  goal?: GoalValue;
  /** In place of handle and goal: one of these must be met. */
  one_of?: { handle: HandleValue; goal: GoalValue }[];
  /** Feet that the centre of mass stays over: segments, joints or sites. */
  balance?: string[];
  /** Of a balance: metres within the edge. */
  margin?: number;
  /** What all parameters are drawn to. */
  pull?:
    | "rest"
    | "middle"
    | "start"
    | "comfort"
    | {
        /** Values by parameter; the others are at rest. */
        pose: Record<string, number>;
      };
  /** That the figure does not touch obstacles, or itself. */
  keep_clear?:
    | true
    | {
        /** Names of obstacles; all if left out. */
        of?: string[];
        /** Its own parts of each other. */
        self?: boolean;
        /** In metres. */
        margin?: number;
        /** Around segments, in their frames; by lengths and masses if left out. */
        capsules?: { segment: string; a: Vec3; b: Vec3; radius: number }[];
      };
  /** "must" holds exactly. 1 if left out; 1000 of a balance, "must" of a clearance. */
  weight?: number | "must";
  /** 1 to 16; a later one never disturbs an earlier one. 1 if left out. */
  priority?: number;
  /** A joint, segment or group: where the chain starts. */
  from?: string;
  /** Its weight falls until the others are met. */
  gives_way?: boolean;
  /** true if left out. */
  enabled?: boolean;
}

/** A name, one shape, and the frame of that shape. */
export interface ObstacleValue {
  name: string;
  /** All below the plane y = 0 of its frame. */
  floor?: true;
  /** Its radius. */
  ball?: number;
  capsule?: CapsuleValue;
  /** Its size; the centre is the origin of its frame. */
  box?: [number, number, number];
  /** The convex hull of these points. */
  hull?: Vec3[];
  /** Closed: a solid; open: a sheet. */
  mesh?: { vertices: Vec3[]; triangles: [number, number, number][] };
  /** Another figure, which stands still. */
  figure?: FigureValue;
  /** Of that figure: values by parameter; the others are at rest. */
  pose?: Record<string, number>;
  /** Origin; zero if left out. */
  p?: Vec3;
  /** Turns one after the other: [axis, degrees]. */
  turns?: [DirectionValue, number][];
  /** [w, x, y, z]. */
  quaternion?: [number, number, number, number];
  /** Three rows of a rotation. */
  matrix?: [Vec3, Vec3, Vec3];
}

/** A quantity of the figure, or the difference of two. */
export type HandleValue = PlainHandleValue | { difference: [PlainHandleValue, PlainHandleValue] };

/** A quantity of one place: a site, segment or joint. */
export type PlainHandleValue =
  | string
  | { point: string }
  | { ray: string }
  | { frame: string }
  | { mass_centre: true }
  | { direction: string | { place: string; local: DirectionValue } };

/** What stands at each key of a GoalValue. */
export interface GoalValues {
  /** Be there. */
  position: Vec3;
  /** Point so. */
  direction: DirectionValue | { v: DirectionValue; degrees_per_metre?: DegreesPerMetre };
  /** The x and y axes point so; one alone leaves the other free. */
  orientation: { x?: DirectionValue; y?: DirectionValue; degrees_per_metre?: DegreesPerMetre };
  /** Position and orientation. */
  placement: {
    p: Vec3;
    x?: DirectionValue;
    y?: DirectionValue;
    degrees_per_metre?: DegreesPerMetre;
    /** The position's share; 0.5 if left out. */
    w_p?: number;
  };
  /** Pass through the point. */
  aim_at: Vec3 | { p: Vec3; degrees_per_metre?: DegreesPerMetre };
  /** Lie on the line through p along v. */
  line: { p: Vec3; v: DirectionValue };
  /** Lie in the plane through p with normal v. */
  plane: { p: Vec3; v: DirectionValue };
  /** Lie on the side of that plane which v points to. */
  half_space: { p: Vec3; v: DirectionValue };
  /** Lie in the region. */
  inside: RegionValue;
  /** Lie outside the region. */
  outside: RegionValue;
  /** A difference is zero. */
  coincide: true | { degrees_per_metre?: DegreesPerMetre };
  /** Stay where it is in the scene's pose. */
  hold: true | { degrees_per_metre?: DegreesPerMetre };
}
export type GoalKind = keyof GoalValues;
/** What is asked of a handle. */
export type GoalValue = { [K in GoalKind]: Pick<GoalValues, K> }[GoalKind];

/** How many degrees count as much as one metre; 100 if left out. */
export type DegreesPerMetre = number;

/** What stands at each key of a RegionValue. */
export interface RegionValues {
  sphere: { centre: Vec3; radius: number };
  capsule: CapsuleValue;
  /** Centre p, lengths of the edges; may be turned. */
  box: {
    /** Origin; zero if left out. */
    p?: Vec3;
    /** Turns one after the other: [axis, degrees]. */
    turns?: [DirectionValue, number][];
    /** [w, x, y, z]. */
    quaternion?: [number, number, number, number];
    /** Three rows of a rotation. */
    matrix?: [Vec3, Vec3, Vec3];
    size: [number, number, number];
  };
  /** Convex: a point on each face, and its normal outward. */
  polyhedron: { faces: { p: Vec3; v: DirectionValue }[] };
}
export type RegionKind = keyof RegionValues;
/** A set of points. */
export type RegionValue = { [K in RegionKind]: Pick<RegionValues, K> }[RegionKind];

/** All within the radius of the segment from a to b. */
export interface CapsuleValue {
  a: Vec3;
  b: Vec3;
  radius: number;
}

export interface SceneOptions {
  /** automatic if left out. */
  method?: MethodValue;
  /** Tries from other poses while a constraint is not met; 4 if left out. */
  restarts?: number;
  /** Max iterations of all tries together; 1000 if left out. */
  iterations?: number;
  /** Kuhn-Tucker residual at which a solve has converged; 1e-8 if left out. */
  tolerance?: number;
  /** A constraint is met within this many millimetres; 1 if left out. */
  met_mm?: number;
  /** And within this many degrees; 0.1 if left out. */
  met_degrees?: number;
  /** Stop as soon as every constraint is met. */
  until_met?: boolean;
}

/** How a problem is solved. */
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
  /** The format and its version. */
  limber: "scene 1";
  /** For reports and pictures. */
  title?: string;
  /** Who is posed. */
  figure: FigureValue;
  /** Values by parameter; the others are at rest. */
  pose?: Record<string, number>;
  /** 0 free to 1 does not move, by parameter. */
  rigidity?: Record<string, number>;
  /** 0 as free as others; a larger one moves less while others can serve. By parameter. */
  stiffness?: Record<string, number>;
  /** What stands in the way of those that keep clear. */
  obstacles?: ObstacleValue[];
  /** What is asked, in the order of the report. */
  constraints?: ConstraintValue[];
  /** The weight of the figure's prior; true is 1. */
  natural?: true | number;
  /** How it is solved. */
  options?: SceneOptions;
}
