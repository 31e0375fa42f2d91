// A scene document as text for the module.
import type { SceneValue } from "./types.js";

/** A scene without its figure, which is given separately. */
export type SceneOf = Omit<Partial<SceneValue>, "figure" | "limber">;

export const sceneText = (scene: SceneOf) =>
  JSON.stringify({ limber: "scene 1", figure: { human: {} }, ...scene } satisfies SceneValue);
