import { describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { type Sql, sql, statementOf } from "../../../../runtime/sql/index.ts";
import { newLeaseOwner } from "../../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { planOf } from "../../../../runtime/store/postgres/search/explain.ts";
import { recording } from "../../../bench/postgres-plans.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const things: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text", nullable: true },
    teams: { type: "string", index: "name", list: { relation: true } },
  },
  semantic: { fields: { body: { window: 100 } }, hit: {} },
};
const plans = { test: { things, parts: things } };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const parts = { ...collection, entity: "parts" };
const checkpoint = { run: 1, full: true, step: 0 };

/** Tables without rows of an instance, and what is no table of the store. */
const general = /^(store_instances|store_entities|store_layouts|store_users|semantic_models|tenon_versions|pg_)/;

describe("the plans of everything that a sync does in PostgreSQL", () => {
  const place = usePglite();

  it("begin with the instance, so that no row of another one is read", async () => {
    const all: Sql[] = [];
    const store = new PostgresStore({ database: recording(place.database, (statement) => all.push(statement)), plans });
    const record = (id: string) => ({ id, body: `text of ${id}`, teams: ["a"] });
    await store.save(collection, { records: [record("a"), record("b")], checkpoint });
    all.length = 0;
    const scope = { connector: "test", instance: "one", scope: "all" };
    await store.lease(scope, newLeaseOwner(), 0.001);
    const fencingToken = (await store.lease({ ...scope, syncGroup: "things" }, newLeaseOwner(), 60)) ?? 0;
    await store.taken(scope, "run");
    const parentDone = { key: "a", marker: "m" };
    await store.save({ ...collection, fencingToken }, { records: [record("a"), record("c")], checkpoint });
    await store.save(parts, { records: [record("p")], parent: "a", parentDone, checkpoint });
    await store.parents(collection, { entity: "parts", step: 0 }, undefined, 10);
    await store.note(collection, { changeCheck: "p" });
    await store.fail(collection, "internal");
    await store.confirm(collection);
    await store.finish(parts, { ...checkpoint, run: 2, full: false }, { massDelete: true, parents: ["things"] });
    await store.finish(collection, { ...checkpoint, run: 2 }, { massDelete: true, parents: ["things"], children: ["parts"] });
    await store.abandon(collection, "internal");
    await store.setSchedule(collection, { scopes: ["all"], minutes: 5 });
    await store.started(collection, null);
    await store.schedule(collection);
    await store.states(collection);
    await store.leased(collection);
    await store.forget(collection, "all");
    await store.close();
    const distinct = new Map(all.map((one) => [statementOf(one).text, one]));
    expect(distinct.size).toBeGreaterThan(30);
    const looked = await place.database.transaction(async (queries) => {
      await queries.run(sql`SET LOCAL enable_seqscan = off`);
      let count = 0;
      for (const [text, statement] of distinct) {
        if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) continue;
        for (const node of await planOf(queries, statement)) {
          const table = node["Relation Name"];
          if (!/Scan$/.test(node["Node Type"]) || table === undefined || general.test(table)) continue;
          // A bitmap of an index is joined with the table; the index is a node of its own.
          if (node["Node Type"] === "Bitmap Heap Scan") continue;
          expect(node["Index Cond"], `${text}\n${JSON.stringify(node)}`).toMatch(/^\(*inst = /);
          count++;
        }
      }
      return count;
    });
    expect(looked).toBeGreaterThan(30);
  });

  it("look up the places of a page's records key by key in a table without statistics, whose scope looks small", async () => {
    const all: Sql[] = [];
    const store = new PostgresStore({ database: recording(place.database, (statement) => all.push(statement)), plans });
    const records = Array.from({ length: 40 }, (_, at) => ({ id: `r${at}`, teams: [] }));
    await store.save(collection, { records, checkpoint });
    all.length = 0;
    await store.save(collection, { records, checkpoint });
    await store.close();
    const ofPlaces = all.filter((one) => statementOf(one).text.includes("AS memberships"));
    expect(ofPlaces).toHaveLength(1);
    await place.database.transaction(async (queries) => {
      await queries.run(sql`SET LOCAL enable_seqscan = off`);
      for (const statement of ofPlaces) {
        const nodes = (await planOf(queries, statement)).filter((node) => node["Relation Name"]?.includes(":member") === true);
        expect(nodes.map((node) => node["Index Cond"])).toEqual([expect.stringContaining("k = r.k")]);
      }
    });
  });
});
