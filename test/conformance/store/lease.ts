import { hostname } from "node:os";
import { expect } from "vitest";
import { newLeaseOwner, removedOwner } from "../../../runtime/store/lease.ts";
import type { InstanceScope, LeaseKey } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, found, instance, kept, page } from "./case.ts";

// Who may write.

export const lease: readonly Case[] = [
  [
    "belongs to one owner until it runs out or is given back",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const fencingToken = await store.lease(instance, one, 60);
      expect(fencingToken).toEqual(expect.any(Number));
      expect(await store.lease(instance, one, 60)).toBe(fencingToken);
      expect(await store.lease(instance, other, 60)).toBeNull();
      expect(await store.lease({ ...instance, instance: "two" }, other, 60)).toEqual(expect.any(Number));
      await store.lease(instance, one, 0);
      expect(await store.lease(instance, other, 60)).toBeGreaterThan(Number(fencingToken));
    },
  ],
  [
    "passes to the next owner when its process has ended, on this machine",
    async (store) => {
      // No system gives out this number.
      const [dead, elsewhere] = [`${hostname()}:999999999:x`, "elsewhere:999999999:x"];
      const fencingToken = await store.lease(instance, dead, 60);
      expect(await store.lease(instance, elsewhere, 60)).toBeGreaterThan(Number(fencingToken));
      expect(await store.lease(instance, newLeaseOwner(), 60)).toBeNull();
    },
  ],
  [
    "of a scope leaves other scopes to others, and is not held together with that of the instance",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const [first, second] = [
        { ...instance, scope: "first" },
        { ...instance, scope: "second" },
      ];
      const fencingTokens = [await store.lease(first, one, 60), await store.lease(second, other, 60)];
      expect(new Set(fencingTokens).size).toBe(2);
      expect(await store.lease(first, other, 60)).toBeNull();
      expect(await store.lease(instance, newLeaseOwner(), 60)).toBeNull();
      expect([await store.leased(first), await store.leased({ ...instance, scope: "third" })]).toEqual([true, false]);
      await store.lease(first, one, 0);
      await store.lease(second, other, 0);
      expect(await store.leased(instance)).toBe(false);
      expect(await store.lease(instance, one, 60)).toEqual(expect.any(Number));
      expect(await store.lease(second, other, 60)).toBeNull();
      expect(await store.leased(second)).toBe(true);
    },
  ],
  [
    "of a scope lets nobody write to another one, and ends with a lease of the instance, and the other way round",
    async (store) => {
      const scope = { ...instance, scope: collection.scope };
      // A lease that has run out: its process was suspended.
      const early = Number(await store.lease(scope, newLeaseOwner(), 0.001));
      await expect(store.save({ ...collection, scope: "other", fencingToken: early }, page("a"))).rejects.toMatchObject({
        code: "sync_running",
      });
      await store.save({ ...collection, fencingToken: early }, page("a"));
      const owner = newLeaseOwner();
      const take = (place: InstanceScope) => expect.poll(() => store.lease(place, owner, 0.001), { interval: 5 });
      await take(instance).toEqual(expect.any(Number));
      await expect(store.save({ ...collection, fencingToken: early }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
      const whole = Number(await store.lease(instance, owner, 0.001));
      await store.save({ ...collection, fencingToken: whole }, page("b"));
      await expect.poll(() => store.lease(scope, newLeaseOwner(), 60), { interval: 5 }).toEqual(expect.any(Number));
      await expect(store.save({ ...collection, fencingToken: whole }, page("c"))).rejects.toMatchObject({ code: "sync_running" });
    },
  ],
  [
    "for a scheduled sync is given for each scope until it was synced in that one",
    async (store) => {
      const scope = { ...instance, scope: "first" };
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      expect(await store.lease(scope, one, 60, "sync 1")).toEqual(expect.any(Number));
      // Its sync was cut off.
      await store.lease(scope, one, 0);
      expect(await store.lease(scope, other, 60, "sync 1")).toEqual(expect.any(Number));
      await store.lease(scope, other, 0, "sync 1");
      expect(await store.lease(scope, one, 60, "sync 1")).toBeNull();
      expect(await store.leased(scope)).toBe(false);
      expect(await store.lease({ ...scope, scope: "second" }, one, 60, "sync 1")).toEqual(expect.any(Number));
      expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
      await store.lease(scope, one, 0);
      expect(await store.lease(scope, one, 60, "sync 2")).toEqual(expect.any(Number));
    },
  ],
  [
    "of a sync group leaves other sync groups of its scope to others, and is not held together with that of the scope or the instance",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const scope = { ...instance, scope: "first" };
      const [issues, labels] = [
        { ...scope, syncGroup: "issues" },
        { ...scope, syncGroup: "labels" },
      ];
      const fencingTokens = [await store.lease(issues, one, 60), await store.lease(labels, other, 60)];
      expect(new Set([...fencingTokens, await store.lease({ ...issues, scope: "second" }, other, 60)]).size).toBe(3);
      expect(await store.lease(issues, other, 60)).toBeNull();
      for (const place of [scope, instance]) expect(await store.lease(place, newLeaseOwner(), 60)).toBeNull();
      await store.lease(issues, one, 0);
      expect([await store.leased(scope), await store.lease(scope, one, 60)]).toEqual([true, null]);
      await store.lease(labels, other, 0);
      expect([await store.leased(scope), await store.leased(instance)]).toEqual([false, true]);
      expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
      expect([await store.lease(labels, other, 60), await store.lease(scope, one, 60)]).toEqual([null, expect.any(Number)]);
    },
  ],
  [
    "of a sync group ends with a lease of its scope or of the instance and the other way round, and not with that of another sync group",
    async (store) => {
      const scope = { ...instance, scope: collection.scope };
      const [things, others] = [
        { ...scope, syncGroup: "things" },
        { ...scope, syncGroup: "others" },
      ];
      // Each lease has run out before the next one is taken: its process was suspended.
      const take = async (place: LeaseKey) => {
        const owner = newLeaseOwner();
        let fencingToken: number | null = null;
        await expect.poll(async () => (fencingToken = await store.lease(place, owner, 0.001)), { interval: 5 }).not.toBeNull();
        return fencingToken ?? 0;
      };
      const refused = (fencingToken: number) =>
        expect(store.save({ ...collection, fencingToken }, page("x"))).rejects.toMatchObject({ code: "sync_running" });
      let before = await take(things);
      await store.save({ ...collection, fencingToken: before }, page("a"));
      await expect(store.save({ ...collection, scope: "other", fencingToken: before }, page("x"))).rejects.toMatchObject({
        code: "sync_running",
      });
      await take(others);
      await store.save({ ...collection, fencingToken: before }, page("b"));
      for (const place of [things, scope, things, instance, things]) {
        const fencingToken = await take(place);
        await refused(before);
        before = fencingToken;
      }
      await store.save({ ...collection, fencingToken: before }, page("c"));
      const seized = await store.seize(instance, newLeaseOwner(), 60);
      await refused(before);
      await store.save({ ...collection, fencingToken: seized }, page("d"));
      expect(await found(store)).toBe("abcd");
    },
  ],
  [
    "is given to one of several who ask at the same time for leases that overlap",
    async (store) => {
      for (let round = 0; round < 10; round++) {
        const fresh = { ...instance, instance: `asked ${round}` };
        const before = newLeaseOwner();
        for (const seconds of [60, 0]) await store.lease(fresh, before, seconds);
        const scope = { ...fresh, scope: "first" };
        const asked: LeaseKey[] = [{ ...scope, syncGroup: "issues" }, scope, { ...scope, syncGroup: "labels" }, fresh];
        const given = await Promise.all(asked.map((place) => store.lease(place, newLeaseOwner(), 60)));
        const [issues, whole, labels, all] = given.map((fencingToken) => fencingToken !== null);
        expect([
          [true, false, true, false],
          [false, true, false, false],
          [false, false, false, true],
        ]).toContainEqual([issues, whole, labels, all]);
      }
    },
  ],
  [
    "lets nobody write who had it before another owner, also not after taking it back",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const fencingToken = Number(await store.lease(instance, one, 60));
      const early = { ...collection, fencingToken };
      await store.save(early, page("a"));
      await store.lease(instance, one, 0);
      await store.lease(instance, other, 60);
      await store.lease(instance, other, 0);
      const later = Number(await store.lease(instance, one, 60));
      expect(later).toBeGreaterThan(fencingToken + 1);
      const before = await store.states(instance);
      const writes = [
        () => store.save(early, page("b")),
        () => store.finish(early, checkpoint(1), kept),
        () => store.fail(early, "rate_limited"),
        () => store.abandon(early, "rate_limited"),
        () => store.confirm(early),
        () => store.note(early, { changeCheck: "x" }),
        () => store.forget({ ...instance, fencingToken }, "all"),
        // It changes nothing, but a sync that goes on with what it gives would be in vain.
        () => store.parents(early, { entity: "parts", step: 0 }, undefined, 10),
      ];
      for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "sync_running" });
      expect([await found(store), await store.states(instance)]).toEqual(["a", before]);
      await store.save({ ...collection, fencingToken: later }, page("b"));
      expect(await found(store)).toBe("ab");
    },
  ],
];

