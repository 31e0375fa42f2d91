// Every call of the interface is made, through the classes where they have it.
import { expect, it } from "vitest";
import { arities } from "../src/calls.js";
import { Limber, Sequence, type Module, type Vec3 } from "../src/index.js";
import { file, load, segmentNamed } from "./load.js";

it("every call of the interface is made, and answers", async () => {
  const plain = (await load()).module;
  const made = new Set<string>();
  const calls = new Proxy({} as Module["calls"], {
    get: (_, name: string) => {
      made.add(name);
      return plain.calls[name as keyof Module["calls"]];
    },
  });
  const limber = new Limber(
    Object.assign(Object.create(Object.getPrototypeOf(plain) as object) as Module, { calls, goals: plain.goals }),
  );

  const figure = limber.figure({ human: {} });
  expect([calls.limber_figure_parameters(figure.id), calls.limber_figure_segments(figure.id)]).toEqual([
    figure.parameters,
    figure.segments,
  ]);
  const pose = figure.mirrored(figure.bounded(figure.rest()));
  expect(figure.place(pose).length).toBe(12 * figure.segments);
  const axes = figure.axes(pose);
  for (let k = 0; k < axes.length; k += 6) expect(Math.hypot(axes[k]!, axes[k + 1]!, axes[k + 2]!)).toBeCloseTo(1, 12);
  const [x, y] = figure.massCentre(pose);
  expect(x).toBeCloseTo(0, 6);
  expect(y).toBeGreaterThan(0.5);
  expect(figure.chain(segmentNamed(figure, "right_hand"), "branch")).toBeGreaterThan(0);
  expect(figure.feetOnGround(pose, ["left_foot", "right_foot"])).toEqual(["left_foot", "right_foot"]);
  expect(figure.posingFor(pose).feet).toEqual(["left_foot", "right_foot"]);
  expect(figure.roles().body).toBe("person");
  expect(figure.assess(pose).share_by_segment.length).toBe(figure.segments);
  expect(figure.document()).toContain("figure 1");
  const body = figure.body(8);
  expect(body.segment.length).toBeGreaterThan(100);
  expect(body.position.length).toBe(3 * body.segment.length);
  expect(body.normal.length).toBe(3 * body.segment.length);
  expect(body.triangle.length).toBe(3 * body.part.length);
  expect(body.material.length).toBe(body.part.length);
  expect(Math.max(...body.triangle)).toBeLessThan(body.segment.length);
  expect(Math.max(...body.segment, ...body.part)).toBeLessThan(figure.segments);
  expect(body.position.every(Number.isFinite)).toBe(true);
  expect(figure.body(24).segment.length).toBeGreaterThan(body.segment.length);

  const posed = limber.scene(figure, { constraints: [{ handle: "right_palm", goal: { position: [-0.3, 1, 0.3] } }] });
  posed.setGoal(0, { handle: "right_palm", goal: { position: [-0.3, 1.1, 0.4] } });
  posed.solve(pose);
  expect([posed.met, posed.report().met, posed.iterations > 0]).toEqual([true, true, true]);
  const added = posed.add({ handle: "left_palm", goal: { position: [0.3, 1, 0.3] } });
  posed.setWeight(added, 2);
  posed.setEnabled(added, false);
  const own = posed.addGoal({ points: ["head"], rows: 1, evaluate: (at, r, J) => ((r[0] = at[0]!), (J[0] = 1)) });
  expect(posed.jacobian(pose).rows.length).toBe(4);
  posed.remove(own);
  const hung = figure.hungFrom("left_foot");
  expect(figure.placedAs(pose, hung).length).toBe(hung.parameters);
  const balanced = limber.scene(figure, { constraints: [{ balance: ["left_foot", "right_foot"] }] });
  expect([posed.faces(0).length, balanced.faces(0).length % 6, balanced.faces(0).length > 12]).toEqual([0, 0, true]);
  balanced.drop();
  expect(posed.handle(0, pose).length).toBe(3); // of the frame, what the goal needs

  const aimed = { handle: { point: "left_palm" }, goal: { position: [0.3, 1, 0.3] as Vec3 } };
  const posing = limber.posing(figure, pose, { pins: ["left_foot"], scene: { constraints: [aimed] }, moves: 0 });
  const grips = [
    posing.grab("right_palm", { turns: true }),
    posing.grab({ segment: segmentNamed(figure, "head"), local: [0, 0, 0] }),
  ];
  posing.move(grips[0]!, [-0.3, 1.1, 0.4]);
  posing.turn(grips[0]!, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const set = posing.grabParameter(figure.parameters - 1);
  posing.set(set, 0.1);
  expect([typeof posing.frame(), posing.grips.map(({ grip }) => grip), posing.answer().length]).toEqual([
    "boolean",
    [...grips, set],
    figure.parameters,
  ]);
  expect(posing.report().constraints.length).toBe(4);
  expect(posing.suggestStep()).toBeUndefined();
  posing.sight(posing.grab("head_top", { sights: true }), [0.1, 1.7, 0], [0, 0, -1]);
  posing.setGoal({ ...aimed, goal: { position: [0.3, 1.1, 0.3] } });
  posing.ask();
  posing.frame();
  posing.release(set);
  posing.drop();

  const reach = limber.reach(figure, {}, pose, { handle: "right_palm", from: "right_elbow", resolution: 0.1 });
  expect(reach.go(1000)).toBe(true);
  expect(reach.progress().cells).toBeGreaterThanOrEqual(reach.numbers().cells.all);
  expect(reach.surface().parameters.length).toBe(4);
  expect(reach.file("reach.ply").length).toBeGreaterThan(0);
  reach.drop();
  const { statures } = limber;
  expect(statures.percentile("female", statures.at("female", 20))).toBeCloseTo(20, 6);
  expect(statures.usual("female")).toBeCloseTo(1.735, 12);

  const keys = limber.sequence(
    figure,
    [0, 1, 2, 3].map((time) => ({ time, pose: [...(time % 2 ? pose : figure.rest())] })),
  );
  expect([keys.start, keys.end, keys.keys().length, keys.at(0.5).length]).toEqual([0, 3, 4, figure.parameters]);
  const copied = keys.copy(0, 2);
  const edited = [
    keys.erase(1, 1),
    keys.paste(copied, 5),
    keys.stretch(0, 4, 2, 0),
    keys.slide(3, 1, 1),
    keys.reverse(0, 2),
    keys.mirror(0, 1),
    keys.reduce(),
    keys.resample(0.5),
    keys.blend(copied, 0.5),
    keys.crossFade(copied, 0.5),
    limber.sequence(figure, [{ time: 0, pose: [...pose], channels: { "neck rotation": { interpolation: "step" } } }], {
      rotations: "balls",
      timing: [
        { time: 0, shows: 0 },
        { time: 1, shows: 1 },
      ],
    }),
  ];
  expect(edited.at(-1)!.rotations).toBe("balls");
  expect(edited.at(-1)!.timing().length).toBe(2);
  expect(edited.at(-1)!.keys()[0]!.channels).toBeDefined();
  const clip = keys.sample(0.1);
  const dense = Sequence.ofClip(clip, 3);
  const other = limber.clip(figure, clip.frameTime, clip.poses());
  const again = calls.limber_clip_figure(other.id);
  expect(calls.limber_figure_parameters(again)).toBe(figure.parameters);
  const kept = clip.keep({ constraints: [{ handle: "left_foot", goal: { hold: true } }] }, [
    { from: 0, to: 3, easeIn: 0, easeOut: 0 },
  ]).clip;

  const scripted = limber.animate(figure, {}, "key 0 pose\nkey 0.1 pose").clip;
  expect(scripted.frames).toBe(4);
  const placed = clip.placedAs(hung);
  const limited = figure.limitsFrom([clip]);

  limber.giveFile("cmu.bvh", file("data/bvh/cmu_02_01.bvh"));
  const content = limber.read("cmu.bvh");
  const walker = content.figure();
  expect(content.body(walker)).toBeUndefined();
  const walk = content.clip(walker);
  const short = limber.clip(walker, walk.frameTime * 4, walk.poses().slice(0, 60 * walker.parameters));
  const cleaned = short.clean().clip;
  const carried = short.retarget(figure).clip;
  expect(limber.write("short.bvh", walker, short, content).files[0]!.bytes.length).toBeGreaterThan(1000);
  limber.forgetFiles();
  limber.giveFile("walk.trc", file("data/trc/subject01_walk1.trc"));
  const recording = limber.read("walk.trc");
  const markers = limber.markerTracker(figure, recording, { markers: [{ marker: "R.Heel", place: "right_heel" }] });
  expect(markers.follow(0, figure.rest()).mean).toBeLessThan(1);
  limber.forgetFiles();
  const tracker = limber.tracker(walker, { places: ["right_hand"] });
  expect(tracker.follow(walk.poses().slice(0, walker.parameters), walker.rest()).mean).toBeLessThan(1);

  for (const one of [
    markers,
    recording,
    limited,
    placed,
    scripted,
    hung,
    tracker,
    carried,
    cleaned,
    short,
    walk,
    walker,
    content,
    kept,
    other,
    dense,
    clip,
    ...edited,
    copied,
    keys,
    posed,
    figure,
  ])
    one.drop();
  calls.limber_drop(again);
  expect(limber.objects).toBe(0);
  expect([...made].filter((name) => name in arities).sort()).toEqual(Object.keys(arities).sort());
});
