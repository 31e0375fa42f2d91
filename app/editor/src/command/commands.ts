// Commands: pure functions from one document to the next. Results of kinematics (poses, mirrored keys) are computed by
// limber.wasm first and passed in as numbers.
import type { FigureValue, Key } from "limber";
import { retimed } from "./retime.js";
import { keyAt, type Constraint, type Doc, ConstraintChange } from "../document/document.js";

const without = <T extends { id: string }>(list: readonly T[], id: string) => list.filter((one) => one.id !== id);

export const setTitle = (doc: Doc, title: string): Doc => ({ ...doc, title });

// Sets the pose, and the pose of the key at a time if there is one.
export function setPose(doc: Doc, pose: ArrayLike<number>, time: number): Doc {
  const next = Array.from(pose);
  const at = keyAt(doc, time);
  const keys = at < 0 ? doc.keys : doc.keys.map((key, k) => (k === at ? { ...key, pose: next } : key));
  return { ...doc, pose: next, keys };
}

export const addConstraint = (doc: Doc, constraint: Constraint): Doc => ({
  ...doc,
  constraints: [...doc.constraints, constraint],
});

export const removeConstraint = (doc: Doc, id: string): Doc => ({ ...doc, constraints: without(doc.constraints, id) });

export function changeConstraint(doc: Doc, id: string, change: ConstraintChange): Doc {
  const changed = (one: Constraint): Constraint => {
    const next: Record<string, unknown> = { ...one, ...change, id };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    return next as unknown as Constraint;
  };
  return { ...doc, constraints: doc.constraints.map((one) => (one.id === id ? changed(one) : one)) };
}

// A value equal to that of the figure, `own`, is not stored.
export function setRigidity(doc: Doc, parameter: string, rigidity: number, own = 0): Doc {
  const { [parameter]: _old, ...others } = doc.rigidity;
  return { ...doc, rigidity: rigidity !== own ? { ...others, [parameter]: rigidity } : others };
}

// 0, the default, is not stored.
export function setStiffness(doc: Doc, parameter: string, stiffness: number): Doc {
  const { [parameter]: _old, ...others } = doc.stiffness;
  return { ...doc, stiffness: stiffness > 0 ? { ...others, [parameter]: stiffness } : others };
}

export const setSolving = (doc: Doc, change: Partial<Pick<Doc, "method" | "options" | "iterations" | "natural">>): Doc => ({
  ...doc,
  ...change,
});

export const setMotion = (doc: Doc, change: Partial<Pick<Doc, "frameRate" | "keep">>): Doc => ({ ...doc, ...change });

// Adds a key, or replaces the one at its time.
export function setKey(doc: Doc, key: Key): Doc {
  const at = keyAt(doc, key.time);
  const keys = at < 0 ? [...doc.keys, key] : doc.keys.map((old, k) => (k === at ? { ...old, ...key, time: old.time } : old));
  return { ...doc, keys: keys.sort((a, b) => a.time - b.time) };
}

// Makes a key of the pose that a command has set.
export function keyed(before: Doc, doc: Doc, time: number): Doc {
  const isPosed = doc.pose !== before.pose && doc.figure === before.figure && doc.files === before.files;
  return isPosed && keyAt(doc, time) < 0 ? setKey(doc, { time, pose: doc.pose }) : doc;
}

// Replaces the keys. The intervals of constraints follow keys that only moved in time.
export const setKeys = (doc: Doc, keys: readonly Key[]): Doc => ({
  ...doc,
  keys,
  constraints: retimed(doc.constraints, doc.keys, keys),
});

export function changeKeys(doc: Doc, first: number, count: number, change: Partial<Key>): Doc {
  return { ...doc, keys: doc.keys.map((key, k) => (k >= first && k < first + count ? { ...key, ...change } : key)) };
}

// Replaces the figure. Poses, keys, constraints and loads belong to the old one and are removed.
export function setFigure(doc: Doc, figure: FigureValue, files: Readonly<Record<string, string>>, pose: ArrayLike<number>): Doc {
  const { assess: _, ...others } = doc;
  return { ...others, figure, files, pose: Array.from(pose), rigidity: {}, stiffness: {}, constraints: [], keys: [] };
}
