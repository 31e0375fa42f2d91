// From numbers per frame to lines in a plot: a round top for the axis, one value per pixel, frames from positions.

// The smallest of 1, 2, 5, 10 … that is at least the value; `min` for tiny values.
export function roundTop(value: number, min = 0.01): number {
  if (!(value > min)) return min;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-12)) return factor * power;
  return 10 * power;
}

// Values reduced to at most `columns`: the max of each column, so that no peak is lost.
export function peaks(values: ArrayLike<number>, columns: number): number[] {
  const count = Math.min(values.length, Math.max(1, Math.floor(columns)));
  return Array.from({ length: count }, (_, column) => {
    const from = Math.floor((column * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / count));
    let max = -Infinity;
    for (let k = from; k < to; ++k) max = Math.max(max, values[k]!);
    return max;
  });
}

// "x,y x,y …" of an SVG polyline: the first value at the left edge, the last at the right, 0 at the bottom, `top` at the top.
export function polyline(values: readonly number[], top: number, width: number, height: number): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, k) => `${(k * step).toFixed(1)},${(height * (1 - Math.min(1, Math.max(0, value / top)))).toFixed(1)}`)
    .join(" ");
}

// The frame at a position of the plot.
export const frameAt = (x: number, width: number, frames: number): number =>
  frames < 2 || width <= 0 ? 0 : Math.min(frames - 1, Math.max(0, Math.round((x / width) * (frames - 1))));

export const placeOf = (frame: number, width: number, frames: number): number =>
  frames < 2 ? 0 : (frame / (frames - 1)) * width;

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < values.length; ++k) sum += values[k]!;
  return values.length > 0 ? sum / values.length : 0;
}

// The value below which that fraction of all values lies.
export function quantile(values: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

// The value with few digits.
export const short = (value: number): string =>
  value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 0.005 || value === 0
        ? value.toFixed(2)
        : "below 0.01";
