import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import autocannon from "autocannon";
import { median, type Result, round } from "./report.ts";

const token = "tenon_bench_key_0123456789abcdef";
const rounds = 5;
const seconds = 4;
const connections = 32;
const body = JSON.stringify({ entity: "issues", action: "get", params: { owner: "octocat", repo: "hello-world", number: 1 } });

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * The execute route with everything that a request passes (authentication, parsing, validation, handler, @octokit/graphql,
 * logging) against a bare Express route that parses and echoes the same body. In turn, round by round, so that a drift of the
 * machine's speed meets both; the platform answers at once.
 */
export async function benchExecute(): Promise<Result> {
  const servers = { bare: await start("bare"), tenon: await start("tenon") };
  const loads: Record<"bare" | "tenon", Load[]> = { bare: [], tenon: [] };
  for (let one = 0; one <= rounds; one++) {
    for (const kind of ["bare", "tenon"] as const) {
      const load = await measure(servers[kind].url);
      // The first round warms up.
      if (one > 0) loads[kind].push(load);
    }
  }
  for (const { child } of Object.values(servers)) child.kill();
  rmSync(".cache/bench/execute.log", { force: true });
  const of = (kind: "bare" | "tenon", key: keyof Load) => median(loads[kind].map((load) => load[key]));
  const ratio = median(loads.tenon.map((load, index) => load.perSecond / (loads.bare[index]?.perSecond ?? 1)));
  return {
    name: "execute",
    notes: `${rounds} rounds of ${seconds} s each, ${connections} connections, body of ${body.length} bytes, medians`,
    rows: [
      { what: "bare Express route, requests per second", value: round(of("bare", "perSecond"), 0), unit: "1/s" },
      { what: "execute route, requests per second", value: round(of("tenon", "perSecond"), 0), unit: "1/s" },
      { what: "ratio, median of the rounds", value: round(ratio, 2), unit: "", aim: "at least 0.6" },
      { what: "bare Express route, p50", value: of("bare", "p50"), unit: "ms" },
      { what: "execute route, p50", value: of("tenon", "p50"), unit: "ms" },
      { what: "bare Express route, p99", value: of("bare", "p99"), unit: "ms" },
      { what: "execute route, p99", value: of("tenon", "p99"), unit: "ms" },
    ],
  };
}

async function start(kind: "bare" | "tenon") {
  const child = fork(new URL("./execute-server.ts", import.meta.url), [kind, token], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`the ${kind} server ended before it was ready`)));
  const [url] = (await Promise.race([once(child, "message"), ended])) as [string];
  ended.catch(() => {});
  return { child, url };
}

async function measure(url: string): Promise<Load> {
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
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}
