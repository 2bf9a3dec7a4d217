import { type Database, migrate, type Queries, serverTime, type TableSchema } from "../../postgres/index.ts";
import { raw, sql } from "../../sql/index.ts";
import { type LimitState, noState, renewSlice } from "../renew-slice.ts";
import type { SharedLimits } from "../shared-limits.ts";

/** A published step must never be changed. */
const schema: TableSchema = {
  part: "fleet",
  migrations: [
    {
      change: async (queries) => {
        await queries.run(
          raw('CREATE TABLE fleet_limits (key text COLLATE "C" PRIMARY KEY, state text NOT NULL, at bigint NOT NULL)'),
        );
        await queries.run(raw("CREATE INDEX fleet_limits_by_age ON fleet_limits (at)"));
      },
    },
  ],
};

/** Milliseconds after which a renewal has failed: the process then goes on by itself. */
const patience = 5_000;
/** Milliseconds after which nothing in a state counts any longer: the longest window is an hour, the longest wait a little more. */
const lifetime = 2 * 3_600_000;
/** Milliseconds between two removals of old states by one process. */
const removalPeriod = 600_000;

interface Row {
  readonly state: string;
  readonly now: number;
}

/** Makes the table of the limits, for a user of the database who may do that. */
export function prepareLimits(database: Database): Promise<void> {
  return migrate(database, schema);
}

/**
 * Keeps the limits in a table of a PostgreSQL database: one row for each key, and one short transaction for each renewal. The row is
 * locked meanwhile, so that one renewal of a key follows the other.
 *
 * @param database is not closed together with the limits
 */
export function postgresLimits(database: Database): SharedLimits {
  let opening: Promise<void> | undefined;
  let removedAt = Number.NEGATIVE_INFINITY;
  const ready = () =>
    (opening ??= prepareLimits(database).catch((thrown: unknown) => {
      // The next renewal tries again: the server may be there by then.
      opening = undefined;
      throw thrown;
    }));
  const removeOld = async () => {
    if (performance.now() - removedAt < removalPeriod) return;
    removedAt = performance.now();
    await database.run(sql`DELETE FROM fleet_limits WHERE at < ${serverTime} - ${lifetime}`);
  };
  return {
    renew: async (key, rules, ask) => {
      await ready();
      const work = async (queries: Queries) => {
        const { state, now } = await lock(queries, key);
        const known: LimitState = { ...noState, ...JSON.parse(state) };
        const next = renewSlice(known, rules, ask, now);
        await queries.run(sql`UPDATE fleet_limits SET state = ${JSON.stringify(next.state)}, at = ${now} WHERE key = ${key}`);
        return next.slice;
      };
      const slice = await database.transaction(work, { deadline: performance.now() + patience });
      // What is not removed now is removed later.
      void removeOld().catch(() => undefined);
      return slice;
    },
  };
}

/**
 * Locks the row of a key. A crash of the server may lose the last moments of limits, so that no renewal waits for the disk: what is lost
 * comes again with the next responses of the platform.
 */
async function lock(queries: Queries, key: string): Promise<Row> {
  const find = sql`SELECT state, ${serverTime} AS now, set_config('synchronous_commit', 'off', true) FROM fleet_limits WHERE key = ${key} FOR UPDATE`;
  const [found] = await queries.query<Row>(find);
  if (found !== undefined) return found;
  const [made] = await queries.query<Row>(
    sql`INSERT INTO fleet_limits AS f (key, state, at) VALUES (${key}, '{}', ${serverTime})
      ON CONFLICT (key) DO UPDATE SET at = f.at RETURNING state, ${serverTime} AS now`,
  );
  if (made === undefined) throw new Error("a row of shared limits could not be made");
  return made;
}
