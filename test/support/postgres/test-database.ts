import type { Database } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/postgres/index.ts";

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
