import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { github } from "../../../generated/github/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { Connector, FieldTree } from "../../../runtime/contract/index.ts";
import { type ConnectorInstance, connect, execute } from "../../../runtime/execute/index.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import type { Store, SyncState } from "../../../runtime/store/store.ts";
import { type EntityResult, readScopes, type SyncOptions, type SyncResult, sync } from "../../../runtime/sync/index.ts";
import type { Platform } from "../../../spec/github/simulator/start.ts";
import { ownerToken } from "../../../spec/github/simulator/tokens.ts";
import { tokenCredential } from "../../support/credential.ts";
import { unpaced } from "../../support/fake-instance.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What every test syncs unless it says otherwise: all kinds of scope, so that all entities are filled. */
export const allScopes = ["repository=octocat/hello-world", "organization=tenon-labs", "user=octocat"];
export const hello = "repository=octocat/hello-world";
export const entities = Object.keys(github.entities);

export interface GraphqlBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface CacheOptions {
  /** Name of the instance in the store. */
  readonly name?: string;
  /** Copy of this folder; else an empty one. */
  readonly from?: string;
  /** This very folder, which stays. */
  readonly dataDir?: string;
  readonly connector?: Connector;
  /** Called before each request goes to the platform, with the name of its GraphQL operation. */
  readonly before?: (operation: string) => unknown;
  /** Body of an answer that stands in for the platform's own to this GraphQL operation; undefined asks the platform. */
  readonly answer?: (operation: string, body: GraphqlBody) => object | undefined;
}

/** A store and an instance of the simulated platform, put together as the service does. */
export interface Cache {
  readonly dataDir: string;
  readonly file: string;
  readonly store: SqliteStore;
  readonly instance: ConnectorInstance;
  /** Names of the GraphQL operations that went to the platform. */
  readonly calls: string[];
  /** What the store told of tables that it made anew. */
  readonly told: readonly string[];
  sync(scopes?: readonly string[], options?: Partial<SyncOptions>): Promise<SyncResult>;
  records(entity: string): Promise<Row[]>;
  states(): Promise<SyncState[]>;
  close(): Promise<void>;
}

export function plansOf(connector: Connector) {
  return { [connector.name]: Object.fromEntries(Object.entries(connector.entities).map(([name, { store }]) => [name, store])) };
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "tenon-cache-"));
}

