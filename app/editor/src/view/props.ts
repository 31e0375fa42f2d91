// Objects shown at the goal of a constraint. They follow when the goal is dragged.
import * as THREE from "three";
import type { Editor } from "./stage.js";
import type { Constraint } from "../document/document.js";
import { goalPoint } from "../document/goal_point.js";

const height = 0.1; // metres
const radius = 0.04;
const ahead = 0.06; // from the goal, where the palm is, to the cup in front of it
const colour = 0xd9822b;

function cup(): THREE.Group {
  const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, side: THREE.DoubleSide });
  const wall = new THREE.Mesh(new THREE.CylinderGeometry(radius, 0.8 * radius, height, 28, 1, true), material);
  const floor = new THREE.Mesh(new THREE.CircleGeometry(0.8 * radius, 28), material);
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -0.49 * height;
  const handle = new THREE.Mesh(new THREE.TorusGeometry(0.28 * height, 0.007, 10, 24, Math.PI), material);
  handle.rotation.z = -Math.PI / 2;
  handle.position.x = 0.9 * radius;
  const all = new THREE.Group();
  all.add(wall, floor, handle);
  all.traverse((one) => (one.castShadow = true));
  return all;
}

export function mountProps(app: Editor): void {
  const { stage } = app;
  const shown = new Map<string, THREE.Group>();
  const drop = (id: string, object: THREE.Group) => {
    stage.scene.remove(object);
    object.traverse((one) => {
      if (!(one instanceof THREE.Mesh)) return;
      const { geometry, material } = one as THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
      geometry.dispose();
      material.dispose();
    });
    shown.delete(id);
  };
  const place = ({ id, ...rest }: Constraint) => {
    const at = goalPoint({ id, ...rest });
    if (!at) return;
    const object = shown.get(id) ?? cup();
    if (!shown.has(id)) stage.scene.add(object);
    shown.set(id, object);
    object.position.set(at[0], at[1], at[2] + ahead);
  };
  const show = () => {
    const wanted = app.doc.constraints.filter((one) => one.shows === "cup");
    for (const [id, object] of [...shown]) if (!wanted.some((one) => one.id === id)) drop(id, object);
    wanted.forEach(place);
    if (wanted.length > 0) stage.requestRender();
  };
  app.on("document", show);
  show();
}
