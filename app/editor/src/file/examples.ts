// Example scenes: those of example/scene, and two that are built here.
import type { App } from "../state/app.js";
import { sceneOf, type Constraint, type Doc } from "../document/document.js";
import { frameOf } from "../document/places.js";
import { startDoc, human } from "../document/start.js";
import type { JobQueue } from "../engine/job_queue.js";
import type { Subject } from "../engine/jobs.js";
import { showDiagnostic } from "./diagnostic.js";
import { showBeginning } from "./open.js";

const texts: Record<string, string> = import.meta.glob("../../../../example/scene/*.json", {
  query: "?raw",
  import: "default",
  eager: true,
});

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly make: (app: App, queue: JobQueue) => Doc | Promise<Doc>;
}

const titleIn = (text: string) => (JSON.parse(text) as { title: string }).title;

const scenes: Example[] = Object.entries(texts)
  .map(([path, text]) => {
    const file = path.split("/").at(-1)!;
    const make = async (_app: App, queue: JobQueue) => (await queue.run("scene", { name: file, text, files: {} })).doc;
    return { id: file.replace(".json", ""), title: titleIn(text), make };
  })
  .sort((a, b) => a.title.localeCompare(b.title));

// The initial document with its own figure: the engine may have another one.
function begun<T>(app: App, make: (doc: Doc, figure: ReturnType<App["engine"]["limber"]["figure"]>) => T): T {
  const figure = app.engine.limber.figure(human);
  try {
    return make(startDoc(figure), figure);
  } finally {
    figure.drop();
  }
}

const cup: Example = {
  id: "cup",
  title: "Reach for a cup",
  make: (app) =>
    begun(app, (doc) => {
      const at: [number, number, number] = [-0.3, 1.05, 0.55];
      const hand: Constraint = {
        id: "cup",
        name: "hand on the cup",
        handle: { point: "right_palm" },
        goal: { position: at },
        shows: "cup",
      };
      const eyes: Constraint = {
        id: "eyes",
        name: "look at the cup",
        handle: { ray: "eyes" },
        goal: { aim_at: at },
        weight: 0.3,
      };
      return { ...doc, title: "Reach for a cup", constraints: [...doc.constraints, hand, eyes] };
    }),
};

const crouchDepth = 0.35; // m

const crouch: Example = {
  id: "crouch",
  title: "Crouch between two keys",
  async make(app, queue) {
    const { standing, down } = begun(app, (doc, figure) => {
      const { p } = frameOf(figure, "pelvis", doc.pose);
      const low: Constraint = {
        id: "low",
        handle: { point: "pelvis" },
        goal: { plane: { p: [p[0], p[1] - crouchDepth, p[2]], v: "y" } },
      };
      const ahead: Constraint = { id: "ahead", handle: { direction: "eyes" }, goal: { direction: "z" }, weight: 0.3 };
      return { standing: doc, down: { ...doc, natural: 1, constraints: [...doc.constraints, low, ahead] } };
    });
    const { pose } = await queue.run("solve", { subject: subject(down), scene: sceneOf(down), pose: down.pose });
    const low = [...pose];
    return {
      ...standing,
      title: crouch.title,
      keys: [
        { time: 0, pose: standing.pose },
        { time: 1, pose: low },
        { time: 2, pose: standing.pose },
      ],
    };
  },
};

const subject = ({ figure, files }: Doc): Subject => ({ figure, files });

export const examples: Example[] = [cup, crouch, ...scenes];

// Opens an example and solves it.
export async function openExample(app: App, example: Example): Promise<void> {
  const queue = app.engine.newQueue();
  try {
    const doc = await example.make(app, queue);
    const { pose, report } = await queue.run("solve", { subject: subject(doc), scene: sceneOf(doc), pose: doc.pose });
    const solved = { ...doc, pose: [...pose] };
    app.store.load(`Example: ${example.title}`, solved);
    showBeginning(app, solved);
    app.setReport(report);
  } catch (error) {
    await showDiagnostic(example.title, error);
  } finally {
    queue.end();
  }
}
