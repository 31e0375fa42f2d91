// Contacts of the figure with an obstacle or itself: a disc on the skin, and an arrow along the normal.
import * as THREE from "three";
import type { Touch } from "limber";
import { themeOf } from "./ground.js";
import type { Editor } from "./stage.js";

const discRadius = 0.024; // metres
const arrow = 0.07; // metres
const overlap = 0.5; // mm
const colours = { light: { touch: 0x8a5a00, overlap: 0xb3261e }, dark: { touch: 0xf3c14b, overlap: 0xff8a80 } };

class Contact {
  readonly object = new THREE.Group();

  constructor(disc: THREE.BufferGeometry, line: THREE.BufferGeometry) {
    this.object.name = "contact";
    this.object.add(new THREE.Mesh(disc), new THREE.Line(line));
    for (const one of this.object.children) one.renderOrder = 4;
  }

  show({ at, normal }: Touch, fill: THREE.Material, edge: THREE.Material): void {
    const [disc, line] = this.object.children as [THREE.Mesh, THREE.Line];
    disc.material = fill;
    line.material = edge;
    this.object.position.set(...at);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...normal).normalize());
    this.object.visible = true;
  }
}

const materials = () => ({
  fill: new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, transparent: true, opacity: 0.9, depthTest: false }),
  edge: new THREE.LineBasicMaterial({ transparent: true, depthTest: false }),
});

export function mountContacts(app: Editor): void {
  const { stage } = app;
  const disc = new THREE.CircleGeometry(discRadius, 24);
  const line = new THREE.BufferGeometry().setFromPoints(
    [
      [0, 0],
      [0, arrow],
      [-0.012, 0.75 * arrow],
      [0, arrow],
      [0.012, 0.75 * arrow],
    ].map(([x, z]) => new THREE.Vector3(x, 0, z)),
  );
  const styles = { touch: materials(), overlap: materials() };
  const contacts: Contact[] = [];

  const paint = () => {
    for (const kind of ["touch", "overlap"] as const)
      for (const one of Object.values(styles[kind])) one.color.set(colours[themeOf()][kind]);
    stage.requestRender();
  };
  const show = () => {
    const touches = app.playing ? [] : (app.report?.constraints.flatMap((one) => one.touches ?? []) ?? []);
    if (touches.length === 0 && !contacts.some(({ object }) => object.visible)) return;
    touches.forEach((touch, k) => {
      const contact = (contacts[k] ??= new Contact(disc, line));
      if (!contact.object.parent) stage.scene.add(contact.object);
      const { fill, edge } = styles[touch.gap_mm < -overlap ? "overlap" : "touch"];
      contact.show(touch, fill, edge);
    });
    for (const { object } of contacts.slice(touches.length)) object.visible = false;
    stage.requestRender();
  };
  app.on("report", show);
  app.on("playing", show);
  app.on("settings", paint);
  paint();
  show();
}
