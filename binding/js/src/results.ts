// What the module reports about figures, poses, motions and reach maps, and the options it takes. In metres and radians,
// except where a key states another unit; the types of scene documents, which have degrees, are in types.ts.
import type { Vec3 } from "./types.js";

/** The parts of a body: a bone by part, such as left_knee, and how certain that is, from 0 to 1. */
export interface FigureRoles {
  readonly body: "person" | "quadruped" | "unknown";
  readonly parts: Readonly<Record<string, string>>;
  readonly confidence: Readonly<Record<string, number>>;
}

export interface SegmentInfo {
  name: string;
  joint: string; // the joint that carries it
  parent: number; // segment, -1 for the world
  end: number; // one past the last segment below this one
  mass: number;
  centre: [number, number, number];
  freedoms: [number, number]; // from, up to
  length: number;
  radius: number;
  at: [number, number, number]; // where its bone begins, in the segment
  tip: [number, number, number]; // and ends
}

export interface FreedomInfo {
  name: string;
  joint: number;
  turns: boolean;
  lower: number | null; // null: no limit
  upper: number | null;
  terms: number[]; // parameters that drive it
}

export interface ParameterInfo {
  name: string;
  lower: number | null;
  upper: number | null;
  rest: number;
  rigidity: number;
  group: number; // -1: none
  metres: boolean; // else radians
  drives: number[]; // freedoms
}

export interface SiteInfo {
  name: string;
  segment: number;
  frame: number[]; // x, y, z axis, origin: twelve numbers, in the segment
}

export interface FigureInfo {
  name: string;
  length: number;
  mass: number;
  segments: SegmentInfo[];
  freedoms: FreedomInfo[];
  parameters: ParameterInfo[];
  sites: SiteInfo[];
  groups: { name: string; parameters: number[] }[];
  root: number[]; // parameters that carry the whole figure
  mirrors: boolean;
  natural: boolean;
  /** Of several figures: the segments and parameters of each, from the first to one past the last. */
  figures?: { name: string; segments: [number, number]; parameters: [number, number] }[];
}

export interface HoldingLimit {
  limit: string; // its name
  parameter: number; // -1: a limit over several
  share: number; // 0 to 1
}

export interface ConstraintReport {
  name: string;
  drag: boolean; // a grip, not a constraint of the scene
  counted: boolean;
  met: boolean;
  soft?: boolean;
  error_mm?: number;
  error_degrees?: number;
  /** Of a strength limit: the torque beyond what is permitted, in parts of it; 0 where it can be held. */
  overload?: number;
  value: number;
  comfort?: number;
  held_back_by: HoldingLimit[];
  /** Of a strength limit: the joints that are too weak or, if none is, those with a strength; the most used first. */
  joints?: UsedJoint[];
  /** Of a clearance constraint: contacts, the deepest first; of obstacles also those within a millimetre of the margin. */
  touches?: Touch[];
}

export interface UsedJoint {
  joint: string; // the name of its degree of freedom
  freedom: number;
  torque: number; // N m, towards larger angles
  strength: number; // N m, in that direction
}

export interface Touch {
  between: string; // both parts by name
  segment: number;
  obstacle?: string; // name of the obstacle; for a figure with its part: "other/left_hand"; or
  other?: number; // the segment that it touches
  gap_mm: number; // negative if they overlap
  too_near: boolean; // inside the margin; else it rests there
  at: Vec3; // on the skin of the segment
  normal: Vec3; // points away from the obstacle
}

export interface PoseReport {
  exit: string;
  met: boolean;
  method: string;
  rejection?: string;
  restarts: number;
  degrees_of_freedom: number;
  iterations: number;
  evaluations: number;
  objective: number;
  objective_before: number;
  kkt: number;
  start_projected: boolean;
  soft_scale: number;
  constraints: ConstraintReport[];
}

/** Of a pull: the report of its answer, and whether that is what is shown. */
export interface PulledReport extends PoseReport {
  settled: boolean;
}

/** The derivative of all residuals by the parameters that may move, in metres and radians, without weights. */
export interface GoalJacobian {
  constraints: number[]; // by row: its constraint
  parameters: number[]; // by column
  rows: number[][];
  /** Of the dimensionless matrix: residuals and translations in lengths of the figure. Decreasing. */
  singular_values: number[];
  rank: number;
  condition: number | null; // largest / smallest singular value; null in a singular pose
}

export interface DemandReport {
  name: string;
  frames: number;
  met: boolean;
  /** Of alternatives: this one was not taken. */
  taken?: false;
  error_mm?: number;
  error_degrees?: number;
  worst_frame?: number;
}

export interface MotionReport {
  exit: string;
  met: boolean;
  degrees_of_freedom: number;
  iterations: number;
  /** Hard demands that cannot hold together in a frame, by name; a single one is out of reach. */
  contradictions?: { frame: number; demands: string[] }[];
  demands: DemandReport[];
  /** What is not clear, in a frame or `after` a part of the way to the next one. */
  keep_clear?: {
    changed: number;
    overlaps: { frame: number; after?: number; gap_mm: number; text: string; contradicted_by?: string[] }[];
  };
  /** What does not count in a motion, such as a pull; of keep() and animate(). */
  notes?: string[];
  contacts?: number;
  scale?: number;
  bones_off_degrees?: number;
}

/** A file format that the module reads. */
export interface FileFormat {
  key: string; // "bvh"
  name: string; // "BVH"
  extensions: string; // ".glb .vrm"
  writes: boolean;
  motions: boolean; // whether a file can contain motions
  refers: boolean; // whether a file may refer to others: buffers, images
  preference: number; // of several files opened together, the one with the highest is the main one
}

