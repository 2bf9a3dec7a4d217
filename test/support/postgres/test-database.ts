import type { Database } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/sql/index.ts";

/** A database for one test file. */
export interface TestDatabase {
  /** Opens it as a further process would. */
  open(): Database;
  /** Its URL; undefined where only this process can reach it. */
  readonly url: string | undefined;
  /** Removes all tables. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** A kind of PostgreSQL that the tests run on. */
export interface Engine {
  readonly name: string;
  start(): Promise<TestDatabase>;
}

export async function emptyDatabase(database: Database): Promise<void> {
  await database.run(sql`DROP SCHEMA public CASCADE`);
  await database.run(sql`CREATE SCHEMA public`);
}

/**
 * Removes all records and everything that is noted of them. The tables stay, because making them takes longer than most tests, and so does
 * what an open store remembers: the ids of instances, and the words.
 */
export async function clearRecords(database: Database): Promise<void> {
  await database.run(
    sql`DO $$ DECLARE one text; BEGIN
      FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%:vocabulary@%'
        AND tablename NOT IN ('tenon_versions', 'store_entities', 'store_layouts', 'store_users', 'store_instances', 'store_collections') LOOP
        EXECUTE format('DELETE FROM %I', one);
      END LOOP;
    END $$`,
  );
}
