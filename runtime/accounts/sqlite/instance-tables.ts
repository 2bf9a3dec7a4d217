import type { InstanceChange, StoredInstance } from "../instance-store.ts";
import type { Change, Connection } from "./connection.ts";

interface InstanceRow {
  readonly id: string;
  readonly connector: string;
  readonly workspace: string;
  readonly organization: string | null;
  readonly rest: string | null;
  readonly graphql: string | null;
  readonly variables: string;
  readonly credential: string;
  readonly scopes: string;
  readonly minutes: number;
  readonly created_at: number;
  readonly version: number;
}

/** The columns of an instance, without what only the tables need. */
const columns =
  "id, connector, workspace, organization, rest, graphql, variables, credential, scopes, minutes, created_at, version";

/** What is read about instances. */
export function instanceReads(db: Connection) {
  const one = db.prepare<[string], InstanceRow>(`SELECT ${columns} FROM instances WHERE id = ? AND removed_at IS NULL`);
  const all = db.prepare<[], InstanceRow>(`SELECT ${columns} FROM instances WHERE removed_at IS NULL ORDER BY id`);
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
              `INSERT INTO instances (${columns}) VALUES (@id, @connector, @workspace, @organization, @rest, @graphql,
                 @variables, @credential, @scopes, @minutes, @created_at, @version) ON CONFLICT DO NOTHING`,
            )
            .run(rowOf(instance)).changes > 0,
      ),
    changeInstance: (id: string, given: InstanceChange, ifVersion?: number) =>
      change((db) => {
        const row = db
          .prepare<[string], InstanceRow>(`SELECT ${columns} FROM instances WHERE id = ? AND removed_at IS NULL`)
          .get(id);
        if (row === undefined || (ifVersion !== undefined && row.version !== ifVersion)) return false;
        const changed = rowOf({ ...instanceOf(row), ...given, version: row.version + 1 });
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

function rowOf({ createdAt, scopes, variables, ...instance }: StoredInstance): InstanceRow {
  return { ...instance, variables: JSON.stringify(variables), scopes: JSON.stringify(scopes), created_at: createdAt };
}

function instanceOf({ created_at, scopes, variables, ...row }: InstanceRow): StoredInstance {
  const given = JSON.parse(variables) as Record<string, string>;
  return { ...row, variables: given, scopes: JSON.parse(scopes) as string[], createdAt: created_at };
}
