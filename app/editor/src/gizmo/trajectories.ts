// The path of the selected part through the motion: a line with a dot per frame and a larger one per key, which can be
// dragged.
import "./gizmo.css";
import type { Figure, Key } from "limber";
import { frameTime } from "../document/document.js";
import { placeOn } from "../document/handles.js";
import { segmentOf, placeOf } from "../document/places.js";
import { KeyDrag, pathOf, pathOfKeys, type Handle } from "../input/key_drag.js";
import { h, remember, remembered, svg } from "../ui/dom.js";
import { layersOf, setAttribute, type Layer } from "./layer.js";
import { readable } from "../view/names.js";
import { toWorld, type Point } from "../view/pick.js";
import { targetsOf, type Target } from "./targets.js";
import type { View } from "../view/views.js";
import type { Editor } from "../view/stage.js";

const maxDots = 600; // longer motions skip frames
const keyRadius = 5.5; // pixels

// The place of a segment that is followed: its palm or the site of its name, else the end of its bone.
export function handleOn(figure: Figure, segment: number): Handle {
  const info = figure.info.segments[segment]!;
  const place = placeOn(figure, segment, "point");
  const site = figure.info.sites.find(({ name }) => name === place);
  const [x = 0, y = 0, z = 0] = site?.frame.slice(9, 12) ?? info.tip;
  return { segment, local: [x, y, z], name: readable(site ? place : info.name) };
}

interface Path {
  readonly points: Float64Array; // three per dot
  readonly keys: Float64Array; // three per key
}

// The path in one view.
class PathLines {
  private readonly line = svg("path", { class: "path-line" });
  private readonly dots = svg("path", { class: "path-dots" });
  private readonly keys = svg("g", { class: "path-keys" });
  private readonly group = svg("g", { class: "path", visibility: "hidden" }, this.line, this.dots, this.keys);
  private shown = "";

  constructor(private readonly layer: Layer) {
    layer.lines.prepend(this.group);
  }

  show({ points, keys }: Path, version: number, over: number, now: number): void {
    const { layer } = this;
    setAttribute(this.group, "visibility", layer.view.shown ? "visible" : "hidden");
    const key = `${version} ${layer.version} ${over} ${now}`;
    if (!layer.view.shown || key === this.shown) return;
    this.shown = key;
    const flat = flatten(layer, points);
    setAttribute(this.line, "d", flat.map((at, k) => `${k === 0 ? "M" : "L"}${at}`).join(""));
    setAttribute(this.dots, "d", flat.map((at) => `M${at}h0`).join(""));
    this.keys.replaceChildren(
      ...Array.from({ length: keys.length / 3 }, (_, k) => this.dot(keys, k, over, now)).filter((dot) => dot !== undefined),
    );
  }

  private dot(keys: Float64Array, k: number, over: number, now: number): SVGElement | undefined {
    const at = this.layer.at(pointAt(keys, k));
    const name = `path-key${k === over ? " over" : ""}${k === now ? " now" : ""}`;
    return (
      at && svg("circle", { cx: at.x.toFixed(1), cy: at.y.toFixed(1), r: this.layer.isSmall ? 3.5 : keyRadius, class: name })
    );
  }

  hide(): void {
    setAttribute(this.group, "visibility", "hidden");
    this.shown = "";
  }
}

const pointAt = (points: ArrayLike<number>, k: number): Point => [points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!];

function flatten(layer: Layer, points: Float64Array): string[] {
  const flat: string[] = [];
  for (let k = 0; 3 * k < points.length; ++k) {
    const at = layer.at(pointAt(points, k));
    if (at) flat.push(`${at.x.toFixed(1)} ${at.y.toFixed(1)}`);
  }
  return flat;
}

class Trajectories {
  private isOn = remembered("trajectory", false);
  private handle: Handle | undefined;
  private path: Path | undefined;
  private isOld = true; // the path is outdated
  private version = 0;
  private held: KeyDrag | undefined;
  private readonly layers: readonly Layer[];
  private readonly lines: PathLines[];
  private readonly targets;

  constructor(private readonly app: Editor) {
    const { stage } = app;
    this.layers = layersOf(stage);
    this.targets = targetsOf(stage);
    this.lines = this.layers.map((layer) => new PathLines(layer));
    app.actions.add({
      id: "view.trajectory",
      title: "Trajectory of the selected part",
      group: "View",
      keys: ["Shift+T"],
      run: () => this.toggle(),
      checked: () => this.isOn,
    });
    this.targets.add((view, x, y, slack) => this.find(view, x, y, slack));
    stage.onFrame(() => this.frame());
    app.on("motion", () => this.forget());
    app.on("figure", () => this.forget());
    app.on("document", (doc, before, cause) => {
      if (this.held && cause !== "preview") stage.pointers.cancel();
      if (doc.keys !== before.keys || doc.frameRate !== before.frameRate) this.forget();
    });
    app.on("selection", () => this.choose());
    this.choose();
  }

