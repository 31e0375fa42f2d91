// Red, yellow, green: the colours of the files that the tool writes.
const stops = [
  [0.84, 0.19, 0.15],
  [0.99, 0.85, 0.45],
  [0.1, 0.6, 0.31],
] as const;

// Of a measure from 0 to 1; red, green and blue from 0 to 1.
export function reachColour(measure: number): [number, number, number] {
  const at = 2 * Math.min(1, Math.max(0, Number.isFinite(measure) ? measure : 0));
  const k = at < 1 ? 0 : 1;
  const t = at - k;
  return [0, 1, 2].map((c) => (1 - t) * stops[k][c]! + t * stops[k + 1]![c]!) as [number, number, number];
}
