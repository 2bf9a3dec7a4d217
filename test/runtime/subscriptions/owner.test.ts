import { afterEach, expect, it, vi } from "vitest";
import { type AccountStore, fullGrant } from "../../../runtime/accounts/index.ts";
import { allowedNow } from "../../../runtime/subscriptions/owner.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { shaped } from "../../support/shaped.ts";

afterEach(() => void vi.useRealTimers());

it.each([
  ["before the key of its owner expires", 1_001, "may"],
  ["at the moment at which the key expires", 1_000, "pause"],
])("a subscription delivers until the key of its owner expires: %s", async (_when, expiresAt, kind) => {
  vi.useFakeTimers({ now: 1_000 });
  const { instance } = fakeInstance(() => ({}));
  const store = shaped<AccountStore>({ caller: async (id: string) => ({ id, grant: fullGrant, revokedAt: null, expiresAt }) });
  const allowed = await allowedNow(store, async () => instance, { caller: "c", instance: "github" }, {
    url: "https://example.com",
    entity: null,
  } as never);
  expect(allowed).toMatchObject(kind === "may" ? { kind, entities: null } : { kind, reason: "owner_revoked" });
});
