import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredCaller, StoredSecret } from "../../../../runtime/accounts/caller-store.ts";
import { fullGrant } from "../../../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../../../runtime/accounts/postgres/postgres-account-store.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { sql } from "../../../../runtime/sql/index.ts";
import { accountConformance } from "../../../conformance/accounts.ts";
import { engines } from "../../../support/postgres/engines.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

describe.each(engines)("on $name", ({ name, start }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(() => place.close());

  accountConformance(`PostgreSQL (${name})`, () => {
    const databases: Database[] = [];
    return {
      open: async () => {
        const database = place.open();
        databases.push(database);
        return openPostgresAccounts(database);
      },
      remove: async () => {
        await Promise.all(databases.map((database) => database.close()));
        await place.empty();
      },
    };
  });

  it("gives contents of proposals their own table, which forgets them with their proposals", async () => {
    const earlier = place.open();
    await openPostgresAccounts(earlier).open();
    const before = JSON.stringify({ connector: "github", intent: ',"params":', params: { title: ',"params":' }, changes: [] });
    for (const change of [
      sql`DROP TABLE account_proposal_contents`,
      sql`ALTER TABLE account_proposals RENAME COLUMN head TO content`,
      sql`UPDATE tenon_versions SET version = version - 1 WHERE part = 'callers'`,
      sql`INSERT INTO account_proposals VALUES ('p', 'a', 'r', ${before}, 'h', 'pending', 1, 10)`,
    ])
      await earlier.run(change);
    await earlier.close();
    const database = place.open();
    const store = openPostgresAccounts(database);
    const { head = "", content = "" } = (await store.proposal("p")) ?? {};
    expect({ ...JSON.parse(head), ...JSON.parse(content) }).toEqual(JSON.parse(before));
    const next = { id: "q", caller: "a", request: "r", head: "{}", content: "{}", hash: "h", createdAt: 20, expiresAt: 30 };
    await store.addProposal(next, 5, 15);
    expect(await database.query(sql`SELECT id FROM account_proposal_contents`)).toEqual([{ id: "q" }]);
    await database.close();
    await place.empty();
  });

  it("refuses a caller at once that the same process has revoked, and soon one that another process has", async () => {
    const [one, other] = [place.open(), place.open()];
    const [here, there] = [openPostgresAccounts(one), openPostgresAccounts(other)];
    const caller: StoredCaller = {
      ...{ id: "a", kind: "key", name: "with \0 and \ud800", grant: fullGrant, createdAt: 1 },
      ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
    };
    const secret: StoredSecret = { id: "s", caller: "a", hash: "h", keyId: "k", createdAt: 1, expiresAt: null };
    await here.addCaller(caller, secret);
    const isAdmitted = async (store: typeof here) => (await store.secretByHash(["h"]))?.caller.revokedAt === null;
    expect([await isAdmitted(here), await isAdmitted(there)]).toEqual([true, true]);
    await here.revoke("a", 2);
    expect(await isAdmitted(here)).toBe(false);
    const began = performance.now();
    for (let asked = began; await isAdmitted(there); asked = performance.now()) {
      if (asked - began > 5_000) throw new Error("It is still admitted.");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await Promise.all([one.close(), other.close()]);
    await place.empty();
  });
});
