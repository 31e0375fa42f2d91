// Below the thumbnails: a mark at the time of each key, and its interpolation to the next key.
//
//   square and stairs    step          a bar at the ends of a line: eased in and out
//   diamond and line     linear        two lines: at constant speed
//   disc and curve       spline
import type { Key } from "limber";
import type { Doc } from "../../document/document.js";
import { cleared } from "./timeline.js";
import type { TimelineView } from "./timeline_view.js";

export const marksHeight = 12;
const middle = marksHeight / 2;
const size = 3.5;

export function drawMarks(canvas: HTMLCanvasElement, doc: Doc, view: TimelineView, isChosen: (k: number) => boolean): void {
  const draw = cleared(canvas, view.width, marksHeight);
  const style = getComputedStyle(canvas);
  const [faint, text, accent] = ["--faint", "--text", "--accent"].map((name) => style.getPropertyValue(name));
  const { keys } = doc;
  const isSeen = (k: number) => view.x(keys[k]!.time) > -size && view.x(keys[k]!.time) < view.width + size;
  draw.strokeStyle = faint!;
  for (let k = 0; k + 1 < keys.length; ++k) {
    const [from, to] = [view.x(keys[k]!.time), view.x(keys[k + 1]!.time)];
    if (to < 0 || from > view.width || to - from < 4 * size) continue;
    drawWay(draw, keys[k]!, from + size + 1, to - size - 1);
  }
  for (const k of keys.keys()) {
    if (!isSeen(k)) continue;
    draw.fillStyle = isChosen(k) ? accent! : text!;
    drawMark(draw, keys[k]!, view.x(keys[k]!.time));
  }
}

function drawMark(draw: CanvasRenderingContext2D, { interpolation = "spline" }: Key, x: number): void {
  draw.beginPath();
  if (interpolation === "step") draw.rect(x - size + 0.5, middle - size + 0.5, 2 * size - 1, 2 * size - 1);
  else if (interpolation === "spline") draw.arc(x, middle, size, 0, 2 * Math.PI);
  else {
    const s = size + 0.8;
    draw.moveTo(x - s, middle);
    draw.lineTo(x, middle - s);
    draw.lineTo(x + s, middle);
    draw.lineTo(x, middle + s);
  }
  draw.fill();
}

function drawWay(
  draw: CanvasRenderingContext2D,
  { interpolation = "spline", easeIn = 0, easeOut = 0, even = false }: Key,
  from: number,
  to: number,
): void {
  const low = marksHeight - 2;
  const high = 2;
  const centre = (from + to) / 2;
  const way = (shift: number) => {
    draw.beginPath();
    draw.moveTo(from, low + shift);
    if (interpolation === "step") {
      draw.lineTo(to - 1, low + shift);
      draw.lineTo(to - 1, high + shift);
    } else if (interpolation === "linear") {
      draw.lineTo(to, high + shift);
    } else {
      draw.bezierCurveTo(centre, low + shift, centre, high + shift, to, high + shift);
    }
    draw.stroke();
  };
  draw.lineWidth = 1;
  way(0);
  if (even) way(-2.5);
  draw.lineWidth = 2.5;
  const ease = (a: number, b: number, y: number) => {
    draw.beginPath();
    draw.moveTo(a, y);
    draw.lineTo(b, y);
    draw.stroke();
  };
  if (easeIn > 0) ease(from, from + easeIn * (to - from), low + 0.5);
  if (easeOut > 0) ease(to - easeOut * (to - from), to, high - 0.5);
}
