// The visible range of the timeline: seconds to pixels and back, zoom, scroll, and the marks of the ruler.

const minSeconds = 0.5; // seconds shown at max zoom
const maxSeconds = 3600;
const atRest = 3; // min seconds shown while it fits the keys
export const spare = 1.12; // of the fitted time: room for more keys
const edge = 30; // px before 0 and after the end, for half a thumbnail

export class TimelineView {
  start = 0; // s, at the left end
  perSecond = 200; // px
  width = 600; // px
  isFitted = true; // follows the end of the keys until the user zooms
  private readonly listeners = new Set<() => void>();

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  x(time: number): number {
    return edge + (time - this.start) * this.perSecond;
  }
  time(x: number): number {
    return this.start + (x - edge) / this.perSecond;
  }
  get end(): number {
    return this.time(this.width);
  }

  setWidth(width: number): void {
    if (width <= 0 || width === this.width) return;
    this.width = width;
    this.changed();
  }

  // Fits all keys, with room for more.
  fit(end: number): void {
    const perSecond = (this.width - 2 * edge) / Math.min(maxSeconds, Math.max(atRest, spare * end));
    if (this.isFitted && this.start === 0 && perSecond === this.perSecond) return;
    this.isFitted = true;
    this.start = 0;
    this.perSecond = perSecond;
    this.changed();
  }

  // The time at x stays there.
  zoom(factor: number, x = this.width / 2): void {
    const time = this.time(x);
    const room = this.width - 2 * edge;
    this.isFitted = false;
    this.perSecond = Math.min(room / minSeconds, Math.max(room / maxSeconds, this.perSecond * factor));
    this.start = Math.max(0, time - (x - edge) / this.perSecond);
    this.changed();
  }

  scroll(pixels: number): void {
    this.isFitted = false;
    this.start = Math.max(0, this.start + pixels / this.perSecond);
    this.changed();
  }

  // Scrolls so that a time is visible.
  reveal(time: number): void {
    const x = this.x(time);
    if (x >= edge / 2 && x <= this.width - edge / 2) return;
    this.isFitted = false;
    this.start = Math.max(0, time - (x < edge ? 0.9 : 0.1) * ((this.width - 2 * edge) / this.perSecond));
    this.changed();
  }
}

export interface Mark {
  readonly time: number;
  readonly frame: number;
  readonly isLabelled: boolean;
}

const parts = [0.05, 0.1, 0.2, 0.25, 0.5]; // of a second, if they are whole frames
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];

// Marks of the ruler: seconds where there is room for labels, frames where they can be distinguished.
export function marksOf(view: TimelineView, frameRate: number): Mark[] {
  const label = 74; // px from one to the next
  const apart = 5;
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;
  const fractions = [
    ...new Set([
      1,
      ...parts
        .map((seconds) => seconds * frameRate)
        .filter(isWhole)
        .map(Math.round),
    ]),
  ];
  const choices = [...fractions, ...steps.map((seconds) => seconds * frameRate)];
  const wide = (frames: number, room: number) => (frames / frameRate) * view.perSecond >= room;
  const labelled = choices.find((frames) => wide(frames, label)) ?? choices.at(-1)!;
  const small = choices.find((frames) => wide(frames, apart) && labelled % frames === 0) ?? labelled;
  const marks: Mark[] = [];
  const last = Math.ceil(view.end * frameRate);
  for (let frame = small * Math.max(0, Math.floor((view.start * frameRate) / small)); frame <= last; frame += small)
    marks.push({ time: frame / frameRate, frame, isLabelled: Math.abs(frame / labelled - Math.round(frame / labelled)) < 1e-9 });
  return marks;
}

const decimals = (value: number, digits: number) => value.toFixed(digits).replace(/\.?0+$/, "");
export const secondsText = (time: number) => `${decimals(time, 3) || "0"}`;
