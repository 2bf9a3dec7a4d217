import { describe, expect, it } from "vitest";
import { duePartitions, partitionOf } from "../../../runtime/sync/verification.ts";

const hour = 3_600_000;
const day = 24 * hour;
const days = 7;

describe("the partitions that are read again", () => {
  it("are none at first, then one a day, the oldest first", () => {
    const verified = Array.from({ length: days }, () => 0);
    expect(duePartitions(verified, 10 * hour)).toEqual([]);
    expect(duePartitions(verified, day)).toEqual([0]);
    expect(duePartitions(verified.with(0, day), day + hour)).toEqual([]);
    expect(duePartitions(verified.with(0, day), 2 * day)).toEqual([1]);
  });

  it("are several after a pause, and all after a long one", () => {
    const verified = Array.from({ length: days }, () => 0);
    expect(duePartitions(verified, 3 * day)).toEqual([0, 1, 2]);
    expect(duePartitions(verified, 30 * day)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it.each([1, 5, 10, 12, 23, 24])("are never older than a week, and about one a day, with a sync every %i hours", (hours) => {
    let verified: readonly number[] = Array.from({ length: days }, () => 0);
    let read = 0;
    for (let now = 0; now <= 70 * day; now += hours * hour) {
      expect(now - Math.min(...verified)).toBeLessThanOrEqual(days * day);
      const due = duePartitions(verified, now);
      read += due.length;
      verified = verified.map((at, partition) => (due.includes(partition) ? now : at));
    }
    expect(read).toBeLessThanOrEqual(70 * 1.2);
  });

  it("have about the same number of records each", () => {
    const sizes = Array.from({ length: days }, () => 0);
    for (let number = 0; number < 7000; number++) {
      const partition = partitionOf(`["I_kwDO${number.toString(36)}"]`, days);
      sizes[partition] = (sizes[partition] ?? 0) + 1;
    }
    for (const size of sizes) expect(Math.abs(size - 1000)).toBeLessThan(150);
  });
});
