// A line from the dragged point to its goal while the goal is out of reach.
import * as THREE from "three";
import { paletteNow } from "./ground.js";
import type { Point } from "./pick.js";

// A disc, because points are squares by default.
function disc(): THREE.Texture {
  const size = 32;
  const data = new Uint8Array(4 * size * size);
  for (let k = 0; k < size * size; ++k) {
    const off = Math.hypot((k % size) - (size - 1) / 2, Math.floor(k / size) - (size - 1) / 2);
    data.set([255, 255, 255, Math.round(255 * Math.min(1, Math.max(0, size / 2 - off)))], 4 * k);
  }
  const texture = new THREE.DataTexture(data, size, size);
  texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export class Tether {
  private readonly material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly dotMaterial = new THREE.PointsMaterial({
    depthTest: false,
    transparent: true,
    size: 9,
    sizeAttenuation: false,
    map: disc(),
  });
  private readonly geometry = new THREE.BufferGeometry().setAttribute(
    "position",
    new THREE.Float32BufferAttribute(new Float32Array(6), 3),
  );
  private readonly object = new THREE.Group();

  constructor(scene: THREE.Scene) {
    for (const one of [new THREE.Line(this.geometry, this.material), new THREE.Points(this.geometry, this.dotMaterial)]) {
      one.frustumCulled = false;
      one.renderOrder = 10;
      this.object.add(one);
    }
    this.object.visible = false;
    scene.add(this.object);
  }

  show(from: Point, to: Point): void {
    const at = this.geometry.getAttribute("position") as THREE.BufferAttribute;
    at.array.set([...from, ...to]);
    at.needsUpdate = true;
    for (const one of [this.material, this.dotMaterial]) one.color.set(paletteNow().goal);
    this.object.visible = true;
  }

  hide(): void {
    this.object.visible = false;
  }
}
