import { expect } from "vitest";
import { type Case, instance } from "./case.ts";

// Syncs that are repeated.

export const schedule: readonly Case[] = [
  ["is null where none was set", async (store) => expect(await store.schedule(instance)).toBeNull()],
];

export const setSchedule: readonly Case[] = [
  [
    "keeps a schedule until it is changed or taken away",
    async (store) => {
      await store.setSchedule(instance, { scopes: ["a", "b"], minutes: 5 });
      expect(await store.schedule(instance)).toEqual({ scopes: ["a", "b"], minutes: 5, startedAt: null, due: null });
      expect(await store.schedule({ ...instance, instance: "two" })).toBeNull();
      await store.setSchedule(instance, null);
      expect(await store.schedule(instance)).toBeNull();
    },
  ],
];

export const started: readonly Case[] = [
  [
    "notes when, and a change of the schedule keeps that",
    async (store) => {
      await store.setSchedule(instance, { scopes: ["a"], minutes: 5 });
      const startedAt = await store.started(instance, null);
      expect(Date.parse(startedAt ?? "")).toBeLessThanOrEqual(Date.now());
      await store.setSchedule(instance, { scopes: ["b"], minutes: 7 });
      expect(await store.schedule(instance)).toEqual({ scopes: ["b"], minutes: 7, startedAt, due: null });
    },
  ],
  [
    "keeps what is due in each interval for a process that starts, as long as its scopes are the same and somebody syncs",
    async (store) => {
      const given = { scopes: ["a", "b"], minutes: 5 };
      await store.setSchedule(instance, { ...given, due: ["b"] });
      expect((await store.schedule(instance))?.due).toBeNull();
      const startedAt = await store.started(instance, null);
      await store.setSchedule(instance, given);
      expect(await store.schedule(instance)).toEqual({ ...given, startedAt, due: ["b"] });
      await store.setSchedule(instance, { ...given, due: null });
      expect((await store.schedule(instance))?.due).toBeNull();
      await store.setSchedule(instance, { ...given, due: [] });
      expect((await store.schedule(instance))?.due).toEqual([]);
      await store.setSchedule(instance, { scopes: ["a"], minutes: 5 });
      expect((await store.schedule(instance))?.due).toBeNull();
    },
  ],
  [
    "is noted by one process only, and not where there is no schedule",
    async (store) => {
      expect(await store.started(instance, null)).toBeNull();
      await store.setSchedule(instance, { scopes: ["a"], minutes: 5 });
      const [one, other] = await Promise.all([store.started(instance, null), store.started(instance, null)]);
      const first = one ?? other;
      expect([one, other].filter((at) => at === null)).toHaveLength(1);
      expect(await store.started(instance, null)).toBeNull();
      expect(await store.started(instance, first)).toEqual(expect.any(String));
    },
  ],
];
