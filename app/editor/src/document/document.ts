// The document: all that is saved and that undo restores. It is an immutable value; command/ makes the next one from it and
// state/store.ts keeps the history.
//
// Poses are arrays of numbers, one per parameter of the figure, in radians and metres. Constraints are those of a scene
// (doc/scene.md), in degrees and metres, with an id and the interval in which they are active.
import type {
  ConstraintValue,
  FigureValue,
  Key,
  MethodValue,
  ObstacleValue,
  Rotations,
  SceneOf,
  SceneOptions,
  Span,
} from "limber";
import type { AssessSettings } from "./assess.js";

export interface Constraint extends ConstraintValue {
  readonly id: string;
  readonly span?: Span; // default: always
  readonly standing?: Readonly<Record<string, number>>; // of a balance: the pose that places the feet, in degrees and metres
  readonly shows?: "cup"; // the object drawn at its goal
  readonly on?: readonly string[]; // of a balance: the feet that are on the ground; default: all of them
}

export interface Doc {
  readonly title: string;
  readonly figure: FigureValue;
  readonly files: Readonly<Record<string, string>>; // the files of the figure by name, in base64
  readonly pose: readonly number[]; // the last one that was edited
  readonly rigidity: Readonly<Record<string, number>>; // by parameter, 0 to 1; 1 is locked
  readonly stiffness: Readonly<Record<string, number>>; // by parameter, 0 or more: stiffer joints move less where others can move instead
  readonly constraints: readonly Constraint[];
  readonly obstacles: readonly ObstacleValue[]; // each with a unique name
  readonly natural: number; // 0: off
  readonly method: MethodValue;
  readonly options?: Omit<SceneOptions, "method">; // of a full solve, where the scene has them
  readonly iterations: number; // per refresh
  readonly keys: readonly Key[]; // by time
  readonly rotations?: Rotations; // interpolated as one; default: joints
  readonly frameRate: number;
  readonly keep: boolean; // whether constraints also hold between keys
  readonly assess?: AssessSettings; // the loads on the figure, and its strength
}

export const frameTime = (doc: Doc) => 1 / doc.frameRate;

// The time of the nearest frame.
export const onFrame = (doc: Doc, time: number) => Math.round(time * doc.frameRate) / doc.frameRate;

// The constraint as limber.wasm reads it.
export const valueOf = ({
  id: _id,
  span: _span,
  standing: _standing,
  shows: _shows,
  on,
  ...constraint
}: Constraint): ConstraintValue => ({ ...constraint, ...(on ? { balance: [...on] } : {}) });

// The scene that limber.wasm solves.
export function sceneOf(doc: Doc): SceneOf {
  const standing = doc.constraints.findLast((one) => one.standing && one.enabled !== false)?.standing;
  return {
    ...(standing ? { pose: standing } : {}),
    ...(doc.obstacles.length > 0 ? { obstacles: [...doc.obstacles] } : {}),
    constraints: doc.constraints.map(valueOf),
    rigidity: { ...doc.rigidity },
    ...(Object.keys(doc.stiffness).length > 0 ? { stiffness: { ...doc.stiffness } } : {}),
    ...(doc.natural > 0 ? { natural: doc.natural } : {}),
    options: { ...doc.options, method: doc.method },
  };
}

// The document with those constraints off that are not active at a time; the same object where all are active.
export function activeAt(doc: Doc, time: number): Doc {
  const isOut = ({ span, enabled }: Constraint) =>
    span !== undefined && enabled !== false && (time < span.from - 1e-9 || time > span.to + 1e-9);
  if (!doc.constraints.some(isOut)) return doc;
  return { ...doc, constraints: doc.constraints.map((one) => (isOut(one) ? { ...one, enabled: false } : one)) };
}

export const spanOf = (constraint: Constraint): Span =>
  constraint.span ?? { from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 };

// The index of the key at a time, within half a frame; -1 if there is none.
export function keyAt(doc: Doc, time: number): number {
  return doc.keys.findIndex((key) => Math.abs(key.time - time) < 0.5 / doc.frameRate);
}

export const lastTime = (doc: Doc) => doc.keys.at(-1)?.time ?? 0;

let named = 0;
// An id that no other constraint has.
export function freshId(doc: Doc): string {
  const taken = new Set(doc.constraints.map(({ id }) => id));
  for (;;) {
    const id = `c${++named}`;
    if (!taken.has(id)) return id;
  }
}

// Members that are undefined are removed.
export type ConstraintChange = Partial<{ [K in keyof Constraint]: Constraint[K] | undefined }>;
