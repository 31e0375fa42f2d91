// Poses the bones of a three.js SkinnedMesh by goals: hands that reach, feet that stay.
//
//   const rig = Rig.fromSkinnedMesh(limber, mesh);
//   rig.pin("mixamorigLeftFoot");
//   rig.reach("mixamorigRightHand", target);   // a Vector3 or an Object3D, followed wherever it goes
//   rig.update();                              // each frame
//
// The bones become a figure of Limber in world coordinates: one segment per bone, with three rotations relative to its parent
// about its own x, y and z axis, measured from the pose in which the rig was made; the root bone is free. A solve sets the
// quaternions of the bones and the position of the root bone.
import type { Bone, Euler, Matrix4, Object3D, Quaternion, SkinnedMesh, Vector3 } from "three";
import type { ConstraintValue, Figure, FigureDescription, JointValue, Limber, PosedScene, PoseReport, Vec3 } from "./index.js";

/** Degrees from the pose in which the rig was made, about the bone's own axes. */
export interface BoneLimits {
  x?: readonly [lower: number, upper: number];
  y?: readonly [lower: number, upper: number];
  z?: readonly [lower: number, upper: number];
}

export interface RigOptions {
  limits?: Readonly<Record<string, BoneLimits>>; // by the name of a bone
  stiff?: readonly string[]; // bones that do not rotate
  metresPerUnit?: number; // of the world; default 1
  iterations?: number; // max per update; default 30
}

export interface PinOptions {
  orientation?: boolean; // also pin the orientation; default true
  weight?: number | "must"; // of the position; default "must", a hard constraint
}

export interface ReachOptions {
  weight?: number;
  from?: string; // the first bone of the chain that may move; default: the whole body
}

interface Limb {
  readonly name: string;
  readonly bone: Object3D;
  readonly parent: number; // -1: the root
  readonly rest: Quaternion; // rotation relative to the parent bone, in the pose in which the rig was made
  readonly at: Vector3; // position in the world, in that pose
}

type Asked =
  | { readonly kind: "pin"; readonly constraints: readonly ConstraintValue[] }
  | { readonly kind: "reach"; readonly limb: number; readonly options: ReachOptions; readonly target: Vector3 | Object3D };

const axes = ["x", "y", "z"] as const;
const rootFreedoms = 6;
const usualIterations = 30;
const turnWeight = 100; // of a pinned orientation

export class Rig {
  readonly figure: Figure;
  /** The last solved pose: one number per parameter of the figure. */
  readonly pose: Float64Array;
  private readonly asked = new Map<string, Asked>();
  private posed: PosedScene | undefined;

  // Scratch objects, so that an update creates no objects of three.js; made by clone(), since only types are imported.
  private readonly turn: Quaternion;
  private readonly point: Vector3;
  private readonly euler: Euler;
  private readonly matrix: Matrix4;

  private constructor(
    private readonly limber: Limber,
    private readonly limbs: readonly Limb[],
    private readonly options: RigOptions,
  ) {
    const { bone } = limbs[0]!;
    this.turn = bone.quaternion.clone();
    this.point = bone.position.clone();
    this.euler = bone.rotation.clone();
    this.matrix = bone.matrix.clone();
    this.figure = limber.figure(descriptionOf(limbs, options));
    this.pose = this.figure.rest();
  }

  static fromSkinnedMesh(limber: Limber, mesh: SkinnedMesh, options: RigOptions = {}): Rig {
    return Rig.fromBones(limber, mesh.skeleton.bones, options);
  }

  /** All bones at or below an object. */
  static fromObject(limber: Limber, object: Object3D, options: RigOptions = {}): Rig {
    const bones: Object3D[] = [];
    object.traverse((one) => (one as Partial<Bone>).isBone && bones.push(one));
    return Rig.fromBones(limber, bones, options);
  }

  /** Of several trees of bones, the one with the max number of bones is used. */
  static fromBones(limber: Limber, bones: readonly Object3D[], options: RigOptions = {}): Rig {
    const limbs = limbsOf(bones);
    for (const name of [...Object.keys(options.limits ?? {}), ...(options.stiff ?? [])]) indexOf(limbs, name);
    return new Rig(limber, limbs, options);
  }

  get bones(): string[] {
    return this.limbs.map(({ name }) => name);
  }

