// node play.mjs LIMBER FILE.glb...: three.js's GLTFLoader reads each file and plays its first motion; every joint must be
// where `limber info --positions` says, in five frames.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

globalThis.self ??= globalThis; // the loader was written for a browser

const tolerance = 1e-4; // metres, for each metre of distance from the origin: files hold single precision
const [limber, ...files] = process.argv.slice(2);
const tell = (...words) => JSON.parse(execFileSync(limber, ['info', ...words, '--json'], { maxBuffer: 1 << 28 }));
const parse = (file) =>
  new Promise((resolve, reject) => {
    const bytes = readFileSync(file);
    new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '', resolve, reject);
  });

let failures = 0;
for (const file of files) {
  const gltf = await parse(file);
  const motion = tell(file).motions[0];
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.play();
  const nodes = new Map();
  gltf.scene.traverse((node) => nodes.set(node.userData.name ?? node.name, node));
  let compared = 0;
  let worst = 0;
  for (let part = 0; part < 5; ++part) {
    const frame = Math.floor((part * (motion.frames - 1)) / 5); // the last frame would start over
    mixer.setTime(frame * motion.frame_time);
    gltf.scene.updateMatrixWorld(true);
    const { positions } = tell(file, '--positions', '--frame', String(frame));
    for (const [name, { metres }] of Object.entries(positions)) {
      const node = nodes.get(name);
      if (!node) continue;
      const at = node.getWorldPosition(new Vector3());
      const off = at.distanceTo(new Vector3(...metres)) / Math.max(1, Math.hypot(...metres));
      worst = Math.max(worst, off);
      ++compared;
    }
  }
  const good = compared >= 5 * 10 && worst < tolerance;
  if (!good) ++failures;
  console.log(`${file}: ${motion.frames} frames, ${compared} positions compared, ${worst.toExponential(1)} off${good ? '' : ': WRONG'}`);
}
process.exit(failures ? 1 : 0);
