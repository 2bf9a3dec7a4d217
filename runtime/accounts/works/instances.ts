import { changesOf, type Dialect, raw, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import { type InstanceRow, instanceColumns, instanceRow, storedInstanceOf } from "../instance-rows.ts";
import type { InstanceChange, StoredInstance } from "../instance-store.ts";
import { webhooksOf } from "../token-store.ts";

const instances = sql`SELECT ${raw(instanceColumns)} FROM account_instances WHERE removed_at IS NULL`;

/** What is read about instances. */
export const instanceReads = {
  *instance(id: string): Work<StoredInstance | undefined> {
    const row = yield* rowOf<InstanceRow>(sql`${instances} AND id = ${id}`);
    return row && storedInstanceOf(row);
  },

  *instances(): Work<StoredInstance[]> {
    return (yield* rowsOf<InstanceRow>(sql`${instances} ORDER BY id`)).map(storedInstanceOf);
  },
};

/** What is changed about instances. */
export function instanceChanges({ lock }: Dialect) {
  return {
    *addInstance(instance: StoredInstance): Work<boolean> {
      const row = instanceRow(instance);
      const added = yield* changesOf(
        sql`INSERT INTO account_instances (${raw(instanceColumns)}) VALUES (${row.id}, ${row.connector}, ${row.workspace},
          ${row.organization}, ${row.rest}, ${row.graphql}, ${row.variables}, ${row.credential}, ${row.scopes}, ${row.minutes},
          ${row.created_at}, ${row.version}) ON CONFLICT DO NOTHING`,
      );
      return added > 0;
    },

    *changeInstance(id: string, given: InstanceChange, ifVersion?: number): Work<boolean> {
      const stored = yield* rowOf<InstanceRow>(sql`${instances} AND id = ${id}${lock.change}`);
      if (stored === undefined || (ifVersion !== undefined && stored.version !== ifVersion)) return false;
      const row = instanceRow({ ...storedInstanceOf(stored), ...given, version: stored.version + 1 });
      yield* changesOf(
        sql`UPDATE account_instances SET workspace = ${row.workspace}, organization = ${row.organization}, rest = ${row.rest},
          graphql = ${row.graphql}, variables = ${row.variables}, credential = ${row.credential}, scopes = ${row.scopes},
          minutes = ${row.minutes}, version = ${row.version} WHERE id = ${row.id}`,
      );
      return true;
    },

    *removeInstance(id: string, at: number): Work<boolean> {
      const removed = yield* changesOf(
        sql`UPDATE account_instances SET removed_at = ${at}, credential = '', version = version + 1
          WHERE id = ${id} AND removed_at IS NULL`,
      );
      if (removed > 0) yield* changesOf(sql`DELETE FROM account_tokens WHERE instance IN (${id}, ${webhooksOf(id)})`);
      return removed > 0;
    },
  };
}
