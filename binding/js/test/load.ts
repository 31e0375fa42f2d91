// What the tests share: the module, files of the repository, numbers that look random and are the same each time.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadLimber, type Figure, type Limber, type Vec3 } from "../src/index.js";

export const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
export const file = (name: string) => new Uint8Array(readFileSync(path(name)));
export const text = (name: string) => readFileSync(path(name), "utf8");

const compiled = WebAssembly.compile(file(process.env.LIMBER_WASM ?? "build/wasm/limber.wasm"));

export const load = async (): Promise<Limber> => loadLimber(await compiled);
export const compiledModule = () => compiled;

// mulberry32: from 0 up to 1.
export function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// A point of a box about a centre.
export const about = (next: () => number, centre: Vec3, half: number): Vec3 =>
  centre.map((x) => x + half * (2 * next() - 1)) as Vec3;

export const segmentNamed = (figure: Figure, name: string): number => {
  const found = figure.info.segments.findIndex((one) => one.name === name);
  if (found < 0) throw new Error(`no segment ${name}`);
  return found;
};

// Where a site is in a pose.
export function siteAt(figure: Figure, name: string, pose: ArrayLike<number>): Vec3 {
  const site = figure.info.sites.find((one) => one.name === name);
  if (!site) throw new Error(`no site ${name}`);
  const frame = figure.place(pose).subarray(12 * site.segment, 12 * site.segment + 12);
  const local = site.frame.slice(9, 12);
  return [0, 1, 2].map(
    (k) => frame[k]! * local[0]! + frame[3 + k]! * local[1]! + frame[6 + k]! * local[2]! + frame[9 + k]!,
  ) as Vec3;
}

export const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

export const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let largest = 0;
  for (let k = 0; k < a.length; ++k) largest = Math.max(largest, Math.abs(a[k]! - b[k]!));
  return largest;
};
