import { createHash } from "node:crypto";
import { binaryArray, type Queries } from "../../../postgres/index.ts";
import { type Sql, sql } from "../../../sql/index.ts";
import type { EntityId } from "../../catalogue.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import type { WriteTarget } from "../tables/target.ts";
import type { Row } from "./rows.ts";

// Which texts are embedded. It is kept in the transactions that change the records, so it survives a crash.

/** How many transactions the removed passages are listed for. A process that has missed more reads the whole index again. */
export const removedRevisions = 10_000;

/** What is needed of a row to note its texts. */
export interface QueuedRow {
  readonly key: string;
  /** The digests of the texts, by the names of the fields. */
  readonly digests: Readonly<Record<string, string>>;
}

export function queuedRow(layout: Layout, { key, values }: Pick<Row, "key" | "values">): QueuedRow {
  const digests = Object.keys(layout.plan.semantic?.fields ?? {}).map((field) => {
    const column = columnNamed(layout, field);
    const text = String((column.kind === "key" ? key : values[column.name]) ?? "");
    return [field, createHash("sha256").update(text).digest("base64url")];
  });
  return { key, digests: Object.fromEntries(digests) };
}

/** Notes the texts of rows that were written. */
export async function queueTexts(
  queries: Queries,
  target: Pick<WriteTarget, "layout" | "inst" | "entity">,
  rows: readonly QueuedRow[],
): Promise<void> {
  const fields = await textFields(queries, target);
  for (const statement of queueStatements(target, fields, rows)) await queries.run(statement);
}

/** The ids of the fields of an entity whose texts are embedded. */
export async function textFields(
  queries: Queries,
  { layout, inst, entity }: Pick<WriteTarget, "layout" | "inst" | "entity">,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const field of Object.keys(layout.plan.semantic?.fields ?? {}))
    ids.set(field, await makeField(queries, inst, entity, field));
  return ids;
}

/** The statements that note the texts of rows. Those that are new or have changed wait to be embedded by every model. */
export function queueStatements(
  { inst }: Pick<WriteTarget, "inst">,
  fields: ReadonlyMap<string, number>,
  rows: readonly QueuedRow[],
): Sql[] {
  if (rows.length === 0) return [];
  const keys = binaryArray(
    "text",
    rows.map(({ key }) => key),
  );
  return [...fields].map(([field, id]) => {
    const digests = binaryArray(
      "text",
      rows.map((row) => row.digests[field] ?? ""),
    );
    return sql`WITH changed AS (
        INSERT INTO semantic_texts AS t (inst, field, k, digest, version)
        SELECT ${inst}::integer, ${id}::integer, r.k, r.digest, 1 FROM unnest(${keys}::text[], ${digests}::text[]) AS r (k, digest)
        WHERE (SELECT s.digest FROM semantic_texts s WHERE s.inst = ${inst} AND s.field = ${id} AND s.k = r.k) IS DISTINCT FROM r.digest
        ON CONFLICT (inst, field, k) DO UPDATE SET digest = excluded.digest, version = t.version + 1 WHERE t.digest <> excluded.digest
        RETURNING id, version)
      INSERT INTO semantic_queue (inst, model, text, field, version)
      SELECT ${inst}::integer, m.id, c.id, ${id}::integer, c.version FROM changed c CROSS JOIN semantic_models m
      ON CONFLICT (inst, model, text) DO UPDATE SET version = excluded.version`;
  });
}

/** Removes the texts of records that were removed. */
export async function dropTexts(
  queries: Queries,
  { layout, inst, entity, revision }: WriteTarget,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0 || layout.plan.semantic === undefined) return;
  const fields = sql`SELECT id FROM semantic_fields WHERE inst = ${inst} AND entity = ${entity}`;
  const texts = await queries.query<{ id: number }>(
    sql`DELETE FROM semantic_texts WHERE inst = ${inst} AND field IN (${fields}) AND k = ANY (${keys}::text[]) RETURNING id`,
  );
  const ids = texts.map(({ id }) => id);
  await queries.run(sql`DELETE FROM semantic_queue WHERE inst = ${inst} AND text = ANY (${ids}::bigint[])`);
  const passages = await queries.query<{ id: number }>(
    sql`SELECT id FROM semantic_passages WHERE inst = ${inst} AND text = ANY (${ids}::bigint[])`,
  );
  await dropPassages(
    queries,
    inst,
    revision,
    passages.map(({ id }) => id),
  );
}

/** Removes passages, and lists them for those who have them in memory. */
export async function dropPassages(queries: Queries, inst: number, revision: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await queries.run(
    sql`WITH gone AS (DELETE FROM semantic_passages WHERE inst = ${inst} AND id = ANY (${ids}::bigint[]) RETURNING id, model, field),
      counted AS (UPDATE semantic_indexes i SET passages = i.passages - g.count
        FROM (SELECT model, field, count(*) AS count FROM gone GROUP BY model, field) g
        WHERE i.inst = ${inst} AND i.model = g.model AND i.field = g.field),
      old AS (DELETE FROM semantic_removed r USING (SELECT DISTINCT model, field FROM gone) g
        WHERE r.inst = ${inst} AND r.model = g.model AND r.field = g.field AND r.revision < ${revision - removedRevisions}::bigint)
      INSERT INTO semantic_removed (inst, model, field, revision, passage) SELECT ${inst}::integer, model, field, ${revision}::bigint, id FROM gone
      ON CONFLICT DO NOTHING`,
  );
}

/** Removes what is kept of the fields of an entity that are not to be kept. A field that comes back gets another id. */
export async function dropOtherFields(queries: Queries, { connector, entity }: EntityId, kept: readonly string[]): Promise<void> {
  const fields = await queries.query<{ inst: number; id: number }>(
    sql`DELETE FROM semantic_fields f USING store_instances i WHERE i.connector = ${connector} AND f.inst = i.id AND f.entity = ${entity}
      AND NOT f.field = ANY (${kept}::text[]) RETURNING f.inst, f.id`,
  );
  for (const { inst, id } of fields)
    for (const statement of [
      sql`DELETE FROM semantic_texts WHERE inst = ${inst} AND field = ${id}`,
      sql`DELETE FROM semantic_queue WHERE inst = ${inst} AND field = ${id}`,
      sql`DELETE FROM semantic_passages WHERE inst = ${inst} AND field = ${id}`,
      sql`DELETE FROM semantic_indexes WHERE inst = ${inst} AND field = ${id}`,
      sql`DELETE FROM semantic_removed WHERE inst = ${inst} AND field = ${id}`,
    ])
      await queries.run(statement);
}

/** The id of a field. It is given when it is first asked for. */
async function makeField(queries: Queries, inst: number, entity: string, field: string): Promise<number> {
  const find = sql`SELECT id FROM semantic_fields WHERE inst = ${inst} AND entity = ${entity} AND field = ${field}`;
  const [known] = await queries.query<{ id: number }>(find);
  if (known !== undefined) return known.id;
  await queries.run(
    sql`INSERT INTO semantic_fields (inst, entity, field) VALUES (${inst}, ${entity}, ${field}) ON CONFLICT DO NOTHING`,
  );
  const [made] = await queries.query<{ id: number }>(find);
  return made?.id ?? 0;
}
