// Limit arcs: the range of a joint, with a needle at its current value. They are shown on the part under the pointer, and
// with the rings on the selected part.
import "./gizmo.css";
import { svg } from "../ui/dom.js";
import { carrierOf, dialsOf, dot, placed, type Dial, type Placed } from "./dials.js";
import { layersOf, setAttribute, type Layer } from "./layer.js";
import type { Editor } from "../view/stage.js";

const steps = 56; // of a whole turn
const smallPart = 0.55; // of a ring: arcs without rings

// Pixels; smaller in a small view.
export const ringRadius = ({ view: { rect } }: Layer): number =>
  Math.min(62, Math.max(24, 0.17 * Math.min(rect.width, rect.height)));

type Flat = readonly [number, number, number];

// A dial projected into a view.
export class FlatDial {
  private readonly c: Flat;
  private readonly u: Flat;
  private readonly v: Flat;
  private readonly facing: readonly [number, number];

  constructor(layer: Layer, { centre, u, v }: Placed, radius: number) {
    const metres = radius / layer.scaleAt(centre);
    const scaled = ([x, y, z]: Flat): Flat => [metres * x, metres * y, metres * z];
    this.c = layer.carry(centre, 1);
    this.u = scaled(layer.carry(u, 0));
    this.v = scaled(layer.carry(v, 0));
    this.facing = [dot(u, layer.back), dot(v, layer.back)];
  }

  at(angle: number, part = 1): readonly [number, number] {
    const a = part * Math.cos(angle);
    const b = part * Math.sin(angle);
    const { c, u, v } = this;
    const depth = c[2] + a * u[2] + b * v[2];
    return [(c[0] + a * u[0] + b * v[0]) / depth, (c[1] + a * u[1] + b * v[1]) / depth];
  }

  // On the side of the camera.
  isInFront(angle: number): boolean {
    return this.facing[0] * Math.cos(angle) + this.facing[1] * Math.sin(angle) >= -1e-6;
  }

  get isSeen(): boolean {
    return this.c[2] > 0;
  }
}

