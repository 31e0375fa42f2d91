// One obstacle: its mesh, and the surface that takes the pointer.
import * as THREE from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import type { ObstacleValue } from "limber";
import { turnOf } from "../document/obstacle_frame.js";
import { themeOf } from "./ground.js";
import type { Surface } from "./pick.js";
import { shapes } from "../document/obstacle.js";

const wallSize = 3; // metres drawn of an infinite plane
const gripSize = 0.3; // metres of it that take the pointer; the rest moves the camera
const grain = 1e-4; // metres between coplanar surfaces
const colours = {
  light: { body: 0x7d93ad, edge: 0x3d5675, over: 0x93a9c4, selected: 0x0b66c3, opacity: 0.62 },
  dark: { body: 0x8ea6c2, edge: 0xb9cde4, over: 0xa9bfd9, selected: 0x6db3ff, opacity: 0.55 },
};

const vector = (p: readonly number[]) => new THREE.Vector3(p[0], p[1], p[2]);

function capsuleGeometry({ a, b, radius }: NonNullable<ObstacleValue["capsule"]>): THREE.BufferGeometry {
  const [from, to] = [vector(a), vector(b)];
  const along = to.clone().sub(from);
  const geometry = new THREE.CapsuleGeometry(radius, along.length(), 10, 28);
  if (along.lengthSq() > 0)
    geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().normalize()));
  const { x, y, z } = from.add(to).multiplyScalar(0.5);
  return geometry.translate(x, y, z);
}

function meshGeometry({ vertices, triangles }: NonNullable<ObstacleValue["mesh"]>): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry().setFromPoints(vertices.map(vector)).setIndex(triangles.flat()).toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

// The parts of another figure are not known here: a pillar as tall as a person is drawn instead.
const usualStature = 1.75; // metres
const pillarRadius = 0.2;
function pillarGeometry(figure: NonNullable<ObstacleValue["figure"]>): THREE.BufferGeometry {
  const { human, simple_human: simple } = figure as { human?: { stature?: number }; simple_human?: { stature?: number } };
  const stature = human?.stature ?? simple?.stature ?? usualStature;
  return capsuleGeometry({ a: [0, pillarRadius, 0], b: [0, stature - pillarRadius, 0], radius: pillarRadius });
}

const square = (size: number, lift: number) => new THREE.PlaneGeometry(size, size).rotateX(-Math.PI / 2).translate(0, lift, 0);

function geometryOf({ box, ball, capsule, hull, mesh, figure }: ObstacleValue): THREE.BufferGeometry {
  if (box) return new THREE.BoxGeometry(...box);
  if (ball !== undefined) return new THREE.SphereGeometry(ball, 36, 24);
  if (capsule) return capsuleGeometry(capsule);
  if (hull) return new ConvexGeometry(hull.map(vector));
  if (mesh) return meshGeometry(mesh);
  if (figure) return pillarGeometry(figure);
  return square(wallSize, 0);
}

const isSharp = ({ ball, capsule, figure }: ObstacleValue) => ball === undefined && capsule === undefined && !figure;

export class ObstacleMesh {
  readonly object = new THREE.Group();
  private readonly body: THREE.MeshStandardMaterial;
  private readonly line = new THREE.LineBasicMaterial();
  private readonly geometries: THREE.BufferGeometry[] = [];
  private readonly pressed: THREE.BufferGeometry; // in the frame of the obstacle
  private surface_: Surface | undefined;

  constructor(private value_: ObstacleValue) {
    const { floor } = value_;
    this.body = new THREE.MeshStandardMaterial({
      roughness: 0.8,
      transparent: true,
      depthWrite: false,
      side: floor || value_.mesh ? THREE.DoubleSide : THREE.FrontSide,
    });
    const geometry = this.kept(geometryOf(value_));
    const mesh = new THREE.Mesh(geometry, this.body);
    mesh.castShadow = !floor;
    mesh.renderOrder = 1;
    this.object.add(mesh);
    if (isSharp(value_)) this.object.add(new THREE.LineSegments(this.kept(new THREE.EdgesGeometry(geometry, 20)), this.line));
    this.pressed = floor ? this.grip() : geometry;
    this.place();
  }

  get value(): ObstacleValue {
    return this.value_;
  }

  private kept<G extends THREE.BufferGeometry>(geometry: G): G {
    this.geometries.push(geometry);
    return geometry;
  }

  // The middle of a plane, with an arrow to the free side.
  private grip(): THREE.BufferGeometry {
    const plate = this.kept(square(gripSize, grain));
    const mesh = new THREE.Mesh(plate, this.body);
    mesh.renderOrder = 1;
    const points = [
      [0, 0],
      [0, gripSize],
      [-0.04, 0.8 * gripSize],
      [0, gripSize],
      [0.04, 0.8 * gripSize],
    ].map(([x, y]) => new THREE.Vector3(x, y, 0));
    this.object.add(
      mesh,
      new THREE.LineSegments(this.kept(new THREE.EdgesGeometry(plate)), this.line),
      new THREE.Line(this.kept(new THREE.BufferGeometry().setFromPoints(points)), this.line),
    );
    return plate;
  }

  // Whether only its placement differs.
  canBe(next: ObstacleValue): boolean {
    return shapes.every((shape) => next[shape] === this.value_[shape]);
  }

  become(next: ObstacleValue): void {
    this.value_ = next;
    this.place();
  }

  private place(): void {
    this.object.position.copy(vector(this.value_.p ?? [0, 0, 0]));
    this.object.quaternion.copy(turnOf(this.value_));
    this.object.updateMatrixWorld();
    this.surface_ = undefined;
  }

  // In the world.
  get surface(): Surface {
    if (this.surface_) return this.surface_;
    const world = this.pressed.getAttribute("position").clone().applyMatrix4(this.object.matrixWorld);
    const triangle = this.pressed.getIndex()?.array ?? Array.from({ length: world.count }, (_, k) => k);
    return (this.surface_ = { position: world.array as Float32Array, triangle, part: new Uint8Array(triangle.length / 3) });
  }

  paint(isSelected: boolean, isOver: boolean): void {
    const own = colours[themeOf()];
    this.body.color.set(isOver ? own.over : own.body);
    this.body.opacity = this.value_.floor ? 0.35 * own.opacity : own.opacity;
    this.line.color.set(isSelected ? own.selected : own.edge);
    this.body.emissive.set(isSelected ? own.selected : 0);
    this.body.emissiveIntensity = 0.35;
  }

  drop(): void {
    this.object.removeFromParent();
    for (const one of [...this.geometries, this.body, this.line]) one.dispose();
  }
}
