import { type ColumnValues, type Dialect, join, raw, type Sql, sql } from "../sql/index.ts";

/** Milliseconds since 1970 by the clock of the server, because those of several machines differ. */
export const serverTime: Sql = raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

/** How PostgreSQL spells what the engines spell in different ways. */
export const postgresDialect: Dialect = {
  lock: { change: raw(" FOR UPDATE"), keep: raw(" FOR SHARE"), free: raw(" FOR UPDATE SKIP LOCKED") },
  inTurn: (name) => sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`,
  now: () => serverTime,
  oneOf: (column, values) => sql`${raw(column)} = ANY (${values}::text[])`,
  table: (name, columns) => {
    const lists = Object.values(columns).map(({ type, values }: ColumnValues) => sql`${values}${raw(`::${type}[]`)}`);
    return sql`unnest(${join(lists, ", ")}) AS ${raw(name)} (${raw(Object.keys(columns).join(", "))})`;
  },
};
