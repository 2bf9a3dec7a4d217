import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HourlyBudget } from "../../../runtime/semantic/hourly-budget.ts";
import { httpProvider } from "../../../runtime/semantic/http-provider.ts";

type Handler = (
  body: { model: string; input: string[]; dimensions: number },
  request: IncomingMessage,
  response: ServerResponse,
) => void;
let server: Server | undefined;
afterEach(
  () => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()).closeAllConnections())),
);

async function providerOn(handler: Handler, more: { timeout?: number; key?: string; perHour?: number } = {}) {
  const made = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => handler(JSON.parse(text), request, response));
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const { port } = made.address() as AddressInfo;
  return httpProvider({
    url: `http://127.0.0.1:${port}/v1/embeddings`,
    model: "m",
    dims: 3,
    key: "",
    timeout: 60_000,
    perHour: 0,
    pause: 1,
    ...more,
  });
}

const answer = (response: ServerResponse, data: unknown, status = 200) =>
  response.writeHead(status).end(JSON.stringify({ data }));
const { signal } = new AbortController();

describe("a provider over HTTP", () => {
  it("reads a large answer in another thread, and refuses one with more values than embeddings have", async () => {
    let threads = 0;
    const note = () => void threads++;
    process.on("worker", note);
    let more: unknown = "x".repeat(300_000);
    const provider = await providerOn((_body, _request, response) =>
      answer(response, [{ index: 0, embedding: [0, 3, 4], more }]),
    );
    const { vector } = await provider.embedPrompt("x", signal);
    expect([...vector].map((one) => one.toFixed(1))).toEqual(["0.0", "0.6", "0.8"]);
    expect(threads).toBe(1);
    more = Array(2_000_000).fill(0);
    await expect(provider.embedPrompt("x", signal)).rejects.toThrow("responds with more than 2,000,000 values");
    process.off("worker", note);
    await provider.close();
  });

  it("sends texts, model, dimensions and key, and nothing else, and orders the answer by index", async () => {
    const seen: unknown[] = [];
    const provider = await providerOn(
      (body, request, response) => {
        seen.push(body, request.headers.authorization, request.url);
        answer(response, [
          { index: 1, embedding: [0, 3, 4] },
          { index: 0, embedding: [2, 0, 0] },
        ]);
      },
      { key: "secret" },
    );
    const vectors = await provider.embedPassages(["one", "two"], signal);
    expect(seen).toEqual([
      { model: "m", input: ["one", "two"], dimensions: 3, encoding_format: "float" },
      "Bearer secret",
      "/v1/embeddings",
    ]);
    expect(vectors.map((vector) => [...vector].map((member) => Math.round(member * 10) / 10))).toEqual([
      [1, 0, 0],
      [0, 0.6, 0.8],
    ]);
    expect(provider.model).toMatch(/^m at 127\.0\.0\.1:\d+$/);
  });

  it("repeats a request that was refused by 429 or failed with 5xx, and then gives up", async () => {
    const statuses = [429, 503];
    const provider = await providerOn((_body, _request, response) =>
      answer(response, [{ embedding: [1, 0, 0] }], statuses.shift() ?? 200),
    );
    expect([...(await provider.embedPrompt("x", signal)).vector]).toEqual([1, 0, 0]);
    statuses.push(500, 500, 500, 500);
    await expect(provider.embedPrompt("x", signal)).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.stringContaining("responds with 500"),
    });
    expect(statuses).toEqual([]);
  });

  it("waits as long as the endpoint asks, in seconds or until a date, and at most half a minute", async () => {
    const date = new Date().toUTCString();
    const after = ["7", new Date(Date.parse(date) + 9_000).toUTCString(), "600"];
    const provider = await providerOn((_body, _request, response) => {
      const next = after.shift();
      if (next === undefined) answer(response, [{ embedding: [1, 0, 0] }]);
      else response.writeHead(429, { "retry-after": next, date }).end();
    });
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    const asked = [7_000, 9_000, 30_000];
    // Others, such as those of servers, stay as they are.
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
      if (!asked.includes(ms)) return real(run, ms);
      waits.push(ms);
      return real(run, 0);
    }) as typeof setTimeout);
    await provider.embedPrompt("x", signal).finally(() => spy.mockRestore());
    expect(waits).toEqual(asked);
  });

  it("reads an answer that begins with a byte order mark", async () => {
    const provider = await providerOn((_body, _request, response) =>
      response.end(`\ufeff${JSON.stringify({ data: [{ embedding: [1, 0, 0] }] })}`),
    );
    expect([...(await provider.embedPrompt("x", signal)).vector]).toEqual([1, 0, 0]);
  });

  it.each<[string, unknown, string]>([
    ["another dimension", [{ embedding: [1, 0] }], "2 dimensions instead of 3"],
    ["no embedding", [{}], "no dimensions instead of 3"],
    ["texts for numbers", [{ embedding: ["1", "0", "0"] }], "not lists of numbers"],
    ["too few", [], "one embedding for each of 1 texts"],
    ["the same index twice", [{ index: 4, embedding: [1, 0, 0] }], "one embedding for each of 1 texts"],
  ])("refuses %s", async (_what, data, message) => {
    const provider = await providerOn((_body, _request, response) => answer(response, data));
    await expect(provider.embedPassages(["x"], signal)).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.stringContaining(message),
    });
  });

  it("refuses what is no JSON, a refusal, a redirect, and an endpoint that is too slow", async () => {
    const text = await providerOn((_body, _request, response) => response.end("<html>"));
    await expect(text.embedPrompt("x", signal)).rejects.toThrow("does not respond with JSON");
    server?.close();
    const refusing = await providerOn((_body, _request, response) => response.writeHead(401).end());
    await expect(refusing.embedPrompt("x", signal)).rejects.toThrow("responds with 401");
    server?.close();
    const moved = await providerOn((_body, _request, response) =>
      response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(moved.embedPrompt("x", signal)).rejects.toThrow("cannot be reached");
    server?.close();
    const slow = await providerOn(() => undefined, { timeout: 50 });
    await expect(slow.embedPrompt("x", signal)).rejects.toThrow("within 50 ms");
  });

  it("sends no more passages in an hour than the budget has, and prompts nevertheless", async () => {
    let sent = 0;
    const provider = await providerOn(
      ({ input }, _request, response) => {
        sent += input.length;
        answer(
          response,
          input.map((_, index) => ({ index, embedding: [1, 0, 0] })),
        );
      },
      { perHour: 3 },
    );
    expect(provider.batch).toBe(3);
    await provider.embedPassages(["one", "two"], signal);
    await expect(provider.embedPassages(["three", "four"], signal)).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.stringMatching(/has had the 3 text chunks of this hour .* in 60 min/),
    });
    await provider.embedPassages(["three"], signal);
    await provider.embedPrompt("prompt", signal);
    expect(sent).toBe(4);
  });
});

describe("an hourly budget", () => {
  it("gives back what was used an hour ago, and nothing before", () => {
    let now = 1_000;
    const budget = new HourlyBudget(10, () => now);
    budget.take(6);
    now += 1_800_000;
    budget.take(4);
    now += 1_799_999;
    expect(() => budget.take(1)).toThrow(/continues in 1 min/);
    now += 1;
    budget.take(6);
    expect(() => budget.take(1)).toThrow(/continues in 30 min/);
  });

  it("has no bound where it is 0", () => {
    const budget = new HourlyBudget(0);
    for (let times = 0; times < 100; times++) budget.take(1_000_000);
  });
});
