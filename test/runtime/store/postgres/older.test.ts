import { expect, it } from "vitest";
import { migrate, sql } from "../../../../runtime/postgres/index.ts";
import { newLeaseOwner } from "../../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { recordSchema } from "../../../../runtime/store/postgres/schema.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const place = usePglite();

it("tables in which no lease was of a family keep the leases of scopes, and what was synced in the run of the schedule", async () => {
  const { database } = place;
  const plans = { test: { things: { key: ["id"], fields: { id: { type: "string", index: "exact" } } } } } as const;
  await migrate(database, { ...recordSchema, migrations: recordSchema.migrations.slice(0, 4) });
  await database.run(sql`INSERT INTO store_instances (connector, name) VALUES ('test', 'one')`);
  const until = Date.now() + 60_000;
  await database.run(
    sql`INSERT INTO store_leases (inst, scope, owner, until, fence, run)
      SELECT id, o.* FROM store_instances, (VALUES ('held', 'elsewhere:1:x', ${until}::bigint, 7, NULL), ('synced', 'elsewhere:1:x', 0, 8, 'run 1')) o`,
  );
  const store = new PostgresStore({ database, plans });
  const scope = (name: string) => ({ connector: "test", instance: "one", scope: name });
  const take = (name: string, run: string) => store.lease({ ...scope(name), family: "things" }, newLeaseOwner(), 60, run);
  expect([await take("held", "run 1"), await take("synced", "run 1")]).toEqual([null, null]);
  expect(await take("synced", "run 2")).toEqual(expect.any(Number));
  const page = { records: [{ id: "a" }], position: { pass: 1, full: true, step: 0 } };
  await store.save({ ...scope("held"), entity: "things", fence: 7 }, page);
  await store.close();
});
