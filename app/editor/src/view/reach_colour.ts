// Red, yellow, green: the same colours as in the files of the command-line tool.
const stops = [
  [0.84, 0.19, 0.15],
  [0.99, 0.85, 0.45],
  [0.1, 0.6, 0.31],
] as const;

// The colour of a measure from 0 to 1, as red, green and blue from 0 to 1.
export function reachColour(measure: number): [number, number, number] {
  const at = 2 * Math.min(1, Math.max(0, Number.isFinite(measure) ? measure : 0));
  const k = at < 1 ? 0 : 1;
  const t = at - k;
  return [0, 1, 2].map((c) => (1 - t) * stops[k][c]! + t * stops[k + 1]![c]!) as [number, number, number];
}
