// Assigns pointers to gestures. Each Press that was added is asked in turn, the last one first; the first that returns a
// gesture gets the pointer until it is released. Otherwise the pointer moves the camera.
//
// Mouse and pen: the left button is offered to all; on empty ground it orbits. Right orbits, middle or Shift pans.
// Touch: one finger acts as the left button; two fingers pan and zoom, unless the first is already dragging something or
// accepts the second into its gesture.
import type { View } from "./views.js";
import { Navigation } from "./navigation.js";

export interface Gesture {
  readonly moved: boolean; // farther than a click may
  move(event: PointerEvent): void;
  end(event: PointerEvent): void;
  cancel(): void;
  join?(view: View, event: PointerEvent): Gesture | undefined; // a second finger, if it takes part
}

export type Press = (view: View, event: PointerEvent) => Gesture | undefined;

const clickSlack = { mouse: 3, pen: 5, touch: 9 } as const; // pixels
export const slackOf = (event: PointerEvent): number =>
  clickSlack[event.pointerType as keyof typeof clickSlack] ?? clickSlack.mouse;

interface Held {
  readonly view: View;
  readonly gesture: Gesture | Navigation;
}

export class Pointers {
  private readonly presses: Press[] = [];
  private readonly held = new Map<number, Held>();
  private readonly navigations = new Map<View, Navigation>();

  constructor(
    views: readonly View[],
    private readonly changed: () => void, // a camera has moved
    private readonly hovered: (view: View | undefined, event: PointerEvent) => void,
    private readonly clickedEmpty: () => void,
    private readonly menu: (view: View, event: PointerEvent) => void, // a press of the right button that did not move
  ) {
    for (const view of views) this.listen(view);
    // Escape cancels the gesture.
    addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || this.held.size === 0) return;
        event.stopImmediatePropagation();
        event.preventDefault();
        this.cancel();
      },
      { capture: true },
    );
    addEventListener("blur", () => this.cancel());
  }

  add(press: Press): void {
    this.presses.push(press);
  }

  get busy(): boolean {
    return this.held.size > 0;
  }

  cancel(): void {
    const all = new Set([...this.held.values()].map(({ gesture }) => gesture));
    this.held.clear();
    for (const gesture of all) gesture.cancel();
  }

  // --- One pointer

  private listen(view: View): void {
    const { element } = view;
    element.addEventListener("pointerdown", (event) => this.down(view, event));
    element.addEventListener("pointermove", (event) => this.move(view, event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.lost(event));
    element.addEventListener("lostpointercapture", (event) => this.lost(event));
    element.addEventListener("pointerleave", (event) => !this.busy && this.hovered(undefined, event));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("wheel", (event) => this.wheel(view, event), { passive: false });
  }

  private down(view: View, event: PointerEvent): void {
    if (event.target instanceof Element && event.target.closest("button")) return;
    const isTouch = event.pointerType === "touch";
    if (!isTouch && this.busy) return;
    event.preventDefault();
    const gesture = this.gestureOf(view, event);
    this.held.set(event.pointerId, { view, gesture });
    try {
      view.element.setPointerCapture(event.pointerId);
    } catch {
      // the pointer is already released
    }
  }

  private gestureOf(view: View, event: PointerEvent): Gesture | Navigation {
    const others = [...this.held].filter(
      (one): one is [number, { view: View; gesture: Gesture }] => !(one[1].gesture instanceof Navigation),
    );
    if (others.length > 0) return this.joined(others, view, event);
    const isFirst = ![...this.held.values()].some((one) => one.view === view);
    const isLeft = event.button === 0 && !event.shiftKey;
    if (isFirst && isLeft)
      for (const press of [...this.presses].reverse()) {
        const gesture = press(view, event);
        if (gesture) return gesture;
      }
    return this.moveCamera(view, event);
  }

  // A second finger during a gesture.
  private joined(
    others: readonly [number, { view: View; gesture: Gesture }][],
    view: View,
    event: PointerEvent,
  ): Gesture | Navigation {
    for (const [, { gesture }] of others) {
      const joined = gesture.join?.(view, event);
      if (joined) return joined;
    }
    // Before the first has moved: both move the camera.
    for (const [id, { view: own, gesture }] of others) {
      if (own !== view || gesture.moved) continue;
      gesture.cancel();
      const both = this.navigation(view);
      both.down(id, undefined);
      this.held.set(id, { view, gesture: both });
    }
    return this.moveCamera(view, event);
  }

  private moveCamera(view: View, event: PointerEvent): Navigation {
    const navigation = this.navigation(view);
    navigation.down(event.pointerId, event);
    return navigation;
  }

  private navigation(view: View): Navigation {
    let one = this.navigations.get(view);
    if (!one) this.navigations.set(view, (one = new Navigation(view, this.changed, this.clickedEmpty, this.menu)));
    return one;
  }

  private move(view: View, event: PointerEvent): void {
    const held = this.held.get(event.pointerId);
    if (held) held.gesture.move(event);
    else if (!this.busy && event.pointerType !== "touch") this.hovered(view, event);
  }

  private up(event: PointerEvent): void {
    const held = this.held.get(event.pointerId);
    if (!held) return;
    this.held.delete(event.pointerId);
    held.gesture.end(event);
    if (!this.busy && event.pointerType !== "touch") this.hovered(held.view, event); // it has moved since
  }

  private lost(event: PointerEvent): void {
    const held = this.held.get(event.pointerId);
    if (!held) return;
    this.held.delete(event.pointerId);
    if (held.gesture instanceof Navigation) held.gesture.end(event);
    else held.gesture.cancel();
  }

  private wheel(view: View, event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 * event.deltaY : event.deltaY;
    // A touchpad pinch is reported as a wheel event with Ctrl, in finer steps.
    view.zoom(Math.exp((event.ctrlKey ? 0.01 : 0.0015) * pixels), event.clientX, event.clientY);
    this.changed();
  }
}
