import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openContextStore } from "../../../runtime/main/context-store.ts";
import { collection, instance, page, plans } from "../../conformance/store/case.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-context-store-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const usual = { databaseUrl: "", databaseReadUrl: "", databaseSqlRole: "", databaseConnections: 1, searchTimeoutMs: 5_000 };

it("keeps changes as long as the settings say", async () => {
  // With -1, the changes of a moment ago are a day too old.
  for (const [changesDays, letter, first] of [
    [30, "a", 0],
    [30, "b", 0],
    [-1, "c", 3],
  ] as const) {
    const store = await openContextStore({ dataDir, ...usual, changesDays, changesEntries: 1_000 }, { plans });
    await store.save(collection, page(letter));
    expect((await store.changes(instance, { from: 0, limit: 100, entities: null })).first).toBe(first);
    await store.close();
  }
});
