// A figure on the stage: its body in a pose. There may be several: ghosts, a reference.
//
// Every vertex belongs to one segment and is placed here, not by the graphics card, so that picking matches exactly what
// is drawn.
import * as THREE from "three";
import { Rejection, type BodyMesh, type Figure } from "limber";
import { capsuleBody } from "./capsules.js";
import type { Surface } from "./pick.js";
import type { Skin } from "./skin.js";

export interface FigureOptions {
  colour?: THREE.ColorRepresentation;
  opacity?: number; // below 1: a ghost
  behind?: number; // depth offset away from the camera
  pickable?: boolean;
  shadow?: boolean;
  body?: BodyMesh | undefined; // in place of that of the figure
}

// Only the nearest surface of a transparent body is visible: it is first drawn into the depth buffer alone, after all opaque
// bodies.
const ghostOrder = 2;

const white = new THREE.Color(0xffffff);
const lighter = 0.3;
const eyeMaterial = 1;
const eyeColour = new THREE.Color(0x26303c);

export function bodyOf(figure: Figure): BodyMesh {
  try {
    return figure.body();
  } catch (error) {
    if (error instanceof Rejection) return capsuleBody(figure.info);
    throw error;
  }
}

export class FigureView {
  readonly object = new THREE.Group();
  readonly pickable: boolean;
  readonly frames: Float64Array; // where the segments are: twelve numbers each
  private readonly body: BodyMesh;
  private readonly partOf: Int32Array; // by vertex
  private readonly isEye: Uint8Array; // by vertex
  private readonly geometry = new THREE.BufferGeometry();
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  private readonly colours: THREE.BufferAttribute;
  private readonly material: THREE.MeshStandardMaterial;
  private readonly others: THREE.Material[] = [];
  private readonly colour: THREE.Color;
  private readonly isGhost: boolean;
  private readonly meshes: readonly THREE.Mesh[]; // of the plain body
  private skin: Skin | undefined;
  private ghostMaterial: THREE.MeshStandardMaterial | undefined; // of its skin
  private tints = new Map<number, THREE.Color>();
  private heat: ReadonlyMap<number, THREE.Color> | undefined;

