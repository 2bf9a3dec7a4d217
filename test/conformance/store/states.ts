import { expect } from "vitest";
import { type Case, checkpoint, collection, instance, kept, page, parts } from "./case.ts";

// What a store notes of syncs.

export const states: readonly Case[] = [
  [
    "are of one scope where one is named",
    async (store) => {
      await store.save(collection, page("a"));
      await store.save({ ...collection, scope: "other" }, page("b"));
      const scopes = async (scope?: string) =>
        (await store.states({ ...instance, ...(scope === undefined ? {} : { scope }) })).map((state) => state.scope);
      expect(await scopes()).toEqual(["all", "other"]);
      expect(await scopes("other")).toEqual(["other"]);
      expect(await scopes("none")).toEqual([]);
    },
  ],
  [
    "are those of the instance, by scope and entity",
    async (store) => {
      for (const on of [
        { ...collection, scope: "b" },
        { ...collection, scope: "a" },
        { ...parts, scope: "a" },
      ])
        await store.save(on, page("x"));
      await store.save({ ...collection, instance: "two" }, page("x"));
      expect((await store.states(instance)).map(({ scope, entity }) => `${scope} ${entity}`)).toEqual([
        "a parts",
        "a things",
        "b things",
      ]);
    },
  ],
  [
    "tell the newest value and the spec of the last complete sync run",
    async (store) => {
      const by = { ...checkpoint(1), source: "digest", newest: "2024-01-01T00:00:00Z" };
      await store.save(collection, { ...page("a"), checkpoint: by });
      await store.finish(collection, by, kept);
      expect(await store.states(instance)).toMatchObject([{ run: 1, source: "digest", newest: "2024-01-01T00:00:00Z" }]);
    },
  ],
];

export const fail: readonly Case[] = [
  [
    "notes a problem and keeps the checkpoint",
    async (store) => {
      await store.save(collection, page("a"));
      await store.fail(collection, "rate_limited");
      expect(await store.states(instance)).toMatchObject([{ problem: "rate_limited", checkpoint: checkpoint(1) }]);
      await store.finish(collection, checkpoint(1), kept);
      expect(await store.states(instance)).toMatchObject([{ problem: null }]);
    },
  ],
  [
    "notes a problem of an entity that was never read",
    async (store) => {
      await store.fail(collection, "not_found");
      expect(await store.states(instance)).toMatchObject([{ problem: "not_found", run: 0, completedAt: null, checkpoint: null }]);
    },
  ],
];

export const confirm: readonly Case[] = [
  [
    "notes when nothing has changed since the last complete sync run, and not before the first one",
    async (store) => {
      await store.save(collection, page("a"));
      await store.confirm(collection);
      expect(await store.states(instance)).toMatchObject([{ completedAt: null }]);
      await store.finish(collection, checkpoint(1), kept);
      const [before] = await store.states(instance);
      // The next look at the clock must show another millisecond.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.confirm(collection);
      const [after] = await store.states(instance);
      expect(Date.parse(after?.completedAt ?? "")).toBeGreaterThan(Date.parse(before?.completedAt ?? ""));
      expect(after?.fullAt).toBe(before?.fullAt);
    },
  ],
];

export const note: readonly Case[] = [
  [
    "keeps what is noted, beside what was noted before",
    async (store) => {
      await store.save(collection, page("a"));
      await store.note(collection, { spent: { calls: 1, points: 2 } });
      await store.note(collection, {});
      expect(await store.states(instance)).toMatchObject([{ notes: { spent: { calls: 1, points: 2 } }, records: 1 }]);
      await store.note(collection, { spent: null });
      expect((await store.states(instance))[0]?.notes).toEqual({});
    },
  ],
];

export const abandon: readonly Case[] = [
  [
    "notes a problem and drops the checkpoint; the parents of the sync run are to be read again",
    async (store) => {
      await store.save(collection, page("a"));
      await store.save(parts, page("x", 1, { parent: "a", parentDone: { key: "a", marker: "m1" } }));
      await store.abandon(parts, "partial_results");
      const states = await store.states(instance);
      expect(states.find(({ entity }) => entity === "parts")).toMatchObject({ problem: "partial_results", checkpoint: null });
      const [parent] = await store.parents(collection, { entity: "parts", step: 0 }, undefined, 1);
      expect(parent?.marker).not.toBe("m1");
    },
  ],
];
