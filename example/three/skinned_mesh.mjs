// A character of three.js reaches for a target with both feet planted. No WebGL needed: after `npm run build -w limber`
//
//   node example/three/skinned_mesh.mjs
import { readFileSync } from "node:fs";
import { Object3D, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { loadLimber } from "limber";
import { Rig } from "limber/three";

globalThis.self ??= globalThis; // the loader was written for a browser, and says that it cannot load pictures here
const file = (path) => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url))).buffer;

export const limber = await loadLimber(file("build/wasm/limber.wasm"));
const { scene } = await new GLTFLoader().parseAsync(file("data/gltf/CesiumMan.glb"), "");
export const mesh = scene.getObjectByProperty("isSkinnedMesh", true);
export const target = new Object3D();
target.position.set(-0.25, 0.9, 0.45);

export const rig = Rig.fromSkinnedMesh(limber, mesh);
rig.pin("leg_joint_L_3").pin("leg_joint_R_3");
rig.reach("Skeleton_arm_joint_R__3_", target);
rig.update(); // in a page: each frame, before renderer.render(scene, camera)

const hand = mesh.skeleton.getBoneByName("Skeleton_arm_joint_R__3_").getWorldPosition(new Vector3());
console.log(`the hand is ${(1000 * hand.distanceTo(target.position)).toFixed(3)} mm from the target`);