export async function openCache(platform: Pick<Platform, "url" | "graphqlUrl">, options: CacheOptions = {}): Promise<Cache> {
  const { name = "github", from, connector = unpaced } = options;
  const dataDir = options.dataDir ?? newFolder();
  if (from !== undefined) cpSync(from, dataDir, { recursive: true });
  const told: string[] = [];
  const store = new SqliteStore({ dataDir, plans: plansOf(connector), tell: (text) => told.push(text), searchTime: 20_000 });
  const calls: string[] = [];
  const before = async (operation: string) => {
    calls.push(operation);
    await options.before?.(operation);
  };
  const instance = instanceOn(platform, store, name, connector, before, options.answer);
  await store.ready;
  return {
    dataDir,
    file: join(dataDir, "context-store.sqlite"),
    store,
    instance,
    calls,
    told,
    sync: (scopes = allScopes, more = {}) => syncWith(instance, store, scopes, more),
    records: (entity) => recordsOf(store, instance, entity),
    states: () => store.states({ connector: connector.name, instance: name }),
    close: async () => {
      await store.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function instanceOn(
  platform: Pick<Platform, "url" | "graphqlUrl">,
  store: Store,
  name: string,
  connector: Connector,
  before: (operation: string) => unknown = () => undefined,
  answer: CacheOptions["answer"] = () => undefined,
): ConnectorInstance {
  return connect({
    id: "github",
    workspace: "default",
    connector,
    endpoints: { rest: platform.url, graphql: platform.graphqlUrl },
    credential: async () => tokenCredential(ownerToken),
    userAgent: "tenon/test",
    redact: (text) => text,
    store,
    storeName: name,
    fetch: async (input, init) => {
      const body = JSON.parse(String(init?.body ?? "{}")) as GraphqlBody;
      const operation = /query (\w+)/.exec(String(body.query))?.[1] ?? String(input);
      await before(operation);
      const instead = answer(operation, body);
      return instead === undefined ? fetch(input, init) : Response.json(instead);
    },
  });
}

export function syncWith(
  instance: ConnectorInstance,
  store: Store,
  scopes: readonly string[],
  more: Partial<SyncOptions> = {},
): Promise<SyncResult> {
  return sync(instance, store, {
    scopes: readScopes(instance.connector, scopes),
    full: false,
    massDelete: false,
    signal: new AbortController().signal,
    log: pino({ level: "silent" }),
    ...more,
  });
}

/** Fields that are kept: those given without asking, and the searchable ones. */
export function storedFields(entity: string): string[] {
  const { record, store } = entityNamed(entity);
  return Object.entries(record.fields).flatMap(([name, { onRequest }]) =>
    onRequest !== true || name in store.fields ? [name] : [],
  );
}

function entityNamed(name: string) {
  const found = github.entities[name];
  if (found === undefined) throw new Error(`there is no entity ${name}`);
  return found;
}

export async function recordsOf(store: Store, { connector, storeName }: ConnectorInstance, entity: string): Promise<Row[]> {
  const fields: FieldTree = new Map(storedFields(entity).map((name) => [name, null]));
  const shelf = { connector: connector.name, instance: storeName, entity };
  const { json, more } = await store.search(
    shelf,
    { sort: [], limit: 10_000, fields, explain: false },
    performance.now() + 20_000,
  );
  if (more) throw new Error("more records than the test reads");
  return JSON.parse(new TextDecoder().decode(json));
}

/** The key of a record as a text, made here by the plan alone. */
export function keyOf(entity: string, record: Row): string {
  const at = (path: string) =>
    path.split(".").reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], record);
  return JSON.stringify(entityNamed(entity).store.key.map((path) => at(path) ?? null));
}

/** Records by key, so that two sets of them can be compared. Two of one key are a fault. */
export function byKey(entity: string, records: readonly Row[]): Record<string, Row> {
  const found: Record<string, Row> = {};
  for (const record of records) {
    const key = keyOf(entity, record);
    if (Object.hasOwn(found, key)) throw new Error(`two records of ${entity} have the key ${key}`);
    found[key] = record;
  }
  return found;
}

/** What the live actions give for scopes, walked completely: each record once, with the values of all places where it was found. */
export async function liveRecords(
  instance: ConnectorInstance,
  scopes: readonly string[] = allScopes,
  only: readonly string[] = entities,
): Promise<Record<string, Row[]>> {
  return (await liveCache(instance, scopes, only)).records;
}

/** Joins what is one record, which may differ only in its relation fields. */
function joined(entity: string, rows: readonly Row[]): Row[] {
  const fields = Object.entries(entityNamed(entity).store.fields);
  const relations = fields.flatMap(([name, { list }]) => (list?.relation === undefined ? [] : [name]));
  const found = new Map<string, Row>();
  for (const row of rows) {
    const before = found.get(keyOf(entity, row)) ?? row;
    const union = (name: string) => [...new Set([before[name], row[name]].flat())].sort();
    const both = Object.fromEntries(relations.map((name) => [name, union(name)]));
    found.set(keyOf(entity, row), { ...row, ...both });
  }
  return [...found.values()];
}

/**
 * As {@link liveRecords}, and how many records of each entity belong to the scopes, where a record counts in each of its scopes. Says by
 * hand what belongs to a scope; knows nothing of `sync:` in the specs.
 */
export async function liveCache(
  instance: ConnectorInstance,
  scopes: readonly string[],
  only: readonly string[],
): Promise<{ records: Record<string, Row[]>; counts: Record<string, number> }> {
  const places: Record<string, Set<string>> = Object.fromEntries(entities.map((entity) => [entity, new Set()]));
  let within = "account";
  const found: Record<string, Row[]> = Object.fromEntries(entities.map((entity) => [entity, []]));
  const read = async (entity: string, action: "get" | "list", params: object): Promise<Row[]> => {
    const rows: Row[] = [];
    const inner = {
      issues: ["comments"],
      pull_requests: ["comments", "reviews", "pr_comments"],
      projects: ["project_items"],
      directory_content: ["file_content"],
    };
    const needed = [entity, ...(Object.entries(inner).find(([name]) => name === entity)?.[1] ?? [])];
    if (!needed.some((one) => only.includes(one))) return rows;
    const { operation } = entityNamed(entity).actions[action] ?? {};
    const paged = action === "list" && operation?.kind === "graphql-list" && operation.items !== undefined;
    for (let after: unknown; ; ) {
      const more = {
        fields: storedFields(entity),
        ...(paged ? { per_page: 100, ...(after === undefined ? {} : { after }) } : {}),
      };
      const { data, meta } = await execute(
        instance,
        { entity, action, params: { ...params, ...more } },
        { timeout: 20_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "live" },
      ).catch((thrown: unknown) => {
        throw thrown instanceof TenonError
          ? new Error(`${entity}.${action} ${thrown.message} ${JSON.stringify(thrown.faults)}`)
          : thrown;
      });
      rows.push(...((Array.isArray(data) ? data : [data]) as Row[]));
      if (meta["has_next_page"] !== true) break;
      after = meta["end_cursor"];
    }
    found[entity]?.push(...rows);
    for (const row of rows) places[entity]?.add(`${within} ${keyOf(entity, row)}`);
    return rows;
  };
  await read("viewer", "get", {});
  await read("viewer_repositories", "list", {});
  for (const scope of scopes) {
    const [kind, value = ""] = scope.split("=");
    within = scope;
    if (kind === "organization") {
      await read("organizations", "get", { org: value });
      for (const entity of ["org_repositories", "users", "teams"]) await read(entity, "list", { org: value });
      for (const { number } of await read("projects", "list", { org: value }))
        await read("project_items", "list", { org: value, project_number: number });
    } else if (kind === "user") {
      await read("users", "get", { username: value });
      await read("repositories", "list", { username: value });
      await read("organizations", "list", { username: value });
    } else {
      const [owner, repo] = value.split("/");
      const place = { owner, repo };
      await read("repositories", "get", place);
      for (const entity of ["branches", "tags", "commits", "labels", "milestones", "releases", "stargazers", "discussions"])
        await read(entity, "list", place);
      for (const { number } of await read("issues", "list", place)) await read("comments", "list", { ...place, number });
      for (const { number } of await read("pull_requests", "list", place))
        for (const entity of ["comments", "reviews", "pr_comments"]) await read(entity, "list", { ...place, number });
      const folder = async (path: string): Promise<void> => {
        for (const entry of await read("directory_content", "list", { ...place, path })) {
          const inner = String(entry["path"]);
          if (entry["type"] === "tree") await folder(inner);
          else if (entry["type"] === "blob" && Number(entry["size"]) <= 512_000 && !excluded(inner))
            await read("file_content", "get", { ...place, path: inner });
        }
      };
      await folder("");
    }
  }
  return {
    records: Object.fromEntries(Object.entries(found).map(([entity, rows]) => [entity, joined(entity, rows)])),
    counts: Object.fromEntries(Object.entries(places).map(([entity, all]) => [entity, all.size])),
  };
}

/** Files that are not worth keeping, as the documentation says. */
function excluded(path: string): boolean {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  return (
    parts.slice(0, -1).some((part) => ["node_modules", "vendor", "dist"].includes(part)) ||
    name.includes(".min.") ||
    name.endsWith(".lock") ||
    name === "package-lock.json"
  );
}

/** What a sync said of one entity. */
export function resultOf(result: SyncResult, entity: string, scope?: string): EntityResult {
  const found = result.entities.find((one) => one.entity === entity && (scope === undefined || one.scope === scope));
  if (found === undefined) throw new Error(`nothing was said of ${entity}`);
  return found;
}
