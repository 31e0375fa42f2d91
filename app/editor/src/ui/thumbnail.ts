// Small pictures of poses: each segment is a thick line with round ends, seen from the front, slightly from the side and
// from above, without perspective. Limbs are drawn from far to near, each with a rim in the background colour.
import type { Figure } from "limber";

export interface Size {
  readonly width: number; // CSS pixels
  readonly height: number;
}
export const keySize: Size = { width: 44, height: 56 };

// Colours are custom properties of the style sheet: --thumb-near, --thumb-far, --thumb-rim, --thumb-floor.
interface Colours {
  readonly near: string;
  readonly far: string;
  readonly rim: string;
  readonly floor: string;
}

// The line of sight.
const aside = 0.6; // radians from the front
const above = 0.18;
const across = [Math.cos(aside), 0, -Math.sin(aside)] as const;
const upward = [-Math.sin(aside) * Math.sin(above), Math.cos(above), -Math.cos(aside) * Math.sin(above)] as const;
const toward = [Math.sin(aside) * Math.cos(above), Math.sin(above), Math.cos(aside) * Math.cos(above)] as const;

const margin = 3; // CSS pixels
const minWidth = 1.6;
const rimWidth = 0.9;
const maxRadius = 0.07; // of the figure's height: thicker segments would hide the others

interface Stroke {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly radius: number;
  readonly depth: number;
  readonly limb: number;
}
interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

// The limb of each segment: an only child belongs to the limb of its parent.
const limbsOf = new WeakMap<Figure, number[]>();
function limbs(figure: Figure): number[] {
  let list = limbsOf.get(figure);
  if (list) return list;
  list = [];
  const { segments } = figure.info;
  const children = segments.map((_, s) => segments.filter(({ parent }) => parent === s).length);
  for (const [s, { parent }] of segments.entries()) list.push(parent > 0 && children[parent] === 1 ? list[parent]! : s);
  limbsOf.set(figure, list);
  return list;
}

type Direction = readonly [number, number, number];
const dot = (a: Direction, x: number, y: number, z: number) => a[0] * x + a[1] * y + a[2] * z;

