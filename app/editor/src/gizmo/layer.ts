// The overlay of one view: lines of constant width and icons that follow the world.
import * as THREE from "three";
import { h, svg } from "../ui/dom.js";
import type { Point } from "../view/pick.js";
import type { Stage } from "../view/stage.js";
import type { View } from "../view/views.js";

// Pixels of the shorter side.
const small = 260; // a view beside the large one
const tiny = 175; // there is no room for icons

export class Layer {
  readonly lines = svg("svg", { class: "gizmo-lines" });
  readonly element = h("div", { class: "gizmo-layer", aria: { hidden: "true" } });
  private readonly flat = new THREE.Matrix4(); // from the world to the view, before the division by depth
  version = 0; // changes whenever the view or its camera has moved
  private readonly flatBefore = new THREE.Matrix4();
  private shown = "";

  constructor(readonly view: View) {
    this.element.append(this.lines);
    this.element.dataset["view"] = view.kind;
  }

  // Before each frame: reads the view and its camera.
  update(): void {
    const { view, element } = this;
    const { x, y, width, height } = view.rect;
    const place = view.shown ? `left:${x}px;top:${y}px;width:${width}px;height:${height}px` : "display:none";
    this.flat.multiplyMatrices(view.camera.projectionMatrix, view.camera.matrixWorldInverse);
    if (place === this.shown && this.flat.equals(this.flatBefore)) return;
    if (place !== this.shown) element.style.cssText = this.shown = place;
    this.flatBefore.copy(this.flat);
    ++this.version;
  }

  get size(): "large" | "small" | "tiny" {
    const { width, height } = this.view.rect;
    const side = Math.min(width, height);
    return side < tiny ? "tiny" : side < small ? "small" : "large";
  }

  get isSmall(): boolean {
    return this.size !== "large";
  }

  // Homogeneous pixels of this layer: the first two are still to be divided by the depth. `w` is 1 for a point, 0 for a
  // direction.
  carry([x, y, z]: Point, w: 0 | 1): [number, number, number] {
    const e = this.flat.elements;
    const { width, height } = this.view.rect;
    const row = (k: number) => e[k]! * x + e[k + 4]! * y + e[k + 8]! * z + e[k + 12]! * w;
    const depth = row(3);
    return [((row(0) + depth) / 2) * width, ((depth - row(1)) / 2) * height, depth];
  }

  // Undefined behind the camera.
  at(point: Point): { x: number; y: number } | undefined {
    const [x, y, depth] = this.carry(point, 1);
    return depth > 0 ? { x: x / depth, y: y / depth } : undefined;
  }

  // Pixels per metre across the view at a point.
  scaleAt(point: Point): number {
    const [, , depth] = this.carry(point, 1);
    return (this.view.camera.projectionMatrix.elements[0] * this.view.rect.width) / (2 * Math.max(depth, 1e-6));
  }

  // Towards the camera.
  get back(): Point {
    const e = this.view.camera.matrixWorld.elements;
    return [e[8], e[9], e[10]];
  }
}

const made = new WeakMap<Stage, readonly Layer[]>();

// One per view, below the labels of the stage.
export function layersOf(stage: Stage): readonly Layer[] {
  let layers = made.get(stage);
  if (!layers) {
    const fresh = stage.views.map((view) => new Layer(view));
    stage.overlay.prepend(...fresh.map(({ element }) => element));
    stage.onFrame(() => {
      for (const layer of fresh) layer.update();
    });
    made.set(stage, (layers = fresh));
  }
  return layers;
}

// Sets an attribute if it has changed.
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
