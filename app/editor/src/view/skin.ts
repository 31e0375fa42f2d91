// The skinned body of a glTF file, driven by the figure: each node is placed at its segment.
//
// Each node of the file is a segment of the figure, in the same order. The placement of a segment is in metres and includes
// the scales of the file; the scale of the node itself stays as in the file.
import * as THREE from "three";
import { GLTFLoader, type GLTF } from "three/addons/loaders/GLTFLoader.js";
import type { Figure } from "limber";
import type { Doc } from "../document/document.js";
import { fromBase64 } from "../document/base64.js";
import type { Surface } from "./pick.js";

interface NodeOfFile {
  name?: string;
  children?: number[];
}

interface TreeOfFile {
  nodes?: NodeOfFile[];
  scenes?: { nodes?: number[] }[];
  scene?: number;
}

// Nodes of the default scene, parents before children, in the order of the segments.
export function nodesInOrder(json: TreeOfFile): number[] {
  const order: number[] = [];
  const visit = (node: number) => {
    order.push(node);
    for (const child of json.nodes?.[node]?.children ?? []) visit(child);
  };
  for (const root of json.scenes?.[json.scene ?? 0]?.nodes ?? []) visit(root);
  return order;
}

// The file with the skin of the document's figure; undefined for other kinds of figures.
export function skinFile(doc: Doc): string | undefined {
  const { file } = doc.figure as { file?: unknown };
  return typeof file === "string" && /\.(glb|gltf|vrm)$/i.test(file) && doc.files[file] !== undefined ? file : undefined;
}

async function parse(doc: Doc, file: string): Promise<GLTF> {
  const manager = new THREE.LoadingManager();
  const made: string[] = [];
  // The files that it refers to are read from the document.
  manager.setURLModifier((url) => {
    const bytes = doc.files[decodeURIComponent(url)] ?? doc.files[decodeURIComponent(url.split("/").at(-1)!)];
    if (bytes === undefined || url.startsWith("blob:") || url.startsWith("data:")) return url;
    made.push(URL.createObjectURL(new Blob([fromBase64(bytes) as BlobPart])));
    return made.at(-1)!;
  });
  const bytes = fromBase64(doc.files[file]!);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  try {
    return await new GLTFLoader(manager).parseAsync(buffer, "");
  } finally {
    for (const url of made) URL.revokeObjectURL(url);
  }
}

export async function loadSkin(figure: Figure, doc: Doc): Promise<Skin | undefined> {
  const file = skinFile(doc);
  if (file === undefined) return undefined;
  const gltf = await parse(doc, file);
  const skin = new Skin(figure, gltf);
  return skin.isEmpty ? undefined : skin;
}

interface Part {
  readonly mesh: THREE.Mesh;
  readonly first: number; // index of its first vertex among all
  readonly bones: readonly THREE.Object3D[]; // the node itself, or the bones of its skeleton
  readonly joints: THREE.BufferAttribute | undefined;
  readonly weights: THREE.BufferAttribute | undefined;
}

export class Skin {
  readonly object: THREE.Object3D;
  private readonly nodes: (THREE.Object3D | undefined)[] = []; // by segment
  private readonly scales: THREE.Vector3[] = [];
  private readonly parts: Part[] = [];
  private readonly position: Float32Array;
  private readonly triangle: Uint32Array;
  private readonly part: Int32Array; // by triangle
  private readonly partOf: Int32Array; // by vertex
  private isOld = true; // the surface is older than the pose

