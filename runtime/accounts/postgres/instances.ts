import { type Database, raw, sql } from "../../postgres/index.ts";
import { type InstanceRow, instanceColumns, instanceOf, instanceRow } from "../instance-rows.ts";
import type { InstanceStore } from "../instance-store.ts";
import { storable } from "./storable.ts";

const instances = sql`SELECT ${raw(instanceColumns)} FROM account_instances WHERE removed_at IS NULL`;

/** Connector instances. */
export function instanceQueries(ready: () => Promise<Database>): InstanceStore {
  return {
    instance: async (id) => {
      const rows = await (await ready()).query<InstanceRow>(sql`${instances} AND id = ${storable(id)}`);
      return rows[0] && instanceOf(rows[0]);
    },
    instances: async () => (await (await ready()).query<InstanceRow>(sql`${instances} ORDER BY id`)).map(instanceOf),
    addInstance: async (instance) => {
      const row = instanceRow(instance);
      const added = await (await ready()).run(
        sql`INSERT INTO account_instances (${raw(instanceColumns)}) VALUES (${row.id}, ${row.connector}, ${row.workspace},
          ${row.organization}, ${row.rest}, ${row.graphql}, ${row.variables}, ${row.credential}, ${row.scopes}, ${row.minutes},
          ${row.created_at}, ${row.version}) ON CONFLICT DO NOTHING`,
      );
      return added > 0;
    },
    changeInstance: async (id, given, ifVersion) =>
      (await ready()).transaction(async (queries) => {
        const [stored] = await queries.query<InstanceRow>(sql`${instances} AND id = ${storable(id)} FOR UPDATE`);
        if (stored === undefined || (ifVersion !== undefined && stored.version !== ifVersion)) return false;
        const row = instanceRow({ ...instanceOf(stored), ...given, version: stored.version + 1 });
        await queries.run(
          sql`UPDATE account_instances SET workspace = ${row.workspace}, organization = ${row.organization}, rest = ${row.rest},
            graphql = ${row.graphql}, variables = ${row.variables}, credential = ${row.credential}, scopes = ${row.scopes},
            minutes = ${row.minutes}, version = ${row.version} WHERE id = ${row.id}`,
        );
        return true;
      }),
    removeInstance: async (id, at) =>
      (await ready()).transaction(async (queries) => {
        const removed = await queries.run(
          sql`UPDATE account_instances SET removed_at = ${at}, credential = '', version = version + 1
            WHERE id = ${storable(id)} AND removed_at IS NULL`,
        );
        if (removed > 0) await queries.run(sql`DELETE FROM account_tokens WHERE instance = ${storable(id)}`);
        return removed > 0;
      }),
  };
}
