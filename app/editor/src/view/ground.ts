// The ground and the lights.
import * as THREE from "three";

export interface Palette {
  readonly background: number;
  readonly body: number;
  readonly hover: number;
  readonly selected: number;
  readonly line: number;
  readonly strongLine: number;
  readonly shadow: number; // opacity
  readonly goal: number;
}

export const palettes: Record<"light" | "dark", Palette> = {
  light: {
    background: 0xeceff3,
    body: 0xcdb09a,
    hover: 0xe3c9ae,
    selected: 0x5b9be6,
    line: 0xd3d8df,
    strongLine: 0xb9c1cc,
    shadow: 0.28,
    goal: 0xc2410c,
  },
  dark: {
    background: 0x1b2027,
    body: 0xbfa48f,
    hover: 0xdcc2a8,
    selected: 0x5f9fe8,
    line: 0x2b323c,
    strongLine: 0x3d4754,
    shadow: 0.5,
    goal: 0xffa45c,
  },
};

export const themeOf = (): "light" | "dark" => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
export const paletteNow = (): Palette => palettes[themeOf()];

const reach = 10; // metres of grid from the middle
const justBelow = -0.002; // metres: below the soles, which cover it

// Grid lines that fade out towards the edge.
function gridLines(step: number, skip: number): THREE.BufferGeometry {
  const points: number[] = [];
  const colours: number[] = [];
  const last = Math.round(reach / step);
  const put = (x: number, z: number) => {
    points.push(x, 0, z);
    colours.push(1, 1, 1, Math.max(0, 1 - Math.hypot(x, z) / reach) ** 1.5);
  };
  for (let k = -last; k <= last; ++k) {
    if (skip > 0 && k % skip === 0) continue;
    for (let at = -reach; at < reach; at += 1) {
      put(k * step, at);
      put(k * step, at + 1);
      put(at, k * step);
      put(at + 1, k * step);
    }
  }
  return new THREE.BufferGeometry()
    .setAttribute("position", new THREE.Float32BufferAttribute(points, 3))
    .setAttribute("color", new THREE.Float32BufferAttribute(colours, 4));
}

export class Ground {
  readonly object = new THREE.Group();
  private readonly fine = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.8, depthWrite: false });
  private readonly metres = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
  private readonly shade = new THREE.ShadowMaterial();
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1);
  private readonly lamp = new THREE.DirectionalLight(0xffffff, 1);

  constructor() {
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2), this.shade);
    floor.receiveShadow = true;
    floor.position.y = justBelow;
    const fine = new THREE.LineSegments(gridLines(0.25, 4), this.fine);
    const metres = new THREE.LineSegments(gridLines(1, 0), this.metres);
    for (const one of [fine, metres]) one.position.y = 2 * justBelow;
    this.light();
    this.object.add(floor, fine, metres, this.sky, this.lamp, this.lamp.target);
    const fill = new THREE.DirectionalLight(0xfff4e8, 1.1);
    fill.position.set(-1.5, 1.2, 3);
    this.object.add(fill);
    const rim = new THREE.DirectionalLight(0xdfe9ff, 0.7);
    rim.position.set(-2, 2.5, -3);
    this.object.add(rim);
  }

  // A light almost overhead: the shadow lies around the feet, like a contact shadow.
  private light(): void {
    const { lamp } = this;
    lamp.castShadow = true;
    lamp.shadow.mapSize.set(1024, 1024);
    lamp.shadow.radius = 8;
    lamp.shadow.bias = -0.0008;
    lamp.shadow.normalBias = 0.02;
    this.follow(0, 0, 2.4);
  }

  // The light follows the figure and covers its size.
  follow(x: number, z: number, size: number): void {
    const { lamp } = this;
    lamp.target.position.set(x, 0, z);
    lamp.position.set(x - 0.18 * size, 2.2 * size, z + 0.22 * size);
    const { camera } = lamp.shadow;
    camera.left = camera.bottom = -size;
    camera.right = camera.top = size;
    camera.near = 0.1 * size;
    camera.far = 4.5 * size;
    camera.updateProjectionMatrix();
    lamp.target.updateMatrixWorld();
  }

  paint(theme: "light" | "dark"): void {
    const palette = palettes[theme];
    this.fine.color.set(palette.line);
    this.metres.color.set(palette.strongLine);
    this.shade.opacity = palette.shadow;
    this.sky.color.set(theme === "dark" ? 0xdde6f2 : 0xffffff);
    this.sky.groundColor.set(theme === "dark" ? 0x3a3f4a : 0x9a9590);
    this.sky.intensity = theme === "dark" ? 1.25 : 1.6;
    this.lamp.intensity = theme === "dark" ? 1.7 : 1.9;
  }
}
