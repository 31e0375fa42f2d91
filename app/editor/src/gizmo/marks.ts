// The geometry of constraints in the world: the plane or line that a part must be in, and the support that the centre of mass
// must be over. The figure hides what is behind it.
import * as THREE from "three";
import { Rejection } from "limber";
import { vectorOf } from "../document/direction.js";
import { markOf } from "../document/goals.js";
import { stateOf, type Seen, type State } from "./goals.js";
import { themeOf } from "../view/ground.js";
import type { Editor } from "../view/stage.js";

const size = 0.2; // of the figure's length: half of the square that represents a plane, half of a line
const lift = 0.003; // metres above the ground, so that lines on it are visible
const colours = {
  light: { plain: 0x2461c4, met: 0x1b7f3b, unmet: 0xb3261e, off: 0x8a93a0 },
  dark: { plain: 0x82b4ff, met: 0x63d08a, unmet: 0xff8a80, off: 0x6d7886 },
};

const colourOf = (state: State, isBalance: boolean): number => {
  const own = colours[themeOf()];
  return state === "off" ? own.off : state === "unmet" ? own.unmet : isBalance && state === "met" ? own.met : own.plain;
};

// The corners of a support: where neighbouring edges meet, from above.
export function cornersOf(faces: readonly number[]): THREE.Vector3[] {
  const edges = Array.from({ length: faces.length / 6 }, (_, k) => faces.slice(6 * k, 6 * k + 6)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ][];
  return edges.flatMap(([x, y, z, a, , c], k) => {
    const [X, , Z, A, , C] = edges.at(k - 1)!;
    const turn = a * C - c * A;
    if (Math.abs(turn) < 1e-9) return [];
    const [d, D] = [a * x + c * z, A * X + C * Z];
    return [new THREE.Vector3((d * C - c * D) / turn, y + lift, (a * D - d * A) / turn)];
  });
}

// Round dots of constant size.
function roundDots(pixels: number): THREE.PointsMaterial {
  const material = new THREE.PointsMaterial({ size: pixels, sizeAttenuation: false, depthTest: false, transparent: true });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <clipping_planes_fragment>",
      "if (length(gl_PointCoord - 0.5) > 0.5) discard;",
    );
  };
  return material;
}

// Empty if limber.wasm rejects the constraints.
function supportOf(app: Editor, index: number): THREE.Vector3[] {
  try {
    return cornersOf(app.engine.scene(app.present).faces(index));
  } catch (error) {
    if (error instanceof Rejection) return [];
    throw error;
  }
}

class Mark {
  readonly object = new THREE.Group();
  private readonly fill = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity: 0.16,
    side: THREE.DoubleSide,
    depthWrite: false,
  });
  private readonly edge = new THREE.LineBasicMaterial({ transparent: true });
  private readonly dot = roundDots(10);
  private readonly geometries: THREE.BufferGeometry[] = [];
  private readonly falling: THREE.BufferAttribute | undefined; // from the centre of mass to the ground

  constructor(
    app: Editor,
    readonly seen: Seen,
  ) {
    const { goal } = seen.constraint;
    const half = size * app.figure.info.length;
    const mark = goal && markOf(goal);
    if (mark) {
      if (mark.shape === "line") this.line([new THREE.Vector3(0, 0, -2 * half), new THREE.Vector3(0, 0, 2 * half)]);
      else this.square(half, mark.shape === "side");
      this.turn(mark.p, vectorOf(mark.v), new THREE.Vector3(0, 0, 1));
    } else if (seen.kind === "balance") {
      const corners = supportOf(app, seen.index);
      if (corners.length < 3) return;
      this.area(corners);
      this.falling = this.line([new THREE.Vector3(), new THREE.Vector3()]);
      this.add(new THREE.Points(this.geometries.at(-1), this.dot));
    }
  }

  get isEmpty(): boolean {
    return this.object.children.length === 0;
  }

  private add(one: THREE.Object3D): void {
    one.frustumCulled = false;
    one.renderOrder = 3;
    this.object.add(one);
  }

  private made(points: readonly THREE.Vector3[]): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry().setFromPoints([...points]);
    this.geometries.push(geometry);
    return geometry;
  }

  private line(points: readonly THREE.Vector3[]): THREE.BufferAttribute {
    const geometry = this.made(points);
    this.add(new THREE.Line(geometry, this.edge));
    return geometry.getAttribute("position") as THREE.BufferAttribute;
  }

  private area(corners: readonly THREE.Vector3[]): void {
    const geometry = this.made(corners);
    geometry.setIndex(Array.from({ length: corners.length - 2 }, (_, k) => [0, k + 1, k + 2]).flat());
    this.add(new THREE.Mesh(geometry, this.fill));
    this.add(new THREE.LineLoop(this.made(corners), this.edge));
  }

  // An arrow shows the side of a half-space.
  private square(half: number, hasSide: boolean): void {
    this.area(
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ].map(([x, y]) => new THREE.Vector3(half * x!, half * y!, 0)),
    );
    if (!hasSide) return;
    const long = 0.45 * half;
    this.line(
      [
        [0, 0],
        [0, long],
        [-0.12 * long, 0.75 * long],
        [0, long],
        [0.12 * long, 0.75 * long],
      ].map(([x, z]) => new THREE.Vector3(x, 0, z)),
    );
  }

  private turn(p: readonly number[], v: readonly number[], from: THREE.Vector3): void {
    this.object.position.set(p[0]!, p[1]!, p[2]);
    this.object.quaternion.setFromUnitVectors(from, new THREE.Vector3(v[0], v[1], v[2]).normalize());
  }

  show(app: Editor): void {
    const state = stateOf(app, this.seen);
    const isBalance = this.seen.kind === "balance";
    for (const material of [this.fill, this.edge, this.dot]) material.color.set(colourOf(state, isBalance));
    if (!this.falling) return;
    const [x, y, z] = app.figure.massCentre(app.pose);
    this.falling.setXYZ(0, x, y, z).setXYZ(1, x, lift, z);
    this.falling.needsUpdate = true;
  }

  drop(): void {
    this.object.removeFromParent();
    for (const one of [...this.geometries, this.fill, this.edge, this.dot]) one.dispose();
  }
}

export class Marks {
  private marks: Mark[] = [];

  constructor(private readonly app: Editor) {}

  // Rebuilds the marks of constraints that have changed.
  read(all: readonly Seen[], isOther: boolean): void {
    const kept = new Map(isOther ? [] : this.marks.map((mark) => [mark.seen.constraint, mark]));
    const before = this.marks;
    this.marks = all.flatMap((seen) => {
      const old = kept.get(seen.constraint);
      if (old && old.seen.index === seen.index) return [old];
      const mark = new Mark(this.app, seen);
      if (mark.isEmpty) return [];
      this.app.stage.scene.add(mark.object);
      return [mark];
    });
    for (const mark of before) if (!this.marks.includes(mark)) mark.drop();
  }

  frame(): void {
    for (const mark of this.marks) mark.show(this.app);
  }
}
