// The input of a reach map: which place, which joints may move, which constraints hold.
import type { Figure, ReachSurface, SceneOf, Vec3 } from "limber";
import type { ReachQuestion } from "./jobs.js";
import { segmentOf } from "../document/places.js";
import { sceneOf, type Doc } from "../document/document.js";

export const wholeBody = ""; // instead of a joint: all joints may move, and the constraints of the document hold

// The places whose reach can be mapped.
export const handlesOf = (figure: Figure): string[] => [
  ...new Set([...figure.info.sites, ...figure.info.segments].map(({ name }) => name)),
];

// The place of a part: its palm before its wrist, or the part itself.
export function handleOfPart(figure: Figure, segment: number): string {
  const own = figure.info.sites.filter((site) => site.segment === segment).map(({ name }) => name);
  return own.find((name) => /palm|ball|head_top/.test(name)) ?? own[0] ?? figure.info.segments[segment]!.name;
}

export const usualHandle = (figure: Figure): string => {
  const handles = handlesOf(figure);
  return (
    handles.find((name) => name === "right_palm") ??
    handles.find((name) => /hand|palm|wrist/i.test(name)) ??
    handleOfPart(figure, figure.segments - 1)
  );
};

// Where a chain to the handle may start, nearest to the handle first: joints, or their joint groups.
export function chainStarts(figure: Figure, handle: string): string[] {
  const { segments, freedoms, parameters, groups, root } = figure.info;
  const starts: string[] = [];
  for (let at = segmentOf(figure, handle); at >= 0; at = segments[at]!.parent) {
    const {
      joint,
      freedoms: [from, to],
    } = segments[at]!;
    const moved = freedoms.slice(from, to).flatMap(({ terms }) => terms);
    if (moved.length === 0 || moved.some((one) => root.includes(one))) continue;
    const group = parameters[moved[0]!]!.group;
    starts.push(group >= 0 ? groups[group]!.name : joint);
  }
  return [...new Set(starts)];
}

// The limb: up to where the body branches.                                                                 W93 6.2
export function usualStart(figure: Figure, handle: string): string {
  const starts = chainStarts(figure, handle);
  const branch = figure.chain(segmentOf(figure, handle), "branch");
  const { freedoms: [from] = [0] } = figure.info.segments[branch] ?? {};
  const parameter = figure.info.freedoms[from]?.terms[0];
  const group = parameter === undefined ? -1 : figure.info.parameters[parameter]!.group;
  const name = group >= 0 ? figure.info.groups[group]!.name : figure.info.segments[branch]?.joint;
  return starts.find((one) => one === name) ?? starts.at(-1) ?? wholeBody;
}

type Asked = Pick<Doc, "constraints" | "obstacles" | "rigidity">;
const scenes = new WeakMap<Doc["constraints"], { of: Asked; from: string; scene: SceneOf }>();

// For a chain from a joint the rest of the body stays and only clearance constraints hold; for the whole body all active
// constraints hold. Cached until it changes, because it is read with every shown pose.
function sceneAsked(doc: Doc, from: string): SceneOf {
  const known = scenes.get(doc.constraints);
  if (known && known.from === from && known.of.obstacles === doc.obstacles && known.of.rigidity === doc.rigidity)
    return known.scene;
  const { constraints = [], options: _options, natural: _natural, stiffness: _stiffness, ...rest } = sceneOf(doc);
  const scene = { ...rest, constraints: constraints.filter((one) => one.keep_clear || (from === wholeBody && !one.pull)) };
  scenes.set(doc.constraints, { of: doc, from, scene });
  return scene;
}

export function questionOf(doc: Doc, pose: ArrayLike<number>, handle: string, from: string, resolution: number): ReachQuestion {
  return {
    subject: { figure: doc.figure, files: doc.files },
    scene: sceneAsked(doc, from),
    pose: Array.from(pose),
    options: { handle, resolution, ...(from === wholeBody ? {} : { from }) },
  };
}

const same = 1e-6; // radians, metres
const texts = new WeakMap<SceneOf, string>();

function textOf(scene: SceneOf): string {
  let text = texts.get(scene);
  if (text === undefined) texts.set(scene, (text = JSON.stringify(scene)));
  return text;
}

// Whether the map for one input is valid for another: parameters that the map varies do not count.
export function isAnswered(asked: ReachQuestion, now: ReachQuestion, { parameters }: Pick<ReachSurface, "parameters">): boolean {
  const { resolution: _was, ...options } = asked.options;
  const { resolution: _is, ...wanted } = now.options;
  const moves = new Set(parameters);
  return (
    asked.subject.figure === now.subject.figure &&
    asked.subject.files === now.subject.files &&
    asked.pose.every((value, k) => moves.has(k) || Math.abs(value - now.pose[k]!) <= same) &&
    JSON.stringify(options) === JSON.stringify(wanted) &&
    (asked.scene === now.scene || textOf(asked.scene) === textOf(now.scene))
  );
}

// The pose that reaches the surface at a vertex.
export function witnessPose(asked: ReachQuestion, surface: ReachSurface, vertex: number): Float64Array {
  const pose = Float64Array.from(asked.pose);
  const first = surface.witness[vertex]! * surface.parameters.length;
  surface.parameters.forEach((parameter, k) => (pose[parameter] = surface.poses[first + k]!));
  return pose;
}

// The vertex farthest along a direction.
export function maxVertexAlong({ position }: Pick<ReachSurface, "position">, [x, y, z]: Vec3): number {
  let best = -1;
  let max = -Infinity;
  for (let v = 0; v < position.length / 3; ++v) {
    const along = x * position[3 * v]! + y * position[3 * v + 1]! + z * position[3 * v + 2]!;
    if (along > max) [best, max] = [v, along];
  }
  return best;
}
