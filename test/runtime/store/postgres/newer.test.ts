import { describe, expect, it } from "vitest";
import type { TenonError } from "../../../../runtime/base/errors.ts";
import { sql } from "../../../../runtime/sql/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const plans = { test: { things: { key: ["id"], fields: { id: { type: "string", index: "exact" } } } } } as const;
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const page = { records: [{ id: "a" }], checkpoint: { run: 1, full: true, step: 0 } };
const whole = { sort: [], limit: 10, fields: null, explain: false };

describe("a process that is older than the tables", () => {
  const place = usePglite();

  it("writes no record after the change, learns of it while it runs, and does nothing more", async () => {
    const newer = Promise.withResolvers<TenonError>();
    const store = new PostgresStore({ database: place.database, plans, onNewer: newer.resolve, watchTime: 10 });
    await store.save(collection, page);
    const blind = new PostgresStore({ database: place.database, plans, watchTime: 1_000_000 });
    await blind.save(collection, page);
    await place.database.run(sql`UPDATE tenon_versions SET version = version + 1 WHERE part = 'store'`);
    await expect(blind.save(collection, page)).rejects.toMatchObject({
      code: "store_unusable",
      message: expect.stringContaining("a newer Tenon uses the database"),
    });
    const error = await newer.promise;
    expect(error).toMatchObject({ code: "store_unusable", exit: 78 });
    expect(store.healthy).toBe(false);
    await expect(store.search(collection, whole, performance.now() + 10_000)).rejects.toBe(error);
    await expect(store.states(collection)).rejects.toBe(error);
    await store.close();
    await blind.close();
  });
});
