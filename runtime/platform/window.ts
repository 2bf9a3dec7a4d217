/** Counts how much was used within a sliding span of time, in slices of a sixtieth of the span. */
export class SlidingWindow {
  readonly limit: number;
  readonly span: number;
  readonly #slice: number;
  /** `[start of the slice, amount]`, oldest first; at most 61. */
  readonly #slices: [start: number, amount: number][] = [];
  #sum = 0;

  /** @param span in milliseconds */
  constructor(limit: number, span: number) {
    this.limit = limit;
    this.span = span;
    this.#slice = Math.max(1, Math.floor(span / 60));
  }

  /** How much was used within the span before `now`. */
  used(now: number): number {
    this.#expire(now);
    return this.#sum;
  }

  add(amount: number, now: number): void {
    this.#expire(now);
    const last = this.#slices.at(-1);
    if (last !== undefined && now - last[0] < this.#slice) last[1] += amount;
    else this.#slices.push([now, amount]);
    this.#sum += amount;
  }

  /**
   * The time from which `amount` more is within the limit, on the clock of `now`; `now` itself when there is room already.
   *
   * @param limit a smaller one that counts instead
   */
  freeAt(amount: number, now: number, limit = this.limit): number {
    this.#expire(now);
    let over = this.#sum + amount - limit;
    if (over <= 0) return now;
    for (const [start, used] of this.#slices) {
      over -= used;
      if (over <= 0) return start + this.#slice + this.span;
    }
    return now + this.span;
  }

  /** Drops old slices. A slice counts until its last moment is outside the span. */
  #expire(now: number): void {
    for (let first = this.#slices[0]; first !== undefined && first[0] + this.#slice + this.span <= now; first = this.#slices[0]) {
      this.#slices.shift();
      this.#sum -= first[1];
    }
  }
}
