import type { Database, Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import type { Migration } from "../../migration.ts";
import { makeRows, type StoredRow, textsOf } from "../rows/records.ts";
import { writeRows } from "../rows/row-writer.ts";
import { dropOtherFields, queuedRow, queueTexts } from "../rows/semantic-texts.ts";
import { type Layout, named, tablesMadeAnew, wideColumns } from "../tables/layout.ts";
import { givenText } from "../tables/text.ts";
import { KnownWords } from "../words/known-words.ts";
import { canHaveTrigrams, wantedIndexes } from "../words/trigrams.ts";
import { ledgerOn } from "./ledger.ts";

/** How many records are read and written again at once. */
const batch = 500;

interface EntityRow {
  readonly version: string;
  readonly key: string;
  /** JSON of the fields with long texts, each with the name of its column. */
  readonly texts: string;
}

/** The version of the tables that an entity has; undefined where it has none. */
export async function storedVersion(queries: Pick<Queries, "query">, entity: EntityId): Promise<string | undefined> {
  const rows = await queries.query<EntityRow>(sql`SELECT version FROM store_entities WHERE name = ${entityName(entity)}`);
  return rows[0]?.version;
}

/**
 * Makes the tables of an entity. When its plan has changed, new tables are filled with its own records. When its key has changed, they
 * stay empty, because one record may have been stored as two, or two as one. In both cases the next sync reads everything again, because
 * the old records have no values for new fields.
 *
 * All of it is one transaction, so that nothing is left of one that is cut off. Meanwhile other processes find what the old tables have;
 * those that want to write, or to make the same tables, wait.
 */
export async function prepareEntity(database: Database, entity: EntityId, layout: Layout): Promise<Migration | undefined> {
  if ((await storedVersion(database, entity)) === layout.version) return undefined;
  return database.transaction((queries) => makeTables(queries, entity, layout), { deadline: Number.POSITIVE_INFINITY });
}

async function makeTables(queries: Queries, entity: EntityId, layout: Layout): Promise<Migration | undefined> {
  const name = entityName(entity);
  const key = JSON.stringify(layout.plan.key);
  const texts = JSON.stringify(wideColumns(layout).map((column) => [column.field, column.name]));
  const inserted = await queries.run(
    sql`INSERT INTO store_entities (name, version, key, texts) VALUES (${name}, ${layout.version}, ${key}, ${texts}) ON CONFLICT DO NOTHING`,
  );
  const [known] = await queries.query<EntityRow>(
    sql`SELECT version, key, texts FROM store_entities WHERE name = ${name} FOR UPDATE`,
  );
  if (known === undefined || (inserted === 0 && known.version === layout.version)) return undefined;
  const keep = inserted === 0 && known.key === key;
  if (inserted === 0 && !keep) await queries.run(raw(`DROP TABLE ${layout.members}`));
  for (const statement of layout.tables) await queries.run(raw(statement));
  if (inserted === 0) await dropOtherFields(queries, entity, keep ? Object.keys(layout.plan.semantic?.fields ?? {}) : []);
  if (keep) await refill(queries, entity, layout, known);
  // Those of a large table are made when it can be used already, by `makeMissing`.
  for (const { name: index, on, early } of wantedIndexes(layout, await canHaveTrigrams(queries)))
    if (early === true || !keep) await queries.run(raw(`CREATE INDEX IF NOT EXISTS ${index} ON ${on}`));
  if (inserted > 0) return "made";
  for (const table of Object.values(tablesMadeAnew(name, known.version))) await queries.run(raw(`DROP TABLE ${table}`));
  await queries.run(
    sql`UPDATE store_entities SET version = ${layout.version}, key = ${key}, texts = ${texts}, loading = ${keep}, loader_inst = NULL, loader_scope = NULL WHERE name = ${name}`,
  );
  await ledgerOn(queries).readAgain(entity, keep);
  return keep ? "rebuilt" : "emptied";
}

/** Fills the new tables from the old ones. */
async function refill(queries: Queries, entity: EntityId, layout: Layout, known: EntityRow): Promise<void> {
  const { records } = tablesMadeAnew(entityName(entity), known.version);
  const texts = JSON.parse(known.texts) as [field: string, column: string][];
  const wide = texts.map(([, column], index) => raw(`, n.${named(column.slice(1, -1))} AS w${index}`));
  const columns = wide.reduce((all, one) => sql`${all}${one}`, raw("n.k, n.found, n.more"));
  const collections = await queries.query<{ inst: number; turn: number }>(
    sql`UPDATE store_collections SET turn = turn + 1 WHERE entity = ${entity.entity}
      AND inst IN (SELECT id FROM store_instances WHERE connector = ${entity.connector}) RETURNING inst, turn`,
  );
  for (const { inst, turn } of collections) {
    const words = new KnownWords(inst);
    for (let after = ""; ; ) {
      const rows = await queries.query<StoredRow>(
        sql`SELECT ${columns} FROM ${raw(records)} n WHERE n.inst = ${inst} AND n.k > ${after} ORDER BY n.k LIMIT ${batch}`,
      );
      const old = rows.map((row) => {
        const values = textsOf(texts.length, row);
        const long = texts.map(([field], index) => [field, values[index] == null ? null : givenText(values[index])]);
        // A value that is no text is among the other fields.
        return { ...JSON.parse(row.found), ...Object.fromEntries(long), ...JSON.parse(row.more) } as Record<string, unknown>;
      });
      const made = await makeRows(layout, inst, old);
      words.add(await writeRows(queries, { layout, inst, turn }, made, words));
      const queued = made.map((row) => queuedRow(layout, row));
      await queueTexts(queries, { layout, inst, entity: entity.entity }, queued);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.k;
    }
  }
}
