import { changesOf, type Dialect, rowOf, sql, type Work } from "../../sql/index.ts";
import { type WriteRow, writeOf } from "../write-rows.ts";
import type { BegunWrite, StoredWrite, WriteEnd, WriteId } from "../write-store.ts";

/** Old writes that one request forgets, so that it does not take long. */
const mostForgotten = 100;

/** What is read about writes with an `Idempotency-Key`. */
export const writeReads = {
  *write({ caller, key }: WriteId): Work<StoredWrite | undefined> {
    const row = yield* rowOf<WriteRow>(sql`SELECT * FROM account_writes WHERE caller = ${caller} AND key = ${key}`);
    return row && writeOf(row);
  },
};

/** What is changed about them. Each change has the same outcome when it is made twice. */
export function writeChanges({ lock }: Dialect) {
  return {
    *beginWrite({ caller, key, request, owner, begunAt }: BegunWrite, oldest: number): Work<StoredWrite | undefined> {
      yield* changesOf(sql`DELETE FROM account_writes WHERE caller = ${caller} AND key = ${key} AND begun_at < ${oldest}`);
      yield* changesOf(
        sql`DELETE FROM account_writes WHERE (caller, key) IN (SELECT caller, key FROM account_writes
          WHERE begun_at < ${oldest} ORDER BY begun_at LIMIT ${mostForgotten}${lock.free})`,
      );
      // The change of nothing makes the stored row come back, and waits for a process that is just storing one.
      const stored = yield* rowOf<WriteRow>(
        sql`INSERT INTO account_writes AS w (caller, key, request, state, owner, begun_at)
          VALUES (${caller}, ${key}, ${request}, 'begun', ${owner}, ${begunAt})
          ON CONFLICT (caller, key) DO UPDATE SET key = w.key RETURNING *`,
      );
      // An owner begins one write, so it is stored now, or was when the connection was lost during the commit.
      const isOwn = stored?.owner === owner && stored.state === "begun";
      return stored === undefined || isOwn ? undefined : writeOf(stored);
    },

    *endWrite({ caller, key }: WriteId, owner: string, end: WriteEnd): Work<void> {
      const mine = sql`caller = ${caller} AND key = ${key} AND owner = ${owner} AND state = 'begun'`;
      yield* changesOf(
        end.state === "nothing"
          ? sql`DELETE FROM account_writes WHERE ${mine}`
          : sql`UPDATE account_writes SET state = ${end.state}, answer = ${end.state === "done" ? end.answer : null} WHERE ${mine}`,
      );
    },
  };
}
