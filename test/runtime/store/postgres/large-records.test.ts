import { afterAll, beforeAll, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { SortPosition } from "../../../../runtime/search/index.ts";
import { largestAnswer } from "../../../../runtime/store/answer.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

// Records of which the largest answer holds about thirty.

const plan: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, body: { type: "string", index: "text" } },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const count = 40;
/** Bytes without words, for which a store takes far longer. */
const padding = " ".repeat(2 ** 20);
/** In PostgreSQL, the bodies of all records fit `%kilogram%kilt%`; the service sees that only the last one does. */
const records = Array.from({ length: count }, (_, index) => ({
  id: String(index).padStart(2, "0"),
  body: `kilogram ${index === count - 1 ? "kilt" : "lt"} ${padding}`,
}));

let place: TestDatabase;
let store: PostgresStore;
beforeAll(async () => {
  place = await startPglite();
  store = new PostgresStore({ database: place.open(), plans: { test: { things: plan } }, searchTime: 100_000 });
  await store.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
});
afterAll(async () => {
  await store.close();
  await place.close();
});

const ids = (json: Uint8Array) => (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id);

it.each([20, count])("gives all of them in pages of %i, none of which is much larger than the largest answer", async (limit) => {
  const walked: string[] = [];
  for (let after: SortPosition | undefined; ; ) {
    const query = { sort: [], limit, fields: null, explain: false, ...(after === undefined ? {} : { after }) };
    const { json, more, last } = await store.search(collection, query, performance.now() + 100_000);
    expect(json.length).toBeLessThan(largestAnswer + 2 * padding.length);
    walked.push(...ids(json));
    after = last;
    if (!more) break;
  }
  expect(walked).toEqual(records.map(({ id }) => id));
});

it("finds and counts the one behind more bytes of others than an answer may have", async () => {
  const filter = { kind: "test", field: "body", operator: "like", operand: "%kilogram%kilt%" } as const;
  const query = { filter, sort: [], limit: 10, fields: new Map([["id", null]]), explain: false, count: true as const };
  const { json, total } = await store.search(collection, query, performance.now() + 100_000);
  expect([ids(json), total]).toEqual([[records.at(-1)?.id], 1]);
});
