// Several figures, posed together.
import { describe, expect, it } from "vitest";
import { figureOfScene, valuesOfScene, type SceneValue } from "../src/index.js";
import { distance, load, siteAt, text } from "./load.js";

const limber = await load();
const handshake = JSON.parse(text("example/scene/handshake.json")) as SceneValue;

describe("several figures", () => {
  it("are one figure with the names of each, and shake hands", () => {
    const figure = limber.figure(figureOfScene(handshake)!);
    const { figures, ...scene } = handshake;
    const [guest, host] = figure.info.figures!;
    expect([guest!.name, host!.name]).toEqual(Object.keys(figures!));
    expect(host!.parameters).toEqual([guest!.parameters[1], figure.parameters]);
    expect(figure.info.segments[host!.segments[0]]!.name).toBe("host.pelvis");
    expect(figure.info.natural).toBe(true);

    const posed = limber.scene(figure, scene);
    const pose = figure.rest();
    posed.solve(pose);
    const report = posed.report();
    expect(report.met).toBe(true);
    expect(report.constraints.map(({ name }) => name)).toContain("palms meet");
    expect(distance(siteAt(figure, "guest.right_palm", pose), siteAt(figure, "host.right_palm", pose))).toBeLessThan(1e-3);

    const body = figure.body();
    const ofHost = body.segment.filter((segment) => segment >= host!.segments[0]).length;
    expect(ofHost).toBeGreaterThan(1000);
    expect(body.segment.length - ofHost).toBeGreaterThan(1000);
    posed.drop();
    figure.drop();
  });

  it("take their poses from the scene, and the scene may list them again", () => {
    const scene: SceneValue = {
      limber: "scene 1",
      figures: {
        a: { figure: { human: {} }, pose: { "right_elbow.flexion": 30 } },
        b: { figure: { simple_human: {} }, p: [1, 0, 0] },
      },
    };
    expect(valuesOfScene(scene)).toEqual({ "a.right_elbow.flexion": 30 });
    const figure = limber.figure(figureOfScene(scene)!);
    const posed = limber.scene(figure, {
      figures: scene.figures!,
      constraints: [{ handle: "b.left_palm", goal: { hold: true } }],
    });
    const pose = figure.rest();
    posed.solve(pose);
    expect(posed.met).toBe(true);
    posed.drop();
    figure.drop();
  });

  it("are named where they are wrong", () => {
    expect(() => limber.figure({ figures: {} })).toThrow("found 0 figures");
    expect(() => limber.figure({ figures: { "a.b": { figure: { human: {} } } } })).toThrow("a dot in the name");
    const figure = limber.figure(figureOfScene(handshake)!);
    expect(() => limber.scene(figure, { constraints: [{ handle: "eyes", goal: { hold: true } }] })).toThrow("guest.eyes");
    figure.drop();
  });
});
