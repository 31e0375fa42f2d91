// Which parameters belong together, and which of them turn a part of the body.
import type { FigureInfo } from "limber";

// The parameters of the joint of a segment; for a segment fixed to its parent, those of the parent.
export function parametersOf(info: FigureInfo, segment: number): number[] {
  for (let at = segment; at >= 0; at = info.segments[at]!.parent) {
    const [from, to] = info.segments[at]!.freedoms;
    const all = new Set(info.freedoms.slice(from, to).flatMap(({ terms }) => terms));
    if (all.size > 0) return [...all].sort((a, b) => a - b);
  }
  return [];
}

// The groups of the figure; other parameters are grouped by joint.
export function grouped(info: FigureInfo): { name: string; parameters: number[] }[] {
  const groups = new Map<string, number[]>();
  info.parameters.forEach(({ name, group }, k) => {
    const title = group >= 0 ? info.groups[group]!.name : name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : name;
    groups.set(title, [...(groups.get(title) ?? []), k]);
  });
  return [...groups].map(([name, parameters]) => ({ name, parameters }));
}

// The segment that a parameter turns: the last of those that it drives, which moves most.
export function segmentTurnedBy(info: FigureInfo, parameter: number): number {
  const freedom = info.parameters[parameter]?.drives.at(-1);
  return freedom === undefined ? -1 : info.segments.findIndex(({ freedoms: [from, to] }) => freedom >= from && freedom < to);
}
