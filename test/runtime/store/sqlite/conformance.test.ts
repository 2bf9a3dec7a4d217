import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { keyText, type RecordObject, type SearchQuery } from "../../../../runtime/search/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { conformance } from "../../../conformance/search.ts";
import { storeConformance } from "../../../conformance/store.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
/** The stores of the searches by their plans, and the instance of each list of records. */
const stores = new Map<string, SqliteStore>();
const instances = new Map<readonly RecordObject[], Promise<string>>();
afterAll(async () => {
  for (const store of stores.values()) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A slow machine must not make a test fail that is right. */
const patient = { searchTime: 100_000, closeTime: 60_000 };
const collection = { connector: "test", entity: "things", scope: "all" };

function storeOf(plan: StorePlan): SqliteStore {
  const key = JSON.stringify(plan);
  const dataDir = join(folder, String(stores.size));
  const store = stores.get(key) ?? new SqliteStore({ dataDir, plans: { test: { things: plan } }, readers: 1, ...patient });
  stores.set(key, store);
  return store;
}

async function filled(instance: string, plan: StorePlan, records: readonly RecordObject[]): Promise<string> {
  await storeOf(plan).save({ ...collection, instance }, { records, checkpoint: { run: 1, full: true, step: 0 } });
  return instance;
}

conformance("SQLite", async (plan: StorePlan, records: readonly RecordObject[], query: SearchQuery) => {
  const instance = instances.get(records) ?? filled(`of ${instances.size}`, plan, records);
  instances.set(records, instance);
  // The parts of a key may be no searchable fields, and so the answer has them only when asked.
  const fields = new Map(plan.key.map((path) => [path.split(".")[0] ?? "", null]));
  const { json, more } = await storeOf(plan).search(
    { ...collection, instance: await instance },
    { ...query, fields, explain: false },
    performance.now() + 100_000,
  );
  const found = JSON.parse(Buffer.from(json).toString()) as RecordObject[];
  return { keys: found.map((record) => keyText(plan, record)), more };
});

storeConformance("SQLite", () => {
  const dataDir = mkdtempSync(join(folder, "contract-"));
  return {
    open: async (plans) => new SqliteStore({ dataDir, plans, readers: 1, ...patient }),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
});
