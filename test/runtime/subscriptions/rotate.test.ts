import { expect, it } from "vitest";
import { type AccountStore, fullGrant, type StoredSubscription } from "../../../runtime/accounts/index.ts";
import { Subscriptions } from "../../../runtime/subscriptions/index.ts";
import { standIn } from "../../support/shaped.ts";

it.each([1.5, "2", -1, 169, null])("a rotation with the overlap of %j hours is refused, and changes nothing", async (hours) => {
  const changes: unknown[] = [];
  const store = standIn<AccountStore>({
    subscription: async (id: string) => standIn<StoredSubscription>({ id, caller: "a", instance: "github" }),
    changeSubscription: async (...change: readonly unknown[]) => changes.push(change) > 0,
  });
  const made = new Subscriptions({ store, keys: undefined, allowPrivate: false, send: globalThis.fetch });
  const manager = { caller: { id: "a", name: "a", grant: fullGrant }, find: () => Promise.reject(new Error("there is none")) };
  await expect(made.rotate("s1", { overlap_hours: hours }, manager)).rejects.toMatchObject({
    code: "invalid_request",
    faults: [{ pointer: "/overlap_hours", message: "overlap_hours must be a whole number from 0 to 168." }],
  });
  expect(changes).toEqual([]);
});
