// What is published: built, packed and used as a package that somebody installed.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { path } from "./load.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const place = mkdtempSync(join(tmpdir(), "limber-package-"));
const installed = join(place, "node_modules/limber");
const manifest = JSON.parse(readFileSync(path("binding/js/package.json"), "utf8")) as {
  files: string[];
  exports: Record<string, string | Record<string, string>>;
};
const node = (script: string) => {
  writeFileSync(join(place, "use.mjs"), script);
  return execFileSync(process.execPath, ["use.mjs"], { cwd: place, encoding: "utf8" });
};

beforeAll(() => {
  execFileSync(process.execPath, [path("binding/js/build.mjs")], { stdio: "pipe" });
  mkdirSync(installed, { recursive: true });
  for (const name of ["package.json", ...manifest.files])
    cpSync(path(`binding/js/${name}`), join(installed, name), { recursive: true });
  symlinkSync(path("node_modules/three"), join(place, "node_modules/three"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

// The code blocks of the README in their order.
const blocks = [...readFileSync(path("binding/js/README.md"), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

describe("the package", () => {
  it("has every file that its manifest promises, and no test or source", () => {
    for (const target of Object.values(manifest.exports).flatMap((one) => (typeof one === "string" ? [one] : Object.values(one))))
      expect(existsSync(join(installed, target)), target).toBe(true);
    expect(manifest.files.sort()).toEqual(["LICENSE", "README.md", "dist"]);
  });

  it("says in its types what its calls do", () => {
    expect(readFileSync(join(installed, "dist/figure.d.ts"), "utf8")).toContain(
      "/** Moves the pose to the nearest one within all limits. */",
    );
    expect(readFileSync(join(installed, "dist/three.d.ts"), "utf8")).toContain("/** Pins the bone where it is now. */");
  });

  it("runs the example of its README in plain Node.js", () => {
    const code = blocks.find((one) => one.includes("limber.scene"))!;
    expect(node(code)).toMatch(/^true /);
    const pulling = blocks.find((one) => one.includes("limber.posing"))!;
    const said = node(
      `${code}\nlet posed;\nconst show = (pose) => (posed = pose);\n${pulling}\nconsole.log(posing.settled, posed.length);`,
    );
    expect(said).toMatch(/true \d+\n$/);
  });

  it("poses bones by limber/three, as the README has it", () => {
    const used = blocks
      .find((one) => one.includes("Rig.fromSkinnedMesh"))!
      .split("\n")
      .filter((line) => line.startsWith("const rig") || line.startsWith("rig."))
      .join("\n");
    expect(used.match(/rig/g)!.length).toBeGreaterThan(2);
    const said = node(`
      import { readFileSync } from "node:fs";
      import { Bone, Skeleton, SkinnedMesh, Vector3 } from "three";
      import { loadLimber } from "limber";
      import { Rig } from "limber/three";
      const limber = await loadLimber(readFileSync(new URL(import.meta.resolve("limber/limber.wasm"))));
      const bone = (name, parent, ...at) => { const made = new Bone(); made.name = "mixamorig" + name; made.position.set(...at); parent?.add(made); bones.push(made); return made; };
      const bones = [];
      const hips = bone("Hips", undefined, 0, 1, 0);
      for (const [side, sign] of [["Left", 1], ["Right", -1]]) {
        bone(side + "Foot", bone(side + "Leg", bone(side + "UpLeg", hips, 0.1 * sign, 0, 0), 0, -0.45, 0.05), 0, -0.45, -0.05);
      }
      const hand = bone("RightHand", bone("RightForeArm", bone("RightArm", bone("Spine", hips, 0, 0.4, 0), -0.2, 0, 0), -0.3, 0, 0.05), -0.3, 0, 0);
      const mesh = new SkinnedMesh();
      mesh.bind(new Skeleton(bones));
      const target = new Vector3(-0.4, 1, 0.5);
      ${used}
      rig.update();
      console.log(hand.getWorldPosition(new Vector3()).distanceTo(target) < 1e-3);
    `);
    expect(said.trim()).toBe("true");
  });
});
