// The loads on the figure: iron balls sized by their mass, below the places that carry them.
import * as THREE from "three";
import type { Editor } from "./stage.js";
import { frameOf, segmentOf } from "../document/places.js";
import { oncePerFrame } from "../ui/once_per_frame.js";
import { themeOf } from "./ground.js";
import { loadsOf } from "../document/assess.js";

const density = 7800; // kg/m³
const colours = { light: 0x5a6472, dark: 0x8d99a8 };

export const radiusOf = (kg: number) => Math.cbrt((3 * kg) / (4 * Math.PI * density));

export function mountLoads(app: Editor): void {
  const { stage } = app;
  const sphere = new THREE.SphereGeometry(1, 24, 16);
  const material = new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.35 });
  const balls: THREE.Mesh[] = [];

  const show = () => {
    const { figure, pose, doc } = app;
    if (pose.length !== figure.parameters) return; // another figure is being loaded
    const hung = loadsOf(doc).flatMap(({ at, kg }) =>
      at.filter((place) => kg > 0 && segmentOf(figure, place) >= 0).map((place) => ({ place, kg: kg / at.length })),
    );
    if (hung.length === 0 && balls.length === 0) return;
    while (balls.length > hung.length) stage.scene.remove(balls.pop()!);
    hung.forEach(({ place, kg }, k) => {
      const ball = (balls[k] ??= new THREE.Mesh(sphere, material));
      const radius = radiusOf(kg);
      const [x, y, z] = frameOf(figure, place, pose).p;
      ball.name = "load";
      ball.castShadow = ball.receiveShadow = true;
      ball.scale.setScalar(radius);
      ball.position.set(x, y - radius, z);
      stage.scene.add(ball);
    });
    stage.requestRender();
  };
  const paint = () => {
    material.color.set(colours[themeOf()]);
    stage.requestRender();
  };
  const refresh = oncePerFrame(show);
  app.on("pose", () => loadsOf(app.doc).length > 0 && show());
  app.on("document", (doc, before) => doc.assess !== before.assess && refresh());
  app.on("figure", () => refresh());
  app.on("settings", paint);
  paint();
  refresh();
}
