import { expect } from "vitest";
import { type Case, collection, found, instance, page, whole } from "./case.ts";

// Beginning and end of a store.

export const ready: readonly Case[] = [
  [
    "resolves, and the store can be used",
    async (store) => {
      await store.ready;
      expect(await found(store)).toBe("");
    },
  ],
];

export const healthy: readonly Case[] = [
  [
    "is true while nothing is wrong",
    async (store) => {
      expect(store.healthy).toBe(true);
      await store.ready;
      expect(store.healthy).toBe(true);
    },
  ],
];

export const close: readonly Case[] = [
  [
    "ends everything; what comes later is refused",
    async (store) => {
      await store.save(collection, page("a"));
      expect(await store.close()).toBe(true);
      const refused = { code: "shutting_down" };
      await expect(store.search(collection, whole, performance.now() + 100_000)).rejects.toMatchObject(refused);
      await expect(store.states(instance)).rejects.toMatchObject(refused);
    },
  ],
  [
    "finishes the changes that have begun",
    async (store, another) => {
      await store.ready;
      const saving = store.save(collection, page("ab"));
      expect(await store.close()).toBe(true);
      expect(await saving).toMatchObject({ inserted: 2 });
      expect(await found(await another())).toBe("ab");
    },
  ],
];
