import { afterAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";

const text = { type: "string", index: "name", nullable: true } as const;
const id = { type: "string", index: "exact" } as const;
const first: StorePlan = { key: ["id"], fields: { id, body: { type: "string", index: "text", nullable: true } } };
const more: StorePlan = { key: ["id"], fields: { ...first.fields, title: text } };
const otherKey: StorePlan = { key: ["title"], fields: more.fields };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const whole = { sort: [], limit: 10, fields: null, explain: false };
const checkpoint = { run: 1, full: true, step: 0 };

describe("tables whose plan has changed", () => {
  const place = usePglite();
  const told: string[] = [];
  const stores: PostgresStore[] = [];
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  function open(plan: StorePlan): PostgresStore {
    const tell = (said: string) => void (said.includes("the tables") && told.push(said));
    const store = new PostgresStore({ database: place.database, plans: { test: { things: plan } }, tell });
    stores.push(store);
    return store;
  }

  async function found(store: PostgresStore, operand: string): Promise<unknown> {
    const filter = { kind: "test", field: "title", operator: "keyword", operand } as const;
    const { json } = await store.search(
      collection,
      { ...whole, filter, fields: new Map([["id", null]]) },
      performance.now() + 60_000,
    );
    return JSON.parse(Buffer.from(json).toString());
  }

  async function ids(store: PostgresStore): Promise<string[]> {
    const { json } = await store.search(collection, { ...whole, fields: new Map([["id", null]]) }, performance.now() + 60_000);
    const rows: { id: string }[] = JSON.parse(Buffer.from(json).toString());
    return rows.map(({ id: one }) => one);
  }

  it("are rebuilt from their own records, emptied when the key has changed, and written by no process with the older plan", async () => {
    const old = open(first);
    const records = [1, 2, 3].map((at) => ({ id: `${at}`, title: `Title \0 number${at}`, body: `Body \0 ${at}`, more: [at] }));
    await old.save(collection, { records, checkpoint });
    await old.finish(collection, checkpoint, { massDelete: false, parents: [] });
    const next = open(more);
    expect(await found(next, "number2")).toEqual([{ id: "2" }]);
    expect(told).toEqual(["made the tables of things", "rebuilt the tables of things"]);
    const { json } = await next.search(
      collection,
      {
        ...whole,
        fields: new Map([
          ["body", null],
          ["more", null],
        ]),
      },
      performance.now() + 60_000,
    );
    expect(JSON.parse(Buffer.from(json).toString())).toEqual(records.map(({ body, more: own }) => ({ body, more: own })));
    const [state] = await next.states(collection);
    expect(state).toMatchObject({ records: 3, fullAt: null, checkpoint: null });
    expect(state?.completedAt).not.toBeNull();
    // What it knew of the old vocabulary is of no use for the new one.
    await expect(old.save(collection, { records, checkpoint })).rejects.toMatchObject({ code: "store_unusable" });
    expect(await ids(old)).toEqual(["1", "2", "3"]);
    await next.save(collection, { records: [{ ...records[0], title: "Fresh number2" }], checkpoint: { ...checkpoint, run: 2 } });
    expect(await found(next, "number2")).toEqual([{ id: "1" }, { id: "2" }]);
    const emptied = open(otherKey);
    expect(await found(emptied, "number2")).toEqual([]);
    expect(told.at(-1)).toBe("emptied the tables of things");
    expect(await emptied.states(collection)).toMatchObject([{ records: 0, completedAt: null }]);
  });
});
