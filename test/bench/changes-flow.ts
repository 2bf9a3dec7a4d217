import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import { deriveKeys, sealSecrets } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { fetchFor } from "../../runtime/platform/address-rules.ts";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { repositoryNamed } from "../../runtime/simulated/github/world/world.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { SubscriptionWorker } from "../../runtime/subscriptions/index.ts";
import { followHints, type ScopeHint } from "../../runtime/sync/index.ts";
import { openCache, plansOf } from "../e2e/support/cache.ts";
import { fakeInstance } from "../support/fake-instance.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { started } from "./child.ts";
import { type Row, round } from "./report.ts";
import { Records } from "./search-records.ts";
import { fill } from "./sync-world.ts";

// The way of a change: from a webhook of the platform to a receiver of a caller.

const scope = "repository=octocat/hello-world";
const repository = { full_name: "octocat/hello-world", name: "hello-world", owner: { login: "octocat" } };
const secret = "webhook-secret-of-the-bench";
const token = "token-of-the-bench-of-changes";
const connector = "/api/v1/integrations/connectors/github";

const log = pino({ level: "silent" });

/** A value below which a share of some values is. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

export async function changeFlow(): Promise<Row[]> {
  const platform = await startPlatform();
  platform.fail({ kind: "quota", remaining: 10_000_000, limit: 10_000_000 });
  const world = repositoryNamed(platform.world, "octocat/hello-world");
  if (world === undefined) throw new Error("the simulated platform has no repository");
  fill(world, { issues: 1_200, pullRequests: 1, comments: 0, reviews: 0, reviewComments: 0 });
  try {
    return [...(await calls(platform, world.issues)), ...(await received(platform, world.issues)), ...(await sent())];
  } finally {
    await platform.close();
  }
}

/** What 1,000 changed issues take from the platform's limits. */
async function calls(platform: Platform, issues: readonly Issue[]): Promise<Row[]> {
  const cache = await openCache(platform);
  await cache.sync([scope], { entities: ["issues"] });
  const hints = issues.slice(0, 1_000).map(({ id, number }): ScopeHint => {
    return { entity: "issues", kind: "key", key: id, params: JSON.stringify({ number }) };
  });
  const before = platform.arrived;
  await followHints(cache.instance, cache.store, scope, hints, { signal: new AbortController().signal, log });
  const value = platform.arrived - before;
  await cache.close();
  return [{ what: "1,000 changed issues named by webhooks", value, unit: "calls to the platform", aim: "at most 15" }];
}

interface Prepared {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function delivery({ id, number }: Issue, name: string): Prepared {
  const body = JSON.stringify({ action: "edited", issue: { node_id: id, number }, repository });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const github = { "x-github-event": "issues", "x-github-delivery": name, "x-hub-signature-256": signature };
  return { body, headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...github } };
}

