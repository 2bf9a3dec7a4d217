import { expect } from "vitest";
import { type Case, subscription, turnEnd } from "./case.ts";

export const subscriptions: readonly Case[] = [
  [
    "keeps subscriptions of callers, at most so many of each, until they end",
    async (store, another) => {
      expect(await store.addSubscription(subscription("s"), 2)).toBe(true);
      const ending = subscription("e", { expiresAt: Date.now() - 1, createdAt: 2_000 });
      expect(await store.addSubscription(ending, 2)).toBe(true);
      const other = await another();
      const stored = await other.subscription("s");
      const fresh = {
        state: "active",
        reason: null,
        replayFrom: null,
        replayTo: null,
        failures: 0,
        failingSince: null,
        dueAt: 0,
      };
      expect(stored).toEqual({ ...subscription("s"), ...fresh, lastAt: null, lastOutcome: null, version: 1, token: 0 });
      expect(await other.subscription("e")).toBeUndefined();
      expect(await store.addSubscription(subscription("t", { createdAt: 2_000 }), 2)).toBe(true);
      expect(await store.addSubscription(subscription("u"), 2)).toBe(false);
      expect(await store.addSubscription(subscription("u", { caller: "b", createdAt: 3_000 }), 2)).toBe(true);
      const listed = { instance: "github", state: "active", position: 5, failures: 0 };
      expect(await store.listedSubscriptions("a", 10)).toEqual(["s", "t"].map((id) => ({ id, ...listed })));
      expect((await store.listedSubscriptions(null, 2)).map(({ id }) => id)).toEqual(["s", "t"]);
      expect((await store.subscriptions(["t", "none", "s"])).map(({ id }) => id)).toEqual(["s", "t"]);
      expect(await store.changeSubscription("s", { state: "paused", reason: "r" }, 2)).toBe(false);
      expect(await store.changeSubscription("s", { state: "paused", reason: "r" }, 1)).toBe(true);
      expect(await other.subscription("s")).toMatchObject({
        state: "paused",
        reason: "r",
        version: 2,
        position: 5,
        content: "{}",
      });
      expect((await store.dueSubscriptions(10)).map(({ id }) => id)).toEqual(["t", "u"]);
      expect([await store.removeSubscription("t"), await store.removeSubscription("t")]).toEqual([true, false]);
    },
  ],
  [
    "gives a turn of a subscription to one process, until its time is over",
    async (store, another) => {
      await store.addSubscription(subscription("s"), 9);
      const other = await another();
      const [first] = await store.beginTurns(["s", "nothing"], 60_000);
      expect(first).toMatchObject({ id: "s", token: 1, position: 5 });
      expect([await other.beginTurns(["s"], 60_000), await other.dueSubscriptions(10)]).toEqual([[], []]);
      expect(await store.endTurns([turnEnd(first, { position: 7, lastAt: 3, lastOutcome: "200" })])).toEqual([true]);
      expect(await other.subscription("s")).toMatchObject({ position: 7, lastAt: 3, lastOutcome: "200", token: 1 });
      const [short] = await other.beginTurns(["s"], 0);
      const [next] = await store.beginTurns(["s"], 60_000);
      expect([short?.token, next?.token]).toEqual([2, 3]);
      expect(await other.endTurns([turnEnd(short, { position: 99 })])).toEqual([false]);
      expect(await store.endTurns([turnEnd(next, { position: 8, failures: 1, failingSince: 4, wait: 60_000 })])).toEqual([true]);
      expect(await other.subscription("s")).toMatchObject({ position: 8, failures: 1, failingSince: 4 });
      expect(await other.beginTurns(["s"], 0)).toEqual([]);
    },
  ],
  [
    "stores the end of a turn only when nobody has changed the subscription since",
    async (store) => {
      await store.addSubscription(subscription("s"), 9);
      const [begun] = await store.beginTurns(["s"], 60_000);
      await store.changeSubscription("s", { position: 2 });
      expect(await store.endTurns([turnEnd(begun, { position: 7 })])).toEqual([false]);
      expect(await store.subscription("s")).toMatchObject({ position: 2 });
      // The turn is over all the same.
      expect(await store.beginTurns(["s"], 60_000)).toHaveLength(1);
    },
  ],
];