export const seize: readonly Case[] = [
  [
    "takes the lease from its owner, who then writes nothing more",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const fencingToken = Number(await store.lease(instance, one, 60));
      await store.save({ ...collection, fencingToken }, page("a"));
      const later = await store.seize(instance, other, 60);
      expect(later).toBeGreaterThan(fencingToken);
      expect(await store.lease(instance, one, 60)).toBeNull();
      await expect(store.save({ ...collection, fencingToken }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
      await store.save({ ...collection, fencingToken: later }, page("c"));
      expect([await found(store), await store.seize(instance, other, 60)]).toEqual(["ac", later]);
    },
  ],
  [
    "leaves the lease of an instance that was removed to nobody",
    async (store) => {
      const one = newLeaseOwner();
      const fencingToken = Number(await store.lease(instance, one, 60));
      await store.save({ ...collection, fencingToken }, page("a"));
      await store.seize(instance, removedOwner, 0);
      const gone = { code: "unknown_connector" };
      await expect(store.save({ ...collection, fencingToken }, page("b"))).rejects.toMatchObject(gone);
      for (const owner of [one, newLeaseOwner()]) await expect(store.lease(instance, owner, 60)).rejects.toMatchObject(gone);
      expect([await found(store), await store.leased(instance)]).toEqual(["a", false]);
      expect(await store.seize({ ...instance, instance: "first of its kind" }, one, 60)).toEqual(expect.any(Number));
    },
  ],
];

export const taken: readonly Case[] = [
  [
    "tells what others have of a scope, and what was synced in a scheduled sync, of which nobody gets the lease again",
    async (store) => {
      const scope = { ...instance, scope: "first" };
      const [issues, labels] = [
        { ...scope, syncGroup: "issues" },
        { ...scope, syncGroup: "labels" },
      ];
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const taken = async (at = "sync 1") =>
        (await store.taken(scope, at))
          .sort((a, b) => (a.syncGroup < b.syncGroup ? -1 : 1))
          .map(({ syncGroup, held }) => [syncGroup, held]);
      expect(await taken()).toEqual([]);
      await store.lease(issues, one, 60, "sync 1");
      await store.lease(labels, other, 60, "sync 1");
      await store.lease({ ...labels, scope: "second" }, other, 60, "sync 1");
      expect(await taken()).toEqual([
        ["issues", true],
        ["labels", true],
      ]);
      await store.lease(issues, one, 0, "sync 1");
      // Its sync was cut off.
      await store.lease(labels, other, 0);
      expect([await taken(), await taken("sync 2")]).toEqual([[["issues", false]], []]);
      expect(await store.lease(issues, other, 60, "sync 1")).toBeNull();
      expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
      expect(await taken()).toEqual([
        ["", true],
        ["issues", false],
      ]);
      await store.lease(scope, one, 0, "sync 1");
      expect(await store.lease(labels, other, 60, "sync 1")).toBeNull();
      expect(await taken()).toEqual([
        ["", false],
        ["issues", false],
      ]);
      expect(await store.lease(labels, other, 60, "sync 2")).toEqual(expect.any(Number));
    },
  ],
];

export const leased: readonly Case[] = [
  [
    "is true while somebody has the lease",
    async (store) => {
      const owner = newLeaseOwner();
      expect(await store.leased(instance)).toBe(false);
      await store.lease(instance, owner, 60);
      expect(await store.leased(instance)).toBe(true);
      await store.lease(instance, owner, 0);
      expect(await store.leased(instance)).toBe(false);
      await store.lease(instance, `${hostname()}:999999999:x`, 60);
      expect(await store.leased(instance)).toBe(false);
      await store.lease(instance, "elsewhere:999999999:x", 60);
      expect(await store.leased(instance)).toBe(true);
    },
  ],
];
