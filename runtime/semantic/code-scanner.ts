import { Kernel } from "./kernel.ts";
import { paddedWidth } from "./vectors.ts";

/** Codes that are compared by one call of the kernel. */
const blockSize = 65_536;

/** Codes that are near the code of a prompt, and what their signs say about their products with the prompt. */
export interface Near {
  readonly slots: Int32Array;
  readonly estimates: Float32Array;
}

/** Addresses of a block: its codes, for each of them whether it is left out, and its distance from the code of the prompt. */
interface Block {
  /** The first and the second halves of the codes. */
  readonly signs: number;
  readonly sizes: number;
  readonly closed: number;
  readonly distances: number;
}

/** Holds the codes of many vectors, each in its slot, and finds those that are nearest to a prompt. */
export class CodeScanner {
  /** Bytes of half a code. */
  readonly width: number;
  readonly #kernel = new Kernel();
  readonly #query: number;
  readonly #counts: number;
  readonly #tables: number;
  readonly #slots: number;
  readonly #estimates: number;
  readonly #blocks: Block[] = [];
  #count = 0;

  constructor(dims: number) {
    this.width = paddedWidth(dims) / 8;
    this.#query = this.#kernel.reserve(this.width);
    this.#counts = this.#kernel.reserve((this.width * 8 + 2) * 4);
    this.#tables = this.#kernel.reserve(this.width * 256 * 4);
    this.#slots = this.#kernel.reserve(blockSize * 4);
    this.#estimates = this.#kernel.reserve(blockSize * 4);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds codes, as `vectorCode` makes them, one after the other. */
  add(codes: Uint8Array): void {
    const { width } = this;
    for (let at = 0; at < codes.length; ) {
      const place = this.#count % blockSize;
      if (place === 0) this.#grow();
      const block = this.#blocks.at(-1);
      if (block === undefined) return;
      const size = Math.min(blockSize - place, (codes.length - at) / (2 * width));
      const signs = this.#kernel.bytes(block.signs + place * width, size * width);
      const sizes = this.#kernel.bytes(block.sizes + place * width, size * width);
      for (let to = 0; to < signs.length; to += width, at += 2 * width) {
        signs.set(codes.subarray(at, at + width), to);
        sizes.set(codes.subarray(at + width, at + 2 * width), to);
      }
      this.#count += size;
    }
  }

  #grow(): void {
    this.#blocks.push({
      signs: this.#kernel.reserve(blockSize * this.width),
      sizes: this.#kernel.reserve(blockSize * this.width),
      closed: this.#kernel.reserve(blockSize),
      distances: this.#kernel.reserve(blockSize * 2),
    });
  }

  /**
   * The slots whose codes differ from the prompt's in the fewest bits: at least so many as are wanted, if there are, and all with the same
   * distance as the last of them.
   *
   * @param code the signs of the prompt
   * @param closed has a byte other than 0 for each slot that is left out
   * @param check is called from time to time, and may throw
   */
  nearest(prompt: Float32Array, code: Uint8Array, wanted: number, closed: Uint8Array, check: () => void): Near {
    const counts = this.#compare(code, closed, check);
    let farthest = 0;
    let found = counts[0] ?? 0;
    // The last count is that of the slots that are left out.
    while (found < wanted && farthest < this.width * 8) found += counts[++farthest] ?? 0;
    return this.#collect(prompt, farthest, found, check);
  }

  /** Better estimates, by both halves of the codes, of the prompt of the last call of `nearest`. */
  refined(slots: readonly number[]): Float32Array {
    const kernel = this.#kernel;
    const refined = new Float32Array(slots.length);
    const inBlock = kernel.integers(this.#slots, 1);
    const sums = kernel.floats(this.#estimates, 2);
    for (const [place, slot] of slots.entries()) {
      const block = this.#blocks[Math.floor(slot / blockSize)];
      if (block === undefined) continue;
      inBlock[0] = slot % blockSize;
      kernel.run.addTables(block.signs, this.width, this.#slots, 1, this.#tables, this.#estimates);
      kernel.run.addTables(block.sizes, this.width, this.#slots, 1, this.#tables, this.#estimates + 4);
      refined[place] = 2 * (sums[0] ?? 0) + (sums[1] ?? 0);
    }
    return refined;
  }

  /** Writes the distances of all slots. @returns how many slots have each distance */
  #compare(code: Uint8Array, closed: Uint8Array, check: () => void): Int32Array {
    const { width } = this;
    const kernel = this.#kernel;
    kernel.bytes(this.#query, width).set(code);
    const counts = kernel.integers(this.#counts, width * 8 + 2).fill(0);
    for (const [index, block] of this.#blocks.entries()) {
      check();
      const from = index * blockSize;
      const size = Math.min(blockSize, this.#count - from);
      kernel.bytes(block.closed, size).set(closed.subarray(from, from + size));
      kernel.run.compareBits(block.signs, size, width, this.#query, block.closed, block.distances, this.#counts);
    }
    return counts;
  }

  /** The slots up to a distance, of which so many were found. */
  #collect(prompt: Float32Array, farthest: number, found: number, check: () => void): Near {
    const kernel = this.#kernel;
    kernel.floats(this.#tables, this.width * 256).set(signTables(prompt, this.width));
    const slots = new Int32Array(found);
    const estimates = new Float32Array(found);
    let end = 0;
    for (const [index, block] of this.#blocks.entries()) {
      check();
      const size = Math.min(blockSize, this.#count - index * blockSize);
      const near = kernel.run.collectNear(block.distances, size, farthest, this.#slots);
      kernel.run.addTables(block.signs, this.width, this.#slots, near, this.#tables, this.#estimates);
      estimates.set(kernel.floats(this.#estimates, near), end);
      for (const place of kernel.integers(this.#slots, near)) slots[end++] = index * blockSize + place;
    }
    return { slots, estimates };
  }
}

/** For each byte of a code and each of its values: the sum of the prompt's members, each with the sign of its bit. */
function signTables(prompt: Float32Array, width: number): Float32Array {
  const tables = new Float32Array(width * 256);
  for (let byte = 0; byte < width; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++)
        sum += ((value >> bit) & 1) === 1 ? (prompt[byte * 8 + bit] ?? 0) : -(prompt[byte * 8 + bit] ?? 0);
      tables[byte * 256 + value] = sum;
    }
  return tables;
}
