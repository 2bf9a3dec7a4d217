/** Makes something anew at most once in a while. Whoever asks in the meantime gets what was made, or is being made. */
export class Lately<Value> {
  readonly #make: () => Promise<Value>;
  readonly #lifetime: number;
  readonly #now: () => number;
  #last: { readonly at: number; readonly made: Promise<Value> } | undefined;

  /**
   * @param lifetime milliseconds from when it begins to be made
   * @param now milliseconds, never going back
   */
  constructor(make: () => Promise<Value>, lifetime: number, now = () => performance.now()) {
    this.#make = make;
    this.#lifetime = lifetime;
    this.#now = now;
  }

  /** @throws what the making throws, until it is tried again */
  get(): Promise<Value> {
    const now = this.#now();
    if (this.#last === undefined || now - this.#last.at >= this.#lifetime) this.#last = { at: now, made: this.#make() };
    return this.#last.made;
  }
}
