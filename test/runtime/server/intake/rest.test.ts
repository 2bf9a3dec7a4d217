import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { restDropper } from "../../../../runtime/server/intake/rest.ts";

afterEach(() => void vi.useRealTimers());

/** A body without an end that `drop` reads, and the pieces of it that were read. */
function endless(drop: ReturnType<typeof restDropper>, announced?: number) {
  const headers = announced === undefined ? {} : { "content-length": String(announced) };
  const read = () => void setImmediate(() => body.push("piece"));
  const body = Object.assign(new Readable({ highWaterMark: 1, read }), { complete: false, headers });
  const seen = { body, pieces: 0 };
  drop(body);
  body.on("data", () => seen.pieces++);
  return seen;
}

/** Lets streams go on, whose work is not done by timers. */
async function flow(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
}

describe("the rest of a refused body", () => {
  it("is read piece by piece, at one pace for all of them", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const drop = restDropper();
    const [first, second] = [endless(drop), endless(drop)];
    await flow();
    expect([first.pieces, second.pieces]).toEqual([1, 1]);
    vi.advanceTimersByTime(39);
    await flow();
    expect([first.pieces, second.pieces]).toEqual([1, 1]);
    vi.advanceTimersByTime(1);
    await flow();
    expect([first.pieces, second.pieces]).toEqual([2, 2]);
    second.body.destroy();
    await flow();
    vi.advanceTimersByTime(40);
    await flow();
    vi.advanceTimersByTime(20);
    await flow();
    expect(first.pieces).toBe(4);
    first.body.destroy();
    await flow();
  });

  it("is given up where many are read, and it has taken longest: nobody sees whether a caller is there of whom nothing is read", async () => {
    const drop = restDropper();
    const all = Array.from({ length: 34 }, () => endless(drop).body);
    expect(all.map(({ destroyed }) => destroyed)).toEqual(all.map((_, index) => index < 2));
    for (const body of all) body.destroy();
    await flow();
  });

  it("is read at once where it is small: many requests may be refused in one moment", async () => {
    const drop = restDropper();
    const all = Array.from({ length: 40 }, () => endless(drop, 16 * 1024).body);
    expect(all.filter(({ destroyed }) => destroyed)).toEqual([]);
    const [large, other] = [endless(drop, 16 * 1024 + 1), endless(drop)];
    await flow();
    expect([large.pieces, other.pieces]).toEqual([1, 1]);
    for (const body of [...all, large.body, other.body]) body.destroy();
    await flow();
  });

  it("is not left to Node, which drops it as fast as it comes", async () => {
    let bytes = 0;
    const drop = restDropper();
    const server = createServer((incoming, response) => {
      drop(incoming);
      incoming.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const body = Buffer.alloc(1024 * 1024);
    const sent = request({ port, method: "POST", headers: { "content-length": body.length } });
    sent.flushHeaders();
    // The response has ended before the body comes.
    const [response] = await once(sent, "response");
    await once(response.resume(), "end");
    sent.end(body);
    await vi.waitFor(() => expect(bytes).toBe(body.length), { timeout: 20_000 });
    server.close();
  });
});
