import { TenonError } from "../../../base/errors.ts";
import { pause } from "../../../base/pause.ts";
import { checkVersion, type Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { isLockTimeout } from "./bulk-load.ts";
import type { Layout } from "./layout.ts";
import { followersOf } from "./layout-rows.ts";
import { recordSchema } from "./schema.ts";
import type { Loading, WriteTarget } from "./target.ts";

/** Milliseconds that a transaction waits for a lock while indexes may be made. It is short, so that it keeps no connection for long. */
const lockTime = 500;
/** Milliseconds until such a transaction is tried again, and until it is given up. */
const retryTime = 1_000;
const patience = 3_600_000;

/**
 * Does a transaction that writes to collections, and does it again while the indexes of one of them are being made.
 *
 * @param signal ends the waiting for that
 */
export async function writing<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (!isLockTimeout(thrown) || performance.now() > until) throw thrown;
    }
    await pause(retryTime, signal);
    signal?.throwIfAborted();
  }
}

/**
 * Locks an entity of an instance for a transaction that writes to it. The transaction must be one of `writing`.
 *
 * @throws TenonError `store_unusable` when another process has made tables for another plan, or all tables newer ones
 */
export async function openCollection(
  queries: Queries,
  entity: EntityId,
  layout: Layout,
  inst: number,
): Promise<Pick<WriteTarget, "revision" | "made" | "loading" | "followers">> {
  const [known] = await queries.query<Loading & { version: string; made: string; loading: boolean }>(
    sql`SELECT version, to_regclass(${layout.vocabulary})::oid::text AS made, loading, loader_inst AS inst, loader_scope AS scope FROM store_entities
      WHERE name = ${entityName(entity)} FOR SHARE`,
  );
  if (known?.version !== layout.version) throw anotherSpec(entity.entity);
  // A newer process may have given the tables a meaning that this one does not know.
  await checkVersion(queries, recordSchema);
  // The row that is locked above keeps layouts from coming or going, so this later statement sees all of them.
  const [collection] = await queries.query<{ revision: number; followers: number[] }>(
    sql`INSERT INTO store_collections AS s (inst, entity, revision) VALUES (${inst}, ${entity.entity}, 1)
      ON CONFLICT (inst, entity) DO UPDATE SET revision = s.revision + 1 RETURNING revision, ${followersOf(entityName(entity))} AS followers`,
  );
  // Where a rebuilt table gets its indexes, writers need not wait. Whoever waits for another one's page above is not in a hurry.
  if (known.loading && known.inst !== null) await queries.run(sql`SET LOCAL lock_timeout = ${raw(String(lockTime))}`);
  return {
    revision: collection?.revision ?? 0,
    made: known.made,
    loading: known.loading ? known : undefined,
    followers: collection?.followers ?? [],
  };
}

/**
 * The error for an entity whose current layout is that of another spec. This process may search the tables of its own layout for as long as
 * it runs, but only processes with the current layout write.
 */
export function anotherSpec(entity: string): TenonError {
  return new TenonError(
    "store_unusable",
    `The database has tables of ${entity} that were made for another version of the spec: only processes with that version sync. End this process.`,
  );
}
