import type { WatchedRequest } from "../server/monitoring/access-log.ts";

/** Minutes that are remembered. */
export const mostMinutes = 60;
const minute = 60_000;
/** Durations are counted in places, of which four double the time: from an eighth of a millisecond to two minutes. */
const shortest = 0.125;
const perDoubling = 4;
const places = 80;

interface Minute {
  /** Minutes since 1970. */
  readonly number: number;
  requests: number;
  readonly times: Uint32Array;
  /** How many requests failed with each code. Their number is that of the table of codes. */
  readonly codes: Map<string, number>;
}

/** What happened in the last minutes. */
export interface Load {
  readonly requests: number;
  /** Requests a minute, since the process started where that is later. */
  readonly perMinute: number;
  readonly codes: ReadonlyMap<string, number>;
  /** Milliseconds within which half of the requests ended, and 95 of a hundred; undefined where there were none. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** Counts the requests of known callers, and those that were refused because their token is wrong: for an hour, in memory, in bounds. */
export class Traffic {
  readonly #now: () => number;
  readonly #began: number;
  /** The earliest comes first. */
  readonly #minutes: Minute[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now = Date.now) {
    this.#now = now;
    this.#began = now();
  }

  ended({ caller, outcome, ms, route }: Pick<WatchedRequest, "caller" | "outcome" | "ms" | "route">): void {
    // The page's own requests would hide those of callers.
    if (route?.startsWith("/admin") === true || (caller === undefined && outcome !== "unauthorized")) return;
    const current = this.#current();
    current.requests++;
    const place = Math.round(Math.log2(Math.max(ms, shortest) / shortest) * perDoubling);
    const index = Math.min(places - 1, place);
    current.times[index] = (current.times[index] ?? 0) + 1;
    if (outcome !== "done") current.codes.set(outcome, (current.codes.get(outcome) ?? 0) + 1);
  }

  /** What happened in the last so many minutes, the present one included. */
  over(minutes: number): Load {
    const now = this.#now();
    const since = Math.floor(now / minute) - minutes + 1;
    const own = this.#minutes.filter(({ number }) => number >= since);
    const times = new Uint32Array(places);
    const codes = new Map<string, number>();
    for (const one of own) {
      for (const [index, count] of one.times.entries()) times[index] = (times[index] ?? 0) + count;
      for (const [code, count] of one.codes) codes.set(code, (codes.get(code) ?? 0) + count);
    }
    const requests = own.reduce((sum, one) => sum + one.requests, 0);
    const span = Math.max(1, (now - Math.max(since * minute, this.#began)) / minute);
    return { requests, perMinute: requests / span, codes, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
  }

  /** Requests in each of the last minutes, the earliest first. */
  series(): readonly number[] {
    const last = Math.floor(this.#now() / minute);
    const counts = new Map(this.#minutes.map(({ number, requests }) => [number, requests]));
    return Array.from({ length: mostMinutes }, (_, index) => counts.get(last - mostMinutes + 1 + index) ?? 0);
  }

  #current(): Minute {
    const number = Math.floor(this.#now() / minute);
    const last = this.#minutes.at(-1);
    if (last?.number === number) return last;
    const made: Minute = { number, requests: 0, times: new Uint32Array(places), codes: new Map() };
    this.#minutes.push(made);
    while (this.#minutes.length > mostMinutes) this.#minutes.shift();
    return made;
  }
}

function quantile(times: Uint32Array, share: number): number | undefined {
  const all = times.reduce((sum, count) => sum + count, 0);
  let left = all * share;
  for (const [index, count] of times.entries()) {
    left -= count;
    if (count > 0 && left <= 0) return shortest * 2 ** (index / perDoubling);
  }
  return undefined;
}
