import type { Database } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";

/** All rows of all tables of a context store, by the name of the table. */
export type StoreDump = Readonly<Record<string, readonly string[]>>;

/** Tables that say who works, and not what is stored. */
const passing = ["store_leases", "store_schedules", "store_layouts", "store_users", "tenon_versions", "store_change_heads"];
/** The log of changes: a sync that was killed logs what it does again in other blocks. */
const changes = "store_change_blocks";
/** Columns with times, with the numbers of transactions, of which some were made twice, and with ids that such a one may use up. */
const passingColumns = ["revision", "completed_at", "full_at", "layout"];

/** Reads everything out of a store; equal for two stores that have seen the same sync runs. */
export async function dumpStore(database: Database): Promise<StoreDump> {
  const tables = await database.query<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (${passing}::text[]) ORDER BY 1`,
  );
  const dump: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    if (name === changes) {
      dump[name] = await logged(database);
      continue;
    }
    const rows = await database.query<{ text: string }>(
      sql`SELECT (to_jsonb(t) - ${passingColumns}::text[])::text AS text FROM ${raw(`"${name.replaceAll('"', '""')}"`)} t ORDER BY 1`,
    );
    dump[name] = rows.map(({ text }) => text);
  }
  return dump;
}

/** What the log of changes leads to: each record that it names, and whether the last entry of it is that it is gone. */
async function logged(database: Database): Promise<string[]> {
  const rows = await database.query<{ inst: number; entity: string; kind: string; keys: string }>(
    sql`SELECT inst, entity, kind, keys FROM ${raw(changes)} ORDER BY inst, seq`,
  );
  const last = new Map<string, string>();
  for (const { inst, entity, kind, keys } of rows)
    for (const key of JSON.parse(keys) as string[]) last.set(`${inst} ${entity} ${key}`, kind === "deleted" ? "gone" : "there");
  return [...last].map(([key, state]) => `${key} ${state}`).sort();
}
