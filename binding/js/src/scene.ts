// A scene document, as the module takes it.
import type { SceneValue } from "./types.js";

/** A scene whose figure is given apart. */
export type SceneOf = Omit<Partial<SceneValue>, "figure" | "limber">;

export const sceneText = (scene: SceneOf) =>
  JSON.stringify({ limber: "scene 1", figure: { human: {} }, ...scene } satisfies SceneValue);
