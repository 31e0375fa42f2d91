// What a worker does, and what it answers: solves that take longer than a frame.
import type { FigureValue, Key, MotionReport, PoseReport, SceneOf, Span, TrackerOptions } from "limber";

// The figure, as the document has it.
export interface Subject {
  readonly figure: FigureValue;
  readonly files: Readonly<Record<string, string>>;
}

export interface Jobs {
  // One pose, until all is met.
  solve: { in: { subject: Subject; scene: SceneOf; pose: readonly number[] }; out: { pose: Float64Array; report: PoseReport } };
  // The motion between keys with the constraints kept.
  keep: {
    in: { subject: Subject; scene: SceneOf; spans: readonly Span[]; keys: readonly Key[]; frameTime: number };
    out: { poses: Float64Array; frameTime: number; start: number; report: MotionReport };
  };
  clean: { in: { subject: Subject; frameTime: number; poses: Float64Array }; out: { poses: Float64Array; report: MotionReport } };
  retarget: {
    in: { from: Subject; clip: number; file: string; to: Subject };
    out: { poses: Float64Array; frameTime: number; report: MotionReport };
  };
  // A figure that follows places of a reference motion: by frame the poses, the errors in metres and the time in ms.
  compare: {
    in: { subject: Subject; poses: Float64Array; options: TrackerOptions };
    out: { poses: Float64Array; mean: Float64Array; largest: Float64Array; milliseconds: Float64Array };
  };
  // As few keys as follow a motion within a tolerance.
  reduce: {
    in: { subject: Subject; frameTime: number; poses: Float64Array; degrees: number; metres: number };
    out: { keys: Key[] };
  };
}

export type JobName = keyof Jobs;
export type Request = { [J in JobName]: { id: number; job: J; input: Jobs[J]["in"] } }[JobName];
export type Answer = { id: number; output: unknown } | { id: number; error: string } | { id: number; done: number; of: number };
