// limber/three: bones of three.js posed by goals, on a character from a file and on bones made by hand.
import { Bone, Euler, Group, Object3D, Quaternion, Skeleton, SkinnedMesh, Vector3, type Object3D as Node } from "three";
import { describe, expect, it, vi } from "vitest";
import { Rig } from "../src/three.js";
import { about, load, random } from "./load.js";

const silent = vi.spyOn(console, "error").mockImplementation(() => undefined); // pictures cannot be loaded here
const said = vi.spyOn(console, "log").mockImplementation(() => undefined);
const cesium = (await import("../../../example/three/skinned_mesh.mjs")) as {
  limber: import("../src/index.js").Limber;
  mesh: SkinnedMesh;
  target: Object3D;
  rig: Rig;
};
const heard = said.mock.calls.flat().join(" ");
silent.mockRestore();
said.mockRestore();

const limber = await load();
const world = (node: Node) => node.getWorldPosition(new Vector3());

function expectAgreement(rig: Rig, bones: readonly Node[], unit = 1) {
  const frames = rig.figure.place(rig.pose);
  for (const [k, name] of rig.bones.entries()) {
    const bone = bones.find((one) => one.name === name)!;
    const f = frames.subarray(12 * k, 12 * k + 12);
    expect(
      world(bone)
        .multiplyScalar(unit)
        .distanceTo(new Vector3(f[9], f[10], f[11])),
      name,
    ).toBeLessThan(1e-6);
    const x = new Vector3(1, 0, 0).applyQuaternion(bone.getWorldQuaternion(new Quaternion()));
    expect(x.distanceTo(new Vector3(f[0], f[1], f[2])), name).toBeLessThan(1e-6);
    expect(bone.quaternion.length()).toBeCloseTo(1, 12);
  }
}

describe("the example on a character from a glTF file", () => {
  const { mesh, rig, target } = cesium;
  const bone = (name: string) => mesh.skeleton.getBoneByName(name)!;
  const hand = bone("Skeleton_arm_joint_R__3_");
  const feet = ["leg_joint_L_3", "leg_joint_R_3"].map(bone);

  it("says that the hand is there", () => expect(heard).toMatch(/the hand is 0[.]\d+ mm/));

  it("brings the hand to the target within a millimetre, and keeps the feet", () => {
    const stood = feet.map((foot) => [world(foot), foot.getWorldQuaternion(new Quaternion())] as const);
    expect(world(hand).distanceTo(target.position)).toBeLessThan(1e-3);
    const next = random(11);
    for (let frame = 0; frame < 200; ++frame) {
      target.position.set(...about(next, [-0.25, 0.85, 0.35], 0.15));
      const met = rig.update();
      expect(met).toBe(rig.report().met);
      if (met) expect(world(hand).distanceTo(target.position)).toBeLessThan(1e-3);
      feet.forEach((foot, k) => {
        expect(world(foot).distanceTo(stood[k]![0])).toBeLessThan(1e-6);
        expect(foot.getWorldQuaternion(new Quaternion()).angleTo(stood[k]![1])).toBeLessThan(1e-3);
      });
    }
    rig.update();
    expect(rig.report().met).toBe(true);
  });

  it("turns the bones as the figure is turned", () => expectAgreement(rig, mesh.skeleton.bones));

  it("makes no bone longer", () => {
    const before = mesh.skeleton.bones.map((one) => one.position.clone());
    target.position.set(-3, 3, 3);
    expect(rig.update()).toBe(false);
    expect(rig.report().constraints.at(-1)!.error_mm).toBeGreaterThan(1000);
    mesh.skeleton.bones.forEach((one, k) => k > 0 && expect(one.position).toEqual(before[k]));
  });
});

// A spine with two arms under a turned, scaled and shifted parent.
function handMade() {
  const bones: Bone[] = [];
  const bone = (
    name: string,
    parent: Bone | undefined,
    position: [number, number, number],
    turn: [number, number, number] = [0, 0, 0],
  ) => {
    const made = new Bone();
    made.name = name;
    made.position.set(...position);
    made.quaternion.setFromEuler(new Euler(...turn));
    parent?.add(made);
    bones.push(made);
    return made;
  };
  const hips = bone("hips", undefined, [0, 100, 0], [0.1, 0.2, 0.3]);
  const chest = bone("chest", hips, [0, 40, 0], [0.1, 0, 0]);
  for (const [side, sign] of [
    ["left", 1],
    ["right", -1],
  ] as const) {
    const arm = bone(`${side} arm`, chest, [sign * 20, 0, 0], [0, 0, sign * -1]);
    const fore = bone(`${side} forearm`, arm, [sign * 30, 0, 0], [0, sign * -0.3, 0]);
    bone(`${side} hand`, fore, [sign * 25, 0, 0]);
  }
  const group = new Group();
  group.scale.setScalar(0.01);
  group.position.set(1, 0.1, -2);
  group.rotation.set(0.3, 1, -0.2);
  group.add(hips);
  const mesh = new SkinnedMesh();
  group.add(mesh);
  group.updateWorldMatrix(true, true);
  mesh.bind(new Skeleton(bones));
  return { group, mesh, bones, named: (name: string) => bones.find((one) => one.name === name)! };
}

