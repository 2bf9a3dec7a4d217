import { expect } from "vitest";
import { type Case, instance } from "./case.ts";

export const instances: readonly Case[] = [
  [
    "gives back an instance as it was stored, in another process too, and all ordered by id",
    async (store, another) => {
      const whole = instance("b", {
        organization: "o",
        rest: "https://x",
        graphql: "https://y",
        variables: { place: "eu" },
        scopes: [],
      });
      expect(await store.addInstance(whole)).toBe(true);
      expect(await store.addInstance(instance("a"))).toBe(true);
      for (const one of [store, await another()]) {
        expect(await one.instance("b")).toEqual(whole);
        expect(await one.instances()).toEqual([instance("a"), whole]);
        expect(await one.instance("c")).toBeUndefined();
      }
    },
  ],
  [
    "changes the given fields of an instance, and increments its version",
    async (store) => {
      await store.addInstance(instance("a"));
      expect(await store.changeInstance("a", { credential: "other", scopes: [], variables: { x: "y" } })).toBe(true);
      expect(await store.instance("a")).toEqual(
        instance("a", { credential: "other", scopes: [], variables: { x: "y" }, version: 2 }),
      );
      expect(await store.changeInstance("a", { minutes: 5 }, 1)).toBe(false);
      expect(await store.changeInstance("a", { minutes: 5 }, 2)).toBe(true);
      expect(await store.instance("a")).toMatchObject({ minutes: 5, version: 3 });
      expect(await store.changeInstance("b", { minutes: 5 })).toBe(false);
    },
  ],
  [
    "removes an instance, whose id is never used again",
    async (store) => {
      await store.addInstance(instance("a"));
      expect(await store.addInstance(instance("a", { workspace: "other" }))).toBe(false);
      expect(await store.removeInstance("a", 5_000)).toBe(true);
      expect(await store.removeInstance("a", 5_000)).toBe(false);
      expect(await store.instance("a")).toBeUndefined();
      expect(await store.instances()).toEqual([]);
      expect(await store.changeInstance("a", { minutes: 5 })).toBe(false);
      expect(await store.addInstance(instance("a"))).toBe(false);
    },
  ],
  [
    "keeps the tokens of an instance, of the settings or stored, for other processes too",
    async (store, another) => {
      expect(await store.tokens("a")).toBeUndefined();
      expect(await store.tokenHolders()).toEqual([]);
      for (const id of ["b", "a", "none"])
        expect(await store.leaseTokens(id, "p", 60_000)).toEqual({ leased: true, tokens: undefined });
      expect(await store.saveTokens("b", "p", "of b")).toBe(true);
      expect(await store.saveTokens("a", "p", "of a")).toBe(true);
      expect(await store.saveTokens("none", "p", null)).toBe(true);
      for (const one of [store, await another()]) {
        expect([await one.tokens("a"), await one.tokens("b"), await one.tokens("none")]).toEqual(["of a", "of b", undefined]);
        expect(await one.tokenHolders()).toEqual(["a", "b"]);
      }
    },
  ],
  [
    "gives the right to renew tokens to one owner at a time, until it saves or its time is over",
    async (store, another) => {
      const other = await another();
      await store.leaseTokens("a", "p", 60_000);
      expect(await other.leaseTokens("a", "q", 60_000)).toEqual({ leased: false, tokens: undefined });
      expect(await other.saveTokens("a", "q", "stolen")).toBe(false);
      expect((await store.leaseTokens("a", "p", 60_000)).leased).toBe(true);
      expect(await store.saveTokens("a", "p", "first")).toBe(true);
      expect(await store.saveTokens("a", "p", "again")).toBe(false);
      expect(await other.leaseTokens("a", "q", 0)).toEqual({ leased: true, tokens: "first" });
      expect(await store.leaseTokens("a", "p", 60_000)).toEqual({ leased: true, tokens: "first" });
      expect(await other.saveTokens("a", "q", "late")).toBe(false);
      expect(await store.saveTokens("a", "p", null)).toBe(true);
      expect(await store.tokens("a")).toBe("first");
      const asked = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).leaseTokens("a", `${index}`, 60_000),
      );
      expect((await Promise.all(asked)).filter(({ leased }) => leased)).toHaveLength(1);
    },
  ],
  [
    "removes the tokens of an instance with it, and gives nobody the right to make new ones",
    async (store) => {
      await store.addInstance(instance("a"));
      await store.leaseTokens("a", "p", 60_000);
      await store.saveTokens("a", "p", "t");
      await store.leaseTokens("a", "p", 60_000);
      await store.removeInstance("a", 5_000);
      expect(await store.tokens("a")).toBeUndefined();
      expect(await store.saveTokens("a", "p", "late")).toBe(false);
      expect((await store.leaseTokens("a", "p", 60_000)).leased).toBe(false);
      await store.leaseTokens("of the settings", "p", 60_000);
      await store.saveTokens("of the settings", "p", "t");
      expect(await store.removeInstance("of the settings", 6_000)).toBe(false);
      expect(await store.tokenHolders()).toEqual(["of the settings"]);
    },
  ],
];
