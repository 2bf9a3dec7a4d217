import { expect } from "vitest";
import { type Case, collection, page, parts, records } from "./case.ts";

// The records for which a sync reads others.

export const parents: readonly Case[] = [
  [
    "gives records in the order of their keys, behind a key, no more than asked for",
    async (store) => {
      await store.save(collection, page("cabd"));
      const keys = async (after: string | undefined, limit: number) =>
        (await store.parents(collection, { entity: "parts", step: 0 }, after, limit)).map(({ key }) => key).join("");
      expect(await keys(undefined, 3)).toBe("abc");
      expect(await keys("b", 3)).toBe("cd");
    },
  ],
  [
    "gives the whole record, and marker and sync run of each parent whose children were read to their end",
    async (store) => {
      await store.save(collection, page("ab"));
      await store.save(parts, page("x", 1, { parent: "a", parentDone: { key: "a", marker: "m1" } }));
      const found = await store.parents(collection, { entity: "parts", step: 0 }, undefined, 10);
      expect(found).toEqual([
        { key: "a", record: records("a")[0], marker: "m1", run: 1 },
        { key: "b", record: records("b")[0], marker: null, run: null },
      ]);
    },
  ],
];
