import { expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";

// More records without a value than are tested at once. The condition is tested by the service alone, because the field has no words.
const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    reason: { type: "string", index: "exact", nullable: true },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const records = Array.from({ length: 500 }, (_, index) => ({
  id: String(index).padStart(3, "0"),
  reason: index < 497 ? null : "completed",
}));

it.each(["asc", "desc"] as const)("records without a value do not hide those that fulfil a condition (%s)", async (direction) => {
  const place = await startPglite();
  const store = new PostgresStore({ database: place.open(), plans: { test: { things: plan } } });
  await store.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
  const filter = { kind: "test", field: "reason", operator: "fuzzy", operand: "completde" } as const;
  const query = { filter, sort: [{ field: "reason", direction }], limit: 10, fields: null, explain: false };
  const { json, more } = await store.search(collection, query, performance.now() + 60_000);
  const found = JSON.parse(Buffer.from(json).toString()) as { id: string }[];
  expect([found.map(({ id }) => id), more]).toEqual([["497", "498", "499"], false]);
  await store.close();
  await place.close();
});
