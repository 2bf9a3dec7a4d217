import { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { boundConnections } from "../../../runtime/server/connections/connection-bound.ts";
import { shaped } from "../../support/shaped.ts";

/** A server with so many connections at most. @returns what opens a named one from an address, and the names of those that were ended */
function bounded(most: number) {
  const server = new EventEmitter();
  const ended: string[] = [];
  boundConnections(shaped(server), most, shaped({ warn: () => undefined }));
  const open = async (name: string, remoteAddress: string) => {
    const destroy = () => void ended.push(name);
    const socket = Object.assign(new EventEmitter(), { remoteAddress, writableLength: 0, destroy });
    server.emit("connection", socket);
    // The next one is younger.
    await setTimeout(2);
    return async () => {
      const response = new EventEmitter();
      server.emit("request", { socket, complete: true }, response);
      await setTimeout(2);
      response.emit("close");
    };
  };
  return { open, ended };
}

it("a connection too many ends the oldest of the address that has the most", async () => {
  const { open, ended } = bounded(3);
  for (const [name, address] of [
    ["a1", "a"],
    ["b1", "b"],
    ["b2", "b"],
    ["c1", "c"],
  ] as const)
    await open(name, address);
  expect(ended).toEqual(["b1"]);
});

it("among addresses with as many, it ends the connection that has waited the longest since its last request", async () => {
  const { open, ended } = bounded(3);
  const used = await open("a1", "a");
  await open("b1", "b");
  await open("c1", "c");
  await used();
  await open("d1", "d");
  expect(ended).toEqual(["b1"]);
});
