import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { type Memory, memoryOf, started } from "./child.ts";
import { median, type Result, round } from "./report.ts";
import { badClients, startBadClients } from "./service-clients.ts";

const token = "tenon_bench_key_0123456789abcdef";
const base = "/api/v1/integrations/connectors";
const path = `${base}/github/execute`;
const connections = 32;
/** Seconds of all windows together, and of one of them. */
const total = Number(process.env["TENON_BENCH_SECONDS"] ?? 60);
const window = 10;

const issue = { owner: "octocat", repo: "hello-world", number: 1 };
const search = (query: object, more: object = {}) => ({ action: "context_store_search", params: { query, limit: 10, ...more } });
const actions: readonly { readonly times: number; readonly body: object }[] = [
  { times: 10, body: { action: "get", params: issue } },
  { times: 2, body: search({ filter: { eq: { state: "open" } }, sort: [{ updatedAt: "desc" }] }) },
  { times: 1, body: search({ filter: { keyword: { title: "error" } } }) },
  { times: 1, body: search({ filter: { fuzzy: { title: "conection" } } }) },
  { times: 1, body: search({ filter: { gte: { createdAt: "2024-01-01" } }, sort: [{ createdAt: "asc" }] }, { count: true }) },
];

/** One round of the traffic: two thirds live reads, a third searches and others, one write in twenty. */
function traffic(): autocannon.Request[] {
  const post = (body: object): autocannon.Request => ({
    method: "POST",
    path,
    body: JSON.stringify({ entity: "issues", ...body }),
  });
  const runs = actions.flatMap(({ times, body }) => Array.from({ length: times }, () => post(body)));
  const write: autocannon.Request = {
    ...post({ entity: "comments", action: "create", params: { owner: "o", repo: "r", issue_number: 1, body: "a comment" } }),
    setupRequest: (request) => ({ ...request, headers: { ...request.headers, "idempotency-key": randomUUID() } }),
  };
  const others = ["", "/github", "/github/sync"].map((end): autocannon.Request => ({ method: "GET", path: `${base}${end}` }));
  // Spread, so that the same kind does not come in one row.
  return [...runs, write, ...others].map((one, at, all) => all[(at * 7) % all.length] ?? one);
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /**
   * Of a thousand requests, those that got no answer within 10 s, or one that was not 2xx, such as 503 because too many searches waited.
   */
  readonly refused: number;
}

/** Sends the traffic for some seconds. @param rate requests per second; without it as many as are answered */
async function load(url: string, requests: autocannon.Request[], seconds: number, rate?: number): Promise<Load> {
  const result = await autocannon({
    url,
    requests,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(rate === undefined ? {} : { overallRate: rate }),
  });
  const refused = (1000 * (result.non2xx + result.errors)) / (result.requests.total + result.errors);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, refused };
}

/** The slope of the line that fits best (least squares), in units a minute. @param every seconds between two values */
function slope(values: readonly number[], every: number): number {
  const at = values.map((_, index) => (index * every) / 60);
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [middle, height] = [mean(at), mean(values)];
  const above = at.reduce((sum, one, index) => sum + (one - middle) * ((values[index] ?? 0) - height), 0);
  return above / at.reduce((sum, one) => sum + (one - middle) ** 2, 0);
}

/**
 * The service with mixed traffic. First as much as it takes, against a bare Express route in the same run. Then half of that for longer: in
 * turn alone and beside slow and broken clients, with a look at the memory after each window.
 */
export async function benchService(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const filling = await started("./service-cache.ts", [folder]);
  await once(filling.child, "exit");
  const platform = await started("./service-platform.ts", []);
  const bare = await started("./execute-server.ts", ["bare", token]);
  const tenon = await started("./service-server.ts", [folder, token, platform.url], ["--expose-gc"]);
  try {
    const requests = traffic();
    const echo = requests.map(({ body }) => ({ method: "POST" as const, path, body: body ?? "{}" }));
    const most = { bare: [] as Load[], tenon: [] as Load[] };
    for (let one = 0; one < 4; one++) {
      const [first, second] = [await load(bare.url, echo, 4), await load(tenon.url, requests, 4)];
      // The first round warms up.
      if (one > 0) [most.bare.push(first), most.tenon.push(second)];
    }
    const perSecond = median(most.tenon.map((one) => one.perSecond));
    const rate = Math.max(20, Math.floor(perSecond / 2));
    const windows = Math.max(4, Math.round(total / window / 2) * 2);
    const loads = { alone: [] as Load[], beside: [] as Load[] };
    const memory: Memory[] = [];
    for (let one = 0; one < windows; one++) {
      const end = one % 2 === 1 ? startBadClients(tenon.url, path, token) : undefined;
      loads[end === undefined ? "alone" : "beside"].push(await load(tenon.url, requests, window, rate));
      end?.();
      memory.push(await memoryOf(tenon.child));
    }
    const of = (all: readonly Load[], key: keyof Load) => round(median(all.map((one) => one[key])), 1);
    const worst = (all: readonly Load[]) => round(Math.max(...all.map(({ refused }) => refused)), 2);
    const last = memory.at(-1) ?? { rss: 0, heapUsed: 0 };
    return {
      name: "service",
      notes: `${requests.length} kinds of requests in turn over ${connections} connections, 20,000 cached issues, a platform that answers at once; ${windows} windows of ${window} s at ${rate} requests a second, medians. Latency counts from when a request was due. Beside it: ${badClients}. Load, platform and service share the machine`,
      rows: [
        { what: "bare Express route, as much as it takes", value: of(most.bare, "perSecond"), unit: "1/s" },
        { what: "mixed traffic, as much as it takes", value: of(most.tenon, "perSecond"), unit: "1/s" },
        { what: "mixed traffic, as much as it takes, p99", value: of(most.tenon, "p99"), unit: "ms" },
        { what: "half of that, p50", value: of(loads.alone, "p50"), unit: "ms" },
        { what: "half of that, p99", value: of(loads.alone, "p99"), unit: "ms" },
        { what: "half of that beside bad clients, p50", value: of(loads.beside, "p50"), unit: "ms" },
        { what: "half of that beside bad clients, p99", value: of(loads.beside, "p99"), unit: "ms" },
        { what: "refused of a thousand: as much as it takes", value: worst(most.tenon), unit: "" },
        { what: "refused of a thousand: half, worst window", value: worst(loads.alone), unit: "", aim: "0" },
        { what: "refused of a thousand: half beside bad clients, worst window", value: worst(loads.beside), unit: "", aim: "0" },
        { what: "heap after collection, at the end", value: round(last.heapUsed, 1), unit: "MiB" },
        {
          what: "heap after collection, slope",
          value: round(
            slope(
              memory.slice(1).map((one) => one.heapUsed),
              window,
            ),
            2,
          ),
          unit: "MiB/min",
        },
        { what: "resident memory, at the end", value: round(last.rss, 0), unit: "MiB" },
        {
          what: "resident memory, slope",
          value: round(
            slope(
              memory.slice(1).map((one) => one.rss),
              window,
            ),
            1,
          ),
          unit: "MiB/min",
        },
      ],
    };
  } finally {
    for (const { child } of [platform, bare, tenon]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
