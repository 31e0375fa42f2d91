// A worker with its own limber.wasm and a queue of jobs. The worker starts with the first job.
import { Rejection } from "limber";
import type { Answer, JobName, Jobs, Request } from "./jobs.js";
import SolveWorker from "./worker.js?worker&inline";

interface Waiting {
  done: (output: unknown) => void;
  fail: (error: Error) => void;
  progress?: ((done: number, of: number) => void) | undefined;
  request: Request;
}

export class JobQueue {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(private readonly compiled: WebAssembly.Module) {}

  run<J extends JobName>(
    job: J,
    input: Jobs[J]["in"],
    progress?: (done: number, of: number) => void,
    signal?: AbortSignal,
  ): Promise<Jobs[J]["out"]> {
    const id = this.nextId++;
    const worker = (this.worker ??= this.start());
    const request = { id, job, input } as Request;
    signal?.addEventListener("abort", () => this.abandon(id));
    return new Promise((done, fail) => {
      this.waiting.set(id, { done: done as (output: unknown) => void, fail, progress, request });
      worker.postMessage(request);
    });
  }

  // A busy worker receives no messages, so it is replaced by a new one that gets the other jobs.
  private abandon(id: number): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    this.worker?.terminate();
    this.worker = this.waiting.size > 0 ? this.start() : undefined;
    for (const { request } of this.waiting.values()) this.worker!.postMessage(request);
    waiting.fail(new Error("abandoned"));
  }

  // Ends the worker; waiting jobs fail. The next job starts a new worker.
  end(why = new Error("abandoned")): void {
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { fail } of waiting) fail(why);
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  private start(): Worker {
    const worker = new SolveWorker();
    worker.postMessage(this.compiled);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.answered(data);
    worker.onerror = (event) => this.end(new Error(event.message || "the solver stopped"));
    return worker;
  }

  private answered(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if ("done" in answer) return waiting.progress?.(answer.done, answer.of);
    this.waiting.delete(answer.id);
    if (!("error" in answer)) return waiting.done(answer.output);
    const { rejection, error } = answer;
    waiting.fail(
      rejection
        ? new Rejection(rejection.where, rejection.found, rejection.expected, rejection.line, rejection.column, error)
        : new Error(error),
    );
    // A module that trapped in a call must not be used again.
    if (answer.trapped) this.end(new Error("the solver stopped"));
  }
}
