// Scenes of the command-line tool (doc/scene.md) as documents, and documents as scenes.
//
// limber.wasm reads the text first, so that errors have a line and column. Goals relative to the pose of the scene
// ("hold", a pull to the start) become numbers here, because the pose of a document changes.
import {
  figureOfScene,
  Rejection,
  valuesOfScene,
  type ConstraintValue,
  type Figure,
  type FigureValue,
  type GoalValue,
  type HandleValue,
  type Limber,
  type SceneValue,
  type Vec3,
} from "limber";
import { standingOf } from "../document/balance.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { emptyDoc } from "../document/start.js";
import { figureAlone } from "./figure_alone.js";
import { degrees, radians } from "../document/angle.js";

export const sceneMark = "scene 1";

type Values = Readonly<Record<string, number>>;

// A joint with one degree of freedom may be named by the joint alone.
function parameterCalled(figure: Figure, name: string): number {
  const { parameters, freedoms, segments } = figure.info;
  const own = parameters.findIndex((one) => one.name === name);
  if (own >= 0) return own;
  const joint = segments.findIndex((segment) => segment.joint === name);
  const freedom = freedoms.find((one) => one.joint === joint);
  return joint < 0 ? -1 : (freedom?.terms[0] ?? -1);
}

// A pose by parameter name, in degrees and metres; other parameters are at rest.
export function poseOf(figure: Figure, values: Values = {}): number[] {
  const pose = [...figure.rest()];
  for (const [name, value] of Object.entries(values)) {
    const at = parameterCalled(figure, name);
    if (at >= 0) pose[at] = figure.info.parameters[at]!.metres ? value : radians(value);
  }
  return pose;
}

// The inverse: the parameters that differ from the rest pose.
export function valuesOf(figure: Figure, pose: ArrayLike<number>): Record<string, number> {
  const rest = figure.rest();
  const values: Record<string, number> = {};
  figure.info.parameters.forEach(({ name, metres }, j) => {
    if (pose[j] !== rest[j]) values[name] = metres ? pose[j]! : degrees(pose[j]!);
  });
  return values;
}

// The goal that a handle meets in a pose; undefined for handles without such a goal.
function goalHeld(
  limber: Limber,
  figure: Figure,
  handle: HandleValue,
  pose: ArrayLike<number>,
  held: object,
): GoalValue | undefined {
  const posed = limber.scene(figure, { constraints: [{ handle, goal: { hold: true } }] });
  const at = posed.handle(0, pose);
  posed.drop();
  const element = (k: number) => at.slice(3 * k, 3 * k + 3) as Vec3;
  const scale = "degrees_per_metre" in held ? (held as { degrees_per_metre: number }) : {};
  if (typeof handle === "string" || "frame" in handle)
    return { placement: { p: element(0), x: element(1), y: element(2), ...scale } };
  if ("point" in handle || "mass_centre" in handle) return { position: element(0) };
  if ("direction" in handle) return { direction: { v: element(0), ...scale } };
  return undefined;
}

// The constraint without references to the pose of the scene.
function inNumbers(limber: Limber, figure: Figure, constraint: ConstraintValue, pose: ArrayLike<number>): ConstraintValue {
  const { handle, goal, pull } = constraint;
  if (pull === "start") return { ...constraint, pull: { pose: valuesOf(figure, pose) } };
  if (handle === undefined || goal === undefined || !("hold" in goal)) return constraint;
  const held = goalHeld(limber, figure, handle, pose, goal.hold === true ? {} : goal.hold);
  return held ? { ...constraint, goal: held } : constraint;
}

// Checks the text with limber.wasm; errors carry the name of the file.
function read(limber: Limber, name: string, text: string, figure: Figure): void {
  const { module } = limber;
  try {
    const posed = module.withText(text, (at, size) => module.accepted(module.calls.limber_scene_new(figure.id, at, size)));
    module.calls.limber_drop(posed);
  } catch (error) {
    throw named(error, "scene", name);
  }
}

function named(error: unknown, from: string, name: string): unknown {
  if (!(error instanceof Rejection)) return error;
  const changed = (text: string) => (text.startsWith(`${from}:`) ? name + text.slice(from.length) : text);
  const { where, found, expected, line, column, message } = error;
  return new Rejection(changed(where), found, expected, line, column, changed(message));
}

// The figure of a scene; errors have their line in the scene.
function figureOf(limber: Limber, name: string, text: string, value: FigureValue): Figure {
  try {
    return limber.figure(value);
  } catch (error) {
    const alone = figureAlone(text);
    if (alone === undefined) throw error;
    const { module } = limber;
    try {
      const id = module.withText(alone, (at, size) => module.accepted(module.calls.limber_figure_read(at, size)));
      module.calls.limber_drop(id);
    } catch (placed) {
      throw named(placed, "figure", name);
    }
    throw error;
  }
}

