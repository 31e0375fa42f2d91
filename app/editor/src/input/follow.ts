// A gesture in which something follows the pointer. It begins once the pointer has moved farther than a click may; its owner
// calls frame() once per frame.
import type { Point } from "../view/pick.js";
import type { View } from "../view/views.js";
import { slackOf, type Gesture } from "../view/pointers.js";
import type { Aim } from "./pull.js";
import type { Editor } from "../view/stage.js";

interface Place {
  readonly x: number; // relative to the window
  readonly y: number;
}

const placeOf = ({ clientX, clientY }: PointerEvent): Place => ({ x: clientX, y: clientY });

export abstract class Follow implements Gesture {
  protected pointer: Place;
  protected isNew = false; // there is work for the next frame
  protected isDone = false;
  private readonly start: Place;
  private offset: Place = { x: 0, y: 0 }; // from the pointer to the dragged point
  private hasBegun = false;

  constructor(
    protected readonly app: Editor,
    protected readonly view: View,
    event: PointerEvent,
  ) {
    this.start = this.pointer = placeOf(event);
  }

  // Keeps the offset between the pointer and the dragged point.
  protected hold(point: Point): void {
    const at = this.app.stage.clientPoint(point, this.view) ?? this.start;
    this.offset = { x: at.x - this.start.x, y: at.y - this.start.y };
  }

  // The line of sight through the dragged point.
  aim(): Aim {
    return { ray: this.view.ray(this.pointer.x + this.offset.x, this.pointer.y + this.offset.y), nearest: this.view.nearest };
  }

  get moved(): boolean {
    return this.hasBegun;
  }

  move(event: PointerEvent): void {
    if (this.isDone) return;
    this.pointer = placeOf(event);
    if (!this.hasBegun) {
      if (Math.hypot(this.pointer.x - this.start.x, this.pointer.y - this.start.y) < slackOf(event)) return;
      this.hasBegun = true;
      this.app.play(false);
      this.view.element.classList.add("dragging");
      this.begin();
    }
    this.isNew = true;
    this.app.stage.requestRender();
  }

  end(event: PointerEvent): void {
    if (this.isDone) return;
    if (!this.moved) {
      this.finish();
      return this.click();
    }
    if (event.clientX !== this.pointer.x || event.clientY !== this.pointer.y) this.move(event);
    this.last();
    this.finish();
    this.complete();
  }

  cancel(): void {
    if (this.isDone) return;
    this.finish();
    this.takeBack();
  }

  protected finish(): void {
    this.isDone = true;
    this.view.element.classList.remove("dragging");
    this.release();
    this.app.stage.requestRender();
  }

  protected abstract begin(): void;
  protected abstract click(): void; // instead of all that follows
  protected abstract last(): void; // the frame at the end
  protected abstract release(): void; // when it is over, in any case
  protected abstract complete(): void; // makes it a step
  protected abstract takeBack(): void; // instead, whether it has begun or not
}
