// One drag by mouse, finger or pen; Escape cancels it.

export interface DragSteps {
  move?(dx: number, event: PointerEvent): void; // px from the press; only after it has moved a little
  end?(event: PointerEvent): void; // after moves
  click?(event: PointerEvent): void; // without any
  cancel?(): void;
}

const still = 4; // px within which a press is a click

export function followPointer(element: HTMLElement, press: PointerEvent, steps: DragSteps): void {
  const begin = press.clientX;
  const beginY = press.clientY;
  let moved = false;
  element.setPointerCapture(press.pointerId);
  const isOther = (event: PointerEvent) => event.pointerId !== press.pointerId;
  const move = (event: PointerEvent) => {
    if (isOther(event)) return;
    moved ||= Math.hypot(event.clientX - begin, event.clientY - beginY) >= still;
    if (moved) steps.move?.(event.clientX - begin, event);
  };
  const stop = () => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", escape, true);
  };
  const up = (event: PointerEvent) => {
    if (isOther(event)) return;
    stop();
    if (moved) steps.end?.(event);
    else steps.click?.(event);
  };
  const cancel = () => {
    stop();
    if (moved) steps.cancel?.();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", escape, true);
}
