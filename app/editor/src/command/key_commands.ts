// Edits of keys. limber.wasm edits a sequence (W93 6.1.2); here the result becomes a list of keys again, with the other
// members of each key. Throws what limber.wasm rejects.
import { Sequence, type Figure, type Key, type Rotations } from "limber";
import { frameTime, type Doc } from "../document/document.js";

export interface Range {
  readonly first: number;
  readonly count: number;
}
type Keys = readonly Key[];

// The figure of a document, and which of its rotations are interpolated as one.
export interface Rig {
  readonly figure: Figure;
  readonly rotations?: Rotations | undefined;
}
const sequenceOf = ({ figure, rotations = "joints" }: Rig, keys: Keys) => Sequence.of(figure, keys, { rotations });

// The members of a key that set its interpolation, and their defaults.
export const plainStyle = {
  interpolation: "spline",
  easeIn: 0,
  easeOut: 0,
  even: false,
  tension: 0,
  continuity: 0,
  bias: 0,
} as const;
export type Style = Pick<Key, keyof typeof plainStyle>;
const styleNames = Object.keys(plainStyle) as (keyof Style)[];
const known = new Set<string>(["time", "pose", "channels", ...styleNames]);

const isSameList = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((value, k) => value === b[k]);
const isSameKey = (a: Key, b: Key) =>
  a.time === b.time &&
  a.pose === b.pose &&
  JSON.stringify(a.channels) === JSON.stringify(b.channels) &&
  styleNames.every((name) => (a[name] ?? plainStyle[name]) === (b[name] ?? plainStyle[name]));

// A key returned by limber.wasm, with the other members of its original. The original itself if nothing has changed.
function merged(made: Key, source: Key | undefined): Key {
  if (!source) return made;
  const extras = Object.fromEntries(Object.entries(source).filter(([name]) => !known.has(name)));
  const { interpolation = plainStyle.interpolation, ...others } = made;
  const key: Key = {
    ...extras,
    ...others,
    ...(interpolation === plainStyle.interpolation ? {} : { interpolation }),
    pose: isSameList(made.pose, source.pose) ? source.pose : made.pose,
  };
  return isSameKey(key, source) ? source : key;
}

type Origin = (k: number, count: number) => Key | undefined;

function edited(rig: Rig, keys: Keys, edit: (sequence: Sequence) => Sequence, origin: Origin = (k) => keys[k]): Key[] {
  const before = sequenceOf(rig, keys);
  try {
    const after = edit(before);
    const made = after.keys();
    after.drop();
    return made.map((key, k) => merged(key, origin(k, made.length)));
  } finally {
    before.drop();
  }
}

const lastOf = ({ first, count }: Range) => first + count - 1;
export const timesOf = (keys: Keys, range: Range) => ({ from: keys[range.first]!.time, to: keys[lastOf(range)]!.time });

export const copyKeys = (keys: Keys, { first, count }: Range): Key[] => keys.slice(first, first + count);

export function eraseKeys(rig: Rig, keys: Keys, { first, count }: Range, move = false): Key[] {
  if (first === 0 && count === keys.length) return [];
  return edited(
    rig,
    keys,
    (sequence) => sequence.erase(first, count, move),
    (k) => keys[k < first ? k : k + count],
  );
}

// Pastes with the first key at `time`. The keys replace those in their interval, or later keys `move` to make room.
export function pasteKeys(rig: Rig, keys: Keys, copied: Keys, time: number, move = false): Key[] {
  if (copied.length === 0) return [...keys];
  if (keys.length === 0) return slideKeys(rig, copied, { first: 0, count: copied.length }, time - copied[0]!.time);
  const minGap = 1e-9; // limber.wasm merges keys nearer than this
  const before = keys.filter((key) => key.time <= time - minGap).length;
  const pasted = sequenceOf(rig, copied);
  try {
    return edited(
      rig,
      keys,
      (sequence) => sequence.paste(pasted, time, move),
      (k, count) => (k < before ? keys[k] : k < before + copied.length ? copied[k - before] : keys[keys.length - count + k]),
    );
  } finally {
    pasted.drop();
  }
}

