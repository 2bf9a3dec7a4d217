import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { withAccounts } from "../e2e/support/accounts.ts";
import { type Result, type Row, round } from "./report.ts";

// One key that asks a slow platform for as much as it may, and another one that asks now and then. What the other one waits is the measure.

const secretKey = "secret-key-of-the-bench-of-attacks";
/** Milliseconds that the platform takes for a read and for a write, and points that it gives in an hour. */
const readTime = 200;
const writeTime = 20;
const points = 5_000;

const read = { entity: "viewer", action: "get", params: { fields: ["login"] } };
const write = { entity: "comments", action: "create", params: { owner: "o", repo: "r", issue_number: 1, body: "a comment" } };

/** A platform that takes its time, and counts its points. */
async function slowPlatform() {
  const used = { graphql: 0, rest: 0 };
  const reset = String(Math.ceil(Date.now() / 1000) + 3_600);
  const server = createServer(async (request, response) => {
    request.resume();
    const bucket = request.url === "/graphql" ? "graphql" : "rest";
    const left = points - ++used[bucket];
    await sleep(bucket === "graphql" ? readTime : writeTime);
    const headers = { "x-ratelimit-remaining": String(Math.max(0, left)), "x-ratelimit-reset": reset };
    const status = left < 0 ? 403 : bucket === "graphql" ? 200 : 201;
    const body = bucket === "graphql" ? { data: { viewer: { login: "octocat" } } } : { id: 1, body: "a comment" };
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, used, server };
}

interface Reply {
  readonly status: number;
  readonly ms: number;
}

/** Sends requests of a caller one after the other. */
async function asked(url: string, token: string, body: object, times: number, pause = 0): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let count = 0; count < times; count++) {
    const began = performance.now();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1/integrations/connectors/github/execute`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    replies.push({ status: response.status, ms: performance.now() - began });
    await sleep(pause);
  }
  return replies;
}

/** Sends as many requests at once as a caller may, again and again, until a promise is fulfilled. */
async function greedily(url: string, token: string, body: object, atOnce: number, until: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = until.finally(() => {
    isOver = true;
  });
  const one = async () => {
    while (!isOver) {
      const [reply] = await asked(url, token, body, 1);
      if (reply?.status !== 200) await sleep(1_000);
    }
  };
  await Promise.all([end, ...Array.from({ length: atOnce }, one)]);
}

function rowsOf(what: string, replies: readonly Reply[]): Row[] {
  const good = replies.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const sorted = good.sort((a, b) => a - b);
  const at = (part: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN, 0);
  return [
    { what: `${what}, p50`, value: at(0.5), unit: "ms" },
    { what: `${what}, p99`, value: at(0.99), unit: "ms" },
    { what: `${what}, refused`, value: replies.length - good.length, unit: `of ${replies.length}`, aim: "0" },
  ];
}

/** How long the calls of one key wait for the platform while another key asks it for as much as it may. */
export async function benchAttackPlatform(): Promise<Result> {
  const platform = await slowPlatform();
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const environment = {
    TENON_DATA_DIR: folder,
    TENON_SECRET_KEY: secretKey,
    TENON_LOG_LEVEL: "silent",
    TENON_PORT: "0",
    GITHUB_TOKEN: "bench",
    GITHUB_API_URL: platform.url,
    GITHUB_GRAPHQL_URL: `${platform.url}/graphql`,
  };
  const service = await startService(readSettings(environment, [github]).settings, {
    sink: { write: () => undefined },
    connectors: [github],
  });
  await service.ready;
  const [greedy, other] = await withAccounts(folder, async (store) => {
    const make = async (name: string) =>
      (await createCaller(store, deriveKeys([secretKey]), { kind: "key", name, grant: fullGrant, expiresAt: null })).secret;
    return [await make("greedy"), await make("other")] as const;
  });
  const { url } = service;
  const rows: Row[] = [
    ...rowsOf("a read alone", await asked(url, other, read, 20, 50)),
    ...rowsOf("a write alone", await asked(url, other, write, 5, 1_500)),
  ];
  const reads = asked(url, other, read, 50, 100);
  await greedily(url, greedy, read, 100, reads);
  rows.push(...rowsOf("a read beside 100 reads at once of another key", await reads));
  const writes = asked(url, other, write, 10, 1_500);
  await greedily(url, greedy, write, 50, writes);
  rows.push(...rowsOf("a write beside 50 writes at once of another key", await writes));
  await service.close();
  platform.server.closeAllConnections();
  platform.server.close();
  rmSync(folder, { recursive: true, force: true });
  const notes = `A platform that takes ${readTime} ms for a read and ${writeTime} ms for a write; writes are a second apart, as GitHub demands.`;
  return { name: "attack-platform", notes, rows };
}