  constructor(
    readonly figure: Figure,
    { colour = 0xd3b79f, opacity = 1, pickable = true, shadow = opacity === 1, behind = 0, body }: FigureOptions = {},
  ) {
    this.pickable = pickable;
    this.frames = new Float64Array(12 * figure.segments);
    this.body = body ?? bodyOf(figure);
    this.colour = new THREE.Color(colour);
    const vertices = this.body.segment.length;
    this.partOf = Int32Array.from(this.body.segment);
    this.isEye = new Uint8Array(vertices);
    this.body.part.forEach((segment, t) => {
      for (let k = 3 * t; k < 3 * t + 3; ++k) {
        this.partOf[this.body.triangle[k]!] = segment;
        if (this.body.material[t] === eyeMaterial) this.isEye[this.body.triangle[k]!] = 1;
      }
    });
    const attribute = (name: string) => {
      const made = new THREE.BufferAttribute(new Float32Array(3 * vertices), 3);
      this.geometry.setAttribute(name, made);
      return made;
    };
    this.positions = attribute("position");
    this.normals = attribute("normal");
    this.colours = attribute("color");
    this.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(this.body.triangle), 1));
    this.isGhost = opacity < 1;
    const offset = { polygonOffset: behind > 0, polygonOffsetUnits: behind };
    this.material = new THREE.MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.72,
      metalness: 0,
      transparent: this.isGhost,
      opacity,
      ...offset,
    });
    const mesh = new THREE.Mesh(this.geometry, this.material);
    mesh.castShadow = mesh.receiveShadow = shadow;
    this.meshes = this.isGhost ? [this.depthFirst(new THREE.Mesh(this.geometry), offset), mesh] : [mesh];
    for (const one of this.meshes) one.frustumCulled = false;
    if (this.isGhost) this.object.renderOrder = ghostOrder;
    this.object.add(...this.meshes);
    this.paint();
  }

  private depthFirst(mesh: THREE.Mesh, offset: THREE.MeshBasicMaterialParameters): THREE.Mesh {
    mesh.material = new THREE.MeshBasicMaterial({ colorWrite: false, ...offset });
    this.others.push(mesh.material);
    return mesh;
  }

  get visible(): boolean {
    return this.object.visible;
  }
  set visible(visible: boolean) {
    this.object.visible = visible;
  }

  // Replaces the plain body by a skin.
  setSkin(skin: Skin): void {
    this.skin?.dispose();
    this.skin = skin;
    this.object.add(skin.object);
    if (this.isGhost) this.makeGhost(skin);
    this.dress();
  }

  // Shows the skin, or the plain body.
  private dress(): void {
    const { worn } = this;
    if (this.skin) this.skin.object.visible = worn !== undefined;
    for (const mesh of this.meshes) mesh.visible = worn === undefined;
    this.placeShown();
    if (worn) worn.setTints(this.tints);
    else this.paint();
  }

  // The skin, if it is visible: colours of values cannot be read on textures, so the plain body shows them.
  private get worn(): Skin | undefined {
    return this.heat ? undefined : this.skin;
  }

  // In one colour, like the plain body of a ghost.
  private makeGhost(skin: Skin): void {
    const { material } = this;
    const offset = { polygonOffset: material.polygonOffset, polygonOffsetUnits: material.polygonOffsetUnits };
    const plain = new THREE.MeshStandardMaterial({
      roughness: material.roughness,
      metalness: 0,
      transparent: true,
      opacity: material.opacity,
      color: this.colour,
      ...offset,
    });
    this.ghostMaterial = plain;
    this.others.push(plain);
    skin.wear(plain, ghostOrder, (twin) => this.depthFirst(twin, offset));
  }

  setPose(pose: ArrayLike<number>): void {
    this.frames.set(this.figure.place(pose));
    this.placeShown();
  }

  private placeShown(): void {
    if (this.worn) this.worn.place(this.frames);
    else this.placeBody();
  }

  private placeBody(): void {
    const { segment, position, normal } = this.body;
    const { frames } = this;
    const p = this.positions.array;
    const n = this.normals.array;
    for (let v = 0, k = 0; v < segment.length; ++v, k += 3) {
      const f = 12 * segment[v]!;
      const x = position[k]!,
        y = position[k + 1]!,
        z = position[k + 2]!;
      const a = normal[k]!,
        b = normal[k + 1]!,
        c = normal[k + 2]!;
      for (let j = 0; j < 3; ++j) {
        const r0 = frames[f + j]!,
          r1 = frames[f + 3 + j]!,
          r2 = frames[f + 6 + j]!;
        p[k + j] = r0 * x + r1 * y + r2 * z + frames[f + 9 + j]!;
        n[k + j] = r0 * a + r1 * b + r2 * c;
      }
    }
    this.positions.needsUpdate = this.normals.needsUpdate = true;
  }

  get surface(): Surface {
    return (
      this.worn?.surface ?? { position: this.positions.array as Float32Array, triangle: this.body.triangle, part: this.body.part }
    );
  }

  setColour(colour: THREE.ColorRepresentation): void {
    this.colour.set(colour);
    this.ghostMaterial?.color.set(colour);
    this.paint();
  }

  // Colours of individual parts, instead of the figure's colour.
  setTints(tints: ReadonlyMap<number, THREE.ColorRepresentation>): void {
    this.tints = new Map([...tints].map(([segment, colour]) => [segment, new THREE.Color(colour)]));
    if (this.worn) this.worn.setTints(this.tints);
    else this.paint();
  }

  // Colours of all parts that represent values, below those of individual parts; undefined: the figure's colour.
  setHeat(heat: ReadonlyMap<number, THREE.ColorRepresentation> | undefined): void {
    const wasWorn = this.worn;
    this.heat = heat && new Map([...heat].map(([segment, colour]) => [segment, new THREE.Color(colour)]));
    if (this.worn !== wasWorn) this.dress();
    else this.paint();
  }

  // A part that is hovered or selected is lighter and keeps the hue of its value.
  private colourOf(segment: number): THREE.Color {
    const tint = this.tints.get(segment);
    const value = this.heat?.get(segment);
    return value && tint ? value.clone().lerp(white, lighter) : (value ?? tint ?? this.colour);
  }

  private paint(): void {
    const array = this.colours.array;
    const colours = Array.from({ length: this.figure.segments }, (_, segment) => this.colourOf(segment));
    for (let v = 0; v < this.partOf.length; ++v) {
      const { r, g, b } = this.isEye[v] ? eyeColour : colours[this.partOf[v]!]!;
      array[3 * v] = r;
      array[3 * v + 1] = g;
      array[3 * v + 2] = b;
    }
    this.colours.needsUpdate = true;
  }

  // The box around the figure, or around parts of it.
  bounds(parts?: ReadonlySet<number>): THREE.Box3 {
    if (this.worn) return this.worn.bounds(parts);
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (let v = 0; v < this.partOf.length; ++v)
      if (!parts || parts.has(this.partOf[v]!)) box.expandByPoint(point.fromBufferAttribute(this.positions, v));
    return box;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.skin?.dispose();
    this.geometry.dispose();
    this.material.dispose();
    for (const one of this.others) one.dispose();
  }
}
