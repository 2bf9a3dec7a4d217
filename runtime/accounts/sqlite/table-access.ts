import type { CopiedRow, CopiedTable, TableAccess } from "../copied-tables.ts";
import { guarded, openForWriting } from "./connection.ts";

/** Opens the tables of a file for a copy. The file is made when it is missing. @throws TenonError `accounts_unusable` */
export function openSqliteTables(file: string): TableAccess {
  const db = openForWriting(file);
  return {
    read: async (table, after, limit) => {
      const { names, keys } = sqlOf(table);
      const where = after === undefined ? "" : `WHERE (${keys}) > (${marks(after)})`;
      const find = db.prepare<unknown[], CopiedRow>(
        `SELECT ${names} FROM account_${table.name} ${where} ORDER BY ${keys} LIMIT ?`,
      );
      return guarded(() => find.raw().all(...(after ?? []), limit));
    },
    write: async (table, rows) => {
      const { names, keys, set } = sqlOf(table);
      const store = db.prepare<unknown[]>(
        `INSERT INTO account_${table.name} (${names}) VALUES (${marks(table.columns)}) ON CONFLICT (${keys}) DO UPDATE SET ${set}`,
      );
      guarded(() => db.transaction(() => rows.map((row) => store.run(...row))).immediate());
    },
    close: async () => void db.close(),
  };
}

function sqlOf({ columns, keys }: CopiedTable) {
  const names = columns.map((name) => `"${name}"`);
  return {
    names: names.join(", "),
    keys: names.slice(0, keys).join(", "),
    set: names
      .slice(keys)
      .map((name) => `${name} = excluded.${name}`)
      .join(", "),
  };
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
