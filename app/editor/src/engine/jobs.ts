// The jobs of the worker, their inputs and outputs: solves that take longer than a frame.
import type {
  ContentInfo,
  FigureValue,
  Key,
  MotionReport,
  PoseReport,
  ReachMeasure,
  ReachNumbers,
  ReachOptions,
  ReachSurface,
  Rotations,
  SceneOf,
  Span,
  TrackerOptions,
} from "limber";
import type { Doc } from "../document/document.js";

// The figure of a document.
export interface Subject {
  readonly figure: FigureValue;
  readonly files: Readonly<Record<string, string>>;
}

export interface ReachQuestion {
  readonly subject: Subject;
  readonly scene: SceneOf;
  readonly pose: readonly number[];
  readonly options: ReachOptions;
}

export interface Jobs {
  // Solves one pose until all constraints are met.
  solve: { in: { subject: Subject; scene: SceneOf; pose: readonly number[] }; out: { pose: Float64Array; report: PoseReport } };
  // The motion between keys that keeps the constraints.
  keep: {
    in: {
      subject: Subject;
      scene: SceneOf;
      spans: readonly Span[];
      keys: readonly Key[];
      rotations: Rotations;
      frameTime: number;
    };
    out: { poses: Float64Array; frameTime: number; start: number; report: MotionReport };
  };
  clean: { in: { subject: Subject; frameTime: number; poses: Float64Array }; out: { poses: Float64Array; report: MotionReport } };
  retarget: {
    in: { from: Subject; clip: number; file: string; to: Subject };
    out: { poses: Float64Array; frameTime: number; report: MotionReport };
  };
  // Tracks places of a reference motion: per frame the pose, the errors in metres and the time in milliseconds.
  compare: {
    in: { subject: Subject; poses: Float64Array; options: TrackerOptions };
    out: { poses: Float64Array; mean: Float64Array; max: Float64Array; milliseconds: Float64Array };
  };
  // The fewest keys that follow a motion within a tolerance.
  reduce: {
    in: { subject: Subject; frameTime: number; poses: Float64Array; degrees: number; metres: number };
    out: { keys: Key[] };
  };
  // The content of a file, and the rest pose of its figure.
  read: { in: { files: Subject["files"]; name: string }; out: { info: ContentInfo; rest: number[] } };
  // One motion of a file.
  motion: { in: { files: Subject["files"]; name: string; clip: number }; out: { poses: Float64Array; frameTime: number } };
  // A scene of the command-line tool as a document.
  scene: { in: { files: Subject["files"]; name: string; text: string }; out: { doc: Doc } };
  // The points that a place can reach, and their surface as a file.
  reach: { in: ReachQuestion; out: { surface: ReachSurface; numbers: ReachNumbers } };
  reachFile: { in: ReachQuestion & { name: string; measure: ReachMeasure }; out: { bytes: Uint8Array } };
  // Fails if limber.wasm rejects the figure, a pose or a constraint of a document.
  check: { in: { doc: Doc }; out: { doc: Doc } };
}

export interface RejectionValue {
  where: string;
  found: string;
  expected: string;
  line: number;
  column: number;
}

export type JobName = keyof Jobs;
export type Request = { [J in JobName]: { id: number; job: J; input: Jobs[J]["in"] } }[JobName];
export type Answer =
  | { id: number; output: unknown }
  | { id: number; error: string; rejection?: RejectionValue; trapped?: boolean }
  | { id: number; done: number; of: number };
