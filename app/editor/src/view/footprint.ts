// Where a foot would have to stand: the print of a sole on the ground, and a line to it from the foot.
import * as THREE from "three";
import { paletteNow } from "./ground.js";
import type { Point } from "./pick.js";
import { Tether } from "./tether.js";

const opacity = 0.55;
const above = 0.002; // the ground, relative to the length of the print

// A sole of length 1 that points along x, seen from above: the ball is wider than the heel.
function sole(): THREE.BufferGeometry {
  const shape = new THREE.Shape();
  shape.moveTo(-0.35, -0.12);
  shape.bezierCurveTo(-0.6, -0.12, -0.6, 0.12, -0.35, 0.12);
  shape.bezierCurveTo(-0.1, 0.1, 0, 0.19, 0.28, 0.19);
  shape.bezierCurveTo(0.58, 0.19, 0.58, -0.19, 0.28, -0.19);
  shape.bezierCurveTo(0, -0.19, -0.1, -0.1, -0.35, -0.12);
  return new THREE.ShapeGeometry(shape).rotateX(-Math.PI / 2);
}

export class Footprint {
  private readonly material = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity,
    side: THREE.DoubleSide,
    depthTest: false,
  });
  private readonly print = new THREE.Mesh(sole(), this.material);
  private readonly tether: Tether;

  constructor(scene: THREE.Scene) {
    this.print.visible = false;
    this.print.renderOrder = 9;
    scene.add(this.print);
    this.tether = new Tether(scene);
  }

  // `foot` stands at a point on the ground, points along `forward` and would step by `by`.
  show(foot: Point, forward: Point, by: Point, length: number): void {
    const [x, y, z] = foot.map((value, k) => value + by[k]!) as [number, number, number];
    this.print.position.set(x, y + above * length, z);
    this.print.rotation.set(0, Math.atan2(-forward[2], forward[0]), 0);
    this.print.scale.setScalar(length);
    this.material.color.set(paletteNow().goal);
    this.print.visible = true;
    this.tether.show(foot, [x, y, z]);
  }

  hide(): void {
    this.print.visible = false;
    this.tether.hide();
  }
}
