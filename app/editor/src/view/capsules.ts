// A plain body for figures without a body mesh: a capsule per bone, whose radius follows from the mass of its segment.
import type { BodyMesh, FigureInfo, SegmentInfo } from "limber";

const sides = 20;
const rings = 5; // per round end
const minRadius = 0.011; // of the figure's length: still visible and large enough to press
const maxRoundness = 0.6; // max radius per length, so that short bones do not become balls larger than their neighbours

type Vec = readonly [number, number, number];
const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a: Vec, f: number): Vec => [a[0] * f, a[1] * f, a[2] * f];
const unit = (a: Vec): Vec => scaled(a, 1 / (Math.hypot(...a) || 1));

function radiusOf(segment: SegmentInfo, length: number, figureLength: number): number {
  const min = minRadius * figureLength;
  const thick = segment.radius > 0 ? segment.radius : 0.12 * length;
  return Math.max(min, segment.mass > 0 ? thick : Math.min(thick, maxRoundness * length));
}

export function capsuleBody({ segments, length: figureLength }: Pick<FigureInfo, "segments" | "length">): BodyMesh {
  const segment: number[] = [];
  const position: number[] = [];
  const normal: number[] = [];
  const triangle: number[] = [];
  const part: number[] = [];
  segments.forEach((one, s) => {
    const along = minus(one.tip, one.at);
    const length = Math.hypot(...along);
    const isLeaf = one.end === s + 1;
    if (length === 0 && one.mass === 0 && !isLeaf) return; // a joint without a body
    const y: Vec = length > 0 ? unit(along) : [0, 1, 0];
    const x = unit(cross(Math.abs(y[0]) < 0.7 ? [1, 0, 0] : [0, 0, 1], y));
    const z = cross(x, y);
    const radius = radiusOf(one, length, figureLength);
    const first = position.length / 3;
    const rows = 2 * (rings + 1);
    for (let row = 0; row < rows; ++row) {
      const upper = row > rings;
      const angle = -Math.PI / 2 + (Math.PI / 2) * ((upper ? row - 1 : row) / rings);
      const centre = upper ? one.tip : one.at;
      for (let k = 0; k < sides; ++k) {
        const turn = (2 * Math.PI * k) / sides;
        const out = [0, 1, 2].map(
          (j) => Math.cos(angle) * (Math.cos(turn) * x[j]! + Math.sin(turn) * z[j]!) + Math.sin(angle) * y[j]!,
        );
        normal.push(...out);
        position.push(...out.map((value, j) => centre[j]! + radius * value));
        segment.push(s);
      }
    }
    for (let row = 0; row + 1 < rows; ++row)
      for (let k = 0; k < sides; ++k) {
        const a = first + row * sides + k;
        const b = first + row * sides + ((k + 1) % sides);
        triangle.push(a, a + sides, b, b, a + sides, b + sides);
        part.push(s, s);
      }
  });
  return {
    segment: Int32Array.from(segment),
    position: Float32Array.from(position),
    normal: Float32Array.from(normal),
    triangle: Int32Array.from(triangle),
    part: Int32Array.from(part),
    material: new Int32Array(part.length),
  };
}
