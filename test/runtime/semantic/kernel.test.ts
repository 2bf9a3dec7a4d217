import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import startWabt from "wabt";
import { Kernel } from "../../../runtime/semantic/kernel.ts";

const folder = join(import.meta.dirname, "../../../runtime/semantic");

describe("kernel.wasm", () => {
  it("is what kernel.wat says (`make kernel` compiles it)", async () => {
    const wabt = await startWabt();
    const parsed = wabt.parseWat("kernel.wat", Uint8Array.from(readFileSync(join(folder, "kernel.wat"))), { simd: true });
    parsed.validate();
    const { buffer } = parsed.toBinary({});
    parsed.destroy();
    if (process.env["UPDATE_KERNEL"] === "1") writeFileSync(join(folder, "kernel.wasm"), buffer);
    expect(Buffer.from(buffer).equals(readFileSync(join(folder, "kernel.wasm")))).toBe(true);
  });
});

const width = 48;
const count = 7;
const rows = Int8Array.from({ length: count * width }, (_, at) => ((at * 37) % 256) - 128);
const row = (index: number) => [...rows.subarray(index * width, (index + 1) * width)];

function filled() {
  const kernel = new Kernel();
  const at = {
    rows: kernel.reserve(rows.length),
    index: kernel.reserve(16),
    floats: kernel.reserve(width * 4),
    scales: kernel.reserve(count * 4),
    out: kernel.reserve(width * 4),
  };
  kernel.bytes(at.rows, rows.length).set(new Uint8Array(rows.buffer));
  kernel.integers(at.index, 3).set([5, 0, 6]);
  return { kernel, at };
}

describe("the kernel", () => {
  it("adds weighted rows", () => {
    const { kernel, at } = filled();
    kernel.floats(at.floats, 3).set([0.5, -2, 3]);
    kernel.run.sumRows(at.rows, at.index, at.floats, 3, width, at.out);
    const wanted = row(5).map((value, column) => value * 0.5 - 2 * (row(0)[column] ?? 0) + 3 * (row(6)[column] ?? 0));
    expect([...kernel.floats(at.out, width)]).toEqual(wanted);
  });

  it("gives zeros for no rows", () => {
    const { kernel, at } = filled();
    kernel.floats(at.out, width).fill(9);
    kernel.run.sumRows(at.rows, at.index, at.floats, 0, width, at.out);
    expect([...kernel.floats(at.out, width)]).toEqual(new Array(width).fill(0));
  });

  it("multiplies rows with a vector", () => {
    const { kernel, at } = filled();
    const x = Array.from({ length: width }, (_, column) => (column % 5) - 2);
    kernel.floats(at.floats, width).set(x);
    kernel.floats(at.scales, count).set([2, 0, 0, 0, 0, 0.5, -1]);
    kernel.run.dotRows(at.rows, at.scales, at.index, 3, width, at.floats, at.out);
    const dot = (index: number) => row(index).reduce((sum, value, column) => sum + value * (x[column] ?? 0), 0);
    expect([...kernel.floats(at.out, 3)]).toEqual([dot(5) * 0.5, dot(0) * 2, -dot(6)]);
  });

  it("multiplies rows with a vector of 16 bits", () => {
    const { kernel, at } = filled();
    const x = Array.from({ length: width }, (_, column) => ((column * 911) % 60_000) - 30_000);
    kernel.shorts(at.floats, width).set(x);
    kernel.run.multiplyRows(at.rows, count, width, at.floats, at.out);
    const products = Array.from({ length: count }, (_, index) =>
      row(index).reduce((sum, value, column) => sum + value * (x[column] ?? 0), 0),
    );
    expect([...kernel.integers(at.out, count)]).toEqual(products);
  });

  it.each([16, 32, 48])("finds the codes of %i bytes that differ in few bits", (bytes) => {
    const [many, never] = [1_003, bytes * 8 + 1];
    let state = bytes;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 256;
    };
    const codes = Uint8Array.from({ length: many * bytes }, random);
    const query = Uint8Array.from({ length: bytes }, random);
    const closed = Uint8Array.from({ length: many }, (_, slot) => (slot % 7 === 3 ? 1 : 0));
    const tables = Float32Array.from({ length: bytes * 256 }, (_, place) => (place % 101) - 50);
    const kernel = new Kernel();
    const at = {
      codes: kernel.reserve(codes.length),
      query: kernel.reserve(bytes),
      closed: kernel.reserve(many),
      distances: kernel.reserve(many * 2 + 16),
      counts: kernel.reserve((never + 1) * 4),
      slots: kernel.reserve(many * 4),
      tables: kernel.reserve(tables.length * 4),
      sums: kernel.reserve(many * 4),
    };
    kernel.bytes(at.codes, codes.length).set(codes);
    kernel.bytes(at.query, bytes).set(query);
    kernel.bytes(at.closed, many).set(closed);
    kernel.floats(at.tables, tables.length).set(tables);
    // What stands behind the last distance must not count.
    kernel.bytes(at.distances, many * 2 + 16).fill(0);
    kernel.run.compareBits(at.codes, many, bytes, at.query, at.closed, at.distances, at.counts);
    const bits = (byte: number) => byte.toString(2).replaceAll("0", "").length;
    const code = (slot: number) => [...codes.subarray(slot * bytes, (slot + 1) * bytes)];
    const wanted = Array.from({ length: many }, (_, slot) =>
      closed[slot] === 1 ? never : code(slot).reduce((sum, byte, index) => sum + bits(byte ^ (query[index] ?? 0)), 0),
    );
    expect([...new Uint16Array(kernel.buffer, at.distances, many)]).toEqual(wanted);
    const counts = kernel.integers(at.counts, never + 1);
    for (const [distance, count] of counts.entries()) expect(count).toBe(wanted.filter((one) => one === distance).length);
    for (const farthest of [0, bytes * 4, bytes * 8]) {
      const near = kernel.run.collectNear(at.distances, many, farthest, at.slots);
      const slots = [...kernel.integers(at.slots, near)];
      expect(slots).toEqual([...wanted.keys()].filter((slot) => (wanted[slot] ?? 0) <= farthest));
      kernel.run.addTables(at.codes, bytes, at.slots, near, at.tables, at.sums);
      expect([...kernel.floats(at.sums, near)]).toEqual(
        slots.map((slot) => code(slot).reduce((sum, byte, index) => sum + (tables[index * 256 + byte] ?? 0), 0)),
      );
    }
  });
});
