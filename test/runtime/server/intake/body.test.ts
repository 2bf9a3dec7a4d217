import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
import { afterAll, describe, expect, it } from "vitest";
import { type CallerLimits, fullGrant, type Right } from "../../../../runtime/accounts/index.ts";
import { createLog } from "../../../../runtime/base/log.ts";
import { noteCaller } from "../../../../runtime/server/callers/bearer.ts";
import { Gate } from "../../../../runtime/server/gate.ts";
import { callerBody } from "../../../../runtime/server/intake/body.ts";
import { Usages } from "../../../../runtime/server/limits/usages.ts";
import { problemHandler } from "../../../../runtime/server/problem.ts";
import { longestParsed } from "../../../support/parsed-here.ts";

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly code?: string; readonly message?: string; readonly values?: number; readonly id?: unknown };
}

/** A route that reads a body for one caller. */
async function start(rights: readonly Right[], usual: CallerLimits = {}) {
  const clock = { now: 0 };
  const limits = new Usages(usual, {}, { now: () => clock.now });
  const caller = { id: "a", name: "a", grant: { ...fullGrant, rights } };
  const app = express();
  app.use((_request, response, next) => {
    noteCaller(response, caller);
    next();
  });
  app.post("/", ...callerBody({ gate: new Gate(10), limits, rights: ["read", "write"] }), (request, response) => {
    const body: unknown = request.body;
    const { id } = body as { id?: unknown };
    response.json({ values: Array.isArray(body) ? body.length : 0, id });
  });
  app.use(problemHandler(createLog("error", (text) => text, { write: () => undefined })));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = async (body: string | ReadableStream, more: Record<string, string> = {}): Promise<Reply> => {
    const sent = { "content-type": "application/json", ...more };
    // Needed for a stream, and not among the types.
    const duplex = { duplex: "half" };
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body, headers: sent, ...duplex });
    const { status, headers } = response;
    return { status, retryAfter: headers.get("retry-after"), body: (await response.json()) as Reply["body"] };
  };
  /** Sends headers that announce a body, and nothing of it. @returns the first line of the answer */
  const announce = async (more: string): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return String(answer).split("\r\n", 1)[0] ?? "";
  };
  return { clock, usage: limits.of(caller), send, announce };
}

const zeros = (count: number) => `[${Array.from({ length: count }, () => "0").join()}]`;

