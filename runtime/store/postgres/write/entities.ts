import { TenonError } from "../../../base/errors.ts";
import type { Database, Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { copiedText, type Migration, messageEvery } from "../../migration.ts";
import { dropOtherFields } from "../rows/semantic-texts.ts";
import { commentsOf } from "../tables/comments.ts";
import { completeLayouts } from "../tables/index-demand.ts";
import { type Layout, tablesMadeAnew } from "../tables/layout.ts";
import { currentLayout, type LayoutRow, registerLayouts, type Standing, standingOf } from "../tables/layout-rows.ts";
import type { KnownWords } from "../words/known-words.ts";
import { copyChanges, fillSome, followSome, mostAtOnce, shortly } from "./layout-copy.ts";
import { ledgerOn } from "./ledger.ts";

export interface PrepareOptions {
  /** Make this layout the current one although it is older than the current one. */
  readonly replaceNewer?: boolean;
  /** Ends it between two steps. */
  readonly signal?: AbortSignal;
  readonly tell?: (text: string) => void;
}

/** The version of the current tables of an entity; undefined where it has none. */
export async function storedVersion(queries: Pick<Queries, "query">, entity: EntityId): Promise<string | undefined> {
  const rows = await queries.query<{ version: string }>(
    sql`SELECT version FROM store_entities WHERE name = ${entityName(entity)}`,
  );
  return rows[0]?.version;
}

/**
 * Makes the tables of an entity. When its plan has changed, new tables are filled beside the current ones with their records, in short
 * transactions: others go on searching and writing the current ones, and their changes are copied. When nothing is left to copy, the new
 * tables become the current ones. When the key has changed, they stay empty, because one record may have been stored as two, or two as
 * one. In both cases the next sync reads everything again, because the old records have no values for new fields.
 *
 * A process that is ended in between leaves what it has done, and the next one goes on. Several may do it at the same time.
 *
 * @returns what was done; undefined where the layout can be searched already
 * @throws TenonError `store_unusable` for a layout that is older than the current one and has no tables
 */
export async function prepareEntity(
  database: Database,
  entity: EntityId,
  layout: Layout,
  options: PrepareOptions = {},
): Promise<Migration | undefined> {
  if ((await storedVersion(database, entity)) === layout.version) return undefined;
  await registerLayouts(database, [{ entity, layout }]);
  if (await database.transaction((queries) => makeFirst(queries, entity, layout))) return "made";
  const { signal, replaceNewer = false } = options;
  const standing = await shortly(database, (queries) => begin(queries, entity, layout, replaceNewer), signal);
  if (standing === undefined) return undefined;
  const keep = standing.current.key === standing.own.key;
  if (keep) await fill(database, entity, layout, options);
  await makeCurrent(database, entity, layout, options);
  return keep ? "rebuilt" : "emptied";
}

/** Makes the tables of an entity that has none. @returns whether it had none */
async function makeFirst(queries: Queries, entity: EntityId, layout: Layout): Promise<boolean> {
  const inserted = await queries.run(
    sql`INSERT INTO store_entities (name, layout, version)
      SELECT entity, id, version FROM store_layouts WHERE entity = ${entityName(entity)} AND version = ${layout.version} ON CONFLICT DO NOTHING`,
  );
  if (inserted === 0) return false;
  await makeTables(queries, entity, layout);
  await makeIndexes(queries, layout);
  await setState(queries, entity, layout, "filled");
  return true;
}

/**
 * Makes empty tables beside the current ones, unless they are there already.
 *
 * @returns undefined where nothing has to be done: the layout is the current one, or an older one that can still be searched
 */
async function begin(queries: Queries, entity: EntityId, layout: Layout, replaceNewer: boolean): Promise<Standing | undefined> {
  const before = await standingOf(queries, entity, layout, "FOR UPDATE");
  if (before === undefined || before.own.id === before.current.id) return undefined;
  const { own, current } = before;
  if (own.number < current.number && !replaceNewer) {
    if (own.state === "filled") return undefined;
    throw olderLayout(entity, own, current);
  }
  if (own.number < current.number)
    await queries.run(
      sql`UPDATE store_layouts SET place = nextval(pg_get_serial_sequence('store_layouts', 'id')) WHERE id = ${own.id}`,
    );
  if (own.state === "filling" || own.state === "filled") return before;
  await queries.run(raw(`DROP VIEW IF EXISTS ${layout.views.records}`));
  for (const table of Object.values(tablesMadeAnew(entityName(entity), layout.version)))
    await queries.run(raw(`DROP TABLE IF EXISTS ${table}`));
  await makeTables(queries, entity, layout);
  // Whoever writes to the entity now does not know yet that changes are to be noted, so it is waited for.
  await currentLayout(queries, entity, "FOR UPDATE");
  await queries.run(sql`DELETE FROM store_changes WHERE layout = ${own.id}`);
  await queries.run(sql`UPDATE store_layouts SET at_inst = 0, at_key = '' WHERE id = ${own.id}`);
  await setState(queries, entity, layout, "filling");
  return before;
}

async function fill(database: Database, entity: EntityId, layout: Layout, { signal, tell }: PrepareOptions): Promise<void> {
  const words = new Map<number, KnownWords>();
  let copied = 0;
  for (;;) {
    signal?.throwIfAborted();
    const count = await fillSome(database, entity, layout, words);
    if (count === undefined) break;
    copied += count;
    if (copied % messageEvery < count) tell?.(copiedText(copied, entity.entity));
  }
  const finish = async (queries: Queries) => {
    const standing = await standingOf(queries, entity, layout, "FOR UPDATE");
    if (standing?.own.state !== "filling") return;
    await makeIndexes(queries, layout);
    await setState(queries, entity, layout, "filled");
  };
  const forever = { deadline: Number.POSITIVE_INFINITY, ...(signal === undefined ? {} : { signal }) };
  await database.transaction(finish, forever);
  // Without statistics of the new tables, the engine would not choose the right one.
  await database.alone(raw(`ANALYZE ${layout.records}, ${layout.vocabulary}`), signal === undefined ? {} : { signal });
}

/** Copies what is left, and makes a layout the current one, when nobody writes to the entity. Searches do not wait for it. */
async function makeCurrent(database: Database, entity: EntityId, layout: Layout, { signal }: PrepareOptions): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    while ((await followSome(database, entity, layout)) === mostAtOnce) signal?.throwIfAborted();
    if (await shortly(database, (queries) => switchTo(queries, entity, layout), signal)) return;
  }
}

