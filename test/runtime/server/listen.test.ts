import express from "express";
import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { connectionLimit } from "../../../runtime/server/connections/file-limit.ts";
import { listen } from "../../../runtime/server/connections/listen.ts";
import { file, request, statuses, viewer } from "../../support/http.ts";
import { useHttp } from "../../support/use-http.ts";

// Callers who do not read their answers, or do not send their requests.

const { start, open } = useHttp();

/** More than the buffers of two sockets hold, and within what one answer of a platform may have. */
const large = 15 * 2 ** 20;
const soon = { timeout: 60_000, interval: 10 };

describe("an answer that nobody reads", () => {
  it("ends its connection after the write timeout, and the log says why", async () => {
    const http = await start({ text: large, writeTimeout: 300 });
    await open(http, request(file), false);
    const line = await vi.waitFor(() => {
      const found = http.lines.find(({ msg }) => msg === "request");
      expect(found).toBeDefined();
      return found;
    }, soon);
    expect(line).toMatchObject({ status: 200, aborted: true });
    expect(http.lines).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringContaining("stopped reading a response") }),
    );
  });

  it("does not occupy a place that another request needs", async () => {
    const http = await start({ text: large, maxRequests: 3 });
    for (let one = 0; one < 3; one++) await open(http, request(file), false);
    await vi.waitFor(() => expect(http.seen.length).toBe(3), soon);
    // A place is free again as soon as the answer is on its way, which nobody sees from outside.
    await vi.waitFor(async () => {
      const other = await open(http, request(viewer));
      await vi.waitFor(() => expect(other.text()).not.toBe(""), soon);
      expect(statuses(other.text())).toEqual([200]);
    }, soon);
  });

  it("counts against a bound: beyond it large answers are refused, small ones are not, and it is free again afterwards", async () => {
    const http = await start({ text: large, maxUnsent: 2.5 * large });
    const silent = [await open(http, request(file), false), await open(http, request(file), false)];
    await vi.waitFor(() => expect(http.seen.length).toBe(2), soon);
    const refused = await open(http, request(file));
    await vi.waitFor(() => expect(refused.text()).toContain('"overloaded"'), soon);
    expect(refused.text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*^Retry-After: 1\r$/m);
    const small = await open(http, request(viewer));
    await vi.waitFor(() => expect(small.text()).toContain("octocat"), soon);
    for (const { socket } of silent) socket.destroy();
    await vi.waitFor(async () => {
      const again = await open(http, request(file));
      await vi.waitFor(() => expect(again.text()).not.toBe(""), soon);
      expect(statuses(again.text().slice(0, 100))).toEqual([200]);
    }, soon);
  });

  it("may be larger than the bound when no other one waits", async () => {
    const http = await start({ text: large, maxUnsent: 1000 });
    const caller = await open(http, request(file));
    await vi.waitFor(() => expect(caller.text().length).toBeGreaterThan(large), soon);
  });
});

describe("a request that does not come in", () => {
  it.each([
    ["headers", `POST / HTTP/1.1\r\nX: `],
    ["a body", request("{", ["Content-Length: 100"])],
  ])("with slow %s gets status 408 at its time, and the connection ends", async (_what, send) => {
    const http = await start({ times: { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50 } });
    const caller = await open(http, send);
    await caller.closed;
    expect(statuses(caller.text())).toEqual([408]);
    expect(caller.text()).toContain('"request_timeout"');
    expect(http.lines).toContainEqual(expect.objectContaining({ code: "request_timeout" }));
  });
});

describe("an address that cannot be used", () => {
  const options = { port: 0, maxConnections: 10, writeTimeout: 1_000, log: pino({ level: "silent" }) };

  // The first is kept for documentation, and the second for names that nobody has.
  it.each(["192.0.2.1", "nothing.invalid"])(
    "is reported as not an address of this machine, with the setting: %s",
    async (host) => {
      await expect(listen(express(), { ...options, host })).rejects.toMatchObject({
        message: `${host} is not an address of this machine; choose another one with TENON_HOST or --host`,
        cause: expect.objectContaining({ syscall: expect.any(String) }),
      });
    },
  );

  it("is said to be taken where it is", async () => {
    const { server, url } = await listen(express(), { ...options, host: "127.0.0.1" });
    const port = Number(new URL(url).port);
    const chosenBy = { port: "--port", host: "--host" };
    await expect(listen(express(), { ...options, host: "127.0.0.1", port, chosenBy })).rejects.toMatchObject({
      message: `port ${port} is taken; choose another one with --port`,
      cause: expect.objectContaining({ code: "EADDRINUSE" }),
    });
    server.close();
  });
});

it.runIf(process.platform === "linux")(
  "a service that may open fewer files than connections says how many it takes",
  async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const options = { host: "127.0.0.1", port: 0, writeTimeout: 1_000, log };
    const most = Number.MAX_SAFE_INTEGER;
    (await listen(express(), { ...options, maxConnections: most })).server.close();
    const maxConnections = connectionLimit(most);
    const msg = "the limit of open files allows fewer connections than TENON_MAX_CONNECTIONS";
    expect(lines).toMatchObject(maxConnections < most ? [{ level: 40, maxConnections, msg }] : []);
    lines.length = 0;
    (await listen(express(), { ...options, maxConnections: 1 })).server.close();
    expect(lines).toEqual([]);
  },
);
