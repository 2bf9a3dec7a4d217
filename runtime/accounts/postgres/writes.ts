import { type Database, sql } from "../../postgres/index.ts";
import { type WriteRow, writeOf } from "../write-rows.ts";
import type { WriteStore } from "../write-store.ts";

/** Old writes that one request forgets, so that it does not take long. */
const mostForgotten = 100;

/** Writes with an `Idempotency-Key`. */
export function writeQueries(ready: () => Promise<Database>): WriteStore {
  return {
    write: async ({ caller, key }) => {
      const find = sql`SELECT * FROM account_writes WHERE caller = ${caller} AND key = ${key}`;
      const rows = await (await ready()).query<WriteRow>(find);
      return rows[0] && writeOf(rows[0]);
    },
    beginWrite: async ({ caller, key, request, owner, begunAt }, oldest) =>
      (await ready()).transaction(
        async (queries) => {
          await queries.run(sql`DELETE FROM account_writes WHERE caller = ${caller} AND key = ${key} AND begun_at < ${oldest}`);
          await queries.run(
            sql`DELETE FROM account_writes WHERE (caller, key) IN (SELECT caller, key FROM account_writes
              WHERE begun_at < ${oldest} ORDER BY begun_at LIMIT ${mostForgotten} FOR UPDATE SKIP LOCKED)`,
          );
          // The change of nothing makes the stored row come back, and waits for a process that is just storing one.
          const rows = await queries.query<WriteRow>(
            sql`INSERT INTO account_writes AS w (caller, key, request, state, owner, begun_at)
              VALUES (${caller}, ${key}, ${request}, 'begun', ${owner}, ${begunAt})
              ON CONFLICT (caller, key) DO UPDATE SET key = w.key RETURNING *`,
          );
          const stored = rows[0];
          // An owner begins one write, so it is stored now, or was when the connection was lost during the commit.
          const isOwn = stored?.owner === owner && stored.state === "begun";
          return stored === undefined || isOwn ? undefined : writeOf(stored);
        },
        { repeatable: true },
      ),
    endWrite: async ({ caller, key }, owner, end) => {
      const mine = sql`caller = ${caller} AND key = ${key} AND owner = ${owner} AND state = 'begun'`;
      const store =
        end.state === "nothing"
          ? sql`DELETE FROM account_writes WHERE ${mine}`
          : sql`UPDATE account_writes SET state = ${end.state}, answer = ${end.state === "done" ? end.answer : null} WHERE ${mine}`;
      await (await ready()).transaction((queries) => queries.run(store), { repeatable: true });
    },
  };
}
