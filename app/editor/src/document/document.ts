// The document: all that is saved, and all that undo brings back. A value that never changes; commands.ts makes the next
// one of it, store.ts keeps them.
//
// Poses are arrays of numbers, one a parameter of the figure, in radians and metres. Constraints are those of a scene
// (doc/scene.md), in degrees and metres, with a name of their own and the time while they are in force.
import type { ConstraintValue, FigureValue, Key, MethodValue, ObstacleValue, SceneOf, SceneOptions, Span } from "limber";
import type { AssessSettings } from "./assess.js";

export interface Constraint extends ConstraintValue {
  readonly id: string;
  readonly span?: Span; // none: always
  readonly standing?: Readonly<Record<string, number>>; // of a balance: the pose whose feet it is over, degrees and metres
  readonly shows?: "cup"; // what stands at its goal, to be seen
  readonly on?: readonly string[]; // of a balance: the feet that are on the ground in it; none: all of them
}

export interface Doc {
  readonly title: string;
  readonly figure: FigureValue;
  readonly files: Readonly<Record<string, string>>; // base64, by name: the figure's own
  readonly pose: readonly number[]; // the one that was posed last
  readonly rigidity: Readonly<Record<string, number>>; // by parameter, 0 to 1; 1 is locked
  readonly stiffness: Readonly<Record<string, number>>; // by parameter, 0 or more: what is stiffer moves less while others can serve
  readonly constraints: readonly Constraint[];
  readonly obstacles: readonly ObstacleValue[]; // what stands in the way, each with a name of its own
  readonly natural: number; // 0: off
  readonly method: MethodValue;
  readonly options?: Omit<SceneOptions, "method">; // of solving all the way, where a scene came with them
  readonly iterations: number; // a refresh
  readonly keys: readonly Key[]; // by time
  readonly frameRate: number;
  readonly keep: boolean; // constraints hold between keys
  readonly assess?: AssessSettings; // what hangs on the figure, and whose strength it has
}

export const frameTime = (doc: Doc) => 1 / doc.frameRate;

// The time of the nearest frame.
export const onFrame = (doc: Doc, time: number) => Math.round(time * doc.frameRate) / doc.frameRate;

// As the module knows it.
export const valueOf = ({
  id: _id,
  span: _span,
  standing: _standing,
  shows: _shows,
  on,
  ...constraint
}: Constraint): ConstraintValue => ({ ...constraint, ...(on ? { balance: [...on] } : {}) });

// The scene to be solved in a pose, for the module.
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

// The document with those constraints off that are not in force at a time; the same one where all are.
export function activeAt(doc: Doc, time: number): Doc {
  const isOut = ({ span, enabled }: Constraint) =>
    span !== undefined && enabled !== false && (time < span.from - 1e-9 || time > span.to + 1e-9);
  if (!doc.constraints.some(isOut)) return doc;
  return { ...doc, constraints: doc.constraints.map((one) => (isOut(one) ? { ...one, enabled: false } : one)) };
}

export const spanOf = (constraint: Constraint): Span =>
  constraint.span ?? { from: -Infinity, to: Infinity, easeIn: 0, easeOut: 0 };

// The key at a time, within half a frame; -1 where there is none.
export function keyAt(doc: Doc, time: number): number {
  return doc.keys.findIndex((key) => Math.abs(key.time - time) < 0.5 / doc.frameRate);
}

export const lastTime = (doc: Doc) => doc.keys.at(-1)?.time ?? 0;

let named = 0;
// A name that no other constraint has.
export function freshId(doc: Doc): string {
  const taken = new Set(doc.constraints.map(({ id }) => id));
  for (;;) {
    const id = `c${++named}`;
    if (!taken.has(id)) return id;
  }
}

// Members that are undefined are taken out.
export type ConstraintChange = Partial<{ [K in keyof Constraint]: Constraint[K] | undefined }>;
