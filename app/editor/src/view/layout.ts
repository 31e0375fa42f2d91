// The layout of the views: one large with the others beside it, one alone, or four equal ones.            W93 Fig. 6.2
export type ViewKind = "front" | "side" | "top" | "perspective";
export const viewKinds: readonly ViewKind[] = ["front", "side", "top", "perspective"];

export type Arrangement = "beside" | "alone" | "four";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const gap = 1;
const narrow = 0.27; // max share of the width for the small views

export function rectsOf(
  width: number,
  height: number,
  arrangement: Arrangement,
  large: ViewKind,
): Partial<Record<ViewKind, Rect>> {
  const w = Math.max(1, Math.floor(width));
  const h = Math.max(1, Math.floor(height));
  if (arrangement === "alone") return { [large]: { x: 0, y: 0, width: w, height: h } };
  if (arrangement === "four") return quarters(w, h);
  const small = viewKinds.filter((kind) => kind !== large);
  const side = Math.floor(Math.min(narrow * w, (h - 2 * gap) / 3));
  const rects: Partial<Record<ViewKind, Rect>> = { [large]: { x: 0, y: 0, width: w - side - gap, height: h } };
  small.forEach((kind, k) => {
    const y = Math.round((k * (h + gap)) / 3);
    rects[kind] = { x: w - side, y, width: side, height: Math.round(((k + 1) * (h + gap)) / 3) - gap - y };
  });
  return rects;
}

// Top above front, and side beside front, as in technical drawings.
function quarters(w: number, h: number): Record<ViewKind, Rect> {
  const left = Math.floor((w - gap) / 2);
  const upper = Math.floor((h - gap) / 2);
  const right = { x: left + gap, width: w - left - gap };
  const lower = { y: upper + gap, height: h - upper - gap };
  return {
    top: { x: 0, y: 0, width: left, height: upper },
    perspective: { ...right, y: 0, height: upper },
    front: { x: 0, width: left, ...lower },
    side: { ...right, ...lower },
  };
}
