// Soft constraints that hold the root and the segments where limbs branch off while the whole body follows a drag. So the
// limb moves first and the trunk follows as far as needed, instead of leaning at once because it is the longest lever.
import type { Figure } from "limber";
import type { Constraint } from "../document/document.js";
import { frameOf } from "../document/places.js";

// Weights relative to 1 of the drag: small enough that the error of the dragged point is about a millimetre, and about ten
// times the weight that damps the other joints.
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

// From the root along the largest child to the first branch: the chest of a human.
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

// For parts that are dragged at the same time.
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
