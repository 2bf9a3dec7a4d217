import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { BoundedLog } from "../../../runtime/server/connections/bounded-log.ts";
import { boundConnections } from "../../../runtime/server/connections/connection-bound.ts";
import { connectionLimit } from "../../../runtime/server/connections/file-limit.ts";
import { file, key, path, request, statuses, viewer, wire } from "../../support/http.ts";
import { standIn } from "../../support/shaped.ts";
import { useHttp } from "../../support/use-http.ts";

// What a refusal leaves on its connection, and trouble with connections themselves.

const { start, open } = useHttp();

const soon = { timeout: 60_000, interval: 10 };
/** A body that looks like requests, for whoever would read it as such. */
const smuggled = request(viewer).toString().repeat(3);
const bare = (method: string, address: string, more: readonly string[], body: string) =>
  `${[`${method} ${address} HTTP/1.1`, "Host: x", ...more].join("\r\n")}\r\n\r\n${body}`;

describe("a refusal before the body was read", () => {
  it.each<[string, string | Uint8Array, number]>([
    ["401", request(smuggled, [], "wrong-token-0123456789"), 401],
    ["404", bare("POST", "/nothing", [`Content-Length: ${smuggled.length}`], smuggled), 404],
    ["405", bare("PUT", path, [`Content-Length: ${smuggled.length}`], smuggled), 405],
    [
      "415",
      bare(
        "POST",
        path,
        [`Authorization: Bearer ${key}`, "Content-Type: text/plain", `Content-Length: ${smuggled.length}`],
        smuggled,
      ),
      415,
    ],
  ])(
    "with %s reads the body and drops it, so that the next request on the connection is read right",
    async (_what, send, status) => {
      const http = await start();
      const caller = await open(http, send);
      caller.socket.write(request(viewer));
      await vi.waitFor(() => expect(statuses(caller.text())).toEqual([status, 200]), soon);
    },
  );

  it("closes the connection when the body has no known end, and reads none of it as a request", async () => {
    const http = await start();
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n`;
    const caller = await open(http, request(chunk, ["Transfer-Encoding: chunked"], "wrong-token-0123456789"));
    await vi.waitFor(() => expect(caller.text()).toContain('"unauthorized"'), soon);
    caller.socket.write(`0\r\n\r\n${request(viewer)}`);
    await caller.closed;
    expect(statuses(caller.text())).toEqual([401]);
    expect(caller.text()).toMatch(/^Connection: close\r$/m);
  });

  it("of a body whose header says that it is too large comes before the body is sent, and closes the connection", async () => {
    const http = await start();
    const caller = await open(http, request("{", ["Content-Length: 5000000000"]));
    await vi.waitFor(() => expect(statuses(caller.text())).toEqual([413]), soon);
    expect(caller.text()).toMatch(/^Connection: close\r$/m);
    await caller.closed;
  });

  it("reaches a caller who sends all of a large body before it reads", async () => {
    const http = await start();
    const response = await fetch(`${http.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: "x".repeat(6 * 2 ** 20),
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, "body_too_large"]);
  });
});

describe("trouble with connections", () => {
  it("from a request that is not HTTP is logged", async () => {
    const http = await start();
    await (await open(http, "NONSENSE\r\n\r\n")).closed;
    expect(http.lines).toContainEqual(
      expect.objectContaining({ code: "invalid_http", reason: "HPE_INVALID_METHOD", requestId: expect.any(String) }),
    );
  });

  it("from callers who do not read ends one of them for each new one, where none is without work", async () => {
    const http = await start({ maxConnections: 2, text: 15 * 2 ** 20 });
    const sockets: Socket[] = [];
    http.server.on("connection", (socket) => void sockets.push(socket));
    const held = [await open(http, request(file), false), await open(http, request(file), false)];
    await vi.waitFor(() => expect(sockets.map(({ writableLength }) => writableLength > 0)).toEqual([true, true]), soon);
    const third = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(third.text())).toEqual([200]), soon);
    expect(http.lines).toContainEqual(expect.objectContaining({ maxConnections: 2, level: 40 }));
    held[0]?.socket.resume();
    await held[0]?.closed;
    expect(held[1]?.socket.destroyed).toBe(false);
  });

  it("from too many of them is refused and logged while there is work for all, and others are served again afterwards", async () => {
    const lines: object[] = [];
    const working: ServerResponse[] = [];
    const server = createServer((_request, response) => void working.push(response)).listen(0, "127.0.0.1");
    boundConnections(server, 2, standIn<BoundedLog>({ warn: (fields) => void lines.push(fields) }));
    await once(server, "listening");
    const place = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const get = () => wire(place, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const [first, second] = [await get(), await get()];
    await vi.waitFor(() => expect(working).toHaveLength(2), soon);
    const third = await get();
    await third.closed;
    expect([third.text(), lines]).toEqual(["", [{ maxConnections: 2 }]]);
    working[0]?.end("done");
    await vi.waitFor(() => expect(statuses(first.text())).toEqual([200]), soon);
    const fourth = await get();
    await vi.waitFor(() => expect(working).toHaveLength(3), soon);
    for (const { socket } of [first, second, fourth]) socket.destroy();
    server.close();
    await once(server, "close");
  });

  it("from those without work ends one of them for each new one, the one that has waited longest first", async () => {
    const http = await start({ maxConnections: 3, text: 15 * 2 ** 20 });
    const working = await open(http, request(file), false);
    await vi.waitFor(() => expect(http.seen.length).toBe(1), soon);
    const idle = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(idle.text())).toEqual([200]), soon);
    const slow = await open(http, request("{", ["Content-Length: 100"]));
    const first = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(first.text())).toEqual([200]), soon);
    await idle.closed;
    const second = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(second.text())).toEqual([200]), soon);
    await slow.closed;
    expect(slow.text()).toBe("");
    expect(working.socket.destroyed || first.socket.destroyed).toBe(false);
  });

  it("from a lack of file descriptors is prevented by a lower bound", () => {
    expect(connectionLimit(4000, 20_000)).toBe(4000);
    expect(connectionLimit(4000, 1024)).toBe(768);
    expect(connectionLimit(4000, 80)).toBe(40);
    expect(connectionLimit(4000, undefined)).toBeLessThanOrEqual(4000);
  });

  it("from a lack of file descriptors is logged and survived each time", async () => {
    const http = await start();
    for (let one = 0; one < 3; one++)
      http.server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE", syscall: "accept" }));
    expect(http.lines.filter(({ msg }) => msg === "a connection could not be accepted").length).toBe(3);
    const caller = await open(http, request(viewer));
    await vi.waitFor(() => expect(statuses(caller.text())).toEqual([200]), soon);
  });
});
