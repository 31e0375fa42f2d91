// limber.wasm on the main thread: the figure of the document, short solves, and a worker for long ones.
import { loadLimber, Sequence, type Figure, type Limber, type PosedScene, type SceneOf, type Vec3 } from "limber";
import { fromBase64 } from "../document/base64.js";
import { sceneOf, type Doc } from "../document/document.js";
import { compilePacked } from "./packed.js";
import { JobQueue } from "./job_queue.js";
import type { JobName, Jobs, Subject } from "./jobs.js";

const balanceWeight = 1000; // the default of a balance (doc/scene.md)

export const subjectOf = (doc: Doc): Subject => ({ figure: doc.figure, files: doc.files });

export class Engine {
  private readonly queue: JobQueue;
  private figure_: Figure | undefined;
  private figureOf: { figure: Doc["figure"]; files: Doc["files"] } | undefined;
  private posed_: PosedScene | undefined;
  private posedOf: Doc | undefined;
  private sequence_: Sequence | undefined;
  private sequenceOf: { keys: Doc["keys"]; rotations: Doc["rotations"]; figure: Figure } | undefined;

  private constructor(
    readonly limber: Limber,
    private readonly compiled: WebAssembly.Module,
  ) {
    this.queue = new JobQueue(compiled);
  }

  static async start(): Promise<Engine> {
    const compiled = await compilePacked();
    return new Engine(await loadLimber(compiled), compiled);
  }

  // The figure of the document. Throws a Rejection if it cannot be read; the old figure then stays.
  figure(doc: Doc): Figure {
    if (this.figure_ && this.figureOf?.figure === doc.figure && this.figureOf.files === doc.files) return this.figure_;
    this.limber.forgetFiles();
    for (const [name, bytes] of Object.entries(doc.files)) this.limber.giveFile(name, fromBase64(bytes));
    const figure = this.limber.figure(doc.figure);
    this.posed_?.drop();
    this.sequence_?.drop();
    this.figure_?.drop();
    this.posed_ = this.posedOf = this.sequence_ = this.sequenceOf = undefined;
    this.figure_ = figure;
    this.figureOf = { figure: doc.figure, files: doc.files };
    return figure;
  }

  // The scene of the document, ready to be solved. Cached until it changes.
  scene(doc: Doc): PosedScene {
    const figure = this.figure(doc);
    const of = this.posedOf;
    if (
      this.posed_ &&
      of &&
      of.constraints === doc.constraints &&
      of.obstacles === doc.obstacles &&
      of.rigidity === doc.rigidity &&
      of.stiffness === doc.stiffness &&
      of.natural === doc.natural &&
      of.method === doc.method &&
      of.options === doc.options
    )
      return this.posed_;
    const posed = this.limber.scene(figure, sceneOf(doc));
    this.posed_?.drop();
    this.posed_ = posed;
    this.posedOf = doc;
    return posed;
  }

  // The scene of the document for a motion. A scene has one pose for all its balances, but a walking figure has a support
  // per balance, so each balance is given by the faces of its support.
  movingScene(doc: Doc): SceneOf {
    const figure = this.figure(doc);
    const scene = sceneOf(doc);
    const constraints = doc.constraints.map((one, k) => {
      const value = scene.constraints![k]!;
      if (one.strength) return { ...value, enabled: false }; // motions do not support it
      if (one.keep_clear && one.weight !== "must") return { ...value, enabled: false }; // a motion is clear, or says where not
      if (!one.balance || !one.standing) return value;
      const posed = this.limber.scene(figure, { pose: one.standing, constraints: [{ ...value, enabled: true }] });
      const numbers = posed.faces(0);
      posed.drop();
      const vector = (at: number) => numbers.slice(at, at + 3) as Vec3;
      const faces = Array.from({ length: numbers.length / 6 }, (_, face) => ({ p: vector(6 * face), v: vector(6 * face + 3) }));
      const { balance: _balance, margin: _margin, ...rest } = value;
      const balanced = figure.info.figures?.find(({ name }) => one.balance?.[0]?.startsWith(`${name}.`));
      return {
        weight: balanceWeight,
        ...rest,
        handle: { mass_centre: balanced?.name ?? (true as const) },
        goal: { inside: { polyhedron: { faces } } },
      };
    });
    return { ...scene, constraints };
  }

  // The keys of the document as a sequence; undefined if there are none.
  sequence(doc: Doc): Sequence | undefined {
    const figure = this.figure(doc);
    if (doc.keys.length === 0) return undefined;
    const { keys, rotations } = doc;
    const made = this.sequenceOf;
    if (this.sequence_ && made?.keys === keys && made.rotations === rotations && made.figure === figure) return this.sequence_;
    this.sequence_?.drop();
    this.sequence_ = undefined;
    this.sequence_ = Sequence.of(figure, keys, rotations ? { rotations } : {});
    this.sequenceOf = { keys, rotations, figure };
    return this.sequence_;
  }

  // Runs a job in the worker. A job that the signal aborts fails with "abandoned"; the others continue.
  run<J extends JobName>(
    job: J,
    input: Jobs[J]["in"],
    progress?: (done: number, of: number) => void,
    signal?: AbortSignal,
  ): Promise<Jobs[J]["out"]> {
    return this.queue.run(job, input, progress, signal);
  }

  get isBusy(): boolean {
    return this.queue.isBusy;
  }

  // A separate worker, for files that are not checked yet. The caller ends it.
  newQueue(): JobQueue {
    return new JobQueue(this.compiled);
  }
}
