// The WebAssembly module: loading it, and passing texts and arrays to and from its memory.
import { arities, type Calls } from "./calls.js";

/** An error in the input: where, what was found and what was expected. */
export class Rejection extends Error {
  constructor(
    readonly where: string,
    readonly found: string,
    readonly expected: string,
    readonly line: number,
    readonly column: number,
    text: string,
  ) {
    super(text);
    this.name = "Rejection";
  }
}

// The three system functions that the C++ runtime imports to report its own failure.
const system = {
  fd_close: () => 8,
  fd_seek: () => 8,
  fd_write: () => 8,
  fd_read: () => 8,
  fd_fdstat_get: () => 8,
  proc_exit: (code: number) => {
    throw new Error(`limber ended with code ${code}`);
  },
};

/** Evaluates a goal: residuals r from points x, three numbers each, and their derivative J, row by row. */
export type GoalFunction = (x: Float64Array, r: Float64Array, J: Float64Array) => void;

// The goals of the host by number, and the first error that one has thrown since it was last asked for.
class HostGoals {
  private readonly functions = new Map<number, GoalFunction>();
  private next = 1;
  private failed = false;
  private error: unknown;
  memory: WebAssembly.Memory | undefined;

  add(goal: GoalFunction): number {
    this.functions.set(this.next, goal);
    return this.next++;
  }

  remove(number: number): void {
    this.functions.delete(number);
  }

  // Nothing may be thrown through the module: the solve goes on with numbers that are none, and ends.
  readonly evaluate = (number: number, points: number, x: number, rows: number, r: number, J: number): void => {
    const numbers = (at: number, size: number) => new Float64Array(this.memory!.buffer, at, size);
    try {
      this.functions.get(number)!(numbers(x, 3 * points), numbers(r, rows), numbers(J, 3 * points * rows));
    } catch (error) {
      if (!this.failed) this.error = error;
      this.failed = true;
      numbers(r, rows).fill(NaN);
    }
  };

  rethrow(): void {
    if (!this.failed) return;
    this.failed = false;
    throw this.error;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Module {
  private constructor(
    readonly calls: Calls,
    readonly goals: HostGoals,
  ) {}

  static async load(bytes: BufferSource | WebAssembly.Module): Promise<Module> {
    const compiled = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
    const asked = WebAssembly.Module.imports(compiled);
    const goals = new HostGoals();
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = { limber: { goal: goals.evaluate } };
    for (const { module, name } of asked) {
      if (module === "limber") continue;
      const stub = (system as Record<string, WebAssembly.ImportValue>)[name] ?? (() => 8);
      (imports[module] ??= {})[name] = stub;
    }
    const instance = await WebAssembly.instantiate(compiled, imports);
    const exports = instance.exports as unknown as Calls & { _initialize?: () => void };
    for (const [name, arity] of Object.entries(arities)) {
      const call = (exports as unknown as Record<string, unknown>)[name];
      if (typeof call !== "function" || call.length !== arity)
        throw new Error(`limber.wasm has another interface than this package: ${name}`);
    }
    exports._initialize?.();
    goals.memory = exports.memory;
    return new Module(exports, goals);
  }

  /** Passes `use` the address of the bytes; valid only while it runs. */
  withBytes<T>(bytes: Uint8Array, use: (address: number, size: number) => T): T {
    const address = this.calls.limber_allocate(bytes.length);
    try {
      new Uint8Array(this.calls.memory.buffer, address, bytes.length).set(bytes);
      return use(address, bytes.length);
    } finally {
      this.calls.limber_release(address);
    }
  }

  withText<T>(text: string, use: (address: number, size: number) => T): T {
    return this.withBytes(encoder.encode(text), use);
  }

  withNumbers<T>(numbers: ArrayLike<number>, use: (address: number) => T): T {
    const address = this.calls.limber_allocate(8 * numbers.length);
    try {
      new Float64Array(this.calls.memory.buffer, address, numbers.length).set(numbers);
      return use(address);
    } finally {
      this.calls.limber_release(address);
    }
  }

  /** A copy of the text returned by the last call. */
  bytes(): Uint8Array {
    const begin = this.calls.limber_text();
    return new Uint8Array(this.calls.memory.buffer.slice(begin, begin + this.calls.limber_text_size()));
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  json<T>(): T {
    return JSON.parse(this.text()) as T;
  }

  /** Throws the rejection if a call returned 0. */
  accepted(result: number): number {
    if (result !== 0) return result;
    const why = this.json<{ where: string; found: string; expected: string; line: number; column: number; text: string }>();
    throw new Rejection(why.where, why.found, why.expected, why.line, why.column, why.text);
  }
}

/**
 * An object of the module by its number, with its memory. Numbers are reused once they are free, so a dropped object must
 * not be used again.
 */
export class Owned {
  private dropped = false;
  private readonly rooms: readonly Numbers[];

  constructor(
    private readonly module: Module,
    private readonly number: number,
    ...rooms: Numbers[]
  ) {
    this.rooms = rooms;
  }

  get id(): number {
    if (this.dropped) throw new Error("the object was dropped");
    return this.number;
  }

  drop(): void {
    if (this.dropped) return;
    this.dropped = true;
    for (const room of this.rooms) room.drop();
    this.module.calls.limber_drop(this.number);
  }
}

/** Numbers in the module's memory that both sides read and write. The memory may move: get `view` again after each call. */
export class Numbers {
  private address_: number;

  constructor(
    private readonly module: Module,
    readonly size: number,
  ) {
    this.address_ = module.calls.limber_allocate(8 * Math.max(1, size));
  }

  get address(): number {
    if (this.address_ === 0) throw new Error("the object was dropped");
    return this.address_;
  }

  get view(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.module.calls.memory.buffer, this.address, this.size);
  }

  /** With too few numbers, values of an earlier call would remain. */
  fill(numbers: ArrayLike<number>): void {
    if (numbers.length !== this.size) throw new RangeError(`found ${numbers.length} numbers; expected ${this.size}`);
    this.view.set(numbers);
  }

  drop(): void {
    if (this.address_ !== 0) this.module.calls.limber_release(this.address_);
    this.address_ = 0;
  }
}
