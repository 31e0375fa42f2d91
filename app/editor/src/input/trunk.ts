// What stays as it is, softly, while a part is pulled by the whole body: the root, and where the limbs branch off. So the
// limb goes first and the trunk follows as far as it must, instead of leaning at once because it is the longest lever.
import type { Figure } from "limber";
import type { Constraint } from "../document/document.js";
import { frameOf } from "../document/places.js";

// Weights against 1 of the pull: small enough that the pulled point is off by about a millimetre, and some ten times
// what keeps the other joints calm.
const rootWeight = 0.01;
const branchWeight = 0.003;

export function movingChildren(figure: Figure, segment: number): number[] {
  const { segments } = figure.info;
  const children = [];
  for (let child = segment + 1; child < segments[segment]!.end; child = segments[child]!.end) {
    const [from, to] = segments[child]!.freedoms;
    if (to > from || segments[child]!.end > child + 1) children.push(child);
  }
  return children;
}

export const rootOf = (figure: Figure, segment: number): number => {
  const { parent } = figure.info.segments[segment]!;
  return parent < 0 ? segment : rootOf(figure, parent);
};

// From the root along the largest part of the figure to where it branches: the chest of a human.
export function chestOf(figure: Figure, root: number): number {
  const { segments } = figure.info;
  const size = (s: number) => segments[s]!.end - s;
  let at = root;
  for (let children = movingChildren(figure, at); children.length > 0; children = movingChildren(figure, at)) {
    at = children.reduce((a, b) => (size(b) > size(a) ? b : a));
    if (movingChildren(figure, at).length > 1) return at;
  }
  return root;
}

// For parts that are pulled at the same time.
export function trunkHolds(figure: Figure, pulled: readonly number[], pose: ArrayLike<number>): Constraint[] {
  const { segments } = figure.info;
  const root = rootOf(figure, pulled[0]!);
  const chest = chestOf(figure, root);
  const holds: Constraint[] = [];
  const hold = (of: number, weight: number, isPlaced: boolean) => {
    const { name } = segments[of]!;
    const { p, x, y } = frameOf(figure, name, pose);
    holds.push({
      id: `hold ${name}`,
      handle: { frame: name },
      goal: isPlaced ? { placement: { p, x, y } } : { orientation: { x, y } },
      weight,
    });
  };
  const isOfRoot = (segment: number) => figure.chain(segment, "part") === figure.chain(root, "part");
  hold(root, rootWeight, !pulled.some(isOfRoot));
  const isOfTrunk = (segment: number) => !isOfRoot(segment) && segment <= chest && chest < segments[segment]!.end;
  if (chest !== root && !pulled.some(isOfTrunk)) hold(chest, branchWeight, false);
  const branches = new Set(pulled.map((segment) => segments[figure.chain(segment, "branch")]!.parent));
  for (const branch of branches) if (branch >= 0 && branch !== root && branch !== chest) hold(branch, branchWeight, false);
  return holds;
}
