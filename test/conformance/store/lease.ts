import { hostname } from "node:os";
import { expect } from "vitest";
import { newLeaseOwner, removedOwner } from "../../../runtime/store/lease.ts";
import type { LeasePlace, ScopePlace } from "../../../runtime/store/store.ts";
import { type Case, collection, found, instance, kept, page, position } from "./case.ts";

// Who may write.

export const lease: readonly Case[] = [
  [
    "belongs to one owner until it runs out or is given back",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const fence = await store.lease(instance, one, 60);
      expect(fence).toEqual(expect.any(Number));
      expect(await store.lease(instance, one, 60)).toBe(fence);
      expect(await store.lease(instance, other, 60)).toBeNull();
      expect(await store.lease({ ...instance, instance: "two" }, other, 60)).toEqual(expect.any(Number));
      await store.lease(instance, one, 0);
      expect(await store.lease(instance, other, 60)).toBeGreaterThan(Number(fence));
    },
  ],
  [
    "passes to the next owner when its process has ended, on this machine",
    async (store) => {
      // No system gives out this number.
      const [dead, elsewhere] = [`${hostname()}:999999999:x`, "elsewhere:999999999:x"];
      const fence = await store.lease(instance, dead, 60);
      expect(await store.lease(instance, elsewhere, 60)).toBeGreaterThan(Number(fence));
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
      const fences = [await store.lease(first, one, 60), await store.lease(second, other, 60)];
      expect(new Set(fences).size).toBe(2);
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
      await expect(store.save({ ...collection, scope: "other", fence: early }, page("a"))).rejects.toMatchObject({
        code: "sync_running",
      });
      await store.save({ ...collection, fence: early }, page("a"));
      const owner = newLeaseOwner();
      const take = (place: ScopePlace) => expect.poll(() => store.lease(place, owner, 0.001), { interval: 5 });
      await take(instance).toEqual(expect.any(Number));
      await expect(store.save({ ...collection, fence: early }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
      const whole = Number(await store.lease(instance, owner, 0.001));
      await store.save({ ...collection, fence: whole }, page("b"));
      await expect.poll(() => store.lease(scope, newLeaseOwner(), 60), { interval: 5 }).toEqual(expect.any(Number));
      await expect(store.save({ ...collection, fence: whole }, page("c"))).rejects.toMatchObject({ code: "sync_running" });
    },
  ],
  [
    "for a run of the schedule is given for each scope until it was synced in that run",
    async (store) => {
      const scope = { ...instance, scope: "first" };
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      expect(await store.lease(scope, one, 60, "run 1")).toEqual(expect.any(Number));
      // Its sync was cut off.
      await store.lease(scope, one, 0);
      expect(await store.lease(scope, other, 60, "run 1")).toEqual(expect.any(Number));
      await store.lease(scope, other, 0, "run 1");
      expect(await store.lease(scope, one, 60, "run 1")).toBeNull();
      expect(await store.leased(scope)).toBe(false);
      expect(await store.lease({ ...scope, scope: "second" }, one, 60, "run 1")).toEqual(expect.any(Number));
      expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
      await store.lease(scope, one, 0);
      expect(await store.lease(scope, one, 60, "run 2")).toEqual(expect.any(Number));
    },
  ],
  [
    "of a family leaves other families of its scope to others, and is not held together with that of the scope or the instance",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const scope = { ...instance, scope: "first" };
      const [issues, labels] = [
        { ...scope, family: "issues" },
        { ...scope, family: "labels" },
      ];
      const fences = [await store.lease(issues, one, 60), await store.lease(labels, other, 60)];
      expect(new Set([...fences, await store.lease({ ...issues, scope: "second" }, other, 60)]).size).toBe(3);
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
    "of a family ends with a lease of its scope or of the instance and the other way round, and not with that of another family",
    async (store) => {
      const scope = { ...instance, scope: collection.scope };
      const [things, others] = [
        { ...scope, family: "things" },
        { ...scope, family: "others" },
      ];
      // Each lease has run out before the next one is taken: its process was suspended.
      const take = async (place: LeasePlace) => {
        const owner = newLeaseOwner();
        let fence: number | null = null;
        await expect.poll(async () => (fence = await store.lease(place, owner, 0.001)), { interval: 5 }).not.toBeNull();
        return fence ?? 0;
      };
      const refused = (fence: number) =>
        expect(store.save({ ...collection, fence }, page("x"))).rejects.toMatchObject({ code: "sync_running" });
      let before = await take(things);
      await store.save({ ...collection, fence: before }, page("a"));
      await expect(store.save({ ...collection, scope: "other", fence: before }, page("x"))).rejects.toMatchObject({
        code: "sync_running",
      });
      await take(others);
      await store.save({ ...collection, fence: before }, page("b"));
      for (const place of [things, scope, things, instance, things]) {
        const fence = await take(place);
        await refused(before);
        before = fence;
      }
      await store.save({ ...collection, fence: before }, page("c"));
      const seized = await store.seize(instance, newLeaseOwner(), 60);
      await refused(before);
      await store.save({ ...collection, fence: seized }, page("d"));
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
        const asked: LeasePlace[] = [{ ...scope, family: "issues" }, scope, { ...scope, family: "labels" }, fresh];
        const given = await Promise.all(asked.map((place) => store.lease(place, newLeaseOwner(), 60)));
        const [issues, whole, labels, all] = given.map((fence) => fence !== null);
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
      const fence = Number(await store.lease(instance, one, 60));
      const early = { ...collection, fence };
      await store.save(early, page("a"));
      await store.lease(instance, one, 0);
      await store.lease(instance, other, 60);
      await store.lease(instance, other, 0);
      const later = Number(await store.lease(instance, one, 60));
      expect(later).toBeGreaterThan(fence + 1);
      const before = await store.states(instance);
      const writes = [
        () => store.save(early, page("b")),
        () => store.finish(early, position(1), kept),
        () => store.fail(early, "rate_limited"),
        () => store.abandon(early, "rate_limited"),
        () => store.confirm(early),
        () => store.note(early, { probe: "x" }),
        () => store.forget({ ...instance, fence }, "all"),
      ];
      for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "sync_running" });
      expect([await found(store), await store.states(instance)]).toEqual(["a", before]);
      await store.save({ ...collection, fence: later }, page("b"));
      expect(await found(store)).toBe("ab");
    },
  ],
];

