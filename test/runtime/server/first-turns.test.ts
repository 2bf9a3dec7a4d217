import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { beginInTurns } from "../../../runtime/server/connections/first-turns.ts";

it("connections that come together are first read one after the other of an address, in rounds of the event loop", async () => {
  const server = new EventEmitter();
  beginInTurns(server);
  const come = (remoteAddress: string) => {
    const socket = { remoteAddress, pause: vi.fn(), resume: vi.fn() };
    server.emit("connection", socket);
    return socket;
  };
  const waits = ({ pause, resume }: ReturnType<typeof come>) => pause.mock.calls.length - resume.mock.calls.length === 1;
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
