// Commands on the obstacles of a document. An obstacle is identified by its name.
import type { ObstacleValue, Vec3 } from "limber";
import { freshId, type Constraint, type Doc } from "../document/document.js";
import { ShapeValue, clearOf, obstacleCalled } from "../document/obstacle.js";

export const firstMargin = 0.005; // metres

// "box", "box 2": a name that no other obstacle has.
export function freshName(doc: Doc, wish: string): string {
  const taken = new Set(doc.obstacles.map(({ name }) => name));
  if (!taken.has(wish)) return wish;
  for (let k = 2; ; ++k) if (!taken.has(`${wish} ${k}`)) return `${wish} ${k}`;
}

// The first obstacle also adds a clearance constraint; later ones are added to a constraint that lists its obstacles.
export function addObstacle(doc: Doc, obstacle: ObstacleValue): Doc {
  const next = { ...doc, obstacles: [...doc.obstacles, obstacle] };
  const clears = doc.constraints.filter((one) => one.keep_clear);
  if (clears.length === 0) {
    if (doc.obstacles.length > 0) return next;
    const made: Constraint = { id: freshId(doc), name: "keep clear", keep_clear: { margin: firstMargin }, weight: "must" };
    return { ...next, constraints: [...doc.constraints, made] };
  }
  if (clears.some((one) => clearOf(one).of === undefined)) return next;
  const [first] = clears;
  return {
    ...next,
    constraints: doc.constraints.map((one) => (one === first ? named(one, (names) => [...names, obstacle.name]) : one)),
  };
}

const changed = (doc: Doc, name: string, change: (old: ObstacleValue) => ObstacleValue): Doc => ({
  ...doc,
  obstacles: doc.obstacles.map((one) => (one.name === name ? change(one) : one)),
});

export const moveObstacle = (doc: Doc, name: string, p: Vec3): Doc => changed(doc, name, (old) => ({ ...old, p }));

// Replaces the orientation.
export const turnObstacle = (doc: Doc, name: string, turns: NonNullable<ObstacleValue["turns"]>): Doc =>
  changed(doc, name, ({ quaternion: _quaternion, matrix: _matrix, turns: _turns, ...old }) =>
    turns.length > 0 ? { ...old, turns } : old,
  );

export const resizeObstacle = (doc: Doc, name: string, shape: ShapeValue): Doc =>
  changed(doc, name, (old) => ({ ...old, ...shape }));

// Throws if another obstacle has the name.
export function renameObstacle(doc: Doc, name: string, next: string): Doc {
  if (name === next) return doc;
  if (obstacleCalled(doc, next)) throw new Error(`there is another obstacle called ${next}`);
  const constraints = doc.constraints.map((one) => named(one, (names) => names.map((old) => (old === name ? next : old))));
  return { ...changed(doc, name, (old) => ({ ...old, name: next })), constraints };
}

// Also removes the clearance constraints that have no obstacle left.
export function removeObstacle(doc: Doc, name: string): Doc {
  const obstacles = doc.obstacles.filter((one) => one.name !== name);
  const rest = doc.constraints.map((one) => named(one, (names) => names.filter((old) => old !== name)));
  const isNeeded = (one: Constraint) =>
    !one.keep_clear || clearOf(one).self === true || (clearOf(one).of?.length ?? obstacles.length) > 0;
  return { ...doc, obstacles, constraints: rest.filter(isNeeded) };
}

// A constraint with its list of obstacles changed; the same object if it has no list.
function named(constraint: Constraint, change: (names: string[]) => string[]): Constraint {
  const clear = clearOf(constraint);
  return clear.of ? { ...constraint, keep_clear: { ...clear, of: change(clear.of) } } : constraint;
}
