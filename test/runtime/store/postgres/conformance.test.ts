import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { keyText, type RecordObject, type SearchQuery } from "../../../../runtime/search/index.ts";
import { sql } from "../../../../runtime/sql/index.ts";
import type { Plans } from "../../../../runtime/store/catalogue.ts";
import { newLeaseOwner } from "../../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { conformance } from "../../../conformance/search.ts";
import { storeConformance } from "../../../conformance/store.ts";
import { demandIndexes } from "../../../support/postgres/demand-indexes.ts";
import { engines } from "../../../support/postgres/engines.ts";
import { clearRecords, type TestDatabase } from "../../../support/postgres/test-database.ts";

/** A slow machine must not make a test fail that is right. */
const patient = { searchTime: 100_000, closeTime: 60_000 };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };

describe.each(engines)("on $name", ({ name, start }) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await start();
    database = place.open();
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const open = (plans: Plans) => new PostgresStore({ database, plans, ...patient });

  const patiently = () => performance.now() + 100_000;

  /** @param open opens a store in which each list of records gets an entity of its own, named after the prefix */
  function searches(prefix: string, open: (plans: Plans) => Promise<PostgresStore>): void {
    const stores = new Map<readonly RecordObject[], Promise<PostgresStore>>();
    const entities = new Map<readonly RecordObject[], string>();

    async function filled(entity: string, plan: StorePlan, records: readonly RecordObject[]): Promise<PostgresStore> {
      const store = await open({ test: { [entity]: plan } });
      const checkpoint = { run: 1, full: true, step: 0 };
      await store.save({ ...collection, instance: "two", entity }, { records, checkpoint });
      await store.save({ ...collection, entity }, { records, checkpoint });
      return store;
    }

    conformance("PostgreSQL", async (plan: StorePlan, records: readonly RecordObject[], query: SearchQuery) => {
      const entity = entities.get(records) ?? `${prefix}${entities.size}`;
      entities.set(records, entity);
      let store = stores.get(records);
      if (store === undefined) {
        store = filled(entity, plan, records);
        stores.set(records, store);
      }
      // The parts of a key may be no searchable fields, and so the answer has them only when asked.
      const fields = new Map(plan.key.map((path) => [path.split(".")[0] ?? "", null]));
      const on = { ...collection, entity };
      const { json, more } = await (await store).search(on, { ...query, fields, explain: false }, patiently());
      const found = JSON.parse(Buffer.from(json).toString()) as RecordObject[];
      return { keys: found.map((record) => keyText(plan, record)), more };
    });
  }

  describe("searches", () =>
    searches("things", async (plans) => {
      const store = open(plans);
      await store.ready;
      await demandIndexes(database, plans);
      return store;
    }));

  // Without the indexes, every engine walks through the records.
  describe.skipIf(name !== engines.at(-1)?.name)("searches while an entity is loaded without indexes", () => {
    const owner = newLeaseOwner();

    searches("loaded", async (plans) => {
      const store = new PostgresStore({ database, plans, ...patient, bulk: 1 });
      // The sync that loads has not ended.
      expect(await store.lease({ ...collection, instance: "two" }, owner, 3_600)).not.toBeNull();
      return store;
    });

    it("lacked the indexes in all of them", async () => {
      const rows = await database.query<{ loading: boolean; count: number }>(
        sql`SELECT e.loading, count(*) FROM store_entities e LEFT JOIN pg_indexes i ON i.indexname LIKE e.name || '.%' AND i.indexname NOT LIKE '%.:revision@%'
          WHERE e.name LIKE 'test_loaded%' AND i.indexname IS NULL GROUP BY 1`,
      );
      expect(rows).toEqual([{ loading: true, count: expect.any(Number) }]);
      expect(rows[0]?.count).toBeGreaterThan(3);
    });
  });

  describe("everything else", () => {
    storeConformance("PostgreSQL", () => ({
      open: async (plans) => open(plans),
      remove: () => clearRecords(database),
    }));
  });
});