export const seize: readonly Case[] = [
  [
    "takes the lease from its owner, who then writes nothing more",
    async (store) => {
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const fence = Number(await store.lease(instance, one, 60));
      await store.save({ ...collection, fence }, page("a"));
      const later = await store.seize(instance, other, 60);
      expect(later).toBeGreaterThan(fence);
      expect(await store.lease(instance, one, 60)).toBeNull();
      await expect(store.save({ ...collection, fence }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
      await store.save({ ...collection, fence: later }, page("c"));
      expect([await found(store), await store.seize(instance, other, 60)]).toEqual(["ac", later]);
    },
  ],
  [
    "leaves the lease of an instance that was removed to nobody",
    async (store) => {
      const one = newLeaseOwner();
      const fence = Number(await store.lease(instance, one, 60));
      await store.save({ ...collection, fence }, page("a"));
      await store.seize(instance, removedOwner, 0);
      const gone = { code: "unknown_connector" };
      await expect(store.save({ ...collection, fence }, page("b"))).rejects.toMatchObject(gone);
      for (const owner of [one, newLeaseOwner()]) await expect(store.lease(instance, owner, 60)).rejects.toMatchObject(gone);
      expect([await found(store), await store.leased(instance)]).toEqual(["a", false]);
      expect(await store.seize({ ...instance, instance: "first of its kind" }, one, 60)).toEqual(expect.any(Number));
    },
  ],
];

export const taken: readonly Case[] = [
  [
    "tells what others have of a scope, and what was synced in a run of the schedule, of which nobody gets the lease again",
    async (store) => {
      const scope = { ...instance, scope: "first" };
      const [issues, labels] = [
        { ...scope, family: "issues" },
        { ...scope, family: "labels" },
      ];
      const [one, other] = [newLeaseOwner(), newLeaseOwner()];
      const taken = async (run = "run 1") =>
        (await store.taken(scope, run)).sort((a, b) => (a.family < b.family ? -1 : 1)).map(({ family, held }) => [family, held]);
      expect(await taken()).toEqual([]);
      await store.lease(issues, one, 60, "run 1");
      await store.lease(labels, other, 60, "run 1");
      await store.lease({ ...labels, scope: "second" }, other, 60, "run 1");
      expect(await taken()).toEqual([
        ["issues", true],
        ["labels", true],
      ]);
      await store.lease(issues, one, 0, "run 1");
      // Its sync was cut off.
      await store.lease(labels, other, 0);
      expect([await taken(), await taken("run 2")]).toEqual([[["issues", false]], []]);
      expect(await store.lease(issues, other, 60, "run 1")).toBeNull();
      expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
      expect(await taken()).toEqual([
        ["", true],
        ["issues", false],
      ]);
      await store.lease(scope, one, 0, "run 1");
      expect(await store.lease(labels, other, 60, "run 1")).toBeNull();
      expect(await taken()).toEqual([
        ["", false],
        ["issues", false],
      ]);
      expect(await store.lease(labels, other, 60, "run 2")).toEqual(expect.any(Number));
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
