import { expect, it } from "vitest";
import { sql } from "../../../../runtime/sql/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { type SumsRow, sumsOf, syncedCollection } from "../../../../runtime/store/postgres/search/collection-sync.ts";
import { planOf } from "../../../../runtime/store/postgres/search/explain.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const place = usePglite();

it("a search reads from an index what it sums of its collection, and no states of other entities", async () => {
  const store = new PostgresStore({ database: place.database, plans: {} });
  await store.states({ connector: "test", instance: "one" });
  await store.close();
  await place.database.run(
    sql`INSERT INTO store_states (inst, scope, entity, run, completed_at, problem)
      SELECT 1, scope, 'entity_' || entity, 1, CASE WHEN scope > 1 THEN '2026-01-0' || (scope % 9 + 1) END, CASE WHEN scope = 7 THEN 'internal' END
      FROM generate_series(1, 500) AS scope, generate_series(1, 20) AS entity`,
  );
  await place.database.run(sql`ANALYZE store_states`);
  const nodes = await planOf(place.database, sql`SELECT ${sumsOf(1, "entity_3")}`);
  const [row] = await place.database.query<SumsRow>(sql`SELECT ${sumsOf(1, "entity_3")}`);
  expect(JSON.parse(row?.sums ?? "[]").slice(0, 5)).toEqual([500, 499, "2026-01-01", 1, false]);
  const own = nodes.filter((node) => node["Index Name"] === "store_states_sums");
  expect(own.map((node) => node["Index Cond"])).toEqual(["((inst = 1) AND (entity = 'entity_3'::text))"]);
  const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "store_states");
  expect(whole).toEqual([]);
});

it.each([
  ["two that are not due, while somebody syncs", 1, ["due"]],
  ["all where nobody has synced for two intervals", 3, ["account", "due", "kept=a"]],
])("an old scope is reported, but %s", async (_title, minutes, expected) => {
  const started = new Date(Date.now() - minutes * 60_000).toISOString();
  for (const statement of [
    sql`DELETE FROM store_schedules WHERE inst = 9`,
    sql`INSERT INTO store_scopes (inst, name) SELECT 9, unnest(ARRAY['due', 'kept=a', 'account']) ON CONFLICT DO NOTHING`,
    sql`INSERT INTO store_states (inst, scope, entity, run, completed_at) SELECT 9, id, 'things', 1, '2026-01-01' FROM store_scopes WHERE inst = 9
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO store_schedules VALUES (9, '["kept=A","due"]', 1, ${started}, '["DUE"]')`,
  ])
    await place.database.run(statement);
  const [row] = await place.database.query<SumsRow>(sql`SELECT ${sumsOf(9, "things")}`);
  if (row === undefined) throw new Error("nothing was read");
  const { sync } = await place.database.transaction((queries) =>
    syncedCollection(queries, { inst: 9, entity: "things" }, row, undefined),
  );
  expect(sync.reported.map(({ scope }) => scope).toSorted()).toEqual(expected);
});
