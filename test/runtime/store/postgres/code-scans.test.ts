import { afterAll, describe, expect, it } from "vitest";
import { CodeScanner } from "../../../../runtime/semantic/code-scanner.ts";
import { nearSlots, refinedSlots } from "../../../../runtime/semantic/nearest-slots.ts";
import { vectorCode } from "../../../../runtime/semantic/vectors.ts";
import { CodeScans } from "../../../../runtime/store/postgres/meaning/code-scans.ts";
import { Random } from "../../../bench/search-records.ts";

const dims = 64;
const random = new Random(5);
const vectors = Array.from({ length: 3_000 }, () => Float32Array.from({ length: dims }, () => random.next() - 0.5));
const codes = Buffer.concat(vectors.map((vector) => vectorCode(vector, undefined)));

describe("the thread that compares codes", () => {
  const scans = new CodeScans();
  afterAll(() => scans.close());

  function opened() {
    const index = scans.open(dims);
    const half = codes.length / 2;
    index.add(codes.subarray(0, half));
    index.add(codes.subarray(half));
    return index;
  }

  it("finds what the scanner finds, of many indexes, among slots that are open, more than a thousand of them", async () => {
    const scanner = new CodeScanner(dims);
    scanner.add(codes);
    const indexes = [opened(), opened()];
    for (const vector of vectors.slice(0, 3)) {
      const closed = Uint8Array.from({ length: vectors.length }, (_, slot) => (slot % 3 === 0 ? 1 : 0));
      const expected = refinedSlots(
        scanner,
        nearSlots(scanner, { vector }, 20, closed, () => undefined),
        20,
      );
      expect(expected).toHaveLength(20);
      for (const index of indexes) expect(await index.nearest({ vector }, 20, closed)).toEqual(expected);
    }
  });

  it("says that codes are gone when it has ended, and starts again", async () => {
    const index = opened();
    const vector = vectors[7] ?? new Float32Array(dims);
    const open = new Uint8Array(vectors.length);
    expect((await index.nearest({ vector }, 5, open))[0]).toBe(7);
    await scans.close();
    expect(index.lost).toBe(true);
    await expect(index.nearest({ vector }, 5, open)).rejects.toThrow("ended");
    expect((await opened().nearest({ vector }, 5, open))[0]).toBe(7);
  });
});