/** @returns milliseconds until the response */
function post(agent: Agent, url: string, { body, headers }: Prepared): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${connector}/webhook`, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 202) resolve(performance.now() - began);
        else reject(new Error(`a delivery got ${response.statusCode}`));
      });
    });
    sending.once("error", reject).end(body);
  });
}

/** The latency from a webhook to a subscriber, and how many webhooks a service takes. */
async function received(platform: Platform, issues: readonly Issue[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const env = {
    BENCH_GITHUB_TOKEN: ownerToken,
    BENCH_SECRET_KEY: "secret-key-of-the-bench-of-changes",
    BENCH_TENON_WEBHOOK_SECRETS: `github=${secret}`,
    BENCH_TENON_ALLOW_PRIVATE_ADDRESSES: "true",
  };
  const { child, url } = await started("./service-server.ts", [folder, token, platform.url], ["--expose-gc"], env);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async <Body>(method: string, path: string, body?: object) => {
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Body;
  };
  const arrivals = new Map<string, () => void>();
  const receiver = createServer(async (incoming, response) => {
    let text = "";
    for await (const piece of incoming) text += String(piece);
    response.writeHead(204).end();
    const { data } = JSON.parse(text) as { data: { key: { id: string } } };
    arrivals.get(data.key.id)?.();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  try {
    await ask("POST", `${connector}/sync`, { scopes: [scope], entities: ["issues"] });
    for (;;) {
      const { data, meta } = await ask<{ data: { entity: string; state: string }[]; meta: { running: boolean } }>(
        "GET",
        `${connector}/sync`,
      );
      if (data.some(({ state }) => state === "failed")) throw new Error("the issues could not be synced");
      if (!meta.running && data.some(({ entity, state }) => entity === "issues" && state === "complete")) break;
      await pause(50);
    }
    const { data } = await ask<{ data: { id: string } }>("POST", "/api/v1/subscriptions", {
      connector_id: "github",
      url: receiverUrl,
    });
    const random = createRandom(4);
    const latencies: number[] = [];
    for (const [index, issue] of issues.slice(0, 100).entries()) {
      issue.title = `Changed ${index}`;
      const began = performance.now();
      const arrived = new Promise<void>((resolve) => arrivals.set(issue.id, resolve));
      await post(agent, url, delivery(issue, `latency-${index}`));
      await arrived;
      latencies.push(performance.now() - began);
      await pause(random.below(300));
    }
    await ask("DELETE", `/api/v1/subscriptions/${data.id}`);
    // Deliveries that come one after the other, 200 a second.
    const paced = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const prepared = delivery(issues[index % issues.length] as Issue, `paced-${index}`);
        await pause(index * 5);
        return post(agent, url, prepared);
      }),
    );
    const many = Array.from({ length: 10_000 }, (_, index) => delivery(issues[index % issues.length] as Issue, `many-${index}`));
    const began = performance.now();
    await Promise.all(many.map((prepared) => post(agent, url, prepared)));
    const perSecond = many.length / ((performance.now() - began) / 1000);
    return [
      { what: "from a webhook to a subscriber, p50", value: round(quantile(latencies, 0.5), 0), unit: "ms" },
      {
        what: "from a webhook to a subscriber, p95",
        value: round(quantile(latencies, 0.95), 0),
        unit: "ms",
        aim: "at most 500 ms",
      },
      {
        what: "202 for a delivery, p99 of 200 a second",
        value: round(quantile(paced, 0.99), 1),
        unit: "ms",
        aim: "at most 50 ms",
      },
      { what: "deliveries received", value: round(perSecond, 0), unit: "a second", aim: "2,000" },
    ];
  } finally {
    child.disconnect();
    agent.destroy();
    receiver.closeAllConnections();
    receiver.close();
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

const subscribers = 100;
const changes = 100;

/** How many deliveries a process sends: the same changes to each of many subscribers, whose receiver is another process. */
async function sent(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const { child, url } = await started("./changes-receiver.ts", []);
  const store = new SqliteStore({ dataDir: folder, plans: plansOf(github), readers: 1 });
  const accounts = openSqliteAccounts(folder);
  const keys = deriveKeys(["secret-key-of-the-bench-of-changes"]);
  const { instance } = fakeInstance(() => ({}));
  const worker = new SubscriptionWorker({
    store: accounts,
    keys,
    find: async () => ({ ...instance, storeName: "github", store }),
    send: fetchFor([], true),
    log,
    audits: false,
  });
  try {
    await store.ready;
    for (let index = 0; index < subscribers; index++) {
      const id = `sub_${index}`;
      const content = JSON.stringify({ url, entity: ["issues"], fields: ["title", "state"] });
      const secrets = sealSecrets(keys, id, [{ secret: `whsec_${Buffer.alloc(32, index).toString("base64")}`, until: null }]);
      const begin = { log: "", position: 0, createdAt: 1, expiresAt: null };
      await accounts.addSubscription({ id, caller: "operator", instance: "github", content, secrets, ...begin }, subscribers);
    }
    const all = new Records(changes);
    const records = Array.from({ length: changes }, (_, index) => ({ ...all.record(index) }));
    const place = { connector: "github", instance: "github", entity: "issues", scope };
    await store.save(place, { records, checkpoint: { run: 1, full: true, step: 0 } });
    const began = performance.now();
    worker.start();
    const isDone = async () =>
      (await accounts.listedSubscriptions(null, subscribers)).every(({ position }) => position === changes);
    while (!(await isDone())) await pause(20);
    const perSecond = (subscribers * changes) / ((performance.now() - began) / 1000);
    return [
      { what: `deliveries sent to ${subscribers} subscribers`, value: round(perSecond, 0), unit: "a second", aim: "1,000" },
    ];
  } finally {
    await worker.stop();
    await Promise.all([store.close(), accounts.close()]);
    child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
