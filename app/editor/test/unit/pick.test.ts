import { describe, expect, it } from "vitest";
import { capsuleBody } from "../../src/view/capsules.js";
import { firstHit, nearestOnBone, nearestOnRay, toSegment, toWorld, type Point, type Surface } from "../../src/view/pick.js";

const square = (z: number): number[] => [-1, -1, z, 1, -1, z, 1, 1, z, -1, 1, z];
const two: Surface = {
  position: Float32Array.from([...square(0), ...square(1)]),
  triangle: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7],
  part: [7, 7, 9, 9],
};

describe("firstHit", () => {
  it("finds the nearer of two surfaces, from either side", () => {
    expect(firstHit(two, { origin: [0.2, 0.3, 5], direction: [0, 0, -1] })).toMatchObject({ segment: 9, distance: 4 });
    expect(firstHit(two, { origin: [0.2, 0.3, -5], direction: [0, 0, 1] })).toMatchObject({ segment: 7, distance: 5 });
  });

  it("finds the point where the ray meets it", () => {
    const hit = firstHit(two, { origin: [0, 0, 3], direction: [0.6, 0, -0.8] });
    expect(hit).toBeUndefined();
    expect(firstHit(two, { origin: [-1.5, 0.5, 3], direction: [0.6, 0, -0.8] })!.point).toEqual([
      expect.closeTo(0, 6),
      0.5,
      expect.closeTo(1, 6),
    ]);
  });

  it("finds nothing beside, behind, or along the surface", () => {
    expect(firstHit(two, { origin: [1.5, 0, 5], direction: [0, 0, -1] })).toBeUndefined();
    expect(firstHit(two, { origin: [0, 0, 5], direction: [0, 0, 1] })).toBeUndefined();
    expect(firstHit(two, { origin: [-5, 0, 0], direction: [1, 0, 0] })).toBeUndefined();
  });
});

describe("nearestOnRay", () => {
  const ray = { origin: [0, 0, 10] as Point, direction: [0, 0, -1] as Point };
  it("lies at the foot of the point on the ray", () => {
    expect(nearestOnRay(ray, [3, 4, 2])).toEqual([0, 0, 2]);
  });
  it("stays in front of the eye", () => {
    expect(nearestOnRay(ray, [0, 1, 50], 0.5)).toEqual([0, 0, 9.5]);
  });
});

describe("nearestOnBone", () => {
  it("lies on the axis, between its ends", () => {
    expect(nearestOnBone([0, 0, 0], [0, 2, 0], [1, 0.5, 0]).point).toEqual([0, 0.5, 0]);
    expect(nearestOnBone([0, 0, 0], [0, 2, 0], [1, 9, 0]).point).toEqual([0, 2, 0]);
    expect(nearestOnBone([0, 0, 0], [0, 2, 0], [1, -9, 0], 0.25).point).toEqual([0, 0.5, 0]);
  });
  it("is the point itself where the bone has no length", () => {
    expect(nearestOnBone([1, 2, 3], [1, 2, 3], [0, 0, 0], 0.3).point).toEqual([1, 2, 3]);
  });
});

it("goes from a segment into the world and back", () => {
  const frames = [...new Array(12).fill(9), 0, 0, -1, 0, 1, 0, 1, 0, 0, 5, 6, 7]; // a quarter about y
  const world = toWorld(frames, 1, [1, 2, 3]);
  expect(world).toEqual([8, 8, 6]);
  expect(toSegment(frames, 1, world)).toEqual([1, 2, 3]);
});

describe("capsuleBody", () => {
  const bone = {
    name: "arm",
    joint: "arm",
    parent: -1,
    end: 1,
    mass: 2,
    centre: [0, 0, 0],
    freedoms: [0, 1],
    length: 0.3,
    radius: 0.04,
    at: [0, 0, 0],
    tip: [0.3, 0, 0],
  } as const;
  it("is a capsule about the bone, with normals that point outward", () => {
    const body = capsuleBody({ length: 1.7, segments: [structuredClone(bone) as never] });
    for (let v = 0; v < body.segment.length; ++v) {
      const [x, y, z] = body.position.subarray(3 * v, 3 * v + 3) as unknown as [number, number, number];
      const along = Math.min(0.3, Math.max(0, x));
      expect(Math.hypot(x - along, y, z)).toBeCloseTo(0.04, 6);
      expect(body.normal[3 * v + 1]! * y + body.normal[3 * v + 2]! * z).toBeGreaterThanOrEqual(-1e-6);
    }
  });
  it("is hit from all around, on the outside", () => {
    const body = capsuleBody({ length: 1.7, segments: [structuredClone(bone) as never] });
    for (let k = 0; k < 8; ++k) {
      const out: Point = [0, Math.cos(k), Math.sin(k)];
      const hit = firstHit(
        { position: body.position, triangle: body.triangle, part: body.part },
        { origin: [0.1, out[1], out[2]], direction: [0, -out[1], -out[2]] },
      );
      expect(hit!.distance).toBeGreaterThan(0.955);
      expect(hit!.distance).toBeLessThan(0.965);
    }
  });
  it("faces outward, counted against the clock", () => {
    const { position: p, normal: n, triangle } = capsuleBody({ length: 1.7, segments: [structuredClone(bone) as never] });
    let min = Infinity;
    for (let k = 0; k < triangle.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map((j) => 3 * triangle[k + j]!) as [number, number, number];
      const u = [0, 1, 2].map((j) => p[b + j]! - p[a + j]!);
      const v = [0, 1, 2].map((j) => p[c + j]! - p[a + j]!);
      const cross = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      min = Math.min(min, cross[0]! * n[a]! + cross[1]! * n[a + 1]! + cross[2]! * n[a + 2]!);
    }
    expect(min).toBeGreaterThanOrEqual(-1e-9);
  });
});
