/** Keys that are counted in one window. Further ones are counted together. */
const mostKeys = 10_000;
/** The key of those. */
const mixed = "";

export interface RepeatsOptions<Event> {
  /** Events of one key in one window that are noted one by one. */
  readonly most: number;
  /** Milliseconds. */
  readonly window: number;
  /** Notes a single event. */
  readonly note: (event: Event) => void;
  /**
   * Notes at the end of a window how many more there were of one key, with the last of them.
   *
   * @param isMixed whether they were of many keys, so that the last one says nothing of the others
   */
  readonly more: (last: Event, count: number, isMixed: boolean) => void;
}

interface Count<Event> {
  noted: number;
  left: number;
  last: Event;
}

/**
 * Notes events that anybody on the network can cause in any number. In each window some of a kind are noted, and then only how many more
 * there were.
 */
export class Repeats<Event> {
  readonly #options: RepeatsOptions<Event>;
  readonly #counts = new Map<string, Count<Event>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RepeatsOptions<Event>) {
    this.#options = options;
  }

  /** @param key says which events are of the same kind */
  add(key: string, event: Event): void {
    const { most, window, note } = this.#options;
    this.#timer ??= setTimeout(() => this.flush(), window).unref();
    const name = this.#counts.has(key) || this.#counts.size < mostKeys ? key : mixed;
    const count = this.#counts.get(name) ?? { noted: 0, left: 0, last: event };
    this.#counts.set(name, count);
    count.last = event;
    if (count.noted >= most) count.left++;
    else {
      count.noted++;
      note(event);
    }
  }

  /** Ends the window now: notes what is not noted yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts];
    this.#counts.clear();
    for (const [name, { last, left }] of counts) if (left > 0) this.#options.more(last, left, name === mixed);
  }
}
