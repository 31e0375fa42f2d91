// The views of the figure: one canvas, four cameras on one scene, drawn only when something has changed.
//
// Other parts use: `scene` to add objects, `addFigure` for more figures, `overlay`, `project` and `ray` between the world
// and the screen, `pick` and `onHover` for what is under the pointer, `onPress` for what can be dragged.
import * as THREE from "three";
import "./stage.css";
import type { Figure } from "limber";
import type { App } from "../state/app.js";
import { Pointers, type Press } from "./pointers.js";
import { h, remember, remembered } from "../ui/dom.js";
import { FigureView, type FigureOptions } from "./figure_view.js";
import { Ground, paletteNow, palettes, themeOf } from "./ground.js";
import { rectsOf, viewKinds, type Arrangement, type ViewKind } from "./layout.js";
import { firstHit, type Hit, type Point, type Ray } from "./pick.js";
import { bodyWithObjects } from "./objects.js";
import { loadSkin, skinFile } from "./skin.js";
import { Timings } from "./timings.js";
import { View } from "./views.js";

const maxDensity = 2; // canvas pixels per CSS pixel

export interface Hover {
  readonly view: View;
  readonly clientX: number;
  readonly clientY: number;
  readonly hit: Hit | undefined;
}

export interface Picked extends Hit {
  readonly figureView: FigureView;
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly overlay = h("div", {});
  readonly views: readonly View[] = viewKinds.map((kind) => new View(kind));
  readonly timings = new Timings();
  readonly pointers: Pointers;
  readonly host = document.getElementById("stage")!;
  readonly canvas = h("canvas", { class: "views", aria: { hidden: "true" } });
  figureView!: FigureView; // of the document
  private readonly renderer: THREE.WebGLRenderer;
  private readonly ground = new Ground();
  private readonly figureViews = new Set<FigureView>();
  private readonly frameListeners = new Set<(now: number) => void>();
  private readonly hoverListeners = new Set<(hover: Hover | undefined) => void>();
  private readonly menuListeners = new Set<(view: View, event: PointerEvent) => void>();
  private readonly covers: ((view: View, clientX: number, clientY: number) => boolean)[] = [];
  private hover_: { view: View; clientX: number; clientY: number } | undefined;
  private hoverIsNew = false;
  private readonly centre = new THREE.Vector3(); // of the figure, when it was last followed
  private tints: ReadonlyMap<number, THREE.ColorRepresentation> = new Map();
  private heat: ReadonlyMap<number, number> | undefined;
  private readonly homes = new Map<View, THREE.Box3>(); // the box that was last framed in a view on request
  private readonly strayed = new Set<View>(); // views that have left it to keep the figure in sight
  private frameAsked = 0;
  private isBeginning = false; // of a frame: changes now are part of it
  private arrangement_: Arrangement = remembered<Arrangement>("stage.arrangement", "beside");
  private large_: ViewKind = remembered<ViewKind>("stage.large", "perspective");
  private last: View; // the last view under the pointer

