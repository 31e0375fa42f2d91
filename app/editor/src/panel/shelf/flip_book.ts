// A thumbnail that plays its sequence while the pointer or the focus is on it. W93 6.1.3. With reduced motion it shows only
// the keys, one after the other.
import { Sequence, type Figure, type Key } from "limber";
import { paintPose } from "../../ui/thumbnail.js";

const rate = 15; // pictures per second
const slowRate = 1; // keys per second with reduced motion

export function flipBook(figure: Figure, keys: readonly Key[], host: HTMLElement, canvas: HTMLCanvasElement): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    if (canvas.isConnected) paintPose(canvas, figure, keys[0]!.pose);
  };
  const start = () => {
    if (timer !== undefined) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const sequence = Sequence.of(figure, keys);
    const frames = isCalm ? keys.map(({ pose }) => pose) : poses(sequence);
    sequence.drop();
    let frame = 0;
    timer = setInterval(
      () => {
        if (!canvas.isConnected) return stop();
        paintPose(canvas, figure, frames[++frame % frames.length]!);
      },
      1000 / (isCalm ? slowRate : rate),
    );
  };
  host.addEventListener("pointerenter", start);
  host.addEventListener("pointerleave", stop);
  host.addEventListener("focus", start);
  host.addEventListener("blur", stop);
}

const maxPictures = 150; // longer sequences play faster

function poses(sequence: Sequence): Float64Array[] {
  const { start, end } = sequence;
  const count = Math.min(maxPictures, Math.max(2, Math.round((end - start) * rate)));
  return Array.from({ length: count }, (_, k) => sequence.at(start + ((end - start) * k) / (count - 1)));
}
