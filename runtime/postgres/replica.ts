import { TenonError } from "../base/errors.ts";
import { type Sql, sql } from "../sql/index.ts";
import type { Database, Queries, QueryOptions, TransactionOptions } from "./database.ts";

/** Milliseconds between two looks at how old a replica is, and for which one that was not usable is left alone. */
const period = 5_000;
/** Seconds by which a replica may be behind. */
const oldest = 30;

/**
 * A replica that has applied all that it has received is not behind, however long ago the last change was, as long as it receives anything:
 * one that has lost its primary does not know what it has missed.
 */
const lag = sql`SELECT CASE WHEN NOT pg_is_in_recovery()
    OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN 0
  ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds`;

/**
 * A database for reading: its replica, and the primary where the replica is gone, full, or more than 30 seconds behind.
 *
 * @param replica is closed together with what is returned; the primary is not
 * @param tell called when the replica is no longer used, or is used again
 */
export function withReplica(primary: Database, replica: Database, tell: (text: string) => void): Database {
  let usable = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const set = (value: boolean, why: string) => {
    if (value !== usable) tell(value ? "searches use the replica again" : `searches use the primary, because the replica ${why}`);
    usable = value;
  };
  const look = async () => {
    try {
      const [row] = await replica.query<{ seconds: number }>(lag, { deadline: performance.now() + period });
      set((row?.seconds ?? 0) <= oldest, `is ${Math.round(row?.seconds ?? 0)} s behind`);
    } catch {
      set(false, "cannot be used");
    }
  };
  /** The first search waits for a look; later ones go on with what was seen last. */
  const ready = async () => {
    if (performance.now() - lookedAt > period && looking === undefined) {
      const isFirst = lookedAt === Number.NEGATIVE_INFINITY;
      lookedAt = performance.now();
      looking = look().finally(() => {
        looking = undefined;
      });
      if (isFirst) await looking;
    }
    return usable;
  };
  const either = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
    if (!(await ready())) return work(primary);
    try {
      return await work(replica);
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown;
      lookedAt = performance.now();
      set(false, "cannot be used");
      return work(primary);
    }
  };
  return {
    connections: replica.connections,
    query: <Row extends object>(statement: Sql, options?: QueryOptions) => either((one) => one.query<Row>(statement, options)),
    run: (statement, options) => either((one) => one.run(statement, options)),
    transaction: <Result>(work: (queries: Queries) => Promise<Result>, options?: TransactionOptions) =>
      either((one) => one.transaction(work, options)),
    alone: (statement, options) => either((one) => one.alone(statement, options)),
    close: () => replica.close(),
  };
}

function isAway(thrown: unknown): boolean {
  return thrown instanceof TenonError && (thrown.code === "database_unavailable" || thrown.code === "overloaded");
}
