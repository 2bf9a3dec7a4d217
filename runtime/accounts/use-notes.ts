import type { CallerStore } from "./caller-store.ts";

/** Milliseconds between two notes about one caller, and between two looks at what is to be stored. */
const precision = 60_000;
const period = 5_000;

/** Notes when callers were last admitted. Several notes are stored together, and none of them holds up a request. */
export class UseNotes {
  readonly #store: Pick<CallerStore, "noteUse">;
  readonly #noted = new Map<string, number>();
  #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<CallerStore, "noteUse">) {
    this.#store = store;
  }

  /** @param at milliseconds since 1970 */
  note(id: string, at: number): void {
    const last = this.#noted.get(id);
    if (last !== undefined && at - last < precision) return;
    this.#noted.set(id, at);
    this.#waiting.set(id, at);
    this.#timer ??= setTimeout(() => void this.#save(), period).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#save();
  }

  async #save(): Promise<void> {
    this.#timer = undefined;
    const used = [...this.#waiting];
    this.#waiting = new Map();
    // A time of use that is lost does no harm; the next one is noted a minute later.
    if (used.length > 0) await this.#store.noteUse(used).catch(() => undefined);
  }
}
