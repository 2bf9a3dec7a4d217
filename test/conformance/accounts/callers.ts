import { expect } from "vitest";
import { type Case, caller, secret } from "./case.ts";

export const callers: readonly Case[] = [
  [
    "gives back a caller as it was stored, in another process too",
    async (store, another) => {
      const whole = caller("a", { expiresAt: 5_000, lastUsedAt: 3_000 });
      await store.addCaller(whole, secret("s", "a", { expiresAt: 4_000 }));
      const found = { caller: whole, secret: secret("s", "a", { expiresAt: 4_000 }) };
      for (const one of [store, await another()]) {
        expect(await one.caller("a")).toEqual(whole);
        expect(await one.secretByHash(["other", "hash of s"])).toEqual(found);
        expect(await one.secretById("s")).toEqual(found);
      }
    },
  ],
  [
    "finds nothing for what was never stored",
    async (store) => {
      expect(await store.caller("a")).toBeUndefined();
      expect(await store.secretByHash(["hash of s"])).toBeUndefined();
      expect(await store.secretByHash([])).toBeUndefined();
      expect(await store.secretById("s")).toBeUndefined();
      expect(await store.callers("key")).toEqual([]);
      expect(await store.liveSecrets(0)).toEqual([]);
    },
  ],
  [
    "lists the callers of one kind, the oldest first",
    async (store) => {
      await store.addCaller(caller("new", { createdAt: 2_000 }), secret("1", "new"));
      await store.addCaller(caller("old"), secret("2", "old"));
      await store.addCaller(caller("client", { kind: "client" }), secret("3", "client"));
      expect((await store.callers("key")).map(({ id }) => id)).toEqual(["old", "new"]);
      expect((await store.callers("client")).map(({ id }) => id)).toEqual(["client"]);
    },
  ],
  [
    "stores neither a caller nor a secret when one of them is there already",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await expect(store.addCaller(caller("b"), secret("s", "b"))).rejects.toThrow();
      await expect(store.addCaller(caller("b"), secret("t", "b", { hash: "hash of s" }))).rejects.toThrow();
      await expect(store.addCaller(caller("a"), secret("u", "a"))).rejects.toThrow();
      expect((await store.callers("key")).map(({ id }) => id)).toEqual(["a"]);
      expect(await store.secretById("u")).toBeUndefined();
    },
  ],
  [
    "ends the other secrets of a caller when it gets a new one, and never later than they ended anyway",
    async (store) => {
      await store.addCaller(caller("a"), secret("1", "a"));
      await store.addCaller(caller("b"), secret("other", "b"));
      await store.replaceSecret(secret("2", "a"), 9_000);
      await store.replaceSecret(secret("3", "a"), 12_000);
      const ends = async (id: string) => (await store.secretById(id))?.secret.expiresAt;
      expect([await ends("1"), await ends("2"), await ends("3"), await ends("other")]).toEqual([9_000, 12_000, null, null]);
    },
  ],
  [
    "replaces a hash",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await store.rehash("s", "better", "second");
      expect(await store.secretByHash(["hash of s"])).toBeUndefined();
      expect((await store.secretByHash(["better"]))?.secret).toEqual(secret("s", "a", { hash: "better", keyId: "second" }));
    },
  ],
  [
    "revokes a caller once",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      expect(await store.revoke("a", 7_000)).toBe(true);
      expect(await store.revoke("a", 8_000)).toBe(false);
      expect(await store.revoke("b", 8_000)).toBe(false);
      expect((await store.caller("a"))?.revokedAt).toBe(7_000);
      expect((await store.secretById("s"))?.caller.revokedAt).toBe(7_000);
    },
  ],
  [
    "notes the latest use, and ignores callers that are not there",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await store.noteUse([
        ["a", 5_000],
        ["gone", 5_000],
      ]);
      await store.noteUse([["a", 4_000]]);
      expect((await store.caller("a"))?.lastUsedAt).toBe(5_000);
    },
  ],
  [
    "lists the secrets that have not ended",
    async (store) => {
      await store.addCaller(caller("a"), secret("1", "a", { keyId: "k1" }));
      await store.addCaller(caller("b", { expiresAt: 4_000 }), secret("2", "b", { keyId: "k2" }));
      await store.addCaller(caller("c"), secret("3", "c", { keyId: "k3", expiresAt: 4_000 }));
      await store.addCaller(caller("d"), secret("4", "d", { keyId: "k4" }));
      await store.revoke("d", 2_000);
      const keyIds = async (now: number) => (await store.liveSecrets(now)).map(({ keyId }) => keyId);
      expect(await keyIds(3_999)).toEqual(["k1", "k2", "k3"]);
      expect(await store.liveSecrets(4_000)).toEqual([secret("1", "a", { keyId: "k1" })]);
      await store.addCaller(caller("e"), secret("0", "e", { keyId: "k5", createdAt: 1 }));
      expect(await keyIds(4_000)).toEqual(["k5", "k1"]);
    },
  ],
  [
    "keeps what several processes change at the same time",
    async (store, another) => {
      const stores = [store, await another(), await another()];
      const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
      await Promise.all(ids.map((id, index) => stores[index % 3]?.addCaller(caller(id), secret(id, id))));
      expect((await store.callers("key")).length).toBe(30);
    },
  ],
];
