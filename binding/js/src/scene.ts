// A scene document, as the module takes it.
import type { FigureValue, SceneValue } from "./types.js";

/** A scene without its figure, which is given separately. */
export type SceneOf = Omit<Partial<SceneValue>, "figure" | "limber">;

export const sceneText = (scene: SceneOf) =>
  JSON.stringify({ limber: "scene 1", ...(scene.figures ? {} : { figure: { human: {} } }), ...scene } satisfies SceneValue);

/** The figure of a scene; several figures as one, without their poses. Undefined for a scene that has none. */
export function figureOfScene({ figure, figures }: Pick<SceneValue, "figure" | "figures">): FigureValue | undefined {
  if (!figures) return figure;
  return { figures: Object.fromEntries(Object.entries(figures).map(([name, { pose: _pose, ...one }]) => [name, one])) };
}

/** The pose of a scene by parameter; of several figures with the name of the figure before that of the parameter. */
export function valuesOfScene({ pose = {}, figures = {} }: Pick<SceneValue, "pose" | "figures">): Record<string, number> {
  const values = { ...pose };
  for (const [name, one] of Object.entries(figures))
    for (const [parameter, value] of Object.entries(one.pose ?? {})) values[`${name}.${parameter}`] = value;
  return values;
}
