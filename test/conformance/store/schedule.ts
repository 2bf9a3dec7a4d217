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
      expect(await store.schedule(instance)).toEqual({ scopes: ["a", "b"], minutes: 5, startedAt: null });
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
      expect(await store.schedule(instance)).toEqual({ scopes: ["b"], minutes: 7, startedAt });
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
