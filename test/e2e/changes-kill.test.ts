import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { FeedAnswer, FeedEntry } from "../../runtime/changes/index.ts";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Repository } from "../../runtime/simulated/github/world/repository.ts";
import { sql } from "../../runtime/sql/index.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import type { Platform } from "../support/github/start.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { addComment, addIssue, later, newest, remove, removeIssue } from "./support/change.ts";
import { type Processes, type Running, withProcesses } from "./support/process.ts";
import { apiKey, authorized, pause } from "./support/service.ts";
import { hello } from "./support/world.ts";

// Changes on their whole way, from the platform's webhooks to a receiver, while the service, the worker and the receiver are killed at any
// moment. In the end the cache is equal to the platform, and the receiver has every committed change, in order per record.
// `make test` kills a few times, `make chaos` many.

const kills = Number(process.env["TENON_TEST_KILLS"] ?? 3);
const isLong = process.env["TENON_TEST_KILLS"] !== undefined;
const seed = Number(process.env["TENON_TEST_SEED"] ?? 1);
const scope = "repository=octocat/hello-world";
const connector = "/api/v1/integrations/connectors/github";
const usual = { late: 150, twice: 0.3, lost: 0.1 };

/** Takes away the leases of processes that were killed, as the time does. */
type Release = () => Promise<void>;

interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly release: Release;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Does at random one thing of which a webhook tells. */
function change(random: Random, of: Repository): void {
  const at = later(newest(of), 1);
  const thread = random.pick(of.issues);
  const actions: readonly (() => void)[] = [
    () => void addIssue(of, at),
    () => void addComment(thread, at),
    () => Object.assign(thread, { title: `Title ${random.below(1e6)}`, updatedAt: at }),
    () => Object.assign(random.pick(of.issues), { body: `Body ${random.below(1e6)}`, updatedAt: at }),
    () => void (thread.comments.length > 0 && remove(thread.comments, random.pick([...thread.comments]))),
    () => void (of.issues.length > 20 && removeIssue(of, thread)),
  ];
  random.pick(actions)();
}

/** What a search has to find of issues and their comments. */
function expected({ issues, pullRequests }: Repository): Record<string, string> {
  const comments = [...issues, ...pullRequests].flatMap((thread) => thread.comments);
  return Object.fromEntries([
    ...issues.map(({ id, title, body }) => [id, `${title} ${body ?? ""}`]),
    ...comments.map(({ id, body }) => [id, body]),
  ]);
}

class Way {
  readonly #processes: Processes;
  readonly #place: Place;
  readonly #url: string;
  readonly #file: string;
  readonly #receiverPort: number;
  readonly #running = new Map<string, { readonly child: ChildProcess; readonly exit: Promise<unknown> }>();

  constructor(processes: Processes, place: Place, ports: { readonly service: number; readonly receiver: number }) {
    this.#processes = processes;
    this.#place = place;
    this.#url = `http://127.0.0.1:${ports.service}`;
    this.#receiverPort = ports.receiver;
    this.#file = join(processes.folder(), "received.jsonl");
  }

