// Values as colours of the body: green at 0, yellow at 0.5, red at 1, dark beyond; grey without a value. The same colours as
// in the pictures of the command-line tool.
import type { Editor } from "./stage.js";

type Colour = readonly [number, number, number];
const cool: Colour = [118, 190, 122];
const warm: Colour = [243, 210, 92];
const hot: Colour = [219, 68, 55];
const beyond: Colour = [122, 16, 48];
const none: Colour = [150, 155, 162]; // between the backgrounds of both themes

const mix = (a: Colour, b: Colour, t: number): Colour =>
  a.map((value, k) => Math.round(value + t * (b[k]! - value))) as unknown as Colour;

export function heatColour(heat: number | null): number {
  const [r, g, b] =
    heat === null || !(heat >= 0)
      ? none
      : heat <= 0.5
        ? mix(cool, warm, 2 * heat)
        : heat <= 1
          ? mix(warm, hot, 2 * heat - 1)
          : mix(hot, beyond, Math.min(1, heat - 1));
  return (r << 16) | (g << 8) | b;
}

export const cssColour = (heat: number) => `#${heatColour(heat).toString(16).padStart(6, "0")}`;

// By segment.
export const heatOf = (values: readonly number[]): Map<number, number> =>
  new Map(values.map((value, segment) => [segment, heatColour(value)]));

// Shows the document's figure in these colours; undefined: in its own.
export function showHeat(app: Editor, values: readonly number[] | undefined): void {
  app.stage.setHeat(values && heatOf(values));
}