  private toggle(): void {
    this.isOn = !this.isOn;
    remember("trajectory", this.isOn);
    if (this.isOn && !this.handle) this.app.say("info", "Trajectory", "Select a part to show its path through the keys.");
    else if (this.isOn && this.app.doc.keys.length < 2) this.app.say("info", "Trajectory", "It appears once there are two keys.");
    this.forget();
    this.app.emit("settings");
  }

  private forget(): void {
    this.isOld = true;
    if (this.isOn) this.app.stage.requestRender();
  }

  // For a constraint: its place.
  private choose(): void {
    const { selection, figure, doc } = this.app;
    const place =
      selection.kind === "constraint" ? placeOf(doc.constraints.find(({ id }) => id === selection.id)?.handle) : undefined;
    const segment = selection.kind === "segment" ? selection.segment : place === undefined ? -1 : segmentOf(figure, place);
    const next = segment >= 0 && segment < figure.segments ? handleOn(figure, segment) : undefined;
    if (next?.segment === this.handle?.segment && next?.name === this.handle?.name) return;
    this.handle = next;
    this.forget();
  }

  private times(): number[] {
    const { start, end, doc } = this.app;
    const frames = Math.round((end - start) / frameTime(doc));
    const step = Math.max(1, Math.ceil(frames / maxDots));
    const times = Array.from({ length: Math.floor(frames / step) + 1 }, (_, k) => start + k * step * frameTime(doc));
    return frames % step === 0 ? times : [...times, end];
  }

  private keyPath(keys: readonly Key[]): Float64Array {
    const { segment, local } = this.handle!;
    return Float64Array.from(keys.flatMap(({ pose }) => toWorld(this.app.figure.place(pose), segment, local)));
  }

  private get isShown(): boolean {
    return this.isOn && this.handle !== undefined && this.app.doc.keys.length >= 2;
  }

  private frame(): void {
    const { app, handle } = this;
    this.held?.frame();
    if (!this.isShown || !handle) {
      if (this.path) for (const one of this.lines) one.hide();
      this.path = undefined;
      this.isOld = true;
      return;
    }
    // While something else is dragged the path stays; it is computed at the end.
    if (this.isOld && !this.held && (!this.path || !app.stage.pointers.busy))
      this.compute({ points: pathOf(app, handle, (time) => app.poseAt(time), this.times()), keys: this.keyPath(app.doc.keys) });
    const { path } = this;
    if (!path) return;
    const over = Number(this.targets.over?.match(/^key (\d+)$/)?.[1] ?? -1);
    const now = app.doc.keys.findIndex(({ time }) => Math.abs(time - app.time) < 0.5 * frameTime(app.doc));
    for (const one of this.lines) one.show(path, this.version, this.held?.index ?? over, now);
  }

  private compute(path: Path): void {
    this.path = path;
    this.isOld = false;
    ++this.version;
  }

  private find(view: View, x: number, y: number, slack: number): Target | undefined {
    const { app, path, handle } = this;
    const layer = this.layers.find((one) => one.view === view);
    if (!layer || !path || !handle || this.held || app.playing) return undefined;
    let best: Target | undefined;
    app.doc.keys.forEach((key, k) => {
      const at = layer.at(pointAt(path.keys, k));
      const distance = at ? Math.max(0, Math.hypot(x - at.x, y - at.y) - keyRadius) : Infinity;
      if (distance > slack || distance >= (best?.distance ?? Infinity)) return;
      best = {
        key: `key ${k}`,
        distance,
        label: () => [`${handle.name} at key ${k + 1}`, h("span", { class: "faint" }, `${key.time.toFixed(2)} s, drag to move`)],
        press: (event) => this.press(view, k, event),
      };
    });
    return best;
  }

  private press(view: View, index: number, event: PointerEvent): KeyDrag {
    const { app } = this;
    const handle = this.handle!;
    const times = this.times();
    return new KeyDrag(
      {
        app,
        handle,
        begun: (drag) => (this.held = drag),
        moved: (keys) => this.compute({ points: pathOfKeys(app, handle, keys, times), keys: this.keyPath(keys) }),
        ended: () => {
          this.held = undefined;
          this.forget();
        },
      },
      view,
      index,
      event,
    );
  }
}

export function mountTrajectories(app: Editor): void {
  new Trajectories(app);
}