// In metres, in the plane of the picture.
function strokesOf(figure: Figure, pose: ArrayLike<number>, height: number): Stroke[] {
  const frames = figure.place(pose);
  const strokes: Stroke[] = [];
  const limb = limbs(figure);
  const head =
    figure.info.sites.find(({ name }) => name === "head_top")?.segment ??
    figure.info.segments.findIndex(({ name }) => /^head$/i.test(name));
  figure.info.segments.forEach(({ at, tip, radius, length }, s) => {
    if (radius === 0 && length === 0) return;
    const world = (p: readonly number[]) =>
      [0, 1, 2].map(
        (row) =>
          frames[12 * s + row]! * p[0]! +
          frames[12 * s + 3 + row]! * p[1]! +
          frames[12 * s + 6 + row]! * p[2]! +
          frames[12 * s + 9 + row]!,
      ) as [number, number, number];
    let [a, b] = [world(at), world(tip)];
    if (s === head) a = b = [0, 1, 2].map((row) => a[row]! + 0.6 * (b[row]! - a[row]!)) as [number, number, number];
    const depth = dot(toward, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    strokes.push({
      limb: limb[s]!,
      x0: dot(across, ...a),
      y0: dot(upward, ...a),
      x1: dot(across, ...b),
      y1: dot(upward, ...b),
      radius: Math.min(radius, maxRadius * height),
      depth,
    });
  });
  return strokes;
}

function boxOf(strokes: readonly Stroke[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const { x0, y0, x1, y1, radius } of strokes) {
    box.left = Math.min(box.left, x0 - radius, x1 - radius);
    box.right = Math.max(box.right, x0 + radius, x1 + radius);
    box.bottom = Math.min(box.bottom, y0 - radius, y1 - radius);
    box.top = Math.max(box.top, y0 + radius, y1 + radius);
  }
  return box;
}

const rests = new WeakMap<Figure, Box>();
function restBox(figure: Figure): Box {
  let box = rests.get(figure);
  if (!box) rests.set(figure, (box = boxOf(strokesOf(figure, figure.rest(), Infinity))));
  return box;
}

// Scaled so that the figure at rest fits, so that a crouch looks low; smaller if the pose needs it. The floor is where the
// figure at rest stands.
function framed(
  figure: Figure,
  box: Box,
  { width, height }: Size,
): { scale: number; x: number; y: number; floor: number | undefined } {
  const rest = restBox(figure);
  const room = { width: width - 2 * margin, height: height - 2 * margin };
  const bottom = Math.min(rest.bottom, box.bottom);
  const top = Math.max(rest.top, box.top);
  const isNear = top - bottom < 1.5 * (rest.top - rest.bottom);
  const [low, high] = isNear ? [bottom, top] : [box.bottom, box.top];
  const scale = Math.min(room.height / Math.max(high - low, 1e-6), room.width / Math.max(box.right - box.left, 1e-6));
  const y = Math.min(height - margin, (height + scale * (high - low)) / 2) + scale * low;
  return { scale, x: width / 2 - (scale * (box.left + box.right)) / 2, y, floor: isNear ? y - scale * rest.bottom : undefined };
}

function coloursOf(host: Element): Colours {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim() || "currentColor";
  return { near: colour("--thumb-near"), far: colour("--thumb-far"), rim: colour("--thumb-rim"), floor: colour("--thumb-floor") };
}

// Draws into the canvas at the given size and at the resolution of the screen.
export function paintPose(
  canvas: HTMLCanvasElement,
  figure: Figure,
  pose: ArrayLike<number>,
  size: Size = keySize,
  colours: Colours = coloursOf(document.documentElement),
): void {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  const draw = canvas.getContext("2d")!;
  draw.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw.clearRect(0, 0, size.width, size.height);
  const rest = restBox(figure);
  const strokes = strokesOf(figure, pose, rest.top - rest.bottom);
  const { scale, x, y, floor } = framed(figure, boxOf(strokes), size);
  draw.lineCap = draw.lineJoin = "round";
  if (floor !== undefined) {
    draw.strokeStyle = colours.floor;
    draw.lineWidth = 1;
    draw.beginPath();
    draw.moveTo(margin, Math.round(floor) + 0.5);
    draw.lineTo(size.width - margin, Math.round(floor) + 0.5);
    draw.stroke();
  }
  const line = ({ x0, y0, x1, y1, radius }: Stroke, colour: string, more: number) => {
    draw.strokeStyle = colour;
    draw.lineWidth = Math.max(minWidth, 2 * radius * scale) + more;
    draw.beginPath();
    draw.moveTo(x + scale * x0, y - scale * y0);
    draw.lineTo(x + scale * x1 + 0.01, y - scale * y1);
    draw.stroke();
  };
  const parts = byLimb(strokes);
  const depths = parts.map(({ depth }) => depth);
  const middle = (Math.min(...depths) + Math.max(...depths)) / 2 - 0.02 * (rest.top - rest.bottom);
  for (const { depth, strokes } of parts) {
    for (const one of strokes) line(one, colours.rim, 2 * rimWidth);
    for (const one of strokes) line(one, depth < middle ? colours.far : colours.near, 0);
  }
}

// Farthest first.
function byLimb(strokes: readonly Stroke[]): { depth: number; strokes: Stroke[] }[] {
  const parts = new Map<number, Stroke[]>();
  for (const one of strokes) parts.set(one.limb, [...(parts.get(one.limb) ?? []), one]);
  const depthOf = (list: Stroke[]) => list.reduce((sum, { depth }) => sum + depth, 0) / list.length;
  return [...parts.values()].map((list) => ({ depth: depthOf(list), strokes: list })).sort((a, b) => a.depth - b.depth);
}

// Cached pictures: one per pose, figure, theme and screen.
const painted = new WeakMap<readonly number[], { stamp: string; canvas: HTMLCanvasElement }>();
const figureNumbers = new WeakMap<Figure, number>();
let figures = 0;

function stored(figure: Figure, pose: readonly number[]): HTMLCanvasElement {
  if (!figureNumbers.has(figure)) figureNumbers.set(figure, ++figures);
  const stamp = `${figureNumbers.get(figure)} ${document.documentElement.dataset.theme} ${window.devicePixelRatio}`;
  const old = painted.get(pose);
  if (old?.stamp === stamp) return old.canvas;
  const canvas = document.createElement("canvas");
  paintPose(canvas, figure, pose);
  painted.set(pose, { stamp, canvas });
  return canvas;
}

// Returns a new canvas.
export function pictureOf(figure: Figure, pose: readonly number[]): HTMLCanvasElement {
  const from = stored(figure, pose);
  const canvas = from.cloneNode() as HTMLCanvasElement;
  canvas.getContext("2d")!.drawImage(from, 0, 0);
  return canvas;
}
