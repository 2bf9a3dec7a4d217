/** Two for each token. */
const leastPlaces = 2 * 1024;

/**
 * Tokens of words, each as two numbers of 32 bits. Beside a `Set` of texts, a look touches one place of the memory instead of several,
 * which is what it takes most time for.
 */
export class TokenSet {
  /** Where a token is, or would be: at the place that its lower half names, or at the next one that is free. Zeros are a free place. */
  #places = new Int32Array(leastPlaces);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  has(upper: number, lower: number): boolean {
    return this.#places[this.#placeOf(upper, lower)] !== 0;
  }

  /**
   * A token whose upper half is zero is not kept, because its place would be taken for a free one.
   *
   * @returns whether the token was not there before
   */
  add(upper: number, lower: number): boolean {
    const place = this.#placeOf(upper, lower);
    if (this.#places[place] !== 0) return false;
    this.#places[place] = upper;
    this.#places[place + 1] = lower;
    if (upper !== 0) this.#count++;
    // Half of the places stay free, so that the next free one is never far.
    if (4 * this.#count > this.#places.length) this.#grow();
    return true;
  }

  clear(): void {
    if (this.#places.length > leastPlaces) this.#places = new Int32Array(leastPlaces);
    else this.#places.fill(0);
    this.#count = 0;
  }

  #placeOf(upper: number, lower: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    for (let place = (2 * lower) & mask; ; place = (place + 2) & mask)
      if (places[place] === 0 || (places[place] === upper && places[place + 1] === lower)) return place;
  }

  #grow(): void {
    const old = this.#places;
    this.#places = new Int32Array(2 * old.length);
    this.#count = 0;
    for (let place = 0; place < old.length; place += 2) if (old[place] !== 0) this.add(old[place] ?? 0, old[place + 1] ?? 0);
  }
}
