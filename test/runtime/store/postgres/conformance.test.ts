import { afterAll, beforeAll, describe } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { keyText, type RecordObject, type SearchQuery } from "../../../../runtime/search/index.ts";
import type { Plans } from "../../../../runtime/store/catalogue.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { conformance } from "../../../conformance/search.ts";
import { storeConformance } from "../../../conformance/store.ts";
import { engines } from "../../../support/postgres/engines.ts";
import { clearRecords, type TestDatabase } from "../../../support/postgres/test-database.ts";

/** A slow machine must not make a test fail that is right. */
const patient = { searchTime: 100_000, closeTime: 60_000 };
const shelf = { connector: "test", instance: "one", entity: "things", scope: "all" };

describe.each(engines)("on $name", ({ start }) => {
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

  describe("searches", () => {
    const stores = new Map<readonly RecordObject[], Promise<PostgresStore>>();

    /** Every list of records has an entity of its own. */
    async function filled(entity: string, plan: StorePlan, records: readonly RecordObject[]): Promise<PostgresStore> {
      const store = open({ test: { [entity]: plan } });
      const position = { pass: 1, full: true, step: 0 };
      await store.save({ ...shelf, instance: "two", entity }, { records, position });
      await store.save({ ...shelf, entity }, { records, position });
      return store;
    }
    const entities = new Map<readonly RecordObject[], string>();

    conformance("PostgreSQL", async (plan: StorePlan, records: readonly RecordObject[], query: SearchQuery) => {
      const entity = entities.get(records) ?? `things${entities.size}`;
      entities.set(records, entity);
      let store = stores.get(records);
      if (store === undefined) {
        store = filled(entity, plan, records);
        stores.set(records, store);
      }
      // The parts of a key may be no searchable fields, and so the answer has them only when asked.
      const fields = new Map(plan.key.map((path) => [path.split(".")[0] ?? "", null]));
      const on = { ...shelf, entity };
      const { json, more } = await (await store).search(on, { ...query, fields, explain: false }, performance.now() + 100_000);
      const found = JSON.parse(Buffer.from(json).toString()) as RecordObject[];
      return { keys: found.map((record) => keyText(plan, record)), more };
    });
  });

  describe("everything else", () => {
    storeConformance("PostgreSQL", () => ({
      open: async (plans) => open(plans),
      remove: () => clearRecords(database),
    }));
  });
});
