import { type ChildProcess, fork } from "node:child_process";
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
  /** Microseconds of processor time that the server used for one request, in all of its threads. */
  readonly cpu: number;
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
      const load = await measure(servers[kind]);
      // The first round warms up.
      if (one > 0) loads[kind].push(load);
    }
  }
  for (const { child } of Object.values(servers)) child.kill();
  rmSync(".cache/bench/execute.log", { force: true });
  const of = (kind: "bare" | "tenon", key: keyof Load) => median(loads[kind].map((load) => load[key]));
  const ratioOf = (one: (bare: Load, tenon: Load) => number) =>
    median(loads.tenon.flatMap((load, index) => (loads.bare[index] === undefined ? [] : [one(loads.bare[index], load)])));
  const ratio = ratioOf((bare, tenon) => tenon.perSecond / bare.perSecond);
  const cpuRatio = ratioOf((bare, tenon) => bare.cpu / tenon.cpu);
  return {
    name: "execute",
    notes: `${rounds} rounds of ${seconds} s each, ${connections} connections, body of ${body.length} bytes, medians`,
    rows: [
      { what: "bare Express route, processor time of a request", value: round(of("bare", "cpu"), 1), unit: "µs" },
      { what: "execute route, processor time of a request", value: round(of("tenon", "cpu"), 1), unit: "µs" },
      { what: "ratio of processor time, median of the rounds", value: round(cpuRatio, 2), unit: "", aim: "at least 0.7" },
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

async function start(kind: "bare" | "tenon") {
  const child = fork(new URL("./execute-server.ts", import.meta.url), [kind, token], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`the ${kind} server ended before it was ready`)));
  const [url] = (await Promise.race([once(child, "message"), ended])) as [string];
  ended.catch(() => {});
  return { child, url };
}

/** Microseconds of processor time that a server has used. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}

async function measure({ child, url }: Awaited<ReturnType<typeof start>>): Promise<Load> {
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
