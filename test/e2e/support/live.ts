import { pino } from "pino";
import { expect } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import { type ConnectorInstance, execute } from "../../../runtime/execute/index.ts";
import { allScopes, type Cache, entities, entityNamed, type Row, storedFields } from "./cache.ts";

// What a cache must hold: the records that the live actions give.

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

/** Reads records with a live action, and notes where they were found. */
type ReadLive = (entity: string, action: "get" | "list", params: object) => Promise<Row[]>;

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
  const found: Record<string, Row[]> = Object.fromEntries(entities.map((entity) => [entity, []]));
  let within = "account";
  const read: ReadLive = async (entity, action, params) => {
    if (![entity, ...(below[entity] ?? [])].some((one) => only.includes(one))) return [];
    const rows = await readToEnd(instance, entity, action, params);
    found[entity]?.push(...rows);
    for (const row of rows) places[entity]?.add(`${within} ${keyOf(entity, row)}`);
    return rows;
  };
  await read("viewer", "get", {});
  await read("viewer_repositories", "list", {});
  for (const scope of scopes) {
    within = scope;
    const [kind, value = ""] = scope.split("=");
    if (kind === "organization") await readOrganization(read, value);
    else if (kind === "user") await readUser(read, value);
    else await readRepository(read, value);
  }
  return {
    records: Object.fromEntries(Object.entries(found).map(([entity, rows]) => [entity, joined(entity, rows)])),
    counts: Object.fromEntries(Object.entries(places).map(([entity, all]) => [entity, all.size])),
  };
}

/** Entities whose records are read for each record of another one, by that one. */
const below: Readonly<Record<string, readonly string[]>> = {
  issues: ["comments"],
  pull_requests: ["comments", "reviews", "pr_comments"],
  projects: ["project_items"],
  directory_content: ["file_content"],
};

const silent = pino({ level: "silent" });

async function readToEnd(instance: ConnectorInstance, entity: string, action: "get" | "list", params: object): Promise<Row[]> {
  const rows: Row[] = [];
  const { operation } = entityNamed(entity).actions[action] ?? {};
  const paged = action === "list" && operation?.kind === "graphql-list" && operation.items !== undefined;
  for (let after: unknown; ; ) {
    const page = paged ? { per_page: 100, ...(after === undefined ? {} : { after }) } : {};
    const { data, meta } = await execute(
      instance,
      { entity, action, params: { ...params, fields: storedFields(entity), ...page } },
      { timeout: 20_000, signal: new AbortController().signal, log: silent, requestId: "live" },
    ).catch((thrown: unknown) => {
      throw thrown instanceof TenonError
        ? new Error(`${entity}.${action} ${thrown.message} ${JSON.stringify(thrown.faults)}`)
        : thrown;
    });
    rows.push(...((Array.isArray(data) ? data : [data]) as Row[]));
    if (meta["has_next_page"] !== true) return rows;
    after = meta["end_cursor"];
  }
}

async function readOrganization(read: ReadLive, org: string): Promise<void> {
  await read("organizations", "get", { org });
  for (const entity of ["org_repositories", "users", "teams"]) await read(entity, "list", { org });
  for (const { number } of await read("projects", "list", { org }))
    await read("project_items", "list", { org, project_number: number });
}

async function readUser(read: ReadLive, username: string): Promise<void> {
  await read("users", "get", { username });
  await read("repositories", "list", { username });
  await read("organizations", "list", { username });
}

async function readRepository(read: ReadLive, name: string): Promise<void> {
  const [owner, repo] = name.split("/");
  const place = { owner, repo };
  await read("repositories", "get", place);
  for (const entity of ["branches", "tags", "commits", "labels", "milestones", "releases", "stargazers", "discussions"])
    await read(entity, "list", place);
  for (const { number } of await read("issues", "list", place)) await read("comments", "list", { ...place, number });
  for (const { number } of await read("pull_requests", "list", place))
    for (const entity of ["comments", "reviews", "pr_comments"]) await read(entity, "list", { ...place, number });
  await readFolder(read, place, "");
}

async function readFolder(read: ReadLive, place: object, path: string): Promise<void> {
  for (const entry of await read("directory_content", "list", { ...place, path })) {
    const inner = String(entry["path"]);
    if (entry["type"] === "tree") await readFolder(read, place, inner);
    else if (entry["type"] === "blob" && Number(entry["size"]) <= 512_000 && !excluded(inner))
      await read("file_content", "get", { ...place, path: inner });
  }
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

/** Expects that a cache holds exactly the records that the platform shows, each once, and that its counts are right. */
export async function expectEqual(
  cache: Cache,
  scopes: readonly string[] = allScopes,
  only: readonly string[] = entities,
): Promise<void> {
  const live = await liveCache(cache.instance, scopes, only);
  const counted: Record<string, number> = {};
  for (const { entity, records } of await cache.states()) counted[entity] = (counted[entity] ?? 0) + records;
  for (const entity of only) {
    const records = await cache.records(entity);
    expect(byKey(entity, records), entity).toEqual(byKey(entity, live.records[entity] ?? []));
    expect(counted[entity] ?? 0, `count of ${entity}`).toBe(live.counts[entity]);
  }
}
