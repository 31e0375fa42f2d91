// Commands on the settings of the assessment: loads, sex, percentile, sitting.
import type { Doc } from "../document/document.js";
import { AssessSettings, Load, loadsOf } from "../document/assess.js";

// Members that are undefined, false or empty are removed; so are settings without members.
export function setAssess(doc: Doc, change: { [K in keyof AssessSettings]: AssessSettings[K] | undefined }): Doc {
  const { assess: _, ...others } = doc;
  const isStated = (value: unknown) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  const assess = Object.fromEntries(Object.entries({ ...doc.assess, ...change }).filter(([, value]) => isStated(value)));
  return Object.keys(assess).length > 0 ? { ...others, assess } : others;
}

export const addLoad = (doc: Doc, load: Load): Doc => setAssess(doc, { loads: [...loadsOf(doc), load] });

export const changeLoad = (doc: Doc, index: number, change: Partial<Load>): Doc =>
  setAssess(doc, { loads: loadsOf(doc).map((one, k) => (k === index ? { ...one, ...change } : one)) });

export const removeLoad = (doc: Doc, index: number): Doc => setAssess(doc, { loads: loadsOf(doc).filter((_, k) => k !== index) });
