import { type Dialect, join, type RunAtOnce, raw, type Sql, sql } from "../sql/index.ts";
import type { SqliteValue, Statements } from "./statements.ts";

/** How SQLite spells what the engines spell in different ways. All processes that share a file run on one machine and have one clock. */
export const sqliteDialect: Dialect = {
  lock: { change: raw(""), keep: raw(""), free: raw("") },
  inTurn: () => raw("SELECT 1"),
  now: () => sql`${Date.now()}`,
  oneOf: (column, values) => sql`${raw(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  table: (name, columns) => {
    const [names, lists] = [Object.keys(columns), Object.values(columns)];
    const rows = lists[0]?.values.map((_, row) => lists.map(({ values }) => values[row] ?? null)) ?? [];
    const parts = names.map((column, index): Sql => raw(`value ->> '$[${index}]' AS ${column}`));
    return sql`(SELECT ${join(parts, ", ")} FROM json_each(${JSON.stringify(rows)})) AS ${raw(name)}`;
  },
};

/** A statement as the engine takes it. Its values must be texts, numbers, truth values or null. */
export function sqliteText({ texts, values }: Sql): { readonly text: string; readonly params: SqliteValue[] } {
  const params = values.map((value) => (typeof value === "boolean" ? Number(value) : value)) as SqliteValue[];
  return { text: texts.join("?"), params };
}

/** Runs the statements of units of work in the caller's transaction. */
export function runIn(statements: Statements): RunAtOnce {
  return (work, wants) => {
    const { text, params } = sqliteText(work);
    const statement = statements.get(text);
    return wants === "rows" ? statement.all(...params) : statement.run(...params).changes;
  };
}
