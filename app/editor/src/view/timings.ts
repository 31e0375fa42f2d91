// How long the last solves of drags took, in milliseconds.
export class Timings {
  private readonly values: Float64Array;
  private next = 0;
  count = 0; // kept

  constructor(readonly size = 1000) {
    this.values = new Float64Array(size);
  }

  add(milliseconds: number): void {
    this.values[this.next] = milliseconds;
    this.next = (this.next + 1) % this.size;
    this.count = Math.min(this.size, this.count + 1);
  }

  clear(): void {
    this.next = this.count = 0;
  }

  // The value below which that fraction of them lies; 0 if there are none.
  quantile(part: number): number {
    if (this.count === 0) return 0;
    const sorted = this.values.slice(0, this.count).sort();
    return sorted[Math.min(this.count - 1, Math.floor(part * this.count))]!;
  }
}
