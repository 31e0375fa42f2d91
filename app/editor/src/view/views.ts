// A view: a camera, its movement, and the rectangle of the stage that it fills.
//
// A camera looks at a target from a direction. `extent` is half of the visible length across the shorter side of the view
// at the target, so that a figure that fits still fits when the view changes its shape.
import * as THREE from "three";
import { h } from "../ui/dom.js";
import type { Rect, ViewKind } from "./layout.js";
import type { Point, Ray } from "./pick.js";

export const viewTitles: Record<ViewKind, string> = { front: "Front", side: "Side", top: "Top", perspective: "Perspective" };

// Camera directions: azimuth about the vertical, from the front, and elevation. The side view is from the figure's right, so
// that the figure faces right.
const directions: Record<ViewKind, readonly [azimuth: number, elevation: number]> = {
  front: [0, 0],
  side: [-Math.PI / 2, 0],
  top: [0, Math.PI / 2],
  perspective: [-0.55, 0.2],
};

const fieldOfView = 32; // degrees across the shorter side
const maxElevation = (89.5 * Math.PI) / 180;
const minElevation = (-5 * Math.PI) / 180; // slightly from below, but not from under the floor
const minExtent = 0.02; // metres
const maxExtent = 200;
const orbitPerPixel = 0.008;

export class View {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly element: HTMLDivElement; // takes the pointer
  readonly label: HTMLButtonElement;
  rect: Rect = { x: 0, y: 0, width: 1, height: 1 };
  shown = true;
  private framed: { box: THREE.Box3; margin: number } | undefined; // the framed box, until the camera is moved
  private readonly target = new THREE.Vector3(0, 0.9, 0);
  private extent = 1;
  private azimuth: number;
  private elevation: number;

  constructor(readonly kind: ViewKind) {
    [this.azimuth, this.elevation] = directions[kind];
    this.camera = this.isFlat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera();
    this.label = h("button", { class: "view-label", type: "button" }, viewTitles[kind]);
    this.element = h(
      "div",
      { class: "view", role: "group", data: { view: kind }, aria: { label: `${viewTitles[kind]} view` } },
      this.label,
    );
    this.update();
  }

  get isFlat(): boolean {
    return this.kind !== "perspective";
  }

  place(rect: Rect | undefined): void {
    this.shown = rect !== undefined;
    this.element.hidden = !rect;
    if (!rect) return;
    this.rect = rect;
    if (this.framed) this.frame(this.framed.box, this.framed.margin);
    Object.assign(this.element.style, {
      left: `${rect.x}px`,
      top: `${rect.y}px`,
      width: `${rect.width}px`,
      height: `${rect.height}px`,
    });
    this.update();
  }

  private get distance(): number {
    return this.isFlat ? 50 : this.extent / Math.tan(((fieldOfView / 2) * Math.PI) / 180);
  }

  // How near to the camera something may be dragged.
  get nearest(): number {
    return 0.1 * this.distance;
  }

  // Metres per pixel at the target.
  get metresPerPixel(): number {
    return (2 * this.extent) / Math.min(this.rect.width, this.rect.height);
  }