describe("bones made by hand", () => {
  it("are found in their own pose", () => {
    const { mesh, bones } = handMade();
    const before = bones.map((one) => one.matrixWorld.clone());
    const rig = Rig.fromSkinnedMesh(limber, mesh);
    rig.update();
    bones.forEach((one, k) => one.matrixWorld.elements.forEach((x, j) => expect(x).toBeCloseTo(before[k]!.elements[j]!, 9)));
    rig.dispose();
  });

  it("reach under a parent that is turned, scaled and shifted, and stand on their root where nothing is pinned", () => {
    const { mesh, bones, named } = handMade();
    const rig = Rig.fromSkinnedMesh(limber, mesh);
    const hips = world(named("hips"));
    const target = world(named("right hand")).add(new Vector3(0.1, 0.15, 0.1));
    rig.reach("right hand", target);
    expect(rig.update()).toBe(true);
    expect(world(named("right hand")).distanceTo(target)).toBeLessThan(1e-3);
    expect(world(named("hips")).distanceTo(hips)).toBeLessThan(1e-6);
    expectAgreement(rig, bones);
    rig.dispose();
  });

  it("move with a chain only below where it begins", () => {
    const { group, named } = handMade();
    const rig = Rig.fromObject(limber, group);
    const chest = named("chest").quaternion.clone();
    rig.reach("left hand", world(named("left hand")).add(new Vector3(0, 0.1, 0)), { from: "left arm" });
    rig.update();
    expect(named("chest").quaternion.angleTo(chest)).toBeLessThan(1e-9);
    rig.dispose();
  });

  it("keep their limits and what is stiff", () => {
    const { mesh, named } = handMade();
    const limits = { "right forearm": { x: [0, 0], y: [-40, 10], z: [-5, 5] } } as const;
    const rig = Rig.fromSkinnedMesh(limber, mesh, { limits, stiff: ["chest"] });
    const rest = named("right forearm").quaternion.clone();
    const chest = named("chest").quaternion.clone();
    const next = random(12);
    for (let round = 0; round < 100; ++round) {
      rig.reach("right hand", new Vector3(...about(next, [1, 1, -2], 1)));
      rig.update({ iterations: 5 });
      const turned = rest.clone().invert().multiply(named("right forearm").quaternion);
      const { x, y, z } = new Euler().setFromQuaternion(turned, "XYZ");
      const degrees = [x, y, z].map((angle) => (angle * 180) / Math.PI);
      expect(Math.abs(degrees[0]!)).toBeLessThan(1e-6);
      expect(degrees[1]).toBeGreaterThan(-40 - 1e-6);
      expect(degrees[1]).toBeLessThan(10 + 1e-6);
      expect(Math.abs(degrees[2]!)).toBeLessThan(5 + 1e-6);
      expect(named("chest").quaternion.angleTo(chest)).toBeLessThan(1e-6);
    }
    rig.dispose();
  });

  it("are captured after something else has moved them", () => {
    const { mesh, bones, named } = handMade();
    const rig = Rig.fromSkinnedMesh(limber, mesh);
    const next = random(13);
    for (const one of bones) one.quaternion.multiply(new Quaternion().setFromEuler(new Euler(next(), next() - 0.5, next())));
    named("hips").position.x += 7;
    const before = bones.map((one) => one.quaternion.clone());
    rig.capture();
    mesh.parent!.updateMatrixWorld(true);
    expectAgreement(rig, bones);
    rig.pin("left hand", { orientation: false });
    rig.update();
    bones.forEach((one, k) => expect(one.quaternion.angleTo(before[k]!)).toBeLessThan(1e-5));
    rig.dispose();
  });

  it("may be in any unit", () => {
    const { group, mesh, bones, named } = handMade();
    group.scale.setScalar(1);
    group.updateMatrixWorld(true);
    const rig = Rig.fromSkinnedMesh(limber, mesh, { metresPerUnit: 0.01 });
    const target = world(named("left hand")).add(new Vector3(5, 20, 10));
    expect(rig.reach("left hand", target).update()).toBe(true);
    expect(world(named("left hand")).distanceTo(target)).toBeLessThan(0.1);
    expectAgreement(rig, bones, 0.01);
    rig.dispose();
  });

  it("are named in what is wrong", () => {
    const { mesh } = handMade();
    const rig = Rig.fromSkinnedMesh(limber, mesh);
    expect(() => rig.pin("tail")).toThrow(/no bone "tail"; there are hips, chest/);
    expect(() => rig.report()).toThrow("no update");
    expect(() => Rig.fromSkinnedMesh(limber, mesh, { limits: { tail: {} } })).toThrow("tail");
    expect(() => Rig.fromObject(limber, new Object3D())).toThrow("0 bones");
    rig.dispose();
  });

  it("leave nothing behind, however often goals change", () => {
    const before = limber.objects;
    const { mesh } = handMade();
    const rig = Rig.fromSkinnedMesh(limber, mesh);
    for (let k = 0; k < 50; ++k) {
      rig
        .pin("left hand")
        .reach("right hand", new Vector3(1, 1, -2))
        .update();
      rig.release("left hand").release("right hand").update();
    }
    rig.dispose();
    expect(limber.objects).toBe(before);
  });
});
