import { type InstanceRow, instanceColumns, instanceOf, instanceRow } from "../instance-rows.ts";
import type { InstanceChange, StoredInstance } from "../instance-store.ts";
import type { Change, Connection } from "./connection.ts";

/** What is read about instances. */
export function instanceReads(db: Connection) {
  const one = db.prepare<[string], InstanceRow>(`SELECT ${instanceColumns} FROM instances WHERE id = ? AND removed_at IS NULL`);
  const all = db.prepare<[], InstanceRow>(`SELECT ${instanceColumns} FROM instances WHERE removed_at IS NULL ORDER BY id`);
  return {
    instance: (id: string) => {
      const row = one.get(id);
      return row === undefined ? undefined : instanceOf(row);
    },
    instances: () => all.all().map(instanceOf),
  };
}

/** What is changed about instances. */
export function instanceWrites(change: Change) {
  return {
    addInstance: (instance: StoredInstance) =>
      change(
        (db) =>
          db
            .prepare(
              `INSERT INTO instances (${instanceColumns}) VALUES (@id, @connector, @workspace, @organization, @rest, @graphql,
                 @variables, @credential, @scopes, @minutes, @created_at, @version) ON CONFLICT DO NOTHING`,
            )
            .run(instanceRow(instance)).changes > 0,
      ),
    changeInstance: (id: string, given: InstanceChange, ifVersion?: number) =>
      change((db) => {
        const row = db
          .prepare<[string], InstanceRow>(`SELECT ${instanceColumns} FROM instances WHERE id = ? AND removed_at IS NULL`)
          .get(id);
        if (row === undefined || (ifVersion !== undefined && row.version !== ifVersion)) return false;
        const changed = instanceRow({ ...instanceOf(row), ...given, version: row.version + 1 });
        db.prepare(
          `UPDATE instances SET workspace = @workspace, organization = @organization, rest = @rest, graphql = @graphql,
             variables = @variables, credential = @credential, scopes = @scopes, minutes = @minutes, version = @version WHERE id = @id`,
        ).run(changed);
        return true;
      }),
    removeInstance: (id: string, at: number) =>
      change((db) => {
        const { changes } = db
          .prepare(
            "UPDATE instances SET removed_at = ?, credential = '', version = version + 1 WHERE id = ? AND removed_at IS NULL",
          )
          .run(at, id);
        if (changes > 0) db.prepare("DELETE FROM tokens WHERE instance = ?").run(id);
        return changes > 0;
      }),
  };
}
