import { Kernel } from "./kernel.ts";
import { factorBytes, paddedWidth } from "./vectors.ts";

/** Rows whose scores are computed by one call of the kernel. */
const block = 4_096;

/** Computes the scores of stored vectors: their cosines with a prompt. A vector has the same score wherever it stands. */
export class VectorScorer {
  readonly width: number;
  readonly #kernel = new Kernel();
  readonly #prompt: number;
  readonly #numbers: number;
  readonly #scores: number;
  readonly #factors: number;
  readonly #rows: number;

  /** @param capacity how many vectors fit */
  constructor(dims: number, capacity: number) {
    this.width = paddedWidth(dims);
    this.#prompt = this.#kernel.reserve(this.width * 4);
    this.#numbers = this.#kernel.reserve(block * 4);
    this.#scores = this.#kernel.reserve(block * 4);
    this.#factors = this.#kernel.reserve(capacity * 4);
    this.#rows = this.#kernel.reserve(capacity * this.width);
    const numbers = this.#kernel.integers(this.#numbers, block);
    for (let i = 0; i < block; i++) numbers[i] = i;
  }

  /** Puts a vector, as `packVector` makes it, into a place. */
  set(place: number, packed: Uint8Array): void {
    const factor = new DataView(packed.buffer, packed.byteOffset).getFloat32(0, true);
    this.#kernel.floats(this.#factors + place * 4, 1)[0] = factor;
    this.#kernel.bytes(this.#rows + place * this.width, this.width).set(packed.subarray(factorBytes));
  }

  /** The scores of the first `count` vectors. @param check is called from time to time, and may throw */
  scores(prompt: Float32Array, count: number, check: () => void = () => undefined): Float32Array {
    const { width } = this;
    this.#kernel.floats(this.#prompt, width).fill(0).set(prompt);
    const scores = new Float32Array(count);
    for (let from = 0; from < count; from += block) {
      check();
      const size = Math.min(block, count - from);
      const rows = this.#rows + from * width;
      const factors = this.#factors + from * 4;
      this.#kernel.run.dotRows(rows, factors, this.#numbers, size, width, this.#prompt, this.#scores);
      scores.set(this.#kernel.floats(this.#scores, size), from);
    }
    return scores;
  }
}
