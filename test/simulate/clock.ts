import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import promised from "node:timers/promises";

// Virtual time: one queue of events takes the place of all timers, and one generator that of all random numbers. It has to be installed
// before any module of the program is loaded. Between two events every promise settles that can, so the order of everything follows from
// the seed.

/** A simulated process. Its events wait while it is suspended, and never come once it has ended. */
export interface Owner {
  readonly name: string;
  isDead: boolean;
  suspendedUntil: number;
}

interface Event {
  at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  readonly run: () => void;
  isOff: boolean;
}

/** Numbers that look random, the same for each seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When the virtual time begins, in milliseconds since 1970. */
const epoch = Date.UTC(2026, 0, 5, 8);

export class Clock {
  /** Milliseconds since the beginning. */
  now = 0;
  /** Events that have happened. */
  events = 0;
  #added = 0;
  readonly #queue: Event[] = [];
  readonly #owners = new AsyncLocalStorage<Owner | undefined>();
  readonly #settle = globalThis.setImmediate;

  /** Puts virtual time and the random numbers of a seed in the place of the machine's. */
  install(seed: number): void {
    const random = dice(seed);
    this.#installTimers();
    this.#installTime();
    // Owners of leases have it in their names. It has to be that of a process that runs.
    Object.defineProperty(process, "pid", { value: 1 });
    installRandom(random);
    syncBuiltinESMExports();
  }

  /** Runs something as a process, or as none, with all that follows from it. */
  as<Result>(owner: Owner | undefined, work: () => Result): Result {
    return this.#owners.run(owner, work);
  }

  /** The process that runs now. */
  get owner(): Owner | undefined {
    return this.#owners.getStore();
  }

  after(ms: number, run: () => void): Event {
    const at = this.now + Math.max(0, ms);
    const event = { at, order: this.#added++, owner: this.owner, run, isOff: false };
    this.#push(event);
    return event;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets time pass until some work has ended. @throws what the work throws, or that nothing is left that could end it */
  async until(work: Promise<void>): Promise<void> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    for (;;) {
      // All promises that can settle do so before this returns: nothing here waits for a thread, a socket or a disk.
      await new Promise((resolve) => this.#settle(resolve));
      if (isOver) return work;
      if (!this.#next()) throw new Error("Nothing is left to happen, and the work has not ended.");
    }
  }

  #next(): boolean {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      const { owner } = event;
      if (event.isOff || owner?.isDead === true) continue;
      if (owner !== undefined && owner.suspendedUntil > event.at) {
        event.at = owner.suspendedUntil;
        this.#push(event);
        continue;
      }
      this.now = Math.max(this.now, event.at);
      this.events++;
      if (owner === undefined) event.run();
      else this.#owners.run(owner, event.run);
      return true;
    }
    return false;
  }

  #push(event: Event): void {
    const queue = this.#queue;
    let place = queue.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(event, queue[parent])) break;
      queue[place] = queue[parent] as Event;
      place = parent;
    }
    queue[place] = event;
  }

  #pop(): Event | undefined {
    const queue = this.#queue;
    const [first] = queue;
    const last = queue.pop();
    if (first === undefined || last === undefined || queue.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const least = isBefore(queue[left + 1], queue[left]) ? left + 1 : left;
      if (!isBefore(queue[least], last)) break;
      queue[place] = queue[least] as Event;
      place = least;
    }
    queue[place] = last;
    return first;
  }

  #installTimers(): void {
    const start = (run: () => void, ms = 1, period?: number): Timer => new Timer(this, run, Math.max(1, ms || 1), period);
    const stop = (timer: unknown) => (timer instanceof Timer ? timer.close() : undefined);
    const sleep = <Value>(ms?: number, value?: Value) => new Promise((resolve) => start(() => resolve(value), ms));
    Object.assign(globalThis, {
      setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => start(() => run(...args), ms),
      setInterval: (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
        start(() => run(...args), ms, Math.max(1, ms)),
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => start(() => run(...args), 0),
      clearTimeout: stop,
      clearInterval: stop,
      clearImmediate: stop,
    });
    Object.assign(promised, { setTimeout: sleep, setImmediate: <Value>(value?: Value) => sleep(0, value) });
    AbortSignal.timeout = (ms) => {
      const end = new AbortController();
      start(() => end.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
      return end.signal;
    };
  }

  #installTime(): void {
    const now = () => epoch + Math.floor(this.now);
    globalThis.Date = new Proxy(Date, {
      construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
      apply: (target) => new target(now()).toString(),
      get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
    });
    performance.now = () => this.now;
  }
}

function isBefore(one: Event | undefined, other: Event | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** What `setTimeout` and the like return. */
class Timer {
  readonly #clock: Clock;
  readonly #run: () => void;
  #event: Event;

  constructor(clock: Clock, run: () => void, ms: number, period: number | undefined) {
    this.#clock = clock;
    this.#run = () => {
      if (period !== undefined) this.#event = this.#clock.after(period, this.#run);
      run();
    };
    this.#event = clock.after(ms, this.#run);
  }

  close(): void {
    this.#event.isOff = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    const { at } = this.#event;
    this.close();
    this.#event = this.#clock.after(Math.max(1, at - this.#clock.now), this.#run);
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function installRandom(random: () => number): void {
  Math.random = random;
  const fill = <Bytes extends ArrayBufferView>(view: Bytes): Bytes => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let place = 0; place < bytes.length; place++) bytes[place] = Math.floor(random() * 256);
    return view;
  };
  const randomBytes = (size: number) => fill(Buffer.alloc(size));
  const randomUUID = () => {
    const hex = randomBytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const randomInt = (least: number, below?: number) =>
    below === undefined ? Math.floor(random() * least) : least + Math.floor(random() * (below - least));
  Object.assign(crypto, { randomBytes, randomUUID, randomInt, randomFillSync: fill });
  for (const [name, value] of Object.entries({ randomUUID, getRandomValues: fill }))
    Object.defineProperty(globalThis.crypto, name, { value, configurable: true });
}