  private update(): void {
    const { camera, target } = this;
    const aspect = this.rect.width / this.rect.height;
    const tall = Math.max(1, 1 / aspect);
    if (camera instanceof THREE.PerspectiveCamera) {
      camera.aspect = aspect;
      camera.fov = (360 / Math.PI) * Math.atan(Math.tan((fieldOfView * Math.PI) / 360) * tall);
      camera.near = Math.max(0.01, 0.02 * this.distance);
      camera.far = this.distance + 100;
    } else {
      camera.top = this.extent * tall;
      camera.bottom = -camera.top;
      camera.right = camera.top * aspect;
      camera.left = -camera.right;
      camera.near = 0.01;
      camera.far = 2 * this.distance;
    }
    const out = new THREE.Vector3(
      Math.cos(this.elevation) * Math.sin(this.azimuth),
      Math.sin(this.elevation),
      Math.cos(this.elevation) * Math.cos(this.azimuth),
    );
    camera.position.copy(target).addScaledVector(out, this.distance);
    // Seen from straight above, "up" is away from the front.
    camera.up.set(0, 1, 0);
    if (this.elevation > maxElevation) camera.up.set(-Math.sin(this.azimuth), 0, -Math.cos(this.azimuth));
    camera.lookAt(target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld(true);
  }

  // Fits a box into the view.
  frame(box: THREE.Box3, margin = 1.12): void {
    if (box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3());
    box.getCenter(this.target);
    const [x, y, z] = size.toArray();
    const [wide, high] =
      this.kind === "front"
        ? [x, y]
        : this.kind === "side"
          ? [z, y]
          : this.kind === "top"
            ? [Math.max(x, 0.6 * y), Math.max(z, 0.6 * y)]
            : [Math.hypot(x, z), Math.hypot(y, 0.25 * z)];
    const aspect = this.rect.width / this.rect.height;
    const extent = 0.5 * Math.max(aspect >= 1 ? Math.max(high, wide / aspect) : Math.max(wide, high * aspect), 0.05);
    this.extent = margin * (this.isFlat ? extent : extent + 0.12 * Math.hypot(x, z));
    this.framed = { box: box.clone(), margin };
    this.update();
  }

  // Moves the camera with what it shows.
  follow(step: THREE.Vector3): void {
    this.target.add(step);
    this.framed?.box.translate(step);
    this.update();
  }

  get isFramed(): boolean {
    return this.framed !== undefined;
  }

  // Whether all of a box is in sight.
  contains({ min, max }: THREE.Box3): boolean {
    const corner = new THREE.Vector3();
    for (let k = 0; k < 8; ++k) {
      corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).project(this.camera);
      if (Math.max(Math.abs(corner.x), Math.abs(corner.y)) > 1) return false;
    }
    return true;
  }

  // --- Moving the camera, in pixels

  orbit(dx: number, dy: number): void {
    if (this.isFlat) return this.pan(dx, dy);
    this.framed = undefined;
    this.azimuth -= orbitPerPixel * dx;
    this.elevation = Math.min(maxElevation, Math.max(minElevation, this.elevation + orbitPerPixel * dy));
    this.update();
  }

  pan(dx: number, dy: number): void {
    this.framed = undefined;
    const e = this.camera.matrixWorld.elements;
    const k = this.metresPerPixel;
    for (const [axis, by] of [
      [0, -dx * k],
      [4, dy * k],
    ] as const)
      this.target.add(new THREE.Vector3(e[axis], e[axis + 1], e[axis + 2]).multiplyScalar(by));
    this.update();
  }

  // By a factor, about a point of the screen, which stays fixed at the depth of the target.
  zoom(factor: number, clientX: number, clientY: number): void {
    this.framed = undefined;
    const extent = Math.min(maxExtent, Math.max(minExtent, this.extent * factor));
    const about = this.atTarget(clientX, clientY);
    this.target.lerp(about, 1 - extent / this.extent);
    this.extent = extent;
    this.update();
  }

  private atTarget(clientX: number, clientY: number): THREE.Vector3 {
    const { x, y, width, height } = this.element.getBoundingClientRect();
    const e = this.camera.matrixWorld.elements;
    const k = this.metresPerPixel;
    return this.target
      .clone()
      .add(new THREE.Vector3(e[0], e[1], e[2]).multiplyScalar((clientX - x - width / 2) * k))
      .add(new THREE.Vector3(e[4], e[5], e[6]).multiplyScalar((y + height / 2 - clientY) * k));
  }

  // --- Between the world and the screen

  ray(clientX: number, clientY: number): Ray {
    const { x, y, width, height } = this.element.getBoundingClientRect();
    const at = new THREE.Vector3((2 * (clientX - x)) / width - 1, 1 - (2 * (clientY - y)) / height, -1).unproject(this.camera);
    const e = this.camera.matrixWorld.elements;
    const back = new THREE.Vector3(e[8], e[9], e[10]);
    const direction = this.isFlat ? back.negate() : at.clone().sub(this.camera.position);
    direction.normalize();
    return { origin: at.toArray(), direction: direction.toArray() };
  }

  // In pixels of the stage; undefined behind the camera.
  project(point: Point): { x: number; y: number } | undefined {
    const at = new THREE.Vector3(...point).project(this.camera);
    if (at.z > 1) return undefined;
    return { x: this.rect.x + ((at.x + 1) / 2) * this.rect.width, y: this.rect.y + ((1 - at.y) / 2) * this.rect.height };
  }
}
