import { expect } from "vitest";
import { mostInStep } from "../../../runtime/store/works/forgetting.ts";
import { type Case, checkpoint, collection, found, instance, page, parts, records, whole } from "./case.ts";

// Removing a scope.

export const forget: readonly Case[] = [
  [
    "removes a scope with what belongs to it alone",
    async (store) => {
      const other = { ...collection, scope: "other" };
      await store.save(collection, page("ab"));
      await store.save(other, page("bc"));
      await store.save({ ...parts, scope: "other" }, page("x", 1, { parent: "b", parentDone: { key: "b", marker: "m" } }));
      expect(await store.forget(instance, "other")).toBe(2);
      expect([await found(store), await found(store, {}, parts)]).toEqual(["ab", ""]);
      expect(await store.states(instance)).toMatchObject([{ scope: "all", entity: "things", records: 2 }]);
      expect(await store.forget(instance, "other")).toBeNull();
      expect(await store.forget({ ...instance, instance: "two" }, "all")).toBeNull();
      const { total } = await store.search(collection, { ...whole, count: true }, performance.now() + 100_000);
      expect(total).toBe(2);
    },
  ],
  [
    "removes large scopes whole",
    async (store) => {
      // More than are removed in one step.
      const ids = Array.from({ length: mostInStep + 100 }, (_, at) => `${at}`);
      await store.save(collection, { records: records(...ids), checkpoint: checkpoint(1) });
      expect(await store.forget(instance, "all")).toBe(ids.length);
      expect([await found(store), await store.states(instance)]).toEqual(["", []]);
    },
  ],
];
