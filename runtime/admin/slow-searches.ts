import type { WatchedRequest } from "../server/monitoring/access-log.ts";

/** A cached search that has ended, without anything that its caller has sent. */
export interface EndedSearch {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly caller: string;
  readonly instance: string;
  readonly entity: string;
  /** Milliseconds that the search itself took. */
  readonly took: number;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  readonly requestId: string;
}

/** Milliseconds for which a search is remembered. */
const remembered = 3_600_000;
/** Searches that are remembered. */
const most = 50;

/** Remembers the slowest cached searches of the last hour: at most fifty, in memory. */
export class SlowSearches {
  readonly #now: () => number;
  /** The slowest comes first. */
  #slowest: EndedSearch[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now = Date.now) {
    this.#now = now;
  }

  ended({ at, requestId, caller, outcome, trace }: WatchedRequest): void {
    const { instance, entity, store: took } = trace ?? {};
    if (took === undefined || instance === undefined || entity === undefined || caller === undefined) return;
    this.add({ at, caller, instance: instance.id, entity, took, outcome: outcome === "unknown" ? "gone" : outcome, requestId });
  }

  add(search: EndedSearch): void {
    if (this.#slowest.length >= most) this.#slowest = this.#recent();
    const place = this.#slowest.findIndex(({ took }) => took < search.took);
    this.#slowest.splice(place < 0 ? this.#slowest.length : place, 0, search);
    this.#slowest.length = Math.min(this.#slowest.length, most);
  }

  /** The slowest first. */
  list(): readonly EndedSearch[] {
    this.#slowest = this.#recent();
    return this.#slowest;
  }

  #recent(): EndedSearch[] {
    const since = this.#now() - remembered;
    return this.#slowest.filter(({ at }) => at > since);
  }
}
