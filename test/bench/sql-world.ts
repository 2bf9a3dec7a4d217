import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import type { StorePlan } from "../../runtime/contract/index.ts";
import { openDatabase } from "../../runtime/postgres/index.ts";
import type { EmbeddingProvider } from "../../runtime/semantic/provider.ts";
import { raw } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { layoutOf as postgresLayout } from "../../runtime/store/postgres/tables/layout.ts";
import type { EmbeddingQueue, SemanticStore } from "../../runtime/store/semantic.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { layoutOf as sqliteLayout } from "../../runtime/store/sqlite/tables/layout.ts";
import type { Store } from "../../runtime/store/store.ts";
import { Embedder } from "../../runtime/sync/index.ts";
import { findPrograms, makeCluster, openCluster } from "../support/postgres/cluster.ts";
import { settings } from "./postgres-server.ts";
import { Records } from "./search-records.ts";

// Issues, their comments, and a few pull requests with an index of meaning, in both stores. The folders are kept for the next run.

function planOf(entity: string): StorePlan {
  const plan = github.entities[entity]?.store;
  if (plan === undefined) throw new Error(`the connector has no ${entity}`);
  return plan;
}

/** Without an index of meaning, which would take an hour to make. */
function plain({ semantic: _, ...plan }: StorePlan): StorePlan {
  return plan;
}

export const plans = {
  github: { issues: plain(planOf("issues")), comments: plain(planOf("comments")), pull_requests: planOf("pull_requests") },
};
export type Entity = keyof (typeof plans)["github"];
export const instance = { connector: "github", instance: "bench" } as const;
export type BenchStore = Store & SemanticStore & EmbeddingQueue;

const batch = 2_000;
/** Raised when the records change. */
const version = 1;
const pullRequests = 5_000;
const day = 86_400_000;

/** The records of an entity, one by one. Texts are short, because statements read columns. */
function* recordsOf(entity: Entity, issues: Records, comments: number): Generator<Record<string, unknown>> {
  if (entity === "issues")
    for (let at = 0; at < issues.size; at++) {
      const record = issues.record(at);
      yield { ...record, body: record.body.slice(0, 80) };
    }
  const count = entity === "comments" ? comments : entity === "issues" ? 0 : pullRequests;
  for (let at = 0; at < count; at++) {
    // Some issues have many comments, and most have few.
    const issue = issues.record(Math.floor((((at * 0x9e3779b1) % 2 ** 32) / 2 ** 32) * issues.size));
    const created = new Date(Date.parse(issue.createdAt) + (at % 97) * day).toISOString().replace(".000Z", "Z");
    const { number, repository, author, state } = issue;
    const common = {
      id: `${entity}_${at}`,
      databaseId: at,
      repository,
      author,
      createdAt: created,
      updatedAt: created,
      url: `https://github.com/${repository}/${entity}/${at}`,
    };
    yield entity === "comments"
      ? { ...common, number, body: issue.body.slice(0, 60) }
      : {
          ...common,
          number: number + 1_000_000,
          title: issue.title,
          body: issue.body.slice(0, 400),
          state,
          isDraft: at % 9 === 0,
          labels: [],
          assignees: [],
          closedAt: null,
          mergedAt: null,
        };
  }
}

export interface SqlPlace {
  readonly store: BenchStore;
  /** Folder of the file, or address of the database. */
  readonly at: string;
  stop(): Promise<void>;
}

/** @param size how many issues and comments together */
export async function openPlaces(size: number, provider: EmbeddingProvider, say: (text: string) => void) {
  const sqlite = await sqlitePlace(size, provider, say);
  try {
    return { sqlite, postgres: await postgresPlace(size, provider, say) };
  } catch (thrown) {
    await sqlite.stop();
    throw thrown;
  }
}

function digest(size: number, parts: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([version, size, plans, parts]))
    .digest("hex");
}

async function sqlitePlace(size: number, provider: EmbeddingProvider, say: (text: string) => void): Promise<SqlPlace> {
  const at = resolve(".cache/bench", `sql-${size}`);
  const made = digest(
    size,
    Object.entries(plans.github).map(([entity, plan]) => sqliteLayout("github", entity, plan).version),
  );
  const isThere = await prepared(at, made);
  if (!isThere) mkdirSync(at, { recursive: true });
  const store = new SqliteStore({ dataDir: at, plans, searchTime: 30_000 });
  await store.ready;
  if (!isThere) {
    await fill(store, size, provider, (text) => say(`SQLite: ${text}`));
    await store.tidied;
    writeFileSync(join(at, "loaded"), made);
  }
  return { store, at, stop: async () => void (await store.close()) };
}

async function postgresPlace(size: number, provider: EmbeddingProvider, say: (text: string) => void): Promise<SqlPlace> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("this bench needs the programs of PostgreSQL");
  const folder = resolve(".cache/bench", `sql-postgres-${size}`);
  const made = digest(
    size,
    Object.entries(plans.github).map(([entity, plan]) => postgresLayout("github", entity, plan)),
  );
  const isThere = await prepared(folder, made);
  const cluster = isThere ? await openCluster(programs, folder) : await makeCluster(programs, folder, true, settings);
  const at = cluster.url("postgres");
  const database = openDatabase(at, { connections: 12 });
  const store = new PostgresStore({ database, plans, searchTime: 30_000 });
  await store.ready;
  if (!isThere) {
    await fill(store, size, provider, (text) => say(`PostgreSQL: ${text}`));
    await database.alone(raw("VACUUM ANALYZE"));
    writeFileSync(join(folder, "loaded"), made);
  }
  const stop = async () => {
    await store.close();
    await database.close();
    await cluster.stop("fast");
  };
  return { store, at, stop };
}

/** Whether a folder has what this run would make; otherwise it is removed. */
async function prepared(folder: string, made: string): Promise<boolean> {
  const note = join(folder, "loaded");
  if (existsSync(note) && readFileSync(note, "utf8") === made) return true;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(resolve(".cache/bench"), { recursive: true });
  return false;
}

async function fill(store: BenchStore, size: number, provider: EmbeddingProvider, say: (text: string) => void): Promise<void> {
  const issues = new Records(Math.round(size * 0.3));
  for (const entity of Object.keys(plans.github) as Entity[]) {
    const started = performance.now();
    const scope = { ...instance, entity, scope: "repository=bench/all" };
    let page: Record<string, unknown>[] = [];
    const save = async () => {
      await store.save(scope, { records: page, checkpoint: { run: 1, full: false, step: 0 } });
      page = [];
    };
    for (const record of recordsOf(entity, issues, size - issues.size)) if (page.push(record) === batch) await save();
    await save();
    await store.finish(scope, { run: 1, full: true, step: 0 }, { massDelete: false, parents: [] });
    say(`${entity} in ${Math.round((performance.now() - started) / 1000)} s`);
  }
  const embedder = new Embedder(store, provider, pino({ level: "silent" }));
  embedder.start();
  await embedder.drained(AbortSignal.timeout(600_000), () => undefined);
  await embedder.stop();
}
