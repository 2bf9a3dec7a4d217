import { EventEmitter } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { beginInTurns } from "../../../runtime/server/connections/first-turns.ts";
import { HastyAddresses } from "../../../runtime/server/connections/hasty.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Lets connections come. */
function start() {
  const server = new EventEmitter();
  const hasty = new HastyAddresses();
  beginInTurns(server, hasty);
  const come = (remoteAddress: string) => {
    const socket = { remoteAddress, pause: vi.fn(), resume: vi.fn() };
    server.emit("connection", socket);
    return socket;
  };
  const waits = ({ pause, resume }: ReturnType<typeof come>) => pause.mock.calls.length - resume.mock.calls.length === 1;
  return { come, waits, hasty };
}

it("connections that come together are first read one after the other of an address, in rounds of the event loop", async () => {
  const { come, waits } = start();
  const all = [..."aaabcde"].map((address) => come(address));
  expect(all.map(waits)).toEqual([false, true, true, false, false, false, true]);
  const rounds: boolean[][] = [];
  for (let round = 0; all.some(waits) && round < 10; round++) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    rounds.push(all.map(waits));
  }
  expect(rounds.filter((one) => one[1] === false && one[2] === true).length).toBeGreaterThan(0);
  expect(rounds.at(-1)).toEqual(all.map(() => false));
});

it("a hasty address begins its connections with a pause between them, and delays no other address", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { come, waits, hasty } = start();
  const rounds = async () => {
    for (let round = 0; round < 5; round++) await new Promise<void>((resolve) => void setImmediate(resolve));
  };
  hasty.note({ remoteAddress: "a" });
  const slow = [..."aaa"].map(come);
  expect(slow.map(waits)).toEqual([false, true, true]);
  const other = [..."bb"].map(come);
  await rounds();
  expect([...slow, ...other].map(waits)).toEqual([false, true, true, false, false]);
  for (const left of [1, 0]) {
    vi.runOnlyPendingTimers();
    await rounds();
    expect(slow.filter(waits).length).toBe(left);
  }
});

it("a hasty address has few connections that wait for a pause, so that a neighbour with the same address is served", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { come, waits, hasty } = start();
  const rounds = async () => {
    for (let round = 0; round < 40; round++) await new Promise<void>((resolve) => void setImmediate(resolve));
  };
  hasty.note({ remoteAddress: "a" });
  const flood = Array.from({ length: 30 }, () => come("a"));
  await rounds();
  expect(flood.filter(waits).length).toBe(10);
  const neighbour = come("a");
  await rounds();
  expect([waits(neighbour), flood.filter(waits).length]).toEqual([false, 10]);
  for (let left = 9; left >= 0; left--) {
    vi.runOnlyPendingTimers();
    await rounds();
    expect(flood.filter(waits).length).toBe(left);
  }
});
