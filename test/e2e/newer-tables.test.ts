import { describe, expect, it } from "vitest";
import { sql } from "../../runtime/sql/index.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { withProcesses } from "./support/process.ts";

// A process that runs while a newer one changes the tables.

describe.skipIf(!hasServer)("a service whose database becomes newer than the service", () => {
  it("says so and ends with status 78", () =>
    withProcesses(async ({ start }) => {
      const place = await startOnServer();
      const database = place.open();
      const running = start({ TENON_DATABASE_URL: place.url ?? "", TENON_API_KEY: "canary-key-of-the-newer-tables" }, ["work"]);
      await running.url();
      await running.told("The worker syncs");
      await database.run(sql`UPDATE tenon_versions SET version = version + 1 WHERE part = 'store'`);
      expect(await running.exit).toBe(78);
      expect(running.err()).toContain("a newer Tenon uses the database");
      await database.close();
      await place.close();
    }));
});
