import { readFileSync } from "node:fs";

/** The functions of `kernel.wat`, which explains them. All pointers are addresses in the memory, in bytes. */
export interface KernelFunctions {
  sumRows(rows: number, index: number, weights: number, count: number, width: number, out: number): void;
  dotRows(rows: number, scales: number, index: number, count: number, width: number, x: number, out: number): void;
  multiplyRows(rows: number, count: number, width: number, x: number, out: number): void;
  compareBits(
    codes: number,
    count: number,
    width: number,
    query: number,
    closed: number,
    distances: number,
    counts: number,
  ): void;
  collectNear(distances: number, count: number, farthest: number, out: number): number;
  addTables(codes: number, width: number, slots: number, count: number, tables: number, out: number): void;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used here of WebAssembly, whose types TypeScript has only among those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (options: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: { readonly env: { readonly memory: Memory } }) => { readonly exports: object };
};

const pageSize = 65_536;
/** SIMD instructions read and write 16 bytes at once. */
const alignment = 16;

let compiled: object | undefined;

/** The inner loops in WebAssembly, and the memory on which they work. Places in it are given out one after the other, and never back. */
export class Kernel {
  readonly run: KernelFunctions;
  readonly #memory: Memory;
  #end = alignment;

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: 1 });
    compiled ??= new WebAssembly.Module(readFileSync(new URL("./kernel.wasm", import.meta.url)));
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.run = exports as KernelFunctions;
  }

  /** Reserves bytes and returns their address. Arrays that were made on the memory before may have become empty by that. */
  reserve(bytes: number): number {
    const at = this.#end;
    this.#end += Math.ceil(bytes / alignment) * alignment;
    const lacking = this.#end - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / pageSize));
    return at;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length);
  }

  shorts(at: number, length: number): Int16Array {
    return new Int16Array(this.#memory.buffer, at, length);
  }

  integers(at: number, length: number): Int32Array {
    return new Int32Array(this.#memory.buffer, at, length);
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length);
  }
}
