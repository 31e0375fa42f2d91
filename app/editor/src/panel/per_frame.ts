// Work that is asked for often and done at most once a frame.
export class PerFrame {
  private isAsked = false;

  constructor(private readonly work: () => void) {}

  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.work();
    });
  }
}
