import { expect, it } from "vitest";
import { type AccountStore, fullGrant, type SecretKeys, type StoredSubscription } from "../../../runtime/accounts/index.ts";
import { Subscriptions } from "../../../runtime/subscriptions/index.ts";
import { standIn } from "../../support/shaped.ts";

// The contents of the subscriptions of one caller may be megabytes, which nobody else may wait for.

const stored = Array.from({ length: 45 }, (_, nth) =>
  standIn<StoredSubscription>({
    ...{ id: `s${nth}`, caller: "a", instance: "github", state: "active", position: nth, createdAt: 0, failures: 0 },
    ...{ content: JSON.stringify({ url: `https://example.com/${nth}`, entity: null }), expiresAt: null, replayFrom: null },
    ...{ failingSince: null, lastAt: null, lastOutcome: null, reason: null },
  }),
);

function subscriptions(): { readonly made: Subscriptions; readonly read: number[] } {
  const read: number[] = [];
  const store = standIn<AccountStore>({
    listedSubscriptions: async () => stored,
    subscriptions: async (ids: readonly string[]) => {
      read.push(ids.length);
      return stored.filter(({ id }) => ids.includes(id));
    },
  });
  const keys = standIn<SecretKeys>({});
  return { made: new Subscriptions({ store, keys, allowPrivate: false, send: globalThis.fetch }), read };
}

const manager = { caller: { id: "a", name: "a", grant: fullGrant }, find: () => Promise.reject(new Error("there is none")) };

it("reads some contents of a list at a time", async () => {
  const { made, read } = subscriptions();
  expect((await made.list(manager)).map(({ url }) => url)).toEqual(stored.map((_, nth) => `https://example.com/${nth}`));
  expect(read).toEqual([20, 20, 5]);
});

it("reads no contents for the metrics", async () => {
  const { made, read } = subscriptions();
  expect(await made.states(manager.find)).toEqual([{ instance: "github", counts: new Map([["active", 45]]), behind: 0 }]);
  expect(read).toEqual([]);
});