const text = ([x, y]: readonly [number, number]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

// An arc as two paths: in front of the joint and behind it.
function arcs(flat: FlatDial, from: number, to: number): { front: string; back: string } {
  const count = Math.max(2, Math.ceil((steps * (to - from)) / (2 * Math.PI)));
  const paths = { front: "", back: "" };
  let side: "front" | "back" | undefined;
  for (let k = 0; k <= count; ++k) {
    const angle = from + ((to - from) * k) / count;
    const point = text(flat.at(angle));
    const next = flat.isInFront(angle) ? "front" : "back";
    if (side !== undefined) paths[side] += `L${point}`;
    if (next !== side && k < count) paths[next] += `M${point}`;
    side = next;
  }
  return paths;
}

// The lines of one dial in one view.
export class DialLines {
  private readonly rest = svg("path", { class: "dial-rest" });
  private readonly back = svg("path", { class: "dial-back" });
  private readonly front = svg("path", { class: "dial-front" });
  private readonly sector = svg("path", { class: "dial-sector" });
  private readonly needle = svg("path", { class: "dial-needle" });
  private readonly tip = svg("circle", { class: "dial-tip", r: 3 });
  private readonly limit = svg("text", { class: "dial-limit" }, "limit");
  readonly element = svg("g", {}, this.sector, this.rest, this.back, this.front, this.needle, this.tip, this.limit);

  show(layer: Layer, one: Placed, radius: number, classes: string): void {
    const flat = new FlatDial(layer, one, radius);
    setAttribute(this.element, "class", `dial dial-${one.dial.style} ${classes}${one.isAtLimit ? " at-limit" : ""}`);
    if (!flat.isSeen) return setAttribute(this.element, "class", "dial hidden");
    const isWhole = one.to - one.from >= 2 * Math.PI - 1e-9;
    const [from, to] = isWhole ? [-Math.PI, Math.PI] : [one.from, one.to];
    const { front, back } = arcs(flat, from, to);
    setAttribute(this.front, "d", front);
    setAttribute(this.back, "d", back);
    const rest = isWhole ? undefined : arcs(flat, to, from + 2 * Math.PI);
    setAttribute(this.rest, "d", rest ? rest.front + rest.back : "");
    const centre = text(flat.at(0, 0));
    const hasSector = !isWhole && /over|held/.test(classes);
    setAttribute(this.sector, "d", hasSector ? `M${centre}${sectorEdge(flat, from, to)}Z` : "");
    const ticks = isWhole
      ? ""
      : [from, to].map((angle) => `M${text(flat.at(angle, 0.88))}L${text(flat.at(angle, 1.12))}`).join("");
    setAttribute(this.needle, "d", `M${centre}L${text(flat.at(0))}${ticks}`);
    const [x, y] = flat.at(0);
    setAttribute(this.tip, "cx", x.toFixed(1));
    setAttribute(this.tip, "cy", y.toFixed(1));
    const [tx, ty] = flat.at(0, 1.25);
    setAttribute(this.limit, "x", tx.toFixed(1));
    setAttribute(this.limit, "y", (ty + 4).toFixed(1));
    setAttribute(this.limit, "text-anchor", tx < x ? "end" : "start");
  }
}

function sectorEdge(flat: FlatDial, from: number, to: number): string {
  const count = Math.max(2, Math.ceil((steps * (to - from)) / (2 * Math.PI)));
  let edge = "";
  for (let k = 0; k <= count; ++k) edge += `L${text(flat.at(from + ((to - from) * k) / count))}`;
  return edge;
}

// Lines of several dials in all views; the elements are reused.
export class DialBoard {
  private readonly boards: { layer: Layer; group: SVGElement; lines: DialLines[] }[];

  constructor(layers: readonly Layer[]) {
    this.boards = layers.map((layer) => {
      const group = svg("g", { visibility: "hidden" });
      layer.lines.append(group);
      return { layer, group, lines: [] };
    });
  }

  show(all: readonly Placed[], part: number, classesOf: (one: Placed, layer: Layer) => string): void {
    for (const { layer, group, lines } of this.boards) {
      setAttribute(group, "visibility", layer.view.shown && all.length > 0 ? "visible" : "hidden");
      if (!layer.view.shown) continue;
      while (lines.length < all.length) {
        const made = new DialLines();
        lines.push(made);
        group.append(made.element);
      }
      lines.forEach(({ element }, k) => k >= all.length && setAttribute(element, "class", "dial hidden"));
      all.forEach((one, k) =>
        lines[k]!.show(layer, one, part * ringRadius(layer), classesOf(one, layer) + (layer.isSmall ? " small" : "")),
      );
    }
  }

  hide(): void {
    for (const { group } of this.boards) setAttribute(group, "visibility", "hidden");
  }
}

export function mountLimits(app: Editor): void {
  const { stage } = app;
  const board = new DialBoard(layersOf(stage));
  let over = -1;
  let dials: readonly Dial[] = [];
  const hide = () => {
    over = -1;
    dials = [];
    board.hide();
  };

  function show(): void {
    if (dials.length === 0) return;
    const isSelected = app.selection.kind === "segment" && carrierOf(app.figure, app.selection.segment) === dials[0]!.segment;
    // The selected joint has rings, with the same arcs.
    if (isSelected || app.playing || stage.pointers.busy) return board.hide();
    board.show(
      placed(dials, app.figure, app.pose, stage.figureView.frames).filter(({ hasLimits }) => hasLimits),
      smallPart,
      () => "quiet",
    );
  }

  stage.onHover((hover) => {
    const segment = hover?.hit?.segment ?? -1;
    if (segment < 0) return over >= 0 ? hide() : undefined;
    if (segment === over) return;
    over = segment;
    dials = dialsOf(app.figure, app.pose, segment);
    show();
  });
  stage.onFrame(show);
  app.on("figure", hide);
  app.on("selection", hide);
}
