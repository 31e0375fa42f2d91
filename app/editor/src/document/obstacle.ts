// Reads the obstacles of a document and its clearance constraints. An obstacle is identified by its name.
import type { ObstacleValue } from "limber";
import type { Constraint, Doc } from "./document.js";

export type Clear = Exclude<NonNullable<Constraint["keep_clear"]>, true>;

export const shapes = ["box", "ball", "capsule", "floor", "hull", "mesh", "figure"] as const;

export type Shape = (typeof shapes)[number];

export type ShapeValue = Pick<ObstacleValue, Shape>;

export const shapeOf = (obstacle: ObstacleValue): Shape => shapes.find((shape) => obstacle[shape] !== undefined)!;

export const obstacleCalled = (doc: Doc, name: string) => doc.obstacles.find((one) => one.name === name);

// The obstacle that a report names. A part of a figure is called "other/left_hand".
export function obstacleMeant(doc: Doc, name: string): string {
  if (obstacleCalled(doc, name)) return name;
  const owners = doc.obstacles.filter((one) => one.figure && name.startsWith(`${one.name}/`));
  return owners.sort((a, b) => b.name.length - a.name.length)[0]?.name ?? name;
}

// The settings of a clearance constraint.
export const clearOf = ({ keep_clear: clear }: Constraint): Clear => (typeof clear === "object" ? clear : {});

const keepingClear = 12; // min iterations: contacts appear and disappear within a solve

// Iterations per frame while something is dragged.
export const iterationsOf = (doc: Doc): number =>
  doc.constraints.some((one) => one.keep_clear && one.enabled !== false)
    ? Math.max(keepingClear, doc.iterations)
    : doc.iterations;
