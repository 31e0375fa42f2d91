// The camera of a view, moved by one pointer or two.
import type { View } from "./views.js";
import { slackOf } from "./pointers.js";

interface Finger {
  x: number;
  y: number;
  fresh: boolean; // its position is not known yet
}

export class Navigation {
  private readonly fingers = new Map<number, Finger>();
  private pans = false;
  private start = { x: 0, y: 0 };
  private moved = false;
  private several = false;

  constructor(
    private readonly view: View,
    private readonly changed: () => void,
    private readonly clicked: () => void,
    private readonly menu: (view: View, event: PointerEvent) => void,
  ) {}

  down(id: number, event: PointerEvent | undefined): void {
    if (this.fingers.size === 0) {
      this.moved = this.several = false;
      this.pans = event !== undefined && (event.button === 1 || event.shiftKey);
      this.start = { x: event?.clientX ?? 0, y: event?.clientY ?? 0 };
    } else this.several = true;
    this.fingers.set(id, { x: event?.clientX ?? 0, y: event?.clientY ?? 0, fresh: event === undefined });
  }

  move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    if (!this.several && !this.moved) {
      if (Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < slackOf(event)) return;
      this.moved = true;
      this.view.element.classList.add("orbiting");
    }
    const before = this.middle();
    const [dx, dy] = finger.fresh ? [0, 0] : [event.clientX - finger.x, event.clientY - finger.y];
    Object.assign(finger, { x: event.clientX, y: event.clientY, fresh: false });
    if (this.fingers.size === 1) {
      if (this.pans) this.view.pan(dx, dy);
      else this.view.orbit(dx, dy);
    } else this.pinch(before);
    this.changed();
  }

  private middle(): { x: number; y: number; width: number } | undefined {
    const [a, b] = [...this.fingers.values()].filter(({ fresh }) => !fresh);
    return a && b && { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  private pinch(before: { x: number; y: number; width: number } | undefined): void {
    const now = this.middle();
    if (!before || !now) return;
    this.view.pan(now.x - before.x, now.y - before.y);
    if (now.width > 0 && before.width > 0) this.view.zoom(before.width / now.width, now.x, now.y);
  }

  end(event: PointerEvent): void {
    const wasStill = this.fingers.size === 1 && !this.moved && !this.several && event.type === "pointerup";
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.view.element.classList.remove("orbiting");
    if (wasStill && event.button === 0) this.clicked();
    if (wasStill && event.button === 2) this.menu(this.view, event);
  }

  cancel(): void {
    this.fingers.clear();
    this.view.element.classList.remove("orbiting");
  }
}
