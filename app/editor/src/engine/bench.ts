// A worker with the module in it, and the jobs that wait for it. It starts with the first job.
import { Refusal } from "limber";
import type { Answer, JobName, Jobs, Request } from "./jobs.js";
import SolveWorker from "./worker.js?worker&inline";

interface Waiting {
  done: (output: unknown) => void;
  fail: (error: Error) => void;
  progress?: ((done: number, of: number) => void) | undefined;
}

export class Bench {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(private readonly compiled: WebAssembly.Module) {}

  run<J extends JobName>(job: J, input: Jobs[J]["in"], progress?: (done: number, of: number) => void): Promise<Jobs[J]["out"]> {
    const id = this.nextId++;
    const worker = (this.worker ??= this.start());
    return new Promise((done, fail) => {
      this.waiting.set(id, { done: done as (output: unknown) => void, fail, progress });
      worker.postMessage({ id, job, input } as Request);
    });
  }

  // Ends the worker; what waits fails. The next job starts another.
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
    const { refusal, error } = answer;
    waiting.fail(refusal ? new Refusal(refusal.where, refusal.found, refusal.expected, refusal.line, refusal.column, error) : new Error(error));
    // A module that stopped in the middle of a call is not to be trusted with another.
    if (answer.trapped) this.end(new Error("the solver stopped"));
  }
}
