import type { Clock } from "./clock.ts";

// What goes wrong. Whatever leaves a process of the simulation crosses here: calls of stores, limits, the platform and receivers. Every
// such call takes time, may fail before it has an effect, and, where the real thing can, after it.

export interface Crossing {
  /** Milliseconds that the way there and the way back take at most, most of the time. */
  readonly usual: number;
  /** The error of a call that failed before it had an effect. */
  readonly refused: () => Error;
  /** The error of a call whose response was lost. Absent where a response cannot be lost. */
  readonly lost?: () => Error;
}

/** Calls after which something is changed that others may change too. */
const writes = /^store\.(save|finish|note|confirm)$|^accounts\.(endHints|endTurns|endWrite)$|^limits$/;

/** How much more often faults strike that would otherwise be rare, because what they strike is. */
const oftener: Readonly<Record<string, number>> = { "accounts.addHints refused": 10 };

/** Faults that may last: what is away is so for everybody, and for some time. */
const outages = [
  "platform unreachable",
  "platform fails",
  "platform response lost",
  "receiver fails",
  "limits refused",
  "accounts.addHints refused",
  "database connect refused",
];

export class Chaos {
  /** Share of the calls that fail, of each kind of failure. */
  rate = 0;
  /** How often what has failed, for the report. */
  readonly struck = new Map<string, number>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #trace: (line: string) => void;
  /** Until when faults strike always, by their names. */
  readonly #down = new Map<string, number>();

  constructor(clock: Clock, random: () => number, trace: (line: string) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#trace = trace;
  }

  /** Whether something with a probability happens now. */
  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** Lets something that processes reach be away for a while. */
  breakDown(): void {
    const name = this.pick(outages);
    if (name === undefined || this.rate === 0) return;
    const seconds = 5 + this.below(300);
    this.#trace(`DOWN ${name} for ${seconds} s`);
    this.#down.set(name, this.#clock.now + 1_000 * seconds);
  }

  /** Ends all faults. */
  rest(): void {
    this.rate = 0;
    this.#down.clear();
  }

  /** Whether a fault strikes. It is noted by its name. */
  strikes(name: string, factor = 1): boolean {
    const isDown = this.#clock.now < (this.#down.get(name) ?? 0);
    if (!isDown && !this.chance(this.rate * factor * (oftener[name] ?? 1))) return false;
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1);
    this.#trace(`FAULT ${name}`);
    return true;
  }

  /** Milliseconds of a way: short, now and then long. */
  way(usual: number): number {
    if (this.strikes("slow way")) return usual * (10 + this.below(200));
    return this.#random() * usual;
  }

  async cross<Result>(name: string, { usual, refused, lost }: Crossing, act: () => Result | Promise<Result>): Promise<Result> {
    this.#perhapsSuspend(name);
    await this.#clock.sleep(this.way(usual));
    if (this.strikes(`${name} refused`)) throw refused();
    const result = await act();
    // Most responses come at once. In the others, a process may end between the effect and the response.
    if (this.chance(0.25)) await this.#clock.sleep(this.way(usual));
    if (lost !== undefined && this.strikes(`${name} lost`)) throw lost();
    return result;
  }

  /** Suspends the process that is about to write, now and then, for so long that others may take over what it does. */
  #perhapsSuspend(name: string): void {
    const { owner } = this.#clock;
    if (owner === undefined || !writes.test(name) || !this.strikes("process suspended before a write", 3)) return;
    owner.suspendedUntil = this.#clock.now + 1_000 * (1 + this.below(200));
  }
}
