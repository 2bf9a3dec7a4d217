import { expect, it, vi } from "vitest";
import { file, type Http, type Limits, path, request, statuses, viewer, type Wire } from "../../support/http.ts";
import { useHttp } from "../../support/use-http.ts";

// Good requests are answered although slow, broken and greedy callers are there, and although the service has few places.

const { start: startWith, open: openOne } = useHttp();

const soon = { timeout: 60_000, interval: 10 };
const times = { headersTimeout: 600_000, requestTimeout: 600_000, connectionsCheckingInterval: 600_000 };
const limits = { maxRequests: 50, maxConnections: 300, times } as const satisfies Limits;

const start = (more: Limits = {}) => startWith({ ...limits, ...more });

async function open(http: Http, count: number, send: string | Uint8Array, reads = true): Promise<readonly Wire[]> {
  const made: Wire[] = [];
  for (let one = 0; one < count; one++) made.push(await openOne(http, send, reads));
  return made;
}

/** Sends good requests one after the other, each on a connection of its own. */
async function answersOf(http: Http, count: number): Promise<readonly number[]> {
  const all: number[] = [];
  for (let one = 0; one < count; one++) {
    const [good] = await open(http, 1, request(viewer));
    await vi.waitFor(() => expect(good?.text()).not.toBe(""), soon);
    all.push(...statuses(good?.text() ?? ""));
    good?.socket.destroy();
  }
  return all;
}

const elsewhere = (address: string, sent: Buffer) => sent.toString().replace(`POST ${path}`, `POST ${address}`);
const half = request("{", ["Content-Length: 1000"]);
/** What they send, how many of them there are, and whether they read. Those who only wait are more than there are places. */
const bad = {
  "who send nothing": ["", 100, true],
  "whose headers do not end": ["POST / HTTP/1.1\r\nX: ", 100, true],
  "whose body does not end": [half, 100, true],
  "whose body does not end, to the tools for models": [elsewhere("/mcp", half), 100, true],
  "whose body does not end, to start a sync": [elsewhere("/api/v1/integrations/connectors/github/sync", half), 100, true],
  "whose body does not end, to get a token": [elsewhere("/api/v1/account/applications/token", half), 100, true],
  "who are unknown and whose body does not end": [
    request("1\r\n{\r\n", ["Transfer-Encoding: chunked"], "a-wrong-token"),
    100,
    true,
  ],
  "who send requests ahead": [Buffer.concat(Array.from({ length: 200 }, () => request(viewer))), 20, true],
  "who do not read their answers": [request(file), 20, false],
} as const satisfies Readonly<Record<string, readonly [string | Uint8Array, number, boolean]>>;

it.each(Object.entries(bad))("beside callers %s", async (_who, [send, count, reads]) => {
  const http = await start({ text: 2 ** 20 });
  await open(http, count, send, reads);
  expect(await answersOf(http, 10)).toEqual(Array.from({ length: 10 }, () => 200));
});

it("beside all of them at once, although they are more than the connections that there may be", async () => {
  const http = await start({ text: 2 ** 20 });
  for (const [send, count, reads] of Object.values(bad)) await open(http, count, send, reads);
  expect(await answersOf(http, 20)).toEqual(Array.from({ length: 20 }, () => 200));
});

it("a large answer gets the room of one that nobody has read for a while", async () => {
  let now = 0;
  const http = await start({ text: 15 * 2 ** 20, maxUnsent: 70 * 2 ** 20, now: () => now });
  const silent = await open(http, 2, request(file), false);
  await vi.waitFor(() => expect(http.seen.length).toBe(2), soon);
  const [refused] = await open(http, 1, request(file));
  await vi.waitFor(() => expect(statuses(refused?.text() ?? "")).toEqual([503]), soon);
  now = 1000;
  const [answered] = await open(http, 1, request(file));
  await vi.waitFor(() => expect(answered?.text().length).toBeGreaterThan(15 * 2 ** 20), soon);
  const aborted = () => http.lines.filter((line) => line["aborted"] === true).length;
  await vi.waitFor(() => expect(aborted()).toBe(1), soon);
  expect(silent.length).toBe(2);
});

it("large bodies that come in are bounded together, and small ones are not refused for them", async () => {
  const http = await start({ maxArriving: 2 ** 20 });
  const large = request("{", [`Content-Length: ${2 ** 20}`]);
  const both = await open(http, 2, large);
  const refused = () => both.find(({ text }) => text() !== "");
  await vi.waitFor(() => expect(statuses(refused()?.text() ?? "")).toEqual([503]), soon);
  expect(refused()?.text()).toContain('"overloaded"');
  expect(await answersOf(http, 3)).toEqual([200, 200, 200]);
  // The room of the other one is free again as soon as it has gone.
  for (const { socket } of both) socket.destroy();
  await vi.waitFor(async () => {
    const [again] = await open(http, 1, request(" ".repeat(2 ** 20 - viewer.length) + viewer));
    await vi.waitFor(() => expect(again?.text()).not.toBe(""), soon);
    expect(statuses(again?.text() ?? "")).toEqual([200]);
  }, soon);
});
