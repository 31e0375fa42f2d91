// A straight limb is a stationary point: asked to shorten along itself, a solve does not move it. Slightly bent first, it
// reaches the goal.
import type { Figure, PoseReport, PosedScene, SolveOptions } from "limber";

const atStop = (2 * Math.PI) / 180;
const bending = (8 * Math.PI) / 180;
const stuck = (0.5 * Math.PI) / 180;
const degree = 9; // mm that a degree counts as
const better = 0.9; // of the error: the bent pose must be this much better

const errorOf = ({ constraints }: PoseReport) =>
  constraints.reduce(
    (sum, { counted, met, error_mm: mm = 0, error_degrees: turn = 0 }) => sum + (counted && !met ? mm + degree * turn : 0),
    0,
  );

// The pose with all joints that are at a limit moved slightly off it.
export function offStops(figure: Figure, pose: ArrayLike<number>): Float64Array {
  return Float64Array.from(pose, (value, j) => {
    const { lower, upper, rigidity, metres } = figure.info.parameters[j]!;
    if (metres || lower === null || upper === null || rigidity >= 1) return value;
    if (value - lower < atStop) return Math.min(value + bending, (lower + upper) / 2);
    if (upper - value < atStop) return Math.max(value - bending, (lower + upper) / 2);
    return value;
  });
}

// Solves from the pose. If constraints remain unmet, solves again from a bent pose and keeps the better result.
// `onlyStuck`: again only if the solve did not move, so that a drag does not jump.
export function solveBending(posed: PosedScene, pose: Float64Array, options: SolveOptions, onlyStuck = false): PoseReport {
  const start = Float64Array.from(pose);
  posed.solve(pose, options);
  const report = posed.report();
  const error = errorOf(report);
  if (error === 0 || (onlyStuck && pose.some((value, j) => Math.abs(value - start[j]!) > stuck))) return report;
  const bent = offStops(posed.figure, start);
  posed.solve(bent, options);
  const second = posed.report();
  if (errorOf(second) > better * error) return report;
  pose.set(bent);
  return second;
}
