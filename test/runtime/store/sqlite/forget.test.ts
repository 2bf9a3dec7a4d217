import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";
import { mostInStep } from "../../../../runtime/store/works/forgetting.ts";
import { dump, faultsOf } from "../../../e2e/support/dump.ts";

// A large scope is forgotten in several transactions. A process that is killed between two of them leaves a scope that counts as never
// read, and what is left of it can be forgotten or synced.

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name" },
    labels: { type: "string", index: "name", list: {} },
    team: { type: "string", index: "exact", list: { relation: true } },
  },
};
const plans = { test: { things: plan } };
const collection = { connector: "test", instance: "one", entity: "things", scope: "team=red" };
const other = { ...collection, scope: "team=blue" };
const checkpoint = (run: number) => ({ run, full: true, step: 0 });
const kept = { massDelete: false, parents: [] };
/** So many records take three transactions. Every fifth one is in the other scope too. */
const count = 2 * mostInStep + 10;
const thing = (at: number, team: string) => ({ id: `t${at}`, title: `Title ${at % 50}`, labels: [`l${at % 7}`], team: [team] });
const all = Array.from({ length: count }, (_, at) => at);

const folder = mkdtempSync(join(tmpdir(), "tenon-forget-"));
const base = join(folder, "base.sqlite");

beforeAll(() => {
  const writer = new Writer(base, new Catalogue(plans), () => undefined);
  writer.save(collection, { records: all.map((at) => thing(at, "red")), checkpoint: checkpoint(1) });
  writer.finish(collection, checkpoint(1), kept);
  const shared = all.filter((at) => at % 5 === 0);
  writer.save(other, { records: shared.map((at) => thing(at, "blue")), checkpoint: checkpoint(1) });
  writer.finish(other, checkpoint(1), kept);
  writer.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with a store of which a process has forgotten a part of the scope before it was killed. */
function killed(transactions: number): { readonly dataDir: string; readonly file: string } {
  const dataDir = mkdtempSync(join(folder, "killed-"));
  const file = join(dataDir, "context-store.sqlite");
  cpSync(base, file);
  const child = fileURLToPath(new URL("./forget-child.ts", import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [child, JSON.stringify({ file, plans, collection, transactions })]);
  expect([signal, String(stderr)]).toEqual(["SIGKILL", ""]);
  return { dataDir, file };
}

async function use<Result>(dataDir: string, work: (store: SqliteStore) => Promise<Result>): Promise<Result> {
  const store = new SqliteStore({ dataDir, plans });
  try {
    await store.ready;
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("a process that is killed between two transactions of forgetting a scope", () => {
  it("leaves a scope that counts as never read, of which the next one forgets the rest", async () => {
    const whole = killed(3);
    expect(faultsOf(whole.file)).toEqual([]);
    for (const transactions of [1, 2]) {
      const { dataDir, file } = killed(transactions);
      await use(dataDir, async (store) => {
        const state = (await store.states(collection)).find(({ scope }) => scope === collection.scope);
        expect(state).toMatchObject({
          records: count - transactions * mostInStep,
          completedAt: null,
          fullAt: null,
          checkpoint: null,
        });
        expect(await store.forget(collection, collection.scope)).not.toBeNull();
        expect(await store.forget(collection, collection.scope)).toBeNull();
      });
      expect(dump(file), `after ${transactions} transactions`).toEqual(dump(whole.file));
      expect(faultsOf(file)).toEqual([]);
    }
  });

  it("leaves a scope that the next sync fills again", async () => {
    const { dataDir, file } = killed(1);
    await use(dataDir, async (store) => {
      await store.save(collection, { records: all.map((at) => thing(at, "red")), checkpoint: checkpoint(2) });
      await store.finish(collection, checkpoint(2), kept);
    });
    expect(dump(file)).toEqual(dump(base));
    expect(faultsOf(file)).toEqual([]);
  });
});
