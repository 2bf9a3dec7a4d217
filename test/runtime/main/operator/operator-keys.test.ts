import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { github } from "../../../../generated/github/index.ts";
import type { Grant } from "../../../../runtime/accounts/index.ts";
import { deriveKeys } from "../../../../runtime/accounts/secret-keys.ts";
import { openSqliteAccounts } from "../../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { keyActions } from "../../../../runtime/main/operator/operator-keys.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-operator-keys-"));
const store = openSqliteAccounts(dataDir);
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const actions = new Map(keyActions({ store, keys: deriveKeys(["a-secret-key-of-thirty-two-characters"]), connectors: [github] }));
const all: Grant = { rights: ["read", "admin"], instances: null, workspaces: null, organization: null, entities: null };
/** Fills the form for a new key in. @param grant of whoever does it */
const form = (fields: Readonly<Record<string, string>>, grant: Partial<Grant> = {}) => {
  const caller = { id: "key_of_nobody", name: "boss", grant: { ...all, ...grant } };
  return actions.get("key.create")?.(caller, { name: "ada", "right.read": "on", ...fields });
};

describe("the form for a new key", () => {
  it.each(["0", "1.5", "soon", "10000"])("refuses %s days", async (days) => {
    await expect(form({ days })).rejects.toMatchObject({
      code: "invalid_request",
      faults: [{ pointer: "/days", code: "wrong_form", message: 'The days are a whole number from 1 to 9999, or "never".' }],
    });
  });

  it("makes no key for another organization than that of the own key, and one for that where none is named", async () => {
    await expect(form({ organization: "globex" }, { organization: "acme" })).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("does not allow this organization"),
    });
    const { facts } = (await form({ days: "never" }, { organization: "acme" })) ?? {};
    expect(facts).toEqual(
      expect.arrayContaining([
        { name: "Organization", value: "acme" },
        { name: "Valid until", value: "it is revoked" },
      ]),
    );
  });
});
