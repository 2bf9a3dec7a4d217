import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { github } from "../../../generated/github/index.ts";
import type { Connector, FieldTree } from "../../../runtime/contract/index.ts";
import { type ConnectorInstance, connect } from "../../../runtime/execute/index.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import type { Store, SyncState } from "../../../runtime/store/store.ts";
import { type EntityResult, readScopes, type SyncOptions, type SyncResult, sync } from "../../../runtime/sync/index.ts";
import { tokenCredential } from "../../support/credential.ts";
import { unpaced } from "../../support/fake-instance.ts";
import type { Platform } from "../../support/github/start.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What every test syncs unless it says otherwise: all kinds of scope, so that all entities are filled. */
export const allScopes = ["repository=octocat/hello-world", "organization=tenon-labs", "user=octocat"];
export const hello = "repository=octocat/hello-world";
export const entities = Object.keys(github.entities).filter((name) => github.entities[name]?.sync.length !== 0);

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

export async function openCache(platform: Pick<Platform, "url" | "graphqlUrl">, given: CacheOptions = {}): Promise<Cache> {
  const { name = "github", from, connector = unpaced } = given;
  const dataDir = given.dataDir ?? newFolder();
  if (from !== undefined) cpSync(from, dataDir, { recursive: true });
  const told: string[] = [];
  // One thread for searches: most tests search once or twice, and each thread takes a tenth of a second to start.
  const options = { dataDir, plans: plansOf(connector), readers: 1, searchTime: 20_000 };
  const store = new SqliteStore({ ...options, tell: (text) => told.push(text) });
  const calls: string[] = [];
  const before = async (operation: string) => {
    calls.push(operation);
    await given.before?.(operation);
  };
  const instance = instanceOn(platform, store, name, connector, before, given.answer);
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
      if (given.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
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

const silent = pino({ level: "silent" });

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
    log: silent,
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

export function entityNamed(name: string) {
  const found = github.entities[name];
  if (found === undefined) throw new Error(`there is no entity ${name}`);
  return found;
}

export async function recordsOf(store: Store, { connector, storeName }: ConnectorInstance, entity: string): Promise<Row[]> {
  const fields: FieldTree = new Map(storedFields(entity).map((name) => [name, null]));
  const collection = { connector: connector.name, instance: storeName, entity };
  const { json, more } = await store.search(
    collection,
    { sort: [], limit: 10_000, fields, explain: false },
    performance.now() + 20_000,
  );
  if (more) throw new Error("more records than the test reads");
  return JSON.parse(new TextDecoder().decode(json));
}

/** What a sync said of one entity. */
export function resultOf(result: SyncResult, entity: string, scope?: string): EntityResult {
  const found = result.entities.find((one) => one.entity === entity && (scope === undefined || one.scope === scope));
  if (found === undefined) throw new Error(`nothing was said of ${entity}`);
  return found;
}

/** What a sync changed, by entity, where it changed anything. */
export function changes(result: SyncResult): Record<string, Pick<EntityResult, "inserted" | "changed" | "removed">> {
  return Object.fromEntries(
    result.entities
      .filter(({ inserted, changed, removed }) => inserted + changed + removed > 0)
      .map(({ entity, inserted, changed, removed }) => [entity, { inserted, changed, removed }]),
  );
}