describe("the body of a caller", () => {
  it("keeps the digits of an integer that no number has exactly, whatever its size", async () => {
    const { send } = await start(["read", "write"]);
    const digits = "9007199254740993";
    for (const length of [0, 10_000, 100_000]) {
      const text = `{"id":${digits},"text":"${"x".repeat(length)}"}`;
      expect((await send(text)).body.id, `${text.length} characters`).toBe(digits);
    }
  });

  it("that is not JSON is refused with the place", async () => {
    const { send } = await start(["read"]);
    for (const [body, place] of [
      ["[1,,2]", "line 1, column 4"],
      ['{"number": 1,\n  "owner": octocat}', "line 2, column 12"],
      [`[${zeros(10_000)},\n]`, "line 2, column 1"],
    ] as const)
      expect((await send(body)).body).toMatchObject({ code: "invalid_json", message: `The body is not valid JSON: ${place}.` });
  });

  it("is parsed in a thread when it is large, and only then", async () => {
    const { send } = await start(["read"]);
    const short = zeros(10_000);
    expect(await longestParsed(async () => expect((await send(short)).body).toEqual({ values: 10_000 }))).toBe(short.length);
    const large = `${" ".repeat(40_000)}${short}`;
    const parsed = await longestParsed(async () => expect((await send(large)).body).toEqual({ values: 10_000 }));
    expect(parsed).toBeLessThan(large.length);
    expect((await send(`${large}]`)).body.message).toBe("The body is not valid JSON.");
  });

  it("is not read when the caller has no right for it", async () => {
    const { announce } = await start(["metrics"]);
    expect(await announce("Content-Length: 1000")).toBe("HTTP/1.1 403 Forbidden");
    expect(await announce("Content-Length: 1000\r\nContent-Encoding: gzip")).toBe("HTTP/1.1 403 Forbidden");
    expect(await announce("Transfer-Encoding: chunked")).toBe("HTTP/1.1 403 Forbidden");
  });

  it("is not read when the caller's MiB of bodies are used up, until they have come back", async () => {
    const { clock, send, announce } = await start(["read"], { bodyMib: 1 });
    const long = JSON.stringify(["x".repeat(1024 * 1024 - 4)]);
    expect((await send(long)).body).toEqual({ values: 1 });
    expect(await announce("Content-Length: 1000")).toBe("HTTP/1.1 429 Too Many Requests");
    const { status, retryAfter, body } = await send(zeros(10));
    expect([status, retryAfter, body.code]).toEqual([429, "1", "too_many_requests"]);
    expect(body.message).toBe("This caller may have 1 MiB of request bodies a minute.");
    clock.now = 60_000;
    expect((await send(zeros(10))).status).toBe(200);
  });

  it("may be packed, and then has few bytes more than it has content", async () => {
    const { send } = await start(["read"], { bodyMib: 10 });
    // A stream: sent without a length.
    const packed = (body: Buffer) => send(new Blob([new Uint8Array(body)]).stream(), { "content-encoding": "gzip" });
    expect((await packed(gzipSync(zeros(10)))).body).toEqual({ values: 10 });
    const empty = gzipSync("");
    const members = Buffer.concat(Array.from({ length: Math.ceil((1.5 * 1024 * 1024) / empty.length) }, () => empty));
    const { status, body } = await packed(Buffer.concat([members, gzipSync(zeros(10))]));
    expect([status, body.code]).toEqual([413, "body_too_large"]);
    expect((await packed(Buffer.from("not packed"))).body.message).toBe("The body cannot be unpacked.");
  });

  it("costs processor time when it is packed, whatever is in it", async () => {
    const { usage, send } = await start(["read"], { cpuSeconds: 6 });
    const spent: number[] = [];
    const spend = usage.spend.bind(usage);
    usage.spend = (name, amount) => {
      if (name === "cpuSeconds") spent.push(amount);
      spend(name, amount);
    };
    const body = new Blob([new Uint8Array(gzipSync("not JSON"))]);
    expect((await send(body.stream(), { "content-encoding": "gzip" })).status).toBe(400);
    expect(spent).toContain(0.0005);
  });

  it("is not read when the caller's processor time is used up", async () => {
    const { clock, usage, announce, send } = await start(["read"], { cpuSeconds: 6 });
    usage.spend("cpuSeconds", 1);
    expect(await announce("Content-Length: 1000")).toBe("HTTP/1.1 429 Too Many Requests");
    clock.now = 1_000;
    expect((await send(zeros(10))).status).toBe(200);
  });

  it("costs processor time, also when it is refused", async () => {
    const { usage, send } = await start(["read"], { cpuSeconds: 6 });
    const spent: number[] = [];
    const spend = usage.spend.bind(usage);
    usage.spend = (name, amount) => {
      if (name === "cpuSeconds") spent.push(amount);
      spend(name, amount);
    };
    expect((await send("[".repeat(100))).status).toBe(422);
    expect(spent).toHaveLength(1);
    expect((await send(zeros(10))).status).toBe(200);
    expect(spent.every((seconds) => seconds > 0)).toBe(true);
  });

  it("costs the processor time of the thread that parses it, too", async () => {
    const { usage, send } = await start(["read"], { cpuSeconds: 6 });
    const spent: number[] = [];
    usage.spend = (name, amount) => {
      if (name === "cpuSeconds") spent.push(amount);
    };
    // What is measured here is another cost.
    usage.measure = (work) => work();
    expect((await send(zeros(10))).status).toBe(200);
    expect(spent).toEqual([]);
    expect((await send(zeros(19_000))).body).toEqual({ values: 19_000 });
    expect(spent.length).toBeGreaterThan(0);
    expect(spent.every((seconds) => seconds > 0)).toBe(true);
  });
});
