import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Response } from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { StoreResult, withMeta } from "../../../runtime/execute/result.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { noteCaller } from "../../../runtime/server/callers/bearer.ts";
import { statuses, type Wire, wire } from "../../support/http.ts";
import { longestParsed } from "../../support/parsed-here.ts";

// Which answers count against the bound of bytes that wait for their callers, and which are sent as they are.

const most = 1024 * 1024;
/** Within the bound, but not a second time. */
const large = "x".repeat(0.6 * most);

let server: Server;
let wires: Wire[] = [];
/** Of requests to `/late`, which the test answers itself. */
let late: Response[] = [];
let answers: Answers;

beforeEach(async () => {
  answers = new Answers(most);
  const app = express();
  app.use("/of/:id", (request, response, next) => {
    noteCaller(response, { id: request.params.id, name: "", grant: fullGrant });
    next();
  });
  app.get(["/large", "/of/:id/large"], (_request, response) => answers.sendJson(response, large));
  app.get("/small", (_request, response) => answers.sendJson(response, "small"));
  app.get("/page", ({ url }, response) => answers.sendResult(response, pageOf(Number(url.split("?")[1]))));
  app.get("/late", (_request, response) => void late.push(response));
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  for (const { socket } of wires) socket.destroy();
  wires = [];
  late = [];
  server.close();
  await once(server, "close");
});

async function open(paths: readonly string[], reads = true): Promise<Wire> {
  const { port } = server.address() as AddressInfo;
  const send = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
  const made = await wire({ url: `http://127.0.0.1:${port}` }, send, reads);
  wires.push(made);
  return made;
}

/** Records as a store gives them, in a form that nobody would give them again. */
const recordsOf = (count: number) =>
  `[ ${Array.from({ length: count }, (_, number) => `{ "number" : ${number}.0 }`).join(" , ")} ]`;
/** A page of a cached search of a simulated platform. */
const pageOf = (count: number) =>
  withMeta(new StoreResult(Buffer.from(recordsOf(count)), { has_more: false }), { simulated: true });

const soon = { timeout: 60_000, interval: 10 };
const answered = (caller: Wire, ...expected: number[]) =>
  vi.waitFor(() => expect(statuses(caller.text())).toEqual(expected), soon);

describe("the bound of bytes that wait", () => {
  it("counts a small answer to a request that was sent ahead, because it waits in this process, and no other small one", async () => {
    answers = new Answers(1);
    const caller = await open(["/late", "/large", "/small", "/small"]);
    await vi.waitFor(() => expect(late).toHaveLength(1), soon);
    await answered(await open(["/small"]), 200);
    for (const response of late) answers.sendJson(response, "late");
    await answered(caller, 200, 200, 503, 503);
  });

  it("leaves room for others, however many answers one caller does not read", async () => {
    answers = new Answers(3 * most);
    // What is behind an answer that does not come waits in this process.
    const hog = await open(["/late", ...Array.from({ length: 4 }, () => "/of/hog/large")]);
    await vi.waitFor(() => expect(late).toHaveLength(1), soon);
    await answered(await open(["/of/other/large"]), 200);
    for (const response of late) answers.sendJson(response, "late");
    await answered(hog, 200, 200, 200, 503, 503);
  });

  it("does not count the answer to a caller who has gone", async () => {
    const caller = await open(["/late"]);
    await vi.waitFor(() => expect(late).toHaveLength(1), soon);
    const closed = late.map((response) => once(response, "close"));
    caller.socket.destroy();
    await Promise.all(closed);
    for (const response of late) answers.sendJson(response, large);
    await answered(await open(["/large"]), 200);
  });
});

describe("a value that is nested too deeply to be written", () => {
  it("is a failure of the platform", () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(() => answers.sendJson({} as Response, { data: deep })).toThrow(
      "The platform sent a value that is nested too deeply.",
    );
  });
});

describe("a page of a cached search", () => {
  it.each([1, 1_000])("of %i records is sent as the store has given it, and nobody parses it", async (count) => {
    const { port } = server.address() as AddressInfo;
    let text = "";
    const longest = await longestParsed(async () => {
      text = await (await fetch(`http://127.0.0.1:${port}/page?${count}`)).text();
    });
    expect(text).toBe(`{"data":${recordsOf(count)},"meta":{"has_more":false,"simulated":true}}`);
    expect(longest).toBeLessThan(recordsOf(1).length);
  });
});
