import { Kernel } from "./kernel.ts";
import { paddedWidth } from "./vectors.ts";

/** Codes that are compared by one call of the kernel. */
const block = 65_536;

/** Holds the sign codes of many vectors, one after the other, and compares all of them with the code of a prompt. */
export class CodeScanner {
  /** Bytes of a code. */
  readonly width: number;
  readonly #kernel = new Kernel();
  readonly #query: number;
  readonly #counts: number;
  readonly #distances: number;
  /** The codes come last in the memory, so that they can grow. */
  readonly #codes: number;
  #capacity = 0;
  #count = 0;

  constructor(dims: number) {
    this.width = paddedWidth(dims) / 8;
    this.#query = this.#kernel.reserve(this.width);
    this.#counts = this.#kernel.reserve((this.width * 8 + 1) * 4);
    this.#distances = this.#kernel.reserve(block * 2);
    this.#codes = this.#kernel.reserve(0);
  }

  get count(): number {
    return this.#count;
  }

  add(code: Uint8Array): void {
    if (this.#count === this.#capacity) {
      const more = Math.max(block, Math.ceil(this.#capacity / 4));
      this.#kernel.reserve(more * this.width);
      this.#capacity += more;
    }
    this.#kernel.bytes(this.#codes + this.#count * this.width, this.width).set(code);
    this.#count++;
  }

  /** How many bits of each code differ from the prompt's, and how many codes have each distance. @param check may throw */
  distances(code: Uint8Array, check: () => void): { readonly distances: Uint16Array; readonly counts: Int32Array } {
    const { width } = this;
    this.#kernel.bytes(this.#query, width).set(code);
    this.#kernel.integers(this.#counts, width * 8 + 1).fill(0);
    const distances = new Uint16Array(this.#count);
    for (let from = 0; from < this.#count; from += block) {
      check();
      const size = Math.min(block, this.#count - from);
      this.#kernel.run.compareBits(this.#codes + from * width, size, width, this.#query, this.#distances, this.#counts);
      distances.set(new Uint16Array(this.#kernel.buffer, this.#distances, size), from);
    }
    return { distances, counts: this.#kernel.integers(this.#counts, width * 8 + 1).slice() };
  }

  /** Estimates the products of a prompt with some vectors by their signs, in the order of the slots. */
  estimates(prompt: Float32Array, slots: readonly number[]): Float32Array {
    const tables = signTables(prompt, this.width);
    const codes = this.#kernel.bytes(this.#codes, this.#count * this.width);
    return Float32Array.from(slots, (slot) => {
      const at = slot * this.width;
      let sum = 0;
      for (let byte = 0; byte < this.width; byte++) sum += tables[byte * 256 + (codes[at + byte] ?? 0)] ?? 0;
      return sum;
    });
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
