// Where in time the playhead is, and how it moves while the motion plays.
import { frameTime, lastTime, onFrame, type Doc } from "../document/document.js";
import type { Emitter } from "./events.js";

export class Playback {
  speed = 1;
  loop = true;
  private time_ = 0;
  private playing_ = false;

  constructor(
    private readonly events: Emitter,
    private readonly docNow: () => Doc,
    private readonly leave: () => void, // before the playhead leaves a pose that it was standing at
    private readonly show: (time: number) => void,
  ) {}

  get time(): number {
    return this.time_;
  }
  get playing(): boolean {
    return this.playing_;
  }
  get start(): number {
    return this.docNow().keys[0]?.time ?? 0;
  }
  get end(): number {
    return lastTime(this.docNow());
  }

  // Moves the playhead and shows the motion there.
  setTime(time: number): void {
    if (!this.playing_ && time !== this.time_) this.leave();
    this.moveTo(Math.max(0, time));
    this.show(this.time_);
  }

  // Moves the playhead alone.
  moveTo(time: number): void {
    this.time_ = time;
    this.events.emit("time", time);
  }

  // The playhead is not beyond the end of another document.
  rewindBeyond(end: number): void {
    if (this.time_ > end) this.time_ = 0;
  }

  play(playing: boolean): void {
    if (playing === this.playing_ || (playing && this.docNow().keys.length < 2)) return;
    if (playing) this.leave();
    this.playing_ = playing;
    this.events.emit("playing", playing);
    if (!playing) return this.setTime(onFrame(this.docNow(), this.time_));
    if (this.time_ >= this.end || this.time_ < this.start) this.setTime(this.start);
    this.run();
  }

  private run(): void {
    let last = performance.now();
    const step = (now: number) => {
      if (!this.playing_) return;
      if (this.docNow().keys.length < 2) return this.play(false);
      const { start, end } = this;
      let time = this.time_ + ((now - last) / 1000) * this.speed;
      last = now;
      if (time >= end && this.loop) time = start + ((time - start) % Math.max(frameTime(this.docNow()), end - start));
      this.setTime(Math.min(time, end));
      if (time >= end && !this.loop) return this.play(false);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}
