import type { Connection, SqliteValue, Statements } from "../../../sqlite/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { copiedText, type Migration, messageEvery } from "../../migration.ts";
import { rowOf } from "../rows/rows.ts";
import { columnName, type Layout, quoted } from "../tables/layout.ts";
import { prepareSemantic } from "../tables/semantic-schema.ts";
import { EntityWriter } from "./entity-writer.ts";
import { openLedger } from "./ledger.ts";

/**
 * Makes the tables of an entity. When its plan has changed, the tables are rebuilt from their own records. When its key has changed, the
 * tables are emptied, because one record may have been stored as two, or two as one. In both cases the next sync reads everything
 * again, because the old records have no values for new fields. It runs in the caller's transaction.
 *
 * @param tell gets messages of how far it is
 */
export function prepareEntity(
  db: Connection,
  statements: Statements,
  entity: EntityId,
  layout: Layout,
  tell: (text: string) => void = () => undefined,
): Migration | undefined {
  const name = entityName(entity);
  const known = db
    .prepare<[string], { version: string; key: string }>("SELECT version, key FROM store_entities WHERE name = ?")
    .get(name);
  if (known?.version === layout.version) return undefined;
  const key = JSON.stringify(layout.plan.key);
  const keep = known?.key === key;
  if (known !== undefined) setAside(db, name, layout, keep);
  for (const statement of layout.tables) db.exec(statement);
  prepareSemantic(db, name, layout, keep);
  if (keep) refill(db, statements, layout, (copied) => tell(copiedText(copied, entity.entity)));
  else for (const { create } of layout.indexes) db.exec(create);
  // Indexes and words of records that were kept are made afterwards, in steps between which searches and syncs go on.
  db.prepare("INSERT OR REPLACE INTO store_entities (name, version, key, loading) VALUES (?, ?, ?, ?)").run(
    name,
    layout.version,
    key,
    keep ? 0 : null,
  );
  statements.clear();
  if (known === undefined) return "made";

  openLedger(statements).readAgain(entity, keep);
  return keep ? "rebuilt" : "emptied";
}

const asideNarrow = quoted("aside:find");
const asideWide = quoted("aside:record");
const asideMembers = quoted("aside:member");

/** Drops all indexes and vocabularies, which can be made again. Renames the tables with the records, or drops them unless `keep`. */
function setAside(db: Connection, name: string, { narrow, wide, members }: Layout, keep: boolean): void {
  // In files of an older layout, names may differ after the entity's name.
  const own = db
    .prepare<{ name: string }, { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE substr(name, 1, length(@name) + 1) IN (@name || ':', @name || '.') AND sql IS NOT NULL",
    )
    .all({ name });
  for (const { type, name: index } of own) if (type === "index") db.exec(`DROP INDEX ${quoted(index)}`);
  const kept = [narrow, wide, members];
  const tables = own.filter((one) => one.type === "table" && !kept.includes(quoted(one.name)));
  // Virtual tables are dropped first, because dropping one also drops the tables that belong to it.
  const virtualFirst = tables.toSorted((a, b) => Number(isVirtual(b.sql)) - Number(isVirtual(a.sql)));
  for (const { name: table } of virtualFirst) db.exec(`DROP TABLE IF EXISTS ${quoted(table)}`);
  for (const [table = "", aside] of [
    [narrow, asideNarrow],
    [wide, asideWide],
    [members, asideMembers],
  ])
    if (own.some((one) => quoted(one.name) === table))
      db.exec(keep ? `ALTER TABLE ${table} RENAME TO ${aside}` : `DROP TABLE ${table}`);
}

function isVirtual(create: string): boolean {
  return create.startsWith("CREATE VIRTUAL");
}

/** @param progress gets the number of records that were copied, from time to time */
function refill(db: Connection, statements: Statements, layout: Layout, progress: (copied: number) => void): void {
  const columnsOf = (table: string) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const texts = columnsOf(asideWide).filter((name) => !["id", "found", "more"].includes(name));
  const writer = new EntityWriter(statements, layout);
  writer.begin(0);
  const batch = db
    .prepare<[number], SqliteValue[]>(
      `SELECT n.id, n.inst, n.members, w.found, w.more${texts.map((name) => `, w.${quoted(name)}`).join("")} FROM ${asideNarrow} n CROSS JOIN ${asideWide} w ON w.id = n.id WHERE n.id > ? ORDER BY n.id LIMIT 1000`,
    )
    .raw();
  for (let last = 0, copied = 0; ; ) {
    const rows = batch.all(last);
    copied += rows.length;
    if (rows.length > 0 && copied % messageEvery === 0) progress(copied);
    for (const [id, inst, members, found, more, ...values] of rows) {
      last = Number(id);
      const old: Record<string, unknown> = { ...JSON.parse(String(found)), ...JSON.parse(String(more)) };
      for (const [index, name] of texts.entries()) {
        const field = name.slice(columnName("").length);
        // A value that is no text is among the other fields.
        old[field] = values[index] ?? old[field] ?? null;
      }
      writer.insert(rowOf(layout, old), Number(inst), Number(members));
    }
    if (rows.length === 0) break;
  }
  const id = `SELECT n.id FROM ${layout.narrow} n WHERE n.inst = s.inst AND n.k = a.k`;
  db.exec(
    `INSERT INTO ${layout.members} (scope, k, parent, id, run, relations) SELECT a.scope, a.k, a.parent, (${id}), a.run, a.relations FROM ${asideMembers} a JOIN store_scopes s ON s.id = a.scope`,
  );
  db.exec(`DROP TABLE ${asideMembers}`);
  db.exec(`DROP TABLE ${asideNarrow}`);
  db.exec(`DROP TABLE ${asideWide}`);
}
