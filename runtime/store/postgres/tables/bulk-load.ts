import { type Database, type Queries, serverTime, sqlState } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { cutOffProblems } from "../../problem.ts";
import { allScopes } from "../../works/counts.ts";
import type { CollectionIds, ScopeIds } from "../../works/ledger.ts";
import type { Layout } from "./layout.ts";

// Every record that is saved changes all indexes, that of the words in a hundred places. While a scope is read for the first time, it is
// much faster to save the records alone, and to make the indexes at the end, when the engine can sort them. Meanwhile searches walk through
// the records. An entity that lacks indexes is noted as loading in the transaction that drops them, so that whoever comes next makes them
// when the process has ended.

/** How many records a scope must have before its entity is loaded without indexes. Smaller scopes are not worth the two changes. */
export const worthLoading = 5_000;
/**
 * Milliseconds after the end of the loading sync's lease for which its entity is left without indexes when the sync was cut off: a schedule
 * goes on with it within a minute, and would drop them again.
 */
const resumeTime = 120_000;
/** Milliseconds that searches which run may keep the indexes from being dropped, because new searches wait behind that. */
const dropTime = 1_000;

/**
 * Finds whether the indexes of an entity are in the way: most of its records, of all instances, are of a scope that is read for the first
 * time, and so few are of scopes that were read to their ends that searches need no indexes for them.
 *
 * @param least how many records the scope must have
 * @param most how many records of scopes that were read to their ends would be too many
 * @returns how many records the scope has; undefined where the indexes are not in the way
 */
export async function recordsToLoad(
  queries: Pick<Queries, "query">,
  { connector, entity }: EntityId,
  { inst, scope }: CollectionIds,
  { least, most }: { readonly least: number; readonly most: number },
): Promise<number | undefined> {
  const [row] = await queries.query<{ worth: boolean; records: number }>(
    sql`SELECT own.records, own.records >= ${least} AND own.records * 2 >= (
          SELECT sum((SELECT c.records FROM store_counts c WHERE c.inst = i.id AND c.entity = ${entity} AND c.scope = ${allScopes}))
          FROM store_instances i WHERE i.connector = ${connector})
        AND ${most} > (
          SELECT coalesce(sum((SELECT sum((SELECT c.records FROM store_counts c WHERE c.inst = i.id AND c.entity = s.entity AND c.scope = s.scope))
            FROM store_states s WHERE s.inst = i.id AND s.entity = ${entity} AND s.completed_at IS NOT NULL)), 0)
          FROM store_instances i WHERE i.connector = ${connector}) AS worth
      FROM store_counts own WHERE own.inst = ${inst} AND own.entity = ${entity} AND own.scope = ${scope}`,
  );
  return row?.worth === true ? row.records : undefined;
}

/**
 * Drops the indexes of an entity that only searches need.
 *
 * @returns whether that was done; false while a search runs that does not end soon, and where another process has done it
 */
export async function beginLoading(
  database: Database,
  entity: EntityId,
  layout: Layout,
  { inst, scope }: ScopeIds,
): Promise<boolean> {
  try {
    return await database.transaction(async (queries) => {
      await queries.run(sql`SET LOCAL lock_timeout = ${raw(String(dropTime))}`);
      // Nobody writes to the entity until the transaction ends.
      const begun = await queries.run(
        sql`UPDATE store_entities SET loading = TRUE, loader_inst = ${inst}, loader_scope = ${scope}
          WHERE name = ${entityName(entity)} AND version = ${layout.version} AND NOT loading`,
      );
      // Searches read the words before the records, and so are their indexes dropped: otherwise one could wait for the other for ever.
      for (const { name, early } of begun > 0 ? [layout.parts, ...layout.indexes] : [])
        if (early !== true) await queries.run(raw(`DROP INDEX IF EXISTS ${name}`));
      return begun > 0;
    });
  } catch (thrown) {
    if (isLockTimeout(thrown)) return false;
    throw thrown;
  }
}

/**
 * The entities that are loading, by their names: `loaded` where a sync loads the records now, or was cut off a short while ago; `left`
 * where the sync has read them to their end, or has failed. One that fails each time would otherwise keep its entity without indexes for
 * ever.
 */
export async function loadingEntities(database: Database): Promise<ReadonlyMap<string, "loaded" | "left">> {
  const rows = await database.query<LoadingRow>(
    sql`SELECT e.name, coalesce(i.connector, '') AS connector,
        ARRAY (SELECT t.entity FROM store_states t WHERE t.inst = e.loader_inst AND t.scope = e.loader_scope AND t.completed_at IS NOT NULL) AS complete,
        ARRAY (SELECT t.entity FROM store_states t WHERE t.inst = e.loader_inst AND t.scope = e.loader_scope
          AND t.problem <> ALL (${cutOffProblems}::text[])) AS failed,
        (SELECT ${serverTime} - max(l.until) FROM store_leases l JOIN store_scopes s ON s.inst = l.inst AND s.id = e.loader_scope
          WHERE l.inst = e.loader_inst AND l.scope IN ('', s.name)) AS idle
      FROM store_entities e LEFT JOIN store_instances i ON i.id = e.loader_inst WHERE e.loading`,
  );
  return new Map(rows.map((row) => [row.name, isBeingLoaded(row) ? "loaded" : "left"]));
}

interface LoadingRow {
  readonly name: string;
  readonly connector: string;
  /** The entities of the loading scope that were read to their ends. */
  readonly complete: readonly string[];
  /** Those whose last sync run has failed, or is incomplete, without being cut off. */
  readonly failed: readonly string[];
  /** Milliseconds since the last lease of the loading scope has ended; negative while it runs, null where it never had one. */
  readonly idle: number | null;
}

function isBeingLoaded({ name, connector, complete, failed, idle }: LoadingRow): boolean {
  const isAmong = (entities: readonly string[]) => entities.some((entity) => entityName({ connector, entity }) === name);
  if (idle === null || isAmong(complete)) return false;
  return idle < 0 || (idle < resumeTime && !isAmong(failed));
}

/** Whether a statement was given up because it waited too long for a lock. */
export function isLockTimeout(thrown: unknown): boolean {
  return sqlState(thrown) === "55P03";
}