// limber.wasm must have the files that the scene refers to. Throws a Rejection.
export function docOfScene(limber: Limber, name: string, text: string, files: Doc["files"]): Doc {
  const scene = parsed(limber, name, text);
  const asked = figureOfScene(scene)!;
  const figure = figureOf(limber, name, text, asked);
  try {
    read(limber, name, text, figure);
    const pose = poseOf(figure, valuesOfScene(scene));
    const standing = standingOf(figure, pose);
    const constraints = (scene.constraints ?? []).map(
      (one, k): Constraint => ({
        id: `c${k + 1}`,
        ...inNumbers(limber, figure, one, pose),
        ...(one.balance ? { standing } : {}),
      }),
    );
    const { method = "automatic", ...options } = scene.options ?? {};
    const byParameter = (numbers: Readonly<Record<string, number>> = {}) =>
      Object.fromEntries(
        Object.entries(numbers).map(([called, value]) => [
          figure.info.parameters[parameterCalled(figure, called)]?.name ?? called,
          value,
        ]),
      );
    const doc: Doc = {
      ...emptyDoc(asked, pose, files),
      title: scene.title ?? "",
      rigidity: byParameter(scene.rigidity),
      stiffness: byParameter(scene.stiffness),
      constraints,
      obstacles: scene.obstacles ?? [],
      natural: scene.natural === true ? 1 : Number(scene.natural ?? 0),
      method,
      ...(Object.keys(options).length > 0 ? { options } : {}),
    };
    limber.scene(figure, sceneOf(doc)).drop();
    return doc;
  } finally {
    figure.drop();
  }
}

// For a text that is not JSON, or not a scene, the error of limber.wasm has the line.
function parsed(limber: Limber, name: string, text: string): SceneValue {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    value = undefined;
  }
  const scene = value as SceneValue | undefined;
  if (
    typeof scene === "object" &&
    scene !== null &&
    scene.limber === sceneMark &&
    [scene.figure, scene.figures].some((one) => typeof one === "object" && one !== null)
  )
    return scene;
  const any = limber.figure({ human: {} });
  try {
    read(limber, name, text, any);
  } finally {
    any.drop();
  }
  throw new Rejection(
    name,
    "a scene without a figure",
    `{"limber": "${sceneMark}", "figure": …}`,
    0,
    0,
    `${name}: found a scene without a figure; expected one`,
  );
}

const optionsOf = ({ method, ...others }: NonNullable<SceneValue["options"]> = {}): Pick<SceneValue, "options"> => {
  const options = { ...(method !== undefined && method !== "automatic" ? { method } : {}), ...others };
  return Object.keys(options).length > 0 ? { options } : {};
};

// The document as a scene for the command-line tool. A scene has no keys and no intervals.
export function sceneOfDoc(limber: Limber, figure: Figure, doc: Doc): SceneValue {
  const { constraints = [], obstacles = [], rigidity = {}, stiffness, natural, options } = sceneOf(doc);
  const rest = figure.rest(); // the pose that "hold" refers to
  const pose = valuesOf(figure, doc.pose);
  return {
    limber: sceneMark,
    ...(doc.title ? { title: doc.title } : {}),
    figure: doc.figure,
    ...(Object.keys(pose).length > 0 ? { pose } : {}),
    ...(Object.keys(rigidity).length > 0 ? { rigidity } : {}),
    ...(stiffness ? { stiffness } : {}),
    ...(obstacles.length > 0 ? { obstacles } : {}),
    ...(constraints.length > 0 ? { constraints: constraints.map((one) => inNumbers(limber, figure, one, rest)) } : {}),
    ...(natural ? { natural } : {}),
    ...optionsOf(options),
  };
}

// Throws if limber.wasm rejects the figure, a pose or a constraint of a document.
export function checkDocument(limber: Limber, doc: Doc): void {
  const figure = limber.figure(doc.figure);
  try {
    const wrong = [doc.pose, ...doc.keys.map(({ pose }) => pose)].find((pose) => pose.length !== figure.parameters);
    if (wrong)
      throw new Error(`found a pose of ${wrong.length} numbers; expected ${figure.parameters}, one per parameter of the figure`);
    limber.scene(figure, sceneOf(doc)).drop();
    if (doc.keys.length > 0) limber.sequence(figure, doc.keys, doc.rotations ? { rotations: doc.rotations } : {}).drop();
  } finally {
    figure.drop();
  }
}
