/**
 * Room for a number of things, such as bytes or places. Whoever has none gets what is left; whoever has some may have a share of what the
 * others have not taken, so that nobody takes everything. With a share of one half, one alone has half of the room, two have a third each.
 */
export class SharedRoom {
  readonly #most: number;
  readonly #share: number;
  readonly #own = new Map<string, number>();
  #taken = 0;

  constructor(most: number, share = 0.5) {
    this.#most = most;
    this.#share = share;
  }

  /** Whether so much may be taken. Where nothing is taken, that may be more than all: it could never be taken otherwise. */
  has(who: string, amount: number): boolean {
    if (this.#taken === 0) return true;
    const own = this.#own.get(who) ?? 0;
    const left = own === 0 ? this.#most - this.#taken : (this.#most - this.#taken + own) * this.#share - own;
    return amount <= left;
  }

  take(who: string, amount: number): void {
    this.#taken += amount;
    this.#own.set(who, (this.#own.get(who) ?? 0) + amount);
  }

  /** Gives back what was taken. */
  give(who: string, amount: number): void {
    this.#taken -= amount;
    const left = (this.#own.get(who) ?? 0) - amount;
    if (left > 0) this.#own.set(who, left);
    else this.#own.delete(who);
  }
}
