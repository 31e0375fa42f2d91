// How the poses of a document are assessed: the loads on the figure, whose strength it has, whether it sits.
import type { AssessOptions } from "limber";
import type { Doc } from "./document.js";

export interface Load {
  readonly at: readonly string[]; // places that carry equal shares of it
  readonly kg: number;
}

export interface AssessSettings {
  readonly loads?: readonly Load[];
  readonly sex?: "male" | "female"; // default: the figure's, or male
  readonly percentile?: number; // default: 50
  readonly sitting?: boolean;
}

export const firstLoad = 5; // kg

export const maxLoad = 500;

export const minPercentile = 5;

export const maxPercentile = 95;

export const loadsOf = (doc: Doc): readonly Load[] => doc.assess?.loads ?? [];

export function sexOf(doc: Doc): "male" | "female" {
  const { human } = doc.figure as { human?: { sex?: "male" | "female" } };
  return doc.assess?.sex ?? human?.sex ?? "male";
}

export const percentileOf = (doc: Doc): number => doc.assess?.percentile ?? 50;

// The options that limber.wasm takes.
export const assessOptionsOf = (doc: Doc): AssessOptions => ({
  loads: loadsOf(doc),
  sex: sexOf(doc),
  percentile: percentileOf(doc),
  sitting: doc.assess?.sitting ?? false,
});

// Whether the value, read from a file, is valid.
export function isAssess(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  const { loads = [], sex, percentile, sitting } = value as Record<string, unknown>;
  const isLoad = ({ at, kg }: { at?: unknown; kg?: unknown }) =>
    Array.isArray(at) &&
    at.length > 0 &&
    at.every((one) => typeof one === "string") &&
    typeof kg === "number" &&
    kg >= 0 &&
    kg <= maxLoad;
  return (
    Array.isArray(loads) &&
    loads.every((one) => typeof one === "object" && one !== null && isLoad(one as object)) &&
    (sex === undefined || sex === "male" || sex === "female") &&
    (percentile === undefined ||
      (typeof percentile === "number" && percentile >= minPercentile && percentile <= maxPercentile)) &&
    (sitting === undefined || typeof sitting === "boolean")
  );
}
