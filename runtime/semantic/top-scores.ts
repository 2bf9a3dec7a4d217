/** Keeps the largest of many scores, to know which score is large enough. A heap whose first element is the smallest of those kept. */
export class TopScores {
  readonly #size: number;
  readonly #heap: number[] = [];

  /** @param size how many scores are kept, at least 1 */
  constructor(size: number) {
    this.#size = size;
  }

  /** The smallest score that is kept; minus infinity as long as fewer scores came than are kept. */
  get least(): number {
    return this.#heap.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#heap[0] ?? Number.NEGATIVE_INFINITY);
  }

  add(score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      heap.push(score);
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1;
        if ((heap[above] ?? 0) <= (heap[at] ?? 0)) return;
        this.#swap(at, above);
        at = above;
      }
    } else if (score > (heap[0] ?? 0)) {
      heap[0] = score;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const right = left + 1;
        let least = at;
        if (left < heap.length && (heap[left] ?? 0) < (heap[least] ?? 0)) least = left;
        if (right < heap.length && (heap[right] ?? 0) < (heap[least] ?? 0)) least = right;
        if (least === at) return;
        this.#swap(at, least);
        at = least;
      }
    }
  }

  #swap(one: number, other: number): void {
    const kept = this.#heap[one] ?? 0;
    this.#heap[one] = this.#heap[other] ?? 0;
    this.#heap[other] = kept;
  }
}
