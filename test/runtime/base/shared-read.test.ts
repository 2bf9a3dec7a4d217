import { expect, it } from "vitest";
import { sharedRead } from "../../../runtime/base/shared-read.ts";

function reading() {
  const reads: { resolve: (value: number) => void; reject: (reason: Error) => void }[] = [];
  const read = sharedRead(() => new Promise<number>((resolve, reject) => void reads.push({ resolve, reject })));
  return { reads, read };
}

it("whoever asks while a read is under way shares the next one", async () => {
  const { reads, read } = reading();
  const first = read();
  const [second, third] = [read(), read()];
  expect(reads.length).toBe(1);
  reads[0]?.resolve(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(reads.length).toBe(2);
  const late = read();
  reads[1]?.resolve(2);
  expect([await second, await third]).toEqual([2, 2]);
  reads[2]?.resolve(3);
  expect([await late, reads.length]).toEqual([3, 3]);
});

it("a read that fails fails for those who share it, and the next one begins anew", async () => {
  const { reads, read } = reading();
  const first = read();
  const second = read();
  reads[0]?.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await Promise.resolve();
  reads[1]?.resolve(2);
  expect(await second).toBe(2);
  const third = read();
  reads[2]?.resolve(3);
  expect(await third).toBe(3);
});