  constructor(figure: Figure, gltf: GLTF) {
    this.object = gltf.scene;
    this.object.updateMatrixWorld(true);
    this.findNodes(figure, gltf);
    const segmentOf = this.segmentsByNode();
    this.object.traverse((node) => node instanceof THREE.Mesh && this.addPart(node as THREE.Mesh));
    const vertices = this.parts.reduce((sum, { mesh }) => sum + mesh.geometry.getAttribute("position").count, 0);
    this.position = new Float32Array(3 * vertices);
    this.partOf =
      this.parts.length === 0 ? new Int32Array(0) : Int32Array.from(this.parts.flatMap((one) => dominant(one, segmentOf)));
    const triangles = this.parts.flatMap(({ mesh, first }) => trianglesOf(mesh.geometry).map((v) => first + v));
    this.triangle = Uint32Array.from(triangles);
    this.part = Int32Array.from({ length: triangles.length / 3 }, (_, t) => this.partOf[triangles[3 * t]!]!);
    this.object.traverse((node) => {
      node.matrixAutoUpdate = node.matrixWorldAutoUpdate = false;
      node.frustumCulled = false;
    });
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  private findNodes(figure: Figure, gltf: GLTF): void {
    const byIndex = new Map<number, THREE.Object3D>();
    for (const [object, { nodes }] of gltf.parser.associations as Map<THREE.Object3D, { nodes?: number }>)
      if (nodes !== undefined && object instanceof THREE.Object3D && !byIndex.has(nodes)) byIndex.set(nodes, object);
    const order = nodesInOrder(gltf.parser.json as TreeOfFile);
    for (let segment = 0; segment < figure.segments; ++segment) {
      const node = byIndex.get(order[segment] ?? -1);
      this.nodes.push(node);
      this.scales.push(new THREE.Vector3().setFromMatrixScale(node?.matrixWorld ?? new THREE.Matrix4()));
    }
  }

  // The segment of each object.
  private segmentsByNode(): (node: THREE.Object3D | null) => number {
    const own = new Map(this.nodes.map((node, segment) => [node, segment]));
    const segmentOf = (node: THREE.Object3D | null): number => (node ? (own.get(node) ?? segmentOf(node.parent)) : 0);
    return segmentOf;
  }

  private addPart(mesh: THREE.Mesh): void {
    const { geometry } = mesh;
    const last = this.parts.at(-1);
    const first = last ? last.first + last.mesh.geometry.getAttribute("position").count : 0;
    const isSkinned = mesh instanceof THREE.SkinnedMesh;
    this.parts.push({
      mesh,
      first,
      bones: isSkinned ? mesh.skeleton.bones : [mesh],
      joints: isSkinned ? (geometry.getAttribute("skinIndex") as THREE.BufferAttribute) : undefined,
      weights: isSkinned ? (geometry.getAttribute("skinWeight") as THREE.BufferAttribute) : undefined,
    });
    mesh.castShadow = mesh.receiveShadow = true;
    // Tints are vertex colours over the materials; vertex colours of the file are kept below them.
    if (!geometry.hasAttribute("color"))
      geometry.setAttribute(
        "color",
        new THREE.BufferAttribute(new Float32Array(3 * geometry.getAttribute("position").count).fill(1), 3),
      );
    for (const material of [mesh.material].flat()) material.vertexColors = true;
    geometry.userData.colours = Float32Array.from(geometry.getAttribute("color").array);
  }

  // One material instead of those of the file. `under` prepares a second mesh that is drawn first.
  wear(material: THREE.Material, order: number, under: (twin: THREE.Mesh) => void): void {
    this.object.traverse((node) => node instanceof THREE.Group && (node.renderOrder = order));
    for (const { mesh } of this.parts) {
      forget(mesh);
      mesh.material = material;
      mesh.castShadow = mesh.receiveShadow = false;
      const twin = twinOf(mesh);
      under(twin);
      mesh.add(twin);
    }
  }

  // Places all nodes; twelve numbers per segment.
  place(frames: Float64Array): void {
    const matrix = new THREE.Matrix4();
    this.nodes.forEach((node, segment) => {
      if (!node) return;
      const f = frames.subarray(12 * segment, 12 * segment + 12);
      matrix.set(f[0]!, f[3]!, f[6]!, f[9]!, f[1]!, f[4]!, f[7]!, f[10]!, f[2]!, f[5]!, f[8]!, f[11]!, 0, 0, 0, 1);
      node.matrixWorld.copy(matrix).scale(this.scales[segment]!);
      // Meshes with several materials are children of their node.
      for (const child of node.children) if (!this.nodes.includes(child)) child.matrixWorld.copy(node.matrixWorld);
    });
    for (const { mesh } of this.parts) {
      if (!(mesh instanceof THREE.SkinnedMesh)) continue;
      mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
      mesh.skeleton.update();
    }
    this.isOld = true;
  }

  // The surface in the last pose, computed on demand.
  get surface(): Surface {
    if (this.isOld) for (const part of this.parts) skinned(part, this.position);
    this.isOld = false;
    return { position: this.position, triangle: this.triangle, part: this.part };
  }

  bounds(parts?: ReadonlySet<number>): THREE.Box3 {
    const { position } = this.surface;
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (let v = 0; v < this.partOf.length; ++v)
      if (!parts || parts.has(this.partOf[v]!)) box.expandByPoint(point.fromArray(position, 3 * v));
    return box;
  }

  setTints(tints: ReadonlyMap<number, THREE.Color>): void {
    for (const { mesh, first } of this.parts) {
      const colours = mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
      const own = mesh.geometry.userData.colours as Float32Array;
      const { array, itemSize } = colours;
      for (let v = 0; v < colours.count; ++v) {
        const tint = tints.get(this.partOf[first + v]!);
        const [r, g, b] = tint ? [tint.r, tint.g, tint.b] : [1, 1, 1];
        array[itemSize * v] = own[itemSize * v]! * r;
        array[itemSize * v + 1] = own[itemSize * v + 1]! * g;
        array[itemSize * v + 2] = own[itemSize * v + 2]! * b;
      }
      colours.needsUpdate = true;
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const { mesh } of this.parts) {
      mesh.geometry.dispose();
      forget(mesh);
      if (mesh instanceof THREE.SkinnedMesh) mesh.skeleton.dispose();
    }
  }
}

// Disposes the textures of its materials.
function forget(mesh: THREE.Mesh): void {
  for (const material of [mesh.material].flat()) {
    for (const value of Object.values(material)) if (value instanceof THREE.Texture) value.dispose();
    material.dispose();
  }
}

// A second mesh with the same placement and skeleton.
function twinOf(mesh: THREE.Mesh): THREE.Mesh {
  const twin = mesh instanceof THREE.SkinnedMesh ? new THREE.SkinnedMesh(mesh.geometry) : new THREE.Mesh(mesh.geometry);
  if (mesh instanceof THREE.SkinnedMesh && twin instanceof THREE.SkinnedMesh) {
    twin.bind(mesh.skeleton, mesh.bindMatrix);
    twin.bindMatrixInverse = mesh.bindMatrixInverse;
  }
  twin.matrixWorld = mesh.matrixWorld;
  twin.matrixAutoUpdate = twin.matrixWorldAutoUpdate = twin.frustumCulled = false;
  return twin;
}

function trianglesOf(geometry: THREE.BufferGeometry): number[] {
  const { index } = geometry;
  return Array.from({ length: index?.count ?? geometry.getAttribute("position").count }, (_, k) => (index ? index.getX(k) : k));
}

// The segment with the largest skin weight, by vertex.
function dominant({ mesh, bones, joints, weights }: Part, segmentOf: (node: THREE.Object3D | null) => number): number[] {
  const segments = bones.map(segmentOf);
  return Array.from({ length: mesh.geometry.getAttribute("position").count }, (_, v) => {
    let best = 0;
    if (joints && weights) for (let k = 1; k < 4; ++k) if (weights.getComponent(v, k) > weights.getComponent(v, best)) best = k;
    return segments[joints?.getComponent(v, best) ?? 0] ?? 0;
  });
}

function skinned({ mesh, first, joints, weights }: Part, out: Float32Array): void {
  const given = mesh.geometry.getAttribute("position");
  const point = new THREE.Vector3();
  const sum = new THREE.Vector3();
  const moved = new THREE.Vector3();
  const skeleton = mesh instanceof THREE.SkinnedMesh ? mesh.skeleton : undefined;
  const matrices = skeleton?.bones.map((bone, k) =>
    new THREE.Matrix4()
      .multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[k]!)
      .multiply((mesh as THREE.SkinnedMesh).bindMatrix),
  );
  for (let v = 0; v < given.count; ++v) {
    point.fromBufferAttribute(given, v);
    if (!matrices || !joints || !weights) sum.copy(point).applyMatrix4(mesh.matrixWorld);
    else {
      sum.set(0, 0, 0);
      for (let k = 0; k < 4; ++k) {
        const weight = weights.getComponent(v, k);
        if (weight > 0) sum.addScaledVector(moved.copy(point).applyMatrix4(matrices[joints.getComponent(v, k)]!), weight);
      }
    }
    sum.toArray(out, 3 * (first + v));
  }
}
