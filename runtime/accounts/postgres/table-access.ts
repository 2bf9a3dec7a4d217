import { type Database, migrate } from "../../postgres/index.ts";
import { join, raw, sql } from "../../sql/index.ts";
import type { CopiedRow, CopiedTable, CopiedValue, TableAccess } from "../copied-tables.ts";
import { accountSchema } from "./schema.ts";
import { storable } from "./storable.ts";

/** Opens the tables of a database for a copy. They are made when they are missing. @param database is closed with what is returned */
export async function openPostgresTables(database: Database): Promise<TableAccess> {
  await migrate(database, accountSchema);
  return {
    read: async (table, after, limit) => {
      const { name, names, keys } = sqlOf(table);
      const where = after === undefined ? sql`` : sql`WHERE (${keys}) > (${valuesOf(after)})`;
      const find = sql`SELECT ${names} FROM ${name} ${where} ORDER BY ${keys} LIMIT ${limit}`;
      const rows = await database.query<Record<string, CopiedValue>>(find);
      return rows.map((row): CopiedRow => table.columns.map((column) => row[column] ?? null));
    },
    write: (table, rows) =>
      database.transaction(async (queries) => {
        const { name, names, keys, set } = sqlOf(table);
        const values = join(
          rows.map((row) => sql`(${valuesOf(row)})`),
          ", ",
        );
        await queries.run(
          sql`INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE VALUES ${values} ON CONFLICT (${keys}) DO UPDATE SET ${set}`,
        );
        if (table.name === "audit")
          // The next entry gets a greater number than all that were copied.
          await queries.query(
            sql`SELECT setval(pg_get_serial_sequence('account_audit', 'number'), (SELECT max(number) FROM account_audit))`,
          );
      }),
    close: () => database.close(),
  };
}

function sqlOf({ name, columns, keys }: CopiedTable) {
  const names = columns.map((column) => `"${column}"`);
  return {
    name: raw(`account_${name}`),
    names: raw(names.join(", ")),
    keys: raw(names.slice(0, keys).join(", ")),
    set: raw(
      names
        .slice(keys)
        .map((column) => `${column} = excluded.${column}`)
        .join(", "),
    ),
  };
}

function valuesOf(values: CopiedRow) {
  return join(
    values.map((value) => sql`${typeof value === "string" ? storable(value) : value}`),
    ", ",
  );
}