  /** Pins the bone where it is now. */
  pin(name: string, options: PinOptions = {}): this {
    const limb = indexOf(this.limbs, name);
    const frame = this.figure.place(this.pose).subarray(12 * limb, 12 * limb + 12);
    const three = (at: number): Vec3 => [frame[at]!, frame[at + 1]!, frame[at + 2]!];
    const constraints: ConstraintValue[] = [
      { handle: { point: name }, goal: { position: three(9) }, weight: options.weight ?? "must" },
    ];
    if (options.orientation ?? true)
      constraints.push({ handle: { frame: name }, goal: { orientation: { x: three(0), y: three(3) } }, weight: turnWeight });
    return this.ask(name, { kind: "pin", constraints });
  }

  /** Moves the bone's origin to the target, as far as possible; the target is read again in each update. */
  reach(name: string, target: Vector3 | Object3D, options: ReachOptions = {}): this {
    return this.ask(name, { kind: "reach", limb: indexOf(this.limbs, name), options, target });
  }

  /** Removes the constraint of a bone. */
  release(name: string): this {
    indexOf(this.limbs, name);
    this.asked.delete(name);
    this.forget();
    return this;
  }

  /** Solves from the last pose and rotates the bones. Returns whether every goal is met. */
  update({ iterations = this.options.iterations ?? usualIterations, restarts = 0 } = {}): boolean {
    const posed = (this.posed ??= this.limber.scene(this.figure, { constraints: this.constraints() }));
    let index = 0;
    for (const asked of this.asked.values()) {
      if (asked.kind === "reach") posed.setGoal(index, this.reaching(asked));
      index += asked.kind === "reach" ? 1 : asked.constraints.length;
    }
    posed.solve(this.pose, { iterations, restarts });
    this.write();
    return posed.met;
  }

  /** The report of the last update: the error of each goal, and the limits that block it. */
  report(): PoseReport {
    if (!this.posed) throw new Error("no update since the goals were changed");
    return this.posed.report();
  }

  /** Takes over the pose of the bones, which an animation may have moved, within the limits. */
  capture(): this {
    const { turn, point, euler } = this;
    const root = this.limbs[0]!;
    root.bone.updateWorldMatrix(true, true);
    const unit = this.options.metresPerUnit ?? 1;
    this.limbs.forEach(({ bone, parent, rest: from, at }, k) => {
      bone.getWorldQuaternion(turn);
      if (parent < 0) {
        // World axes: turn = Ry Rx Rz rest.
        turn.multiply(from.clone().invert());
        euler.setFromQuaternion(turn, "YXZ");
        bone.getWorldPosition(point).sub(at).multiplyScalar(unit);
        this.pose.set([point.x, point.y, point.z, euler.y, euler.x, euler.z]);
        return;
      }
      const above = this.limbs[parent]!.bone.getWorldQuaternion(from.clone());
      turn.premultiply(above.multiply(from).invert());
      euler.setFromQuaternion(turn, "XYZ");
      this.pose.set([euler.x, euler.y, euler.z], rootFreedoms + 3 * (k - 1));
    });
    this.pose.set(this.figure.bounded(this.pose));
    return this;
  }

  dispose(): void {
    this.forget();
    this.figure.drop();
  }

  private ask(name: string, asked: Asked): this {
    this.asked.set(name, asked);
    this.forget();
    return this;
  }

  private forget(): void {
    this.posed?.drop();
    this.posed = undefined;
  }

  // Without any pin the root is held, or the whole body would float to the target.
  private constraints(): ConstraintValue[] {
    const asked = [...this.asked.values()];
    const list = asked.flatMap((one) => (one.kind === "pin" ? one.constraints : [this.reaching(one)]));
    if (asked.some(({ kind }) => kind === "pin")) return list;
    const name = this.limbs[0]!.name;
    const frame = this.figure.place(this.pose);
    const p: Vec3 = [frame[9]!, frame[10]!, frame[11]!];
    return [...list, { handle: { point: name }, goal: { position: p }, weight: "must" }];
  }

  private reaching({ limb, target, options }: Asked & { kind: "reach" }): ConstraintValue {
    const { name } = this.limbs[limb]!;
    const at = "isVector3" in target ? this.point.copy(target) : target.getWorldPosition(this.point);
    at.multiplyScalar(this.options.metresPerUnit ?? 1);
    return {
      handle: { point: name },
      goal: { position: [at.x, at.y, at.z] },
      ...(options.weight === undefined ? {} : { weight: options.weight }),
      ...(options.from === undefined ? {} : { from: this.limbs[indexOf(this.limbs, options.from)]!.name }),
    };
  }

