import { afterAll, beforeAll } from "vitest";
import type { Database } from "../../../runtime/postgres/index.ts";
import { startPglite } from "./pglite.ts";
import type { TestDatabase } from "./test-database.ts";

/** Starts PGlite for all tests of a block or a file. Its database is there as soon as they run. */
export function usePglite(): { readonly database: Database } {
  let running: { readonly place: TestDatabase; readonly database: Database } | undefined;
  beforeAll(async () => {
    const place = await startPglite();
    running = { place, database: place.open() };
  });
  afterAll(async () => {
    await running?.database.close();
    await running?.place.close();
  });
  return {
    get database() {
      if (running === undefined) throw new Error("PGlite runs only while tests do");
      return running.database;
    },
  };
}