/** @returns false while there is too much left to copy for a short transaction */
async function switchTo(queries: Queries, entity: EntityId, layout: Layout): Promise<boolean> {
  const standing = await standingOf(queries, entity, layout, "FOR UPDATE");
  const current = await currentLayout(queries, entity, "FOR UPDATE");
  if (standing === undefined || current === undefined || standing.own.id === current.id) return true;
  const { own } = standing;
  // Another process has made a newer one current meanwhile.
  if (own.number < current.number) throw olderLayout(entity, own, current);
  const keep = own.key === current.key;
  if (keep && (await copyChanges(queries, { entity, layout, own, current })) === mostAtOnce) return false;
  if (!keep) await emptyTables(queries, entity, layout);
  await queries.run(
    sql`UPDATE store_entities SET layout = ${own.id}, version = ${own.version}, loading = FALSE, loader_inst = NULL, loader_scope = NULL WHERE name = ${entityName(entity)}`,
  );
  await ledgerOn(queries).readAgain(entity, keep);
  return true;
}

/** Removes everything that is known by the former key. */
async function emptyTables(queries: Queries, entity: EntityId, layout: Layout): Promise<void> {
  await queries.run(raw(`TRUNCATE ${layout.records}, ${layout.vocabulary}, ${layout.members}`));
  await makeIndexes(queries, layout);
  await setState(queries, entity, layout, "filled");
  await dropOtherFields(queries, entity, []);
}

async function makeTables(queries: Queries, { connector, entity }: EntityId, layout: Layout): Promise<void> {
  for (const statement of layout.tables) await queries.run(raw(statement));
  // One statement for all, because each takes a way to the server.
  await queries.run(raw(`DO $$ BEGIN ${commentsOf(layout, `${connector} ${entity}`).join("; ")}; END $$`));
  for (const { name, on, early } of layout.indexes)
    if (early === true) await queries.run(raw(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`));
}

async function makeIndexes(queries: Queries, layout: Layout): Promise<void> {
  for (const { name, on } of (await completeLayouts(queries, [layout])).flatMap(({ indexes }) => indexes))
    await queries.run(raw(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`));
}

function setState(queries: Queries, entity: EntityId, { version }: Layout, state: LayoutRow["state"]): Promise<number> {
  return queries.run(
    sql`UPDATE store_layouts SET state = ${state} WHERE entity = ${entityName(entity)} AND version = ${version}`,
  );
}

/** @throws TenonError `store_unusable` where a newer layout is the current one */
export async function checkCurrent(queries: Pick<Queries, "query">, entity: EntityId, layout: Layout): Promise<void> {
  const standing = await standingOf(queries, entity, layout);
  if (standing !== undefined && standing.own.number < standing.current.number)
    throw olderLayout(entity, standing.own, standing.current);
}

/** The error for a process whose layout would replace a newer one. */
function olderLayout({ entity }: EntityId, own: LayoutRow, current: LayoutRow): TenonError {
  return new TenonError(
    "store_unusable",
    `The database has layout ${current.number} of ${entity}, and this process has layout ${own.number}, an older one. Install the newer version, or go back to this one with \`tenon store migrate --replace-newer\`.`,
  );
}
