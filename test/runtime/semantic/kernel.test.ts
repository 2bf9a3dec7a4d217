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

  it("counts the bits in which codes differ", () => {
    const kernel = new Kernel();
    const codes = Uint8Array.from({ length: 4 * 32 }, (_, at) => (at * 73) % 256);
    const query = Uint8Array.from({ length: 32 }, (_, at) => (at * 11) % 256);
    const at = {
      codes: kernel.reserve(codes.length),
      query: kernel.reserve(32),
      distances: kernel.reserve(8),
      counts: kernel.reserve(257 * 4),
    };
    kernel.bytes(at.codes, codes.length).set(codes);
    kernel.bytes(at.query, 32).set(query);
    kernel.run.compareBits(at.codes, 4, 32, at.query, at.distances, at.counts);
    const bits = (byte: number) => byte.toString(2).replaceAll("0", "").length;
    const wanted = [0, 1, 2, 3].map((code) =>
      [...codes.subarray(code * 32, (code + 1) * 32)].reduce((sum, byte, index) => sum + bits(byte ^ (query[index] ?? 0)), 0),
    );
    expect([...new Uint16Array(kernel.buffer, at.distances, 4)]).toEqual(wanted);
    expect([...kernel.integers(at.counts, 257).entries()].filter(([, found]) => found > 0)).toEqual(
      [...new Set(wanted)].sort((a, b) => a - b).map((one) => [one, wanted.filter((other) => other === one).length]),
    );
  });
});
