import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { type Row, round } from "./report.ts";

const token = "tenon_bench_key_0123456789abcdef";
const path = "/api/v1/integrations/connectors/github/execute";
const connections = 32;
/** Seconds of one run, of which there are two for each number of processes; the first one warms up. */
const seconds = 5;

const queries: readonly object[] = [
  { filter: { eq: { state: "open" } }, sort: [{ updatedAt: "desc" }] },
  { filter: { keyword: { title: "error" } } },
  { filter: { fuzzy: { title: "conection" } } },
  { filter: { gte: { createdAt: "2024-01-01" } }, sort: [{ createdAt: "asc" }] },
];

/** How many searches services over one database answer in a second: one process, and two. */
export async function throughput(database: string, say: (text: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const services: { readonly child: ChildProcess; readonly url: string }[] = [];
  const rows: Row[] = [];
  try {
    for (const count of [1, 2]) {
      const args = [folder, token, "http://platform.example", database];
      const child = fork(new URL("./service-server.ts", import.meta.url), args, {
        env: { ...process.env, NODE_ENV: "production" },
      });
      const ended = once(child, "exit").then(() => Promise.reject(new Error("a service ended before it was ready")));
      ended.catch(() => undefined);
      const [url] = (await Promise.race([once(child, "message"), ended])) as [string];
      services.push({ child, url });
      await Promise.all(services.map((one) => load(one.url)));
      const before = await cpuOf(services);
      const results = await Promise.all(services.map((one) => load(one.url)));
      const cpu = (await cpuOf(services)) - before;
      const answered = results.reduce((sum, one) => sum + one.requests.total, 0);
      const refused = results.reduce((sum, one) => sum + one.non2xx + one.errors, 0);
      const label = count === 1 ? "one process" : `${count} processes`;
      rows.push(
        { what: `searches, ${label}`, value: round(answered / seconds, 0), unit: "1/s" },
        {
          what: `searches, ${label}: processor time of the services for each`,
          value: round(cpu / 1000 / answered, 2),
          unit: "ms",
        },
        { what: `searches, ${label}: refused of a thousand`, value: round((1000 * refused) / answered, 2), unit: "", aim: "0" },
      );
      say(`${label}: ${round(answered / seconds, 0)} searches a second`);
    }
  } finally {
    for (const { child } of services) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

function load(url: string) {
  const requests = queries.map((query) => ({
    method: "POST" as const,
    path,
    body: JSON.stringify({ entity: "issues", action: "context_store_search", params: { query, limit: 10 } }),
  }));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return autocannon({ url, requests, connections, duration: seconds, headers });
}

/** Microseconds of processor time that processes have taken. */
async function cpuOf(services: readonly { readonly child: ChildProcess }[]): Promise<number> {
  let sum = 0;
  for (const { child } of services) {
    child.send("cpu");
    const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
    sum += user + system;
  }
  return sum;
}