  constructor(private readonly app: App) {
    this.overlay.id = "overlay";
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(maxDensity, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.setScissorTest(true);
    this.scene.add(this.ground.object);
    this.host.append(this.canvas, ...this.views.map(({ element }) => element), this.overlay);
    this.last = this.view(this.large_);
    this.pointers = new Pointers(
      this.views,
      () => this.requestRender(),
      (view, event) => this.pointed(view, event),
      () => app.select({ kind: "nothing" }),
      (view, event) => this.menuListeners.forEach((listener) => listener(view, event)),
    );
    for (const view of this.views) view.label.addEventListener("click", () => this.show(view.kind));
    this.setFigure(app.figure);
    this.paint();
    this.canvas.addEventListener("webglcontextrestored", () => this.requestRender());
    new ResizeObserver(() => this.resize()).observe(this.host);
    this.resize();
    this.frameAll();
  }

  // --- Figures

  addFigure(figure: Figure, options: FigureOptions = {}): FigureView {
    const { doc, engine } = this.app;
    const body = figure === this.app.figure ? bodyWithObjects(engine.limber, doc, figure) : undefined;
    const made = new FigureView(figure, { ...options, body });
    this.figureViews.add(made);
    this.scene.add(made.object);
    this.requestRender();
    return made;
  }

  removeFigure(view: FigureView): void {
    this.figureViews.delete(view);
    view.dispose();
    this.requestRender();
  }

  setFigure(figure: Figure): void {
    if (this.figureView) this.removeFigure(this.figureView);
    this.figureView = this.addFigure(figure, { colour: paletteNow().body });
    this.setTints(new Map());
    this.heat = undefined;
    void this.dress(this.figureView);
  }

  // A figure from a glTF file gets its skin once that is loaded; until then, or after an error, its plain body is shown.
  async dress(view: FigureView): Promise<void> {
    const { doc } = this.app;
    try {
      if (skinFile(doc) === undefined) return;
      const skin = await loadSkin(view.figure, doc);
      if (!skin) return;
      if (!this.figureViews.has(view)) return skin.dispose();
      view.setSkin(skin);
      if (view === this.figureView && this.views.every(({ isFramed }) => isFramed)) this.frameAll();
      this.requestRender();
    } catch (error) {
      this.app.say("error", "The skin of this figure cannot be shown", error instanceof Error ? error.message : String(error));
    }
  }

  setPose(pose: ArrayLike<number>): void {
    this.figureView.setPose(pose);
    this.hoverIsNew = true;
    if (!this.isBeginning) this.requestRender();
  }

  // Colours of individual parts of the document's figure.
  setTints(tints: ReadonlyMap<number, THREE.ColorRepresentation>): void {
    const same = tints.size === this.tints.size && [...tints].every(([segment, colour]) => this.tints.get(segment) === colour);
    if (same) return;
    this.tints = tints;
    this.figureView.setTints(tints);
    this.requestRender();
  }

  // Values of all parts as colours; undefined: none.
  setHeat(heat: ReadonlyMap<number, number> | undefined): void {
    const same =
      heat === this.heat ||
      (heat?.size === this.heat?.size && [...(heat ?? [])].every(([segment, colour]) => this.heat?.get(segment) === colour));
    if (same) return;
    this.heat = heat;
    this.figureView.setHeat(heat);
    this.requestRender();
  }

  // --- Views

  view(kind: ViewKind): View {
    return this.views.find((one) => one.kind === kind)!;
  }
  get large(): ViewKind {
    return this.large_;
  }
  get arrangement(): Arrangement {
    return this.arrangement_;
  }
  // The view that keys act on: the last one under the pointer, if it is visible.
  get current(): View {
    return this.last.shown ? this.last : this.view(this.large_);
  }

  show(large: ViewKind, arrangement: Arrangement = this.arrangement_ === "four" ? "beside" : this.arrangement_): void {
    this.large_ = large;
    this.last = this.view(large);
    this.arrange(arrangement);
  }

  arrange(arrangement: Arrangement): void {
    this.arrangement_ = arrangement;
    remember("stage.arrangement", arrangement);
    remember("stage.large", this.large_);
    this.layOut();
    this.app.emit("settings");
  }

  private layOut(): void {
    const { clientWidth, clientHeight } = this.host;
    const rects = rectsOf(clientWidth, clientHeight, this.arrangement_, this.large_);
    for (const view of this.views) {
      view.place(rects[view.kind]);
      const isLarge = view.kind === this.large_ && this.arrangement_ !== "four";
      view.element.classList.toggle("large", isLarge);
      view.label.title = isLarge
        ? `${view.label.textContent} view`
        : `Make the ${view.label.textContent?.toLowerCase()} view large`;
    }
    this.requestRender();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host;
    this.renderer.setPixelRatio(Math.min(maxDensity, devicePixelRatio));
    this.renderer.setSize(Math.max(1, clientWidth), Math.max(1, clientHeight), false);
    this.layOut();
    // In the same task, so that the canvas is never shown stretched or empty.
    this.render();
  }

  frameAll(pose: ArrayLike<number> = this.app.pose): void {
    this.figureView.setPose(pose);
    const box = this.figureView.bounds();
    for (const view of this.views) view.frame(box);
    this.strayed.clear();
    for (const view of this.views) this.homes.set(view, box);
    this.requestRender();
  }

  // Small views that the user has not moved keep the figure in sight, and return when the figure does.
  keepInSight(): void {
    const box = this.figureView.bounds();
    for (const view of this.views) {
      if (view.kind === this.large_ || !view.shown || !view.isFramed) continue;
      const home = this.strayed.has(view) ? this.homes.get(view) : undefined;
      if (home) view.frame(home);
      this.strayed.delete(view);
      if (view.contains(box)) continue;
      view.frame(box);
      this.strayed.add(view);
    }
    this.requestRender();
  }

  // During playback a view follows a figure that walks out of it.
  follow(): void {
    const box = this.figureView.bounds();
    const centre = box.getCenter(new THREE.Vector3());
    const step = centre.clone().sub(this.centre);
    this.centre.copy(centre);
    for (const view of this.views) if (view.shown && !view.contains(box)) view.follow(step);
  }

  // Sets the position that it follows from.
  startFollowing(): void {
    this.figureView.bounds().getCenter(this.centre);
  }

  // Frames the box, or else the figure, in the current view.
  frame(box: THREE.Box3 = this.figureView.bounds(), view: View = this.current): void {
    view.frame(box);
    this.homes.set(view, box);
    this.strayed.delete(view);
    this.requestRender();
  }

  // --- Between the world and the screen

  // Pixels relative to the stage, as in the overlay.
  project(point: Point, view: View): { x: number; y: number } | undefined {
    return view.project(point);
  }

  // Pixels relative to the window, as in pointer events.
  clientPoint(point: Point, view: View): { x: number; y: number } | undefined {
    const at = view.project(point);
    const { x, y } = this.host.getBoundingClientRect();
    return at && { x: at.x + x, y: at.y + y };
  }

  ray(view: View, clientX: number, clientY: number): Ray {
    return view.ray(clientX, clientY);
  }

  // The part of a figure at a point of the screen; `slack` pixels beside it count too, for fingers.
  pick(view: View, clientX: number, clientY: number, slack = 0): Picked | undefined {
    const exact = this.pickAlong(view.ray(clientX, clientY));
    if (exact || slack === 0) return exact;
    for (const radius of [slack / 2, slack])
      for (let k = 0; k < 8; ++k) {
        const angle = (k * Math.PI) / 4;
        const near = this.pickAlong(view.ray(clientX + radius * Math.cos(angle), clientY + radius * Math.sin(angle)));
        if (near) return near;
      }
    return undefined;
  }

  private pickAlong(ray: Ray): Picked | undefined {
    let best: Picked | undefined;
    for (const figureView of this.figureViews) {
      if (!figureView.pickable || !figureView.visible) continue;
      const hit = firstHit(figureView.surface, ray);
      if (hit && hit.distance < (best?.distance ?? Infinity)) best = { ...hit, figureView };
    }
    return best;
  }

  // --- Pointer

  onPress(press: Press): void {
    this.pointers.add(press);
  }

  onHover(listener: (hover: Hover | undefined) => void): () => void {
    this.hoverListeners.add(listener);
    return () => this.hoverListeners.delete(listener);
  }

  // Called for a context menu.
  onMenu(listener: (view: View, event: PointerEvent) => void): void {
    this.menuListeners.add(listener);
  }

  // Something over the figure hides the part below it from the pointer.
  addCover(isCovered: (view: View, clientX: number, clientY: number) => boolean): void {
    this.covers.push(isCovered);
  }

  private pointed(view: View | undefined, event: PointerEvent): void {
    this.hover_ = view && { view, clientX: event.clientX, clientY: event.clientY };
    if (view) this.last = view;
    this.hoverIsNew = true;
    this.requestRender();
  }

  private emitHover(): void {
    if (!this.hoverIsNew) return;
    this.hoverIsNew = false;
    const at = this.pointers.busy ? undefined : this.hover_;
    const isCovered = at && this.covers.some((covers) => covers(at.view, at.clientX, at.clientY));
    const hover = at && { ...at, hit: isCovered ? undefined : this.pick(at.view, at.clientX, at.clientY) };
    for (const listener of [...this.hoverListeners]) listener(hover);
  }

  // --- Frames

  // Called before each frame is drawn, to place what follows the figure or the cameras.
  onFrame(listener: (now: number) => void): () => void {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  }

  requestRender(): void {
    if (this.frameAsked) return;
    this.frameAsked = requestAnimationFrame((now) => {
      this.frameAsked = 0;
      this.render(now);
    });
  }

  // Draws at once.
  render(now = performance.now()): void {
    this.isBeginning = true;
    for (const listener of [...this.frameListeners]) listener(now);
    this.isBeginning = false;
    this.emitHover();
    const root = this.figureView.frames;
    this.ground.follow(root[9] ?? 0, root[11] ?? 0, 1.4 * Math.max(0.2, this.figureView.figure.info.length));
    const { renderer } = this;
    renderer.shadowMap.needsUpdate = true;
    const height = this.host.clientHeight;
    for (const view of this.views) {
      if (!view.shown) continue;
      const { x, y, width, height: high } = view.rect;
      renderer.setViewport(x, height - y - high, width, high);
      renderer.setScissor(x, height - y - high, width, high);
      renderer.render(this.scene, view.camera);
    }
  }

  // An image of one view.
  picture(view: View = this.current): Promise<Blob | null> {
    this.render(); // the drawing buffer may have been cleared
    const density = this.renderer.getPixelRatio();
    const { x, y, width, height } = view.rect;
    const copy = h("canvas", { width: Math.round(width * density), height: Math.round(height * density) });
    copy
      .getContext("2d")!
      .drawImage(this.canvas, x * density, y * density, width * density, height * density, 0, 0, copy.width, copy.height);
    return new Promise((done) => copy.toBlob(done, "image/png"));
  }

  paint(): void {
    const palette = palettes[themeOf()];
    this.scene.background = new THREE.Color(palette.background);
    this.ground.paint(themeOf());
    this.figureView.setColour(palette.body);
    this.requestRender();
  }
}

// The app with its stage, for all parts that draw or handle the pointer.
export type Editor = App & { readonly stage: Stage };
