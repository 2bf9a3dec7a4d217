import { binaryArray, type Queries } from "../../../postgres/index.ts";
import { type Sql, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { type Layout, wideColumns } from "./layout.ts";
import type { WriteTarget } from "./target.ts";

// The rows of `store_layouts`. A layout is known by its entity and its version, which is a digest of the plan. Layouts are ordered by the
// time at which the first process with each of them was started: by their ids, or by their places where somebody went back to an older one.

/**
 * - `none`: it has no tables.
 * - `filling`: its tables are filled beside those of the current layout, and nobody searches them.
 * - `filled`: they can be searched. Where another layout is current, its changes are copied to them.
 * - `left`: no process uses them any longer, and they may be dropped.
 */
export type LayoutState = "none" | "filling" | "filled" | "left";

/** A layout as the database has it. */
export interface LayoutRow {
  readonly id: number;
  readonly version: string;
  readonly state: LayoutState;
  /** A layout with a higher number is newer. */
  readonly number: number;
  /** JSON of the fields of the key. */
  readonly key: string;
  /** JSON of the fields with long texts, each with the name of its column. */
  readonly texts: string;
  /** JSON of the fields that are searched by meaning. */
  readonly semantic: string;
  /** How far its tables are filled. */
  readonly inst: number;
  readonly k: string;
}

/** The layout of this process and the current one, which may be the same. */
export interface Standing {
  readonly own: LayoutRow;
  readonly current: LayoutRow;
}

const columns = sql`l.id, l.version, l.state, coalesce(l.place, l.id) AS number, l.key, l.texts, l.semantic, l.at_inst AS inst, l.at_key AS k`;

/** Notes layouts that the database does not know yet. @returns the ids of all of them */
export async function registerLayouts(
  queries: Pick<Queries, "query" | "run">,
  layouts: readonly { readonly entity: EntityId; readonly layout: Layout }[],
): Promise<number[]> {
  const given = layouts.map(({ entity, layout }) => ({ name: entityName(entity), layout }));
  const texts = (of: (one: (typeof given)[number]) => string) => sql`${binaryArray("text", given.map(of))}::text[]`;
  const names = texts(({ name }) => name);
  const versions = texts(({ layout }) => layout.version);
  await queries.run(
    sql`INSERT INTO store_layouts (entity, version, key, texts, semantic)
      SELECT r.* FROM unnest(${names}, ${versions}, ${texts(({ layout }) => keyOf(layout))},
        ${texts(({ layout }) => JSON.stringify(wideColumns(layout).map(({ field, name }) => [field, name])))},
        ${texts(({ layout }) => JSON.stringify(Object.keys(layout.plan.semantic?.fields ?? {})))}) AS r (entity, version, key, texts, semantic)
      WHERE NOT EXISTS (SELECT 1 FROM store_layouts l WHERE l.entity = r.entity AND l.version = r.version)
      ON CONFLICT (entity, version) DO NOTHING`,
  );
  const rows = await queries.query<{ id: number }>(
    sql`SELECT l.id FROM store_layouts l JOIN unnest(${names}, ${versions}) AS r (entity, version) USING (entity, version) ORDER BY l.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The layout of this process and the current one of an entity.
 *
 * @param lock locks the row of this process's layout first, so that only one transaction changes its tables: for a change, or so that it
 *   stays as it is
 * @returns undefined where the entity has no tables
 */
export async function standingOf(
  queries: Pick<Queries, "query">,
  entity: EntityId,
  { version }: Layout,
  lock?: "FOR UPDATE" | "FOR SHARE",
): Promise<Standing | undefined> {
  const name = entityName(entity);
  const of = sql`l.entity = ${name} AND l.version = ${version}`;
  const locked = lock === undefined ? sql`` : lock === "FOR SHARE" ? sql` FOR SHARE` : sql` FOR UPDATE`;
  const [own] = await queries.query<LayoutRow>(sql`SELECT ${columns} FROM store_layouts l WHERE ${of}${locked}`);
  const current = await currentLayout(queries, entity);
  return own === undefined || current === undefined ? undefined : { own, current };
}

/** @param lock locks the entity, so that no other layout becomes the current one, or so that nobody writes to the entity */
export async function currentLayout(
  queries: Pick<Queries, "query">,
  entity: EntityId,
  lock?: "FOR UPDATE" | "FOR SHARE",
): Promise<LayoutRow | undefined> {
  const name = entityName(entity);
  if (lock !== undefined) {
    // What the row's own statement reads of other tables may be older than the lock.
    const locked = lock === "FOR SHARE" ? sql`FOR SHARE` : sql`FOR UPDATE`;
    await queries.query(sql`SELECT 1 FROM store_entities WHERE name = ${name} ${locked}`);
  }
  const [row] = await queries.query<LayoutRow>(
    sql`SELECT ${columns} FROM store_entities e JOIN store_layouts l ON l.id = e.layout WHERE e.name = ${name}`,
  );
  return row;
}

/** The ids of the layouts to which changes of the current one are copied. */
export function followersOf(name: string): Sql {
  return sql`ARRAY (SELECT f.id FROM store_entities e JOIN store_layouts l ON l.id = e.layout
    JOIN store_layouts f ON f.entity = e.name AND f.id <> e.layout AND f.key = l.key AND f.state IN ('filling', 'filled') WHERE e.name = ${name})`;
}

/** The statements that note, for the layouts beside the one that is written, which records have changed. */
export function noteChanges({ inst, followers }: Pick<WriteTarget, "inst" | "followers">, keys: readonly string[]): Sql[] {
  if (followers.length === 0 || keys.length === 0) return [];
  return [
    sql`INSERT INTO store_changes (layout, inst, k)
      SELECT f.layout, ${inst}::integer, r.k FROM unnest(${followers}::integer[]) AS f (layout), unnest(${keys}::text[]) AS r (k) ON CONFLICT DO NOTHING`,
  ];
}

/** The key of a layout as its row has it. */
export function keyOf({ plan }: Layout): string {
  return JSON.stringify(plan.key);
}