  async start(name: string): Promise<void> {
    if (name === "receiver") {
      const script = fileURLToPath(new URL("./support/receiver-child.ts", import.meta.url));
      const given = [script, String(this.#receiverPort), this.#file];
      const child = endsWithTests(spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] }));
      this.#running.set(name, { child, exit: once(child, "exit") });
      await once(child.stdout, "data");
      return;
    }
    const own = name === "worker" ? { PORT: "0" } : {};
    const args = name === "worker" ? ["work"] : "TENON_DATABASE_URL" in this.#place.env ? ["serve", "--no-sync"] : ["serve"];
    const running: Running = this.#processes.start({ ...this.#place.env, ...own }, args);
    this.#running.set(name, running);
    await running.url();
  }

  async kill(name: string): Promise<void> {
    const { child, exit } = this.#running.get(name) ?? {};
    child?.kill("SIGKILL");
    await exit;
    await this.#place.release();
  }

  async end(): Promise<void> {
    for (const name of this.#running.keys()) await this.kill(name);
  }

  /** A response; undefined where the service is not there. */
  async ask<Body>(method: string, path: string, body?: object): Promise<Body | undefined> {
    const init = { method, headers: authorized, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(this.#url + path, init).catch(() => undefined);
    if (response === undefined || response.status >= 300) return undefined;
    return (await response.json().catch(() => undefined)) as Body | undefined;
  }

  async subscribe(): Promise<{ readonly id: string; readonly cursor: string }> {
    const begin = await this.ask<FeedAnswer>("GET", `${connector}/changes?cursor=latest`);
    const cursor = begin?.meta.cursor ?? "";
    const url = `http://127.0.0.1:${this.#receiverPort}/`;
    const made = await this.ask<{ data: { id: string } }>("POST", "/api/v1/subscriptions", {
      connector_id: "github",
      url,
      cursor,
    });
    return { id: made?.data.id ?? "", cursor };
  }

  async cached(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [entity, fields] of [
      ["issues", ["id", "title", "body"]],
      ["comments", ["id", "body"]],
    ] as const) {
      const params = { query: {}, fields, limit: 10_000 };
      const body = await this.ask<{ data: Record<string, string>[] }>("POST", `${connector}/execute`, {
        entity,
        action: "context_store_search",
        params,
      });
      for (const { id = "", title, body: text } of body?.data ?? [])
        found[id] = `${title === undefined ? "" : `${title} `}${text ?? ""}`;
    }
    return found;
  }

  async committed(from: string): Promise<FeedEntry[]> {
    const all: FeedEntry[] = [];
    for (let cursor = from; ; ) {
      const page = await this.ask<FeedAnswer>("GET", `${connector}/changes?limit=1000&cursor=${cursor}`);
      if (page === undefined) throw new Error("the changes could not be read");
      expect(page.meta.truncated).toBe(false);
      all.push(...page.data);
      if (!page.meta.has_more) return all;
      cursor = page.meta.cursor;
    }
  }

  received(): FeedEntry[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").split("\n");
    return lines.flatMap((line) => {
      try {
        return line === "" ? [] : [(JSON.parse(line) as { body: { data: FeedEntry } }).body.data];
      } catch {
        // The receiver was killed before it responded.
        return [];
      }
    });
  }
}

async function histories(processes: Processes, place: Place, targets: readonly string[]): Promise<void> {
  const { platform } = processes;
  const ports = { service: Number(place.env["PORT"]), receiver: await freePort() };
  const way = new Way(processes, place, ports);
  try {
    await history(way, platform, targets, ports.service);
  } finally {
    await way.end();
  }
}

async function history(way: Way, platform: Platform, targets: readonly string[], port: number): Promise<void> {
  const random = createRandom(seed);
  const { world } = platform;
  world.hooks = [];
  for (const name of [...targets].reverse()) await way.start(name);
  const isSynced = async () => {
    const body = await way.ask<{ meta: { running: boolean }; data: { state: string; scope: string }[] }>(
      "GET",
      `${connector}/sync`,
    );
    const own = body?.data.filter((one) => one.scope === scope) ?? [];
    return body?.meta.running === false && own.length > 0 && own.every(({ state }) => state === "complete");
  };
  await expect.poll(isSynced, { timeout: 120_000, interval: 100 }).toBe(true);
  const hook = await way.ask("POST", `${connector}/webhooks`, { scope, url: `http://127.0.0.1:${port}` });
  expect(hook).toMatchObject({ data: { status: "done" } });
  const { id, cursor } = await way.subscribe();
  /** The pauses between the attempts of a day are over. */
  const hurry = () => way.ask("PATCH", `/api/v1/subscriptions/${id}`, { state: "active" });

  const killed = new Map(targets.map((name) => [name, 0]));
  let rounds = 0;
  for (let count = 0; count < kills; rounds++) {
    world.hookSender.trouble = usual;
    for (let changes = 1 + random.below(6); changes > 0; changes--) change(random, hello(world));
    world.hookSender.tell(world.hooks);
    await pause(random.below(isLong ? 1_500 : 600));
    // At times several go at once, so that nobody is left who has what the others have lost.
    const names = targets.filter((_, at) => at === rounds % targets.length || random.chance(0.4));
    await Promise.all(names.map((name) => way.kill(name)));
    await Promise.all(names.map((name) => way.start(name)));
    count += names.length;
    for (const name of names) killed.set(name, (killed.get(name) ?? 0) + 1);
    await hurry();
  }

  world.hookSender.trouble = { late: 0, twice: 0, lost: 0 };
  await world.hookSender.idle();
  // What was lost on the way, as the schedule finds it. It is refused while another process has a part of the scope.
  const begin = () => way.ask("POST", `${connector}/sync`, { scopes: [scope], full: true });
  await expect.poll(begin, { timeout: 120_000, interval: 500 }).toBeDefined();
  await expect.poll(() => way.cached(), { timeout: 120_000, interval: 200 }).toEqual(expected(hello(world)));
  await expect.poll(isSynced, { timeout: 120_000, interval: 100 }).toBe(true);
  await hurry();
  const missing = async () => {
    await hurry();
    const got = new Set(way.received().map(({ sequence }) => sequence));
    return (await way.committed(cursor)).filter(({ sequence }) => !got.has(sequence)).map(({ sequence }) => sequence);
  };
  await expect.poll(missing, { timeout: 120_000, interval: 500 }).toEqual([]);
  const { length: changes } = await way.committed(cursor);
  expect(changes).toBeGreaterThan(rounds);
  if (isLong) console.log({ killed: Object.fromEntries(killed), rounds, changes, received: way.received().length });
  for (const [, own] of Map.groupBy(way.received(), ({ entity, key }) => JSON.stringify([entity, key]))) {
    const firsts = [...new Set(own.map(({ sequence }) => sequence))];
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  }
}

function environment(platform: Platform, port: number, dataDir: string, more: Record<string, string> = {}) {
  return {
    ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
    ...{ TENON_API_KEY: apiKey, TENON_SECRET_KEY: "canary-secret-key-of-the-kill-tests", TENON_ALLOW_PRIVATE_ADDRESSES: "true" },
    ...{ TENON_SYNC_SCOPES: `github:${scope}`, TENON_DATA_DIR: dataDir, PORT: String(port), ...more },
  };
}

describe("changes on their way from webhook to receiver", () => {
  const time = 240_000 + kills * 20_000;

  it(
    `are complete after ${kills} kills, over SQLite`,
    () =>
      withProcesses(async (processes) => {
        const dataDir = processes.folder();
        const release = async () => {
          const files = { "context-store.sqlite": "store_leases", "accounts.sqlite": "account_subscriptions" };
          for (const [file, table] of Object.entries(files)) {
            const db = new Database(join(dataDir, file), { timeout: 10_000 });
            db.exec(`UPDATE ${table} SET until = 0`);
            db.close();
          }
        };
        const env = environment(processes.platform, await freePort(), dataDir);
        // One process has the file, so that the service is the worker too.
        await histories(processes, { env, release }, ["service", "receiver"]);
      }),
    time,
  );

  it.skipIf(!hasServer || !isLong)(
    `are complete after ${kills} kills, over PostgreSQL`,
    () =>
      withProcesses(async (processes) => {
        const database = await startOnServer();
        const direct = database.open();
        const release = async () => {
          await direct.run(sql`UPDATE store_leases SET until = 0`);
          await direct.run(sql`UPDATE account_subscriptions SET until = 0`);
        };
        const more = { TENON_DATABASE_URL: database.url ?? "" };
        const env = environment(processes.platform, await freePort(), processes.folder(), more);
        try {
          await histories(processes, { env, release }, ["service", "worker", "receiver"]);
        } finally {
          await direct.close();
          await database.close();
        }
      }),
    time,
  );
});
