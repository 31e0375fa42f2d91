// Jobs that wait for a worker, with one that does nothing by itself.
import { expect, it, vi } from "vitest";

interface Fake {
  posted: { id: number; job: string }[];
  isEnded: boolean;
  onmessage: (event: { data: unknown }) => void;
}
const workers = vi.hoisted((): Fake[] => []);

vi.mock("../../src/engine/worker.js?worker&inline", () => ({
  default: class {
    posted: unknown[] = [];
    isEnded = false;
    constructor() {
      workers.push(this as unknown as Fake);
    }
    postMessage(message: { id?: number }): void {
      if (message.id !== undefined) this.posted.push(message);
    }
    terminate(): void {
      this.isEnded = true;
    }
  },
}));

it("abandons one job and goes on with the others", async () => {
  const { JobQueue } = await import("../../src/engine/job_queue.js");
  const queue = new JobQueue({} as WebAssembly.Module);
  const stop = new AbortController();
  const input = {} as never;
  const first = queue.run("compare", input, undefined, stop.signal);
  const second = queue.run("keep", input);
  stop.abort();
  await expect(first).rejects.toThrow("abandoned");
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  expect(workers[1]!.posted.map(({ job }) => job)).toEqual(["keep"]);
  workers[1]!.onmessage({ data: { id: workers[1]!.posted[0]!.id, output: "kept" } });
  expect(await second).toBe("kept");
  expect(queue.isBusy).toBe(false);
  stop.abort(); // long over
  expect(workers).toHaveLength(2);
});
