import { once } from "node:events";
import { createServer, IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BoundedLog } from "../../../runtime/server/connections/bounded-log.ts";
import { HastyAddresses } from "../../../runtime/server/connections/hasty.ts";
import { workInTurn } from "../../../runtime/server/connections/pipelining.ts";
import { request, statuses, viewer } from "../../support/http.ts";
import { useHttp } from "../../support/use-http.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that counts the requests that Node makes. */
async function start(work: RequestListener, lines: string[] = []) {
  let made = 0;
  class Counted extends IncomingMessage {
    constructor(...args: ConstructorParameters<typeof IncomingMessage>) {
      super(...args);
      made++;
    }
  }
  const server = createServer({ IncomingMessage: Counted });
  servers.push(server);
  const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });
  let now = 0;
  workInTurn(server, work, new BoundedLog(log), new HastyAddresses(() => now));
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const later = (ms: number) => {
    now += ms;
  };
  return { port, made: () => made, later };
}

/** Sends a text at once. Resolves when the connection has ended. */
function flood(port: number, text: string): Promise<void> {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("error", () => undefined).resume();
  return new Promise((resolve) => void socket.once("close", () => resolve()));
}

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

describe("a connection that sends requests ahead", () => {
  it("is ended at the first too many, and the rest of what came with it is not parsed", async () => {
    const lines: string[] = [];
    let worked = 0;
    const { port, made } = await start(() => worked++, lines);
    await flood(port, get.repeat(3_000));
    // One that is worked on, 16 that wait, and the one too many.
    expect([worked, made()]).toEqual([1, 18]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ msg: expect.stringContaining("ahead") })]);
  });

  it("is ended sooner where the same address did that in the minute before", async () => {
    const { port, made, later } = await start(() => undefined);
    for (const [pause, count] of [
      [0, 18],
      [59_999, 3],
      [60_000, 18],
    ] as const) {
      later(pause);
      const before = made();
      await flood(port, get.repeat(3_000));
      expect(made() - before).toBe(count);
    }
  });

  it("is ended without a header Host too", async () => {
    const { port, made } = await start(() => undefined);
    await flood(port, "GET / HTTP/1.1\r\n\r\n".repeat(3_000));
    expect(made()).toBeLessThan(20);
  });

  it("gets its responses in order, one worked on at a time, as often as it likes", async () => {
    let atOnce = 0;
    let most = 0;
    const { port, made } = await start((incoming, response) => {
      most = Math.max(most, ++atOnce);
      setImmediate(() => {
        atOnce--;
        response.end(incoming.url);
      });
    });
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    for (let round = 0; round < 5; round++) {
      socket.write(Array.from({ length: 17 }, (_, index) => get.replace("/", `/${round}-${index}`)).join(""));
      await vi.waitFor(() => expect(text).toContain(`/${round}-16`), { timeout: 30_000, interval: 5 });
    }
    socket.destroy();
    expect([most, made()]).toEqual([1, 85]);
    const found = [...text.matchAll(/\/\d-\d+/g)].map(([url]) => url);
    expect(found).toEqual(Array.from({ length: 85 }, (_, index) => `/${Math.floor(index / 17)}-${index % 17}`));
  });
});

const { start: startService, open } = useHttp();

describe("requests that were sent ahead of a service", () => {
  it("beyond the limit leave no line in the log, and others are served", async () => {
    const http = await startService();
    await flood(Number(new URL(http.url).port), get.replace("/", "/healthz").repeat(3_000));
    const other = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(other.text())).toEqual([200]), { timeout: 30_000, interval: 5 });
    expect(http.lines.filter(({ msg }) => msg === "request").length).toBeLessThanOrEqual(18);
    expect(http.lines.filter(({ msg }) => String(msg).includes("ahead"))).toHaveLength(1);
  });
});
