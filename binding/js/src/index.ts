// Limber in JavaScript: figures, poses that meet constraints, motions. Calls the C++ library in WebAssembly.
//
//   const limber = await loadLimber(fetch("limber.wasm"));
//   const figure = limber.figure({ human: {} });
//   const scene = limber.scene(figure, { constraints: [{ handle: { point: "right_palm" }, goal: { position: [-0.4, 1.2, 0.4] } }] });
//   const pose = figure.rest();
//   scene.solve(pose);
//   figure.place(pose);   // where every segment is
//
// Objects live in the module's memory until drop().
export { Content } from "./content.js";
export { Figure, type LimitOptions } from "./figure.js";
export { Limber, loadLimber, type ModuleSource, type OptionRow } from "./limber.js";
export { Module, Numbers, Rejection, type GoalFunction } from "./module.js";
export { Clip, Sequence } from "./motion.js";
export { PosedScene, type OwnGoal, type SolveOptions } from "./posed_scene.js";
export { Posing, type GrabOptions, type GripState, type PinnedPlace, type PosingOptions, type SuggestedStep } from "./posing.js";
export { Reach, Statures, type ReachMeasure, type ReachOptions } from "./reach.js";
export { figureOfScene, valuesOfScene, type SceneOf } from "./scene.js";
export { MarkerTracker, Tracker, type Attachment, type MarkerOptions, type TrackerOptions } from "./tracker.js";
export * from "./results.js";
export * from "./types.js";