  // Copies the frames of the segments to the bones, parents first.
  private write(): void {
    const frames = this.figure.place(this.pose);
    const unit = this.options.metresPerUnit ?? 1;
    const { matrix, turn, point } = this;
    this.limbs.forEach(({ bone, parent }, k) => {
      const f = frames.subarray(12 * k, 12 * k + 12) as unknown as number[] & { length: 12 };
      matrix.set(f[0]!, f[3]!, f[6]!, 0, f[1]!, f[4]!, f[7]!, 0, f[2]!, f[5]!, f[8]!, 0, 0, 0, 0, 1);
      bone.quaternion.setFromRotationMatrix(matrix);
      if (bone.parent) bone.quaternion.premultiply(bone.parent.getWorldQuaternion(turn).invert());
      bone.quaternion.normalize();
      if (parent < 0) {
        point.set(f[9]! / unit, f[10]! / unit, f[11]! / unit);
        bone.position.copy(bone.parent ? bone.parent.worldToLocal(point) : point);
      }
      bone.updateWorldMatrix(false, false);
    });
    this.limbs[0]!.bone.updateWorldMatrix(false, true);
  }
}

function indexOf(limbs: readonly Limb[], name: string): number {
  const found = limbs.findIndex((one) => one.name === name);
  if (found >= 0) return found;
  throw new Error(`no bone ${JSON.stringify(name)}; there are ${limbs.map((one) => one.name).join(", ")}`);
}

// The bones of the largest tree among them, parents first, with unique names.
function limbsOf(bones: readonly Object3D[]): Limb[] {
  const members = new Set(bones);
  const parentOf = (bone: Object3D): Object3D | undefined => {
    for (let at = bone.parent; at; at = at.parent) if (members.has(at)) return at;
    return undefined;
  };
  const below = (root: Object3D): Object3D[] => {
    const found: Object3D[] = [];
    root.traverse((one) => members.has(one) && found.push(one));
    return found;
  };
  const trees = [...members].filter((bone) => !parentOf(bone)).map(below);
  const tree = trees.reduce((most, one) => (one.length > most.length ? one : most), []);
  if (tree.length < 2) throw new Error(`found ${tree.length} bones in a tree; expected two or more`);
  tree[0]!.updateWorldMatrix(true, true);
  const names = new Set<string>();
  return tree.map((bone, k) => {
    const plain = bone.name || `bone ${k}`;
    let name = plain;
    for (let again = 2; names.has(name); ++again) name = `${plain}_${again}`;
    names.add(name);
    const above = parentOf(bone);
    const turn = bone.getWorldQuaternion(bone.quaternion.clone());
    const rest = above ? turn.premultiply(above.getWorldQuaternion(bone.quaternion.clone()).invert()) : turn;
    return { name, bone, parent: above ? tree.indexOf(above) : -1, rest, at: bone.getWorldPosition(bone.position.clone()) };
  });
}

// As a description that limber.figure() reads, doc/scene.md.
function descriptionOf(limbs: readonly Limb[], { limits = {}, stiff = [], metresPerUnit = 1 }: RigOptions): FigureDescription {
  const quaternion = ({ w, x, y, z }: Quaternion): [number, number, number, number] => [w, x, y, z];
  const metres = (p: Vector3): Vec3 => [p.x * metresPerUnit, p.y * metresPerUnit, p.z * metresPerUnit];
  const joints = limbs.map(({ name, parent, rest, at }): JointValue => {
    if (parent < 0)
      return {
        name,
        child: name,
        in_parent: { p: metres(at) },
        in_child: { quaternion: quaternion(rest.clone().invert()) },
        free: true,
      };
    const above = limbs[parent]!;
    const offset = at.clone().sub(above.at).applyQuaternion(above.bone.getWorldQuaternion(rest.clone()).invert());
    return {
      name,
      parent: above.name,
      child: name,
      in_parent: { p: metres(offset), quaternion: quaternion(rest) },
      freedoms: axes.map((axis) => {
        const range = limits[name]?.[axis];
        return {
          name: axis,
          axis,
          ...(range ? { lower: range[0], upper: range[1] } : {}),
          ...(stiff.includes(name) ? { rigidity: 1 } : {}),
        };
      }),
    };
  });
  return { name: "bones", segments: limbs.map(({ name }) => ({ name })), joints };
}