// The indices of the keys that were pasted at a time.
export const pastedRange = (keys: Keys, time: number, count: number): Range => ({
  first: Math.max(
    0,
    keys.findIndex((key) => key.time > time - 1e-6),
  ),
  count,
});

export function mirrorKeys(rig: Rig, keys: Keys, { first, count }: Range): Key[] {
  return edited(rig, keys, (sequence) => sequence.mirror(first, count));
}

export function reverseKeys(rig: Rig, keys: Keys, range: Range): Key[] {
  const { first, count } = range;
  const isIn = (k: number) => k >= first && k < first + count;
  return edited(
    rig,
    keys,
    (sequence) => sequence.reverse(first, count),
    (k) => keys[isIn(k) ? first + lastOf(range) - k : k],
  );
}

function notBeforeZero(keys: Key[]): Key[] {
  if (keys[0]!.time < -1e-9) throw new Error(`the first key would come ${(-keys[0]!.time).toFixed(2)} s before the beginning`);
  return keys;
}

// Keys before and after the range move along with its ends.
export function stretchKeys(rig: Rig, keys: Keys, { first, count }: Range, factor: number, about: number): Key[] {
  return notBeforeZero(edited(rig, keys, (sequence) => sequence.stretch(first, count, factor, about)));
}

export function slideKeys(rig: Rig, keys: Keys, { first, count }: Range, seconds: number, move = false): Key[] {
  return notBeforeZero(edited(rig, keys, (sequence) => sequence.slide(first, count, seconds, move)));
}

// With other rotations as one. Channels that both have keep their styles.
export function setRotations(rig: Rig, doc: Doc, rotations: Rotations): Doc {
  const { rotations: _, ...plain } = doc;
  const keys = doc.keys.length > 0 ? edited(rig, doc.keys, (sequence) => sequence.withRotations(rotations)) : doc.keys;
  return { ...plain, keys, ...(rotations === "joints" ? {} : { rotations }) };
}

// How far a range can slide without passing its neighbours.
export function roomToSlide(doc: Doc, range: Range, move = false): { min: number; max: number } {
  const { keys } = doc;
  const { from, to } = timesOf(keys, range);
  const before = keys[range.first - 1];
  const after = move ? undefined : keys[lastOf(range) + 1];
  return {
    min: Math.min(0, (before ? before.time + frameTime(doc) : 0) - from),
    max: Math.max(0, (after ? after.time - frameTime(doc) : Infinity) - to),
  };
}

const pause = 0.5; // seconds to the copy of a single key

// Inserts a copy of the range after it; later keys make room.
export function duplicateKeys(rig: Rig, doc: Doc, range: Range): { keys: Key[]; range: Range } {
  const { keys } = doc;
  const { from, to } = timesOf(keys, range);
  const gap =
    range.count > 1 ? to - keys[lastOf(range) - 1]!.time : Math.max(1, Math.round(pause * doc.frameRate)) / doc.frameRate;
  const next = range.first + range.count;
  const roomy = next < keys.length ? slideKeys(rig, keys, { first: next, count: keys.length - next }, gap + to - from) : keys;
  return { keys: pasteKeys(rig, roomy, copyKeys(keys, range), to + gap), range: { first: next, count: range.count } };
}

// Snaps times that are within a millionth of a frame, to remove rounding errors.
export function onFrames(keys: Key[], frameRate: number): Key[] {
  return keys.map((key) => {
    const frame = Math.round(key.time * frameRate);
    const time = frame / frameRate;
    return key.time !== time && Math.abs(key.time * frameRate - frame) < 1e-6 ? { ...key, time } : key;
  });
}

// Sets the interpolation of keys. Default values are removed.
export function setStyle(doc: Doc, { first, count }: Range, change: Partial<Style>): Doc {
  const styled = (key: Key): Key => {
    const next: Record<string, unknown> = { ...key, ...change };
    for (const name of styleNames) if (next[name] === undefined || next[name] === plainStyle[name]) delete next[name];
    return next as unknown as Key;
  };
  return { ...doc, keys: doc.keys.map((key, k) => (k >= first && k < first + count ? styled(key) : key)) };
}
