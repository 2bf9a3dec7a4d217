import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredCaller, StoredSecret } from "../../../../runtime/accounts/caller-store.ts";
import { fullGrant } from "../../../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../../../runtime/accounts/postgres/postgres-account-store.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
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
