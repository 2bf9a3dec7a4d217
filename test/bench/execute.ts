import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { started } from "./child.ts";
import { median, type Result, round } from "./report.ts";

const token = "tenon_bench_key_0123456789abcdef";
const rounds = 5;
const seconds = 4;
const connections = 32;
/** Seconds that indexing may take. */
const mostIndexing = 300;
const body = JSON.stringify({ entity: "issues", action: "get", params: { owner: "octocat", repo: "hello-world", number: 1 } });
/** A search of the cache that finds nothing, because no issue has the number. */
const search = JSON.stringify({
  entity: "issues",
  action: "context_store_search",
  params: { query: { filter: { eq: { number: 999_999_999 } } } },
});

const kinds = ["bare", "tenon", "search"] as const;
type Kind = (typeof kinds)[number];

interface Load {
  readonly perSecond: number;
  /** Microseconds of processor time that the server used for one request, in all of its threads. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * The execute route with everything that a request passes (authentication, parsing, validation, handler, @octokit/graphql,
 * logging) and a search of the whole service's cache, each against a bare Express route that parses and echoes a body. In turn, round by
 * round, so that a drift of the machine's speed meets all; the platform answers at once.
 */
export async function benchExecute(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const servers = {
    bare: await started("./execute-server.ts", ["bare", token]),
    tenon: await started("./execute-server.ts", ["tenon", token]),
    search: await startSearch(folder),
  };
  const loads: Record<Kind, Load[]> = { bare: [], tenon: [], search: [] };
  for (let one = 0; one <= rounds; one++) {
    for (const kind of kinds) {
      const load = await measure(servers[kind], kind === "search" ? search : body);
      // The first round warms up.
      if (one > 0) loads[kind].push(load);
    }
  }
  for (const { child } of Object.values(servers)) child.kill();
  rmSync(".cache/bench/execute.log", { force: true });
  rmSync(folder, { recursive: true, force: true });
  const of = (kind: Kind, key: keyof Load) => median(loads[kind].map((load) => load[key]));
  const comparedWith = (kind: Kind, one: (bare: Load, other: Load) => number) =>
    median(loads[kind].flatMap((load, index) => (loads.bare[index] === undefined ? [] : [one(loads.bare[index], load)])));
  const ratio = comparedWith("tenon", (bare, tenon) => tenon.perSecond / bare.perSecond);
  const cpuRatio = comparedWith("tenon", (bare, tenon) => bare.cpu / tenon.cpu);
  const over = comparedWith("search", (bare, search) => search.cpu - bare.cpu);
  return {
    name: "execute",
    notes: `${rounds} rounds of ${seconds} s each, ${connections} connections, body of ${body.length} bytes, medians`,
    rows: [
      { what: "bare Express route, processor time of a request", value: round(of("bare", "cpu"), 1), unit: "µs" },
      { what: "execute route, processor time of a request", value: round(of("tenon", "cpu"), 1), unit: "µs" },
      { what: "ratio of processor time, median of the rounds", value: round(cpuRatio, 2), unit: "", aim: "at least 0.7" },
      {
        what: "cached search that finds nothing, processor time over the bare route",
        value: round(over, 1),
        unit: "µs",
        aim: "at most 35",
      },
      { what: "bare Express route, requests per second", value: round(of("bare", "perSecond"), 0), unit: "1/s" },
      { what: "execute route, requests per second", value: round(of("tenon", "perSecond"), 0), unit: "1/s" },
      { what: "ratio, median of the rounds", value: round(ratio, 2), unit: "", aim: "at least 0.7" },
      { what: "bare Express route, p50", value: of("bare", "p50"), unit: "ms" },
      { what: "execute route, p50", value: of("tenon", "p50"), unit: "ms" },
      { what: "bare Express route, p99", value: of("bare", "p99"), unit: "ms" },
      { what: "execute route, p99", value: of("tenon", "p99"), unit: "ms" },
    ],
  };
}

/** The whole service, with a cache of 20,000 issues in a folder. */
async function startSearch(folder: string) {
  const filling = await started("./service-cache.ts", [folder]);
  await once(filling.child, "exit");
  const server = await started("./service-server.ts", [folder, token, "http://127.0.0.1:9"]);
  await idle(server.child);
  return server;
}

/** Resolves when a server has nothing to do: it indexes the meanings of new records, and that time would count as that of searches. */
async function idle(child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < mostIndexing; waited++) {
    const before = await cpuOf(child);
    await sleep(1000);
    if ((await cpuOf(child)) - before < 20_000) return;
  }
  throw new Error("the service did not become idle");
}

/** Microseconds of processor time that a server has used. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}

async function measure({ child, url }: Awaited<ReturnType<typeof started>>, body: string): Promise<Load> {
  const before = await cpuOf(child);
  const result = await autocannon({
    url: `${url}/api/v1/integrations/connectors/github/execute`,
    method: "POST",
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} requests failed`);
  const cpu = ((await cpuOf(child)) - before) / result.requests.total;
  return { perSecond: result.requests.average, cpu, p50: result.latency.p50, p99: result.latency.p99 };
}
