// The surface of the reach of a place, in all views: transparent, with the figure inside.
//
// The far side is drawn behind the figure; over it only the nearest layer of the near side, which is why that is drawn into
// the depth buffer first. Both sides are fainter where they face the camera than at their rim.
import * as THREE from "three";
import type { ReachMeasure, ReachSurface, Vec3 } from "limber";
import type { Editor } from "./stage.js";
import { firstHit, type Point, type Surface } from "./pick.js";
import { themeOf } from "./ground.js";
import { reachColour } from "./reach_colour.js";
import type { View } from "./views.js";

const looks = {
  light: { near: 0.24, far: 0.3, rim: 3, grey: 0x8b94a0, light: 1.15 },
  dark: { near: 0.17, far: 0.22, rim: 3.6, grey: 0x7d8896, light: 1.5 },
};
const staleOpacity = 0.45; // of the original
const last = 6; // drawn after other transparent objects
const sharpness = 2.5; // of the rim

// Fainter in the middle.
function bubble(side: THREE.Side): THREE.MeshLambertMaterial {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, transparent: true, depthWrite: false, side });
  const rim = { value: 1 };
  material.userData["rim"] = rim;
  material.onBeforeCompile = (shader) => {
    shader.uniforms["rim"] = rim;
    shader.fragmentShader = shader.fragmentShader.replace("void main() {", "uniform float rim;\nvoid main() {").replace(
      "#include <opaque_fragment>",
      `vec3 toEye = isOrthographic ? vec3( 0.0, 0.0, 1.0 ) : normalize( vViewPosition );
        diffuseColor.a = min( 1.0, diffuseColor.a * mix( 1.0, rim, pow( 1.0 - abs( dot( toEye, normal ) ), ${sharpness.toFixed(1)} ) ) );
        #include <opaque_fragment>`,
    );
  };
  return material;
}

export class ReachSurfaceView {
  readonly object = new THREE.Group();
  private geometry: THREE.BufferGeometry | undefined;
  private surface: ReachSurface | undefined;
  private picked: Surface | undefined;
  private measure: ReachMeasure = "limits";
  private isStale = false;
  private readonly far = bubble(THREE.BackSide);
  private readonly near = bubble(THREE.FrontSide);
  private readonly depth = new THREE.MeshBasicMaterial({ colorWrite: false, side: THREE.FrontSide });

  constructor(private readonly app: Editor) {
    this.object.name = "reach";
    this.object.visible = false;
    app.stage.scene.add(this.object);
    app.on("settings", () => this.paint());
  }

  show(surface: ReachSurface | undefined, measure: ReachMeasure): void {
    if (surface !== this.surface) this.build(surface);
    if (surface && (measure !== this.measure || !this.geometry!.getAttribute("color"))) this.colour(surface, measure);
    this.measure = measure;
    this.scale(1);
    this.paint();
  }

  set visible(visible: boolean) {
    this.object.visible = visible && this.surface !== undefined;
    this.app.stage.requestRender();
  }
  get visible(): boolean {
    return this.object.visible;
  }

  // An outdated surface is grey.
  set stale(stale: boolean) {
    if (stale === this.isStale) return;
    this.isStale = stale;
    this.paint();
  }

  private build(surface: ReachSurface | undefined): void {
    this.object.clear();
    this.geometry?.dispose();
    this.surface = surface;
    this.picked = undefined;
    this.geometry = undefined;
    if (!surface) return;
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(surface.position, 3));
    this.geometry.setAttribute("normal", new THREE.BufferAttribute(surface.normal, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(surface.triangle), 1));
    [this.far, this.depth, this.near].forEach((material, k) => {
      const mesh = new THREE.Mesh(this.geometry, material);
      mesh.renderOrder = last + k;
      this.object.add(mesh);
    });
    this.depth.transparent = true; // so that it is drawn in this order, after the figure
  }

  private colour(surface: ReachSurface, measure: ReachMeasure): void {
    const values = surface[measure];
    const colours = new Float32Array(3 * values.length);
    const linear = new THREE.Color();
    values.forEach((value, v) => linear.setRGB(...reachColour(value), THREE.SRGBColorSpace).toArray(colours, 3 * v));
    this.geometry!.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  }

  private paint(): void {
    const look = looks[themeOf()];
    for (const [material, opacity] of [
      [this.near, look.near],
      [this.far, look.far],
    ] as const) {
      material.opacity = opacity * (this.isStale ? staleOpacity : 1);
      (material.userData["rim"] as { value: number }).value = look.rim;
      material.color.set(this.isStale ? look.grey : 0xffffff).multiplyScalar(look.light);
      if (material.vertexColors === this.isStale) {
        material.vertexColors = !this.isStale;
        material.needsUpdate = true;
      }
    }
    this.app.stage.requestRender();
  }

  // While a stature is chosen: scales all lengths and shifts the result back.
  scale(ratio: number, shift: Vec3 = [0, 0, 0]): void {
    this.object.scale.setScalar(ratio);
    this.object.position.set(...shift);
    this.app.stage.requestRender();
  }

  bounds(): THREE.Box3 {
    return this.surface ? new THREE.Box3().setFromArray(this.surface.position) : new THREE.Box3();
  }

  // The point of the near side under the pointer, and the vertex next to it.
  pick(view: View, clientX: number, clientY: number): { point: Point; vertex: number } | undefined {
    const { surface } = this;
    if (!surface || !this.visible) return undefined;
    this.picked ??= {
      position: surface.position,
      triangle: surface.triangle,
      part: Int32Array.from({ length: surface.triangle.length / 3 }, (_, t) => t),
    };
    const hit = firstHit(this.picked, view.ray(clientX, clientY));
    if (!hit) return undefined;
    const corners = [0, 1, 2].map((k) => surface.triangle[3 * hit.segment + k]!);
    const away = (v: number) => Math.hypot(...[0, 1, 2].map((k) => surface.position[3 * v + k]! - hit.point[k]!));
    return { point: hit.point, vertex: corners.reduce((best, v) => (away(v) < away(best) ? v : best)) };
  }
}
