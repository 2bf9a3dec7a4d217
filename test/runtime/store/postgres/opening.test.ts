import { describe, expect, it } from "vitest";
import { TenonError } from "../../../../runtime/base/errors.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const plans = { test: { things: { key: ["id"], fields: { id: { type: "string", index: "exact" } } } } } as const;
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const page = { records: [{ id: "a" }], checkpoint: { run: 1, full: true, step: 0 } };
const whole = { sort: [], limit: 10, fields: null, explain: false };

describe("a store that is being opened", () => {
  const place = usePglite();

  /** The database, whose transactions and statements first do what the test says. */
  function withFirst(work: () => Promise<void>): Database {
    const { database } = place;
    return {
      ...database,
      connections: database.connections,
      query: async (...args) => {
        await work();
        return database.query(...args);
      },
      run: async (...args) => {
        await work();
        return database.run(...args);
      },
      transaction: async (...args) => {
        await work();
        return database.transaction(...args);
      },
      alone: (...args) => database.alone(...args),
    };
  }

  it("waits for a database that is away, and says that it is not healthy meanwhile", async () => {
    let tries = 0;
    let isAway = true;
    const database = withFirst(async () => {
      if (!isAway) return;
      tries++;
      throw new TenonError("database_unavailable", "The database cannot be reached.", { retryAfter: 1 });
    });
    const store = new PostgresStore({ database, plans, retryTime: 5 });
    await expect.poll(() => tries, { interval: 5, timeout: 60_000 }).toBeGreaterThan(3);
    expect(store.healthy).toBe(false);
    isAway = false;
    await store.ready;
    await store.save(collection, page);
    expect(store.healthy).toBe(true);
    await store.close();
  });

  it("fails at once where waiting does not help, and when it is closed", async () => {
    const refused = withFirst(() => Promise.reject(new TenonError("store_unusable", "The tables are newer.")));
    const store = new PostgresStore({ database: refused, plans, retryTime: 5 });
    await expect(store.ready).rejects.toMatchObject({ code: "store_unusable" });
    await store.close();
    const away = withFirst(() => Promise.reject(new TenonError("database_unavailable", "The database cannot be reached.")));
    const closed = new PostgresStore({ database: away, plans, retryTime: 100_000 });
    await closed.close();
    await expect(closed.ready).rejects.toMatchObject({ code: "shutting_down" });
  });

  it("keeps no search waiting longer than it may take", async () => {
    const opening = Promise.withResolvers<void>();
    const store = new PostgresStore({ database: withFirst(() => opening.promise), plans });
    const search = store.search(collection, whole, performance.now() + 20);
    await expect(search).rejects.toMatchObject({ code: "overloaded", retryAfter: 10 });
    opening.resolve();
    await store.ready;
    const { json } = await store.search(collection, whole, performance.now() + 60_000);
    expect(JSON.parse(Buffer.from(json).toString())).toEqual([{ id: "a" }]);
    await store.close();
  });
});