export interface ContentInfo {
  format: string;
  unit: string;
  figure: boolean;
  markers: boolean;
  skin: boolean;
  skeleton?: string; // the file with the skeleton of a motion
  clips: { name: string; frames: number; frame_time: number }[];
  notes: string[];
}

/** How a pose is assessed; doc/assess.md explains the options. */
export interface AssessOptions {
  /** Masses, each shared equally by its places. */
  loads?: readonly { readonly at: readonly string[]; readonly kg: number }[];
  carried_by?: "usual" | "feet" | "root";
  sex?: "male" | "female"; // whose strength
  percentile?: number; // 5 to 95
  held?: boolean;
  repeated?: boolean;
  shock?: boolean;
  sitting?: boolean; // with a backrest; the root supports the body
  arm_supported?: boolean;
  coupling?: "good" | "fair" | "poor" | "unacceptable";
}

export interface AssessedJoint {
  parameter: number;
  name: string;
  freedom: number; // the degree of freedom of the torque
  angle: number;
  comfort: number; // 1 in the comfortable range, 0 at the limit
  torque: number; // N m, produced by the muscles
  strength: number | null; // N m; null: not known
  share: number | null; // torque divided by strength
  at_stop: boolean; // supported by the end of its range
}

export interface PostureScore {
  score: number;
  action_level: number;
  meaning: string;
}

export interface Assessment {
  body_kg: number;
  load_kg: number;
  centre: Vec3; // of all masses
  outside: number; // metres from the centre of mass to the support polygon; 0 inside
  reactions: { foot: string; segment: number; newtons: number; at: Vec3 }[];
  discomfort: number; // of the whole pose, 0 to 1
  joints: AssessedJoint[];
  discomfort_by_segment: number[]; // of the joint above the segment; -1: none
  share_by_segment: number[];
  first?: { freedom: number; parameter: number; share: number }; // the joint that fails first
  max_load: { at: string[]; kg: number | null; freedom: number; parameter: number }; // null: no joint ever fails
  left?: { rula: PostureScore; reba: PostureScore };
  right?: { rula: PostureScore; reba: PostureScore };
  no_scores: string; // why there are none
}

export type Interpolation = "step" | "linear" | "spline";

/** How values go on from a key to the next, and how a spline passes the key. */
export interface Style {
  interpolation?: Interpolation; // default: spline
  even?: boolean; // at constant speed
  tension?: number; // these three from -1 to 1
  continuity?: number;
  bias?: number;
}

/** A pose at a time, and the interpolation to the next key. */
export interface Key extends Style {
  time: number;
  pose: readonly number[];
  easeIn?: number; // fraction of the interval to the next key spent accelerating
  easeOut?: number;
  channels?: Readonly<Record<string, Style>>; // by name, where a channel has a style of its own
}

/** At `time` the motion shows what the keys have at `shows`. */
export interface TimingKnot {
  time: number;
  shows: number;
}

/**
 * Which rotations are interpolated as one: those of joints with three about coordinate axes; or also three hinges in a
 * row whose axes meet at a point, and the three parameters of a joint group.
 */
export type Rotations = "joints" | "balls";

export interface SequenceOptions {
  timing?: readonly TimingKnot[]; // default: none, the keys have the times of the motion
  rotations?: Rotations; // default: joints
}

/** Parameters that are interpolated together. */
export interface Channel {
  name: string;
  kind: "single" | "position" | "rotation";
  parameters: number[];
}

export interface Span {
  from: number; // seconds; may be -Infinity
  to: number;
  easeIn: number;
  easeOut: number;
}

/** When a constraint of Clip.keep() is active: by default, always. */
export interface MotionSpan extends Partial<Span> {
  /** The point of the goal moves along this way meanwhile. Needs a finite `from` and `to`, or `progress`. */
  path?: Path;
}

/** A curve through points. */
export interface Path {
  points: readonly Vec3[];
  straight?: boolean; // with corners
  evenly?: boolean; // at constant speed; else it starts and stops gently
  progress?: readonly (readonly [time: number, part: number])[]; // the part of its length covered at some times
}

/** How a motion is solved. */
export interface MotionOptions {
  iterations?: number; // max: of all frames together, or per frame
  eachFrame?: boolean; // frame by frame, as in live playback
}

export interface BodyMesh {
  segment: Int32Array; // by vertex
  position: Float32Array; // three per vertex, in its segment
  normal: Float32Array;
  triangle: Int32Array; // three per triangle
  part: Int32Array; // by triangle: the segment that a click on it selects
  material: Int32Array; // by triangle: 0 body, 1 eye
}

/** A reach map in numbers, as printed by `limber reach --json`. */
export interface ReachNumbers {
  finished: boolean;
  resolution_m: number;
  tolerance_m: number;
  cells: { all: number; reached: number; not_reached: number; of_these_proved: number; undecided: number };
  solves: number;
  litres: number;
  litres_of_cells: number;
  square_metres: number;
  min_m: Vec3;
  max_m: Vec3;
  from_m: Vec3; // origin of the directions
  farthest_m: Record<string, number | null>; // "front", "up left" …; null: nothing there
  held_back_by: { limit: string; parameter: number; share: number }[]; // parameter -1: a limit over several
  left_out: string[]; // constraints on the handle, which are ignored
}

export interface ReachSurface {
  position: Float32Array; // three per vertex
  normal: Float32Array; // outward
  limits: Float32Array; // by vertex: distance of the pose from its limits, 1 in the middle of all, 0 at all limits
  comfort: Float32Array; // by vertex: 1 comfortable, 0 at all limits
  witness: Int32Array; // by vertex: index of the pose that reaches the adjacent cell
  triangle: Int32Array; // three per triangle, counter-clockwise from outside
  parameters: Int32Array; // the parameters that move; all others are as in the start pose
  poses: Float64Array; // one row per witness: a number per moving parameter
}
