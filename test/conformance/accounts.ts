import { afterEach, describe, expect, it } from "vitest";
import type { StoredCaller, StoredSecret } from "../../runtime/accounts/caller-store.ts";
import { type Hint, mostHints } from "../../runtime/accounts/hint-store.ts";
import {
  type AccountStore,
  type AuditEntry,
  fullGrant,
  type NewSubscription,
  type StoredSubscription,
  type TurnEnd,
} from "../../runtime/accounts/index.ts";
import type { StoredInstance } from "../../runtime/accounts/instance-store.ts";
import { listedContent, type NewProposal } from "../../runtime/accounts/proposal-store.ts";

// What every store of callers must do, whatever it keeps them in.

/** The place of one case, in which several stores may be opened that share their data. */
export interface AccountPlace {
  open(): Promise<AccountStore>;
  /** Called when the stores are closed. */
  remove(): void | Promise<void>;
}

function caller(id: string, more: Partial<StoredCaller> = {}): StoredCaller {
  const grant = { ...fullGrant, entities: ["issues"], organization: "o" };
  const times = { createdAt: 1_000, expiresAt: null, revokedAt: null, lastUsedAt: null };
  return { id, kind: "key", name: `name of ${id}`, grant, ...times, ...more };
}

function secret(id: string, of: string, more: Partial<StoredSecret> = {}): StoredSecret {
  return { id, caller: of, hash: `hash of ${id}`, keyId: "first", createdAt: 1_000, expiresAt: null, ...more };
}

function instance(id: string, more: Partial<StoredInstance> = {}): StoredInstance {
  const place = { connector: "test", workspace: "w", organization: null, rest: null, graphql: null, variables: {} };
  return { id, ...place, credential: "sealed", scopes: ["a=b"], minutes: 60, createdAt: 1_000, version: 1, ...more };
}

type Case = readonly [title: string, check: (store: AccountStore, another: () => Promise<AccountStore>) => Promise<void>];

function hint(key: string, more: Partial<Hint> = {}): Hint {
  return { instance: "github", scope: "a=b", entity: "issues", kind: "key", key, params: "{}", ...more };
}

function proposal(id: string, more: Partial<NewProposal> = {}): NewProposal {
  return { id, caller: "a", request: `request of ${id}`, content: "{}", hash: "h", createdAt: 1_000, expiresAt: 2_000, ...more };
}

function subscription(id: string, more: Partial<NewSubscription> = {}): NewSubscription {
  const place = { log: "l", position: 5, createdAt: 1_000, expiresAt: null };
  return { id, caller: "a", instance: "github", content: "{}", secrets: "sealed", ...place, ...more };
}

/** The end of a turn in which nothing has happened. */
function turnEnd(begun: StoredSubscription | undefined, more: Partial<TurnEnd> = {}): TurnEnd {
  if (begun === undefined) throw new Error("no turn has begun");
  return { ...begun, wait: 0, ...more };
}

const cases: readonly Case[] = [
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
  [
    "takes a delivery once, and keeps its hints until they are followed",
    async (store, another) => {
      const delivery = { instance: "github", id: "1", hints: [hint("b"), hint("a"), hint("b")] };
      expect(await store.addHints([delivery, { ...delivery, id: "2", hints: [] }, delivery], 1_000, 0)).toEqual([
        true,
        true,
        false,
      ]);
      expect(await (await another()).addHints([delivery, { ...delivery, instance: "other", hints: [] }], 1_001, 0)).toEqual([
        false,
        true,
      ]);
      expect(await store.dueHints(999, 10)).toEqual([]);
      const due = await store.dueHints(1_000, 10);
      const stored = { version: 1, at: 1_000, tries: 0 };
      expect(due).toEqual([
        { ...hint("a"), ...stored },
        { ...hint("b"), ...stored },
      ]);
      expect(await store.waitingHints()).toEqual([{ instance: "github", hints: 2, oldest: 1_000 }]);
      await store.endHints(due);
      expect(await store.waitingHints()).toEqual([]);
      expect(await store.toldScopes("github", 1_000)).toEqual([{ instance: "github", scope: "a=b", at: 1_000 }]);
      expect(await store.toldScopes("github", 1_001)).toEqual([]);
    },
  ],
  [
    "keeps a hint that comes again while it is followed",
    async (store) => {
      await store.addHints([{ instance: "github", id: "1", hints: [hint("a")] }], 1_000, 0);
      const due = await store.dueHints(1_000, 10);
      await store.addHints([{ instance: "github", id: "2", hints: [hint("a", { params: '{"number":2}' })] }], 1_500, 0);
      await store.endHints(due);
      const again = await store.dueHints(2_000, 10);
      expect(again).toEqual([{ ...hint("a", { params: '{"number":2}' }), version: 2, at: 1_000, tries: 0 }]);
      await store.postponeHints(again, 5_000, true);
      expect(await store.dueHints(4_999, 10)).toEqual([]);
      expect(await store.dueHints(5_000, 10)).toMatchObject([{ tries: 1 }]);
      await store.postponeHints(again, 6_000, false);
      expect(await store.dueHints(6_000, 10)).toMatchObject([{ tries: 1 }]);
    },
  ],
  [
    "forgets old deliveries",
    async (store) => {
      const delivery = { instance: "github", id: "1", hints: [] };
      await store.addHints([delivery], 1_000, 0);
      expect(await store.addHints([delivery], 2_000, 1_000)).toEqual([false]);
      expect(await store.addHints([delivery], 2_000, 1_001)).toEqual([true]);
    },
  ],
  [
    "keeps one hint for each scope where too many wait",
    async (store) => {
      const many = Array.from({ length: mostHints }, (_, index) => hint(`k${index}`));
      await store.addHints([{ instance: "github", id: "1", hints: many }], 1_000, 0);
      const more = [hint("x"), hint("y"), hint("z", { scope: "c=d" }), hint("z", { instance: "other" })];
      await store.addHints(
        more.map((one, index) => ({ instance: one.instance, id: `m${index}`, hints: [one] })),
        900,
        0,
      );
      expect(await store.dueHints(999, 10)).toMatchObject([
        { scope: "a=b", entity: "", kind: "scope", key: "" },
        { scope: "c=d", entity: "", kind: "scope", key: "" },
        { instance: "other", kind: "key", key: "z" },
      ]);
    },
  ],
  [
    "keeps a proposal until it is decided once, by another caller and in time",
    async (store, another) => {
      const added = await store.addProposal(proposal("p"), 5, 0);
      expect(added).toMatchObject({ ...proposal("p"), state: "pending", decidedBy: null, owner: null, outcome: null });
      const other = await another();
      expect(await other.proposal("p")).toEqual(added);
      const approve = { state: "sending", by: "b", at: 1_500, owner: "o" } as const;
      expect(await store.decideProposal("p", { ...approve, by: "a" })).toBe(false);
      expect(await store.decideProposal("p", { ...approve, at: 2_000 })).toBe(false);
      const both = await Promise.all([store.decideProposal("p", approve), other.decideProposal("p", { ...approve, owner: "p" })]);
      expect(both.filter((one) => one)).toHaveLength(1);
      expect(await store.decideProposal("p", { state: "rejected", by: "b", at: 1_500 })).toBe(false);
      const owner = (await store.proposal("p"))?.owner ?? "";
      await store.endProposal("p", "somebody else", { state: "failed", outcome: null });
      expect(await other.proposal("p")).toMatchObject({ state: "sending", decidedBy: "b", decidedAt: 1_500 });
      await store.endProposal("p", owner, { state: "done", outcome: "[1]" });
      await store.endProposal("p", owner, { state: "failed", outcome: null });
      expect(await other.proposal("p")).toMatchObject({ state: "done", outcome: "[1]" });
    },
  ],
  [
    "lets only its own caller withdraw a proposal",
    async (store) => {
      await store.addProposal(proposal("p"), 5, 0);
      const withdraw = (by: string) => store.decideProposal("p", { state: "withdrawn", by, at: 1_500, content: `of ${by}` });
      expect([await withdraw("b"), await withdraw("a"), await withdraw("a")]).toEqual([false, true, false]);
      expect((await store.proposal("p"))?.content).toBe("of a");
      expect(await store.proposalOf("a", "request of p", 1_500)).toBeUndefined();
    },
  ],
  [
    "keeps one pending proposal for a request, and so many for a caller",
    async (store, another) => {
      const other = await another();
      const same = ["1", "2"].map((id) => proposal(id, { request: "same" }));
      const added = await Promise.all([store, other].map((one, index) => one.addProposal(same[index] ?? proposal("x"), 2, 0)));
      expect(new Set(added.map((one) => one?.id)).size).toBe(1);
      expect((await store.addProposal(proposal("3"), 2, 0))?.id).toBe("3");
      expect(await store.addProposal(proposal("4"), 2, 0)).toBeUndefined();
      expect((await store.addProposal(proposal("5", { caller: "b" }), 2, 0))?.id).toBe("5");
      // What has expired is not pending, and is forgotten at last.
      expect((await store.addProposal(proposal("6", { createdAt: 3_000, expiresAt: 4_000 }), 2, 0))?.id).toBe("6");
      expect((await store.proposals("pending", 3_000, 9)).map(({ id }) => id)).toEqual(["6"]);
      expect(await store.proposals(undefined, 3_000, 9)).toHaveLength(4);
      await store.addProposal(proposal("7", { createdAt: 3_000, expiresAt: 4_000 }), 2, 2_500);
      expect((await store.proposals(undefined, 3_000, 9)).map(({ id }) => id)).toEqual(["7", "6"]);
      const [first, ...others] = await store.proposals(undefined, 3_000, 1);
      expect([first?.id, others]).toEqual(["7", []]);
      expect((await store.proposals(undefined, 3_000, 9, { after: first })).map(({ id }) => id)).toEqual(["6"]);
    },
  ],
  [
    "lists the proposals of one caller, with no more than the beginning of their contents",
    async (store) => {
      const content = "c".repeat(listedContent + 1);
      await store.addProposal(proposal("1", { content }), 2, 0);
      await store.addProposal(proposal("2", { caller: "b" }), 2, 0);
      const [own, ...others] = await store.proposals("pending", 1_500, 9, { caller: "a" });
      expect(others).toEqual([]);
      expect(own).toEqual({ ...(await store.proposal("1")), content: "c".repeat(listedContent) });
    },
  ],
  [
    "finds the proposal of a request that is pending or was rejected",
    async (store) => {
      const find = (now: number) => store.proposalOf("a", "request of p", now);
      await store.addProposal(proposal("p"), 5, 0);
      expect(await find(1_500)).toMatchObject({ id: "p", state: "pending" });
      expect([await find(2_000), await store.proposalOf("b", "request of p", 1_500)]).toEqual([undefined, undefined]);
      await store.decideProposal("p", { state: "rejected", by: "b", at: 1_500 });
      expect(await find(1_600)).toMatchObject({ id: "p", state: "rejected" });
      await store.addProposal(proposal("q"), 5, 0);
      await store.decideProposal("q", { state: "changed", by: "b", at: 1_500 });
      expect(await store.proposalOf("a", "request of q", 1_500)).toBeUndefined();
      expect((await store.proposals("rejected", 9_000, 9)).map(({ id }) => id)).toEqual(["p"]);
    },
  ],
  [
    "gives back a caller as it was stored, in another process too",
    async (store, another) => {
      const whole = caller("a", { expiresAt: 5_000, lastUsedAt: 3_000 });
      await store.addCaller(whole, secret("s", "a", { expiresAt: 4_000 }));
      const found = { caller: whole, secret: secret("s", "a", { expiresAt: 4_000 }) };
      for (const one of [store, await another()]) {
        expect(await one.caller("a")).toEqual(whole);
        expect(await one.secretByHash(["other", "hash of s"])).toEqual(found);
        expect(await one.secretById("s")).toEqual(found);
      }
    },
  ],
  [
    "finds nothing for what was never stored",
    async (store) => {
      expect(await store.caller("a")).toBeUndefined();
      expect(await store.secretByHash(["hash of s"])).toBeUndefined();
      expect(await store.secretByHash([])).toBeUndefined();
      expect(await store.secretById("s")).toBeUndefined();
      expect(await store.callers("key")).toEqual([]);
      expect(await store.liveSecrets(0)).toEqual([]);
    },
  ],
  [
    "lists the callers of one kind, the oldest first",
    async (store) => {
      await store.addCaller(caller("new", { createdAt: 2_000 }), secret("1", "new"));
      await store.addCaller(caller("old"), secret("2", "old"));
      await store.addCaller(caller("client", { kind: "client" }), secret("3", "client"));
      expect((await store.callers("key")).map(({ id }) => id)).toEqual(["old", "new"]);
      expect((await store.callers("client")).map(({ id }) => id)).toEqual(["client"]);
    },
  ],
  [
    "stores neither a caller nor a secret when one of them is there already",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await expect(store.addCaller(caller("b"), secret("s", "b"))).rejects.toThrow();
      await expect(store.addCaller(caller("b"), secret("t", "b", { hash: "hash of s" }))).rejects.toThrow();
      await expect(store.addCaller(caller("a"), secret("u", "a"))).rejects.toThrow();
      expect((await store.callers("key")).map(({ id }) => id)).toEqual(["a"]);
      expect(await store.secretById("u")).toBeUndefined();
    },
  ],
  [
    "ends the other secrets of a caller when it gets a new one, and never later than they ended anyway",
    async (store) => {
      await store.addCaller(caller("a"), secret("1", "a"));
      await store.addCaller(caller("b"), secret("other", "b"));
      await store.replaceSecret(secret("2", "a"), 9_000);
      await store.replaceSecret(secret("3", "a"), 12_000);
      const ends = async (id: string) => (await store.secretById(id))?.secret.expiresAt;
      expect([await ends("1"), await ends("2"), await ends("3"), await ends("other")]).toEqual([9_000, 12_000, null, null]);
    },
  ],
  [
    "replaces a hash",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await store.rehash("s", "better", "second");
      expect(await store.secretByHash(["hash of s"])).toBeUndefined();
      expect((await store.secretByHash(["better"]))?.secret).toEqual(secret("s", "a", { hash: "better", keyId: "second" }));
    },
  ],
  [
    "revokes a caller once",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      expect(await store.revoke("a", 7_000)).toBe(true);
      expect(await store.revoke("a", 8_000)).toBe(false);
      expect(await store.revoke("b", 8_000)).toBe(false);
      expect((await store.caller("a"))?.revokedAt).toBe(7_000);
      expect((await store.secretById("s"))?.caller.revokedAt).toBe(7_000);
    },
  ],
  [
    "notes the latest use, and ignores callers that are not there",
    async (store) => {
      await store.addCaller(caller("a"), secret("s", "a"));
      await store.noteUse([
        ["a", 5_000],
        ["gone", 5_000],
      ]);
      await store.noteUse([["a", 4_000]]);
      expect((await store.caller("a"))?.lastUsedAt).toBe(5_000);
    },
  ],
  [
    "lists the secrets that have not ended",
    async (store) => {
      await store.addCaller(caller("a"), secret("1", "a", { keyId: "k1" }));
      await store.addCaller(caller("b", { expiresAt: 4_000 }), secret("2", "b", { keyId: "k2" }));
      await store.addCaller(caller("c"), secret("3", "c", { keyId: "k3", expiresAt: 4_000 }));
      await store.addCaller(caller("d"), secret("4", "d", { keyId: "k4" }));
      await store.revoke("d", 2_000);
      const keyIds = async (now: number) => (await store.liveSecrets(now)).map(({ keyId }) => keyId);
      expect(await keyIds(3_999)).toEqual(["k1", "k2", "k3"]);
      expect(await store.liveSecrets(4_000)).toEqual([secret("1", "a", { keyId: "k1" })]);
      await store.addCaller(caller("e"), secret("0", "e", { keyId: "k5", createdAt: 1 }));
      expect(await keyIds(4_000)).toEqual(["k5", "k1"]);
    },
  ],
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
    "changes what is given of an instance, and counts its version",
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
  [
    "stores a write that begins once, and how it ended",
    async (store, another) => {
      const id = { caller: "a", key: "k" };
      const begun = { ...id, request: "r", owner: "p", begunAt: 5_000 };
      expect(await store.write(id)).toBeUndefined();
      expect(await store.beginWrite(begun, 0)).toBeUndefined();
      const stored = { ...begun, state: "begun", answer: null };
      const other = { ...begun, request: "other", owner: "q" };
      expect(await (await another()).beginWrite(other, 0)).toEqual(stored);
      expect(await store.beginWrite({ ...other, caller: "b" }, 0)).toBeUndefined();
      await store.endWrite(id, "q", { state: "in_doubt" });
      expect(await store.write(id)).toEqual(stored);
      await store.endWrite(id, "p", { state: "done", answer: "{}" });
      await store.endWrite(id, "p", { state: "nothing" });
      expect(await store.write(id)).toEqual({ ...stored, state: "done", answer: "{}" });
    },
  ],
  [
    "frees the key of a write that was not done, and forgets old writes",
    async (store) => {
      const id = { caller: "a", key: "k" };
      const begun = { ...id, request: "r", owner: "p", begunAt: 5_000 };
      await store.beginWrite(begun, 0);
      await store.endWrite(id, "p", { state: "nothing" });
      expect(await store.beginWrite(begun, 0)).toBeUndefined();
      await store.endWrite(id, "p", { state: "in_doubt" });
      expect(await store.beginWrite(begun, 5_000)).toMatchObject({ state: "in_doubt", answer: null });
      expect(await store.beginWrite(begun, 5_001)).toBeUndefined();
    },
  ],
  [
    "keeps the audit log in its order, and forgets what is old",
    async (store, another) => {
      const entry = (at: number, more: Partial<AuditEntry> = {}): AuditEntry => {
        const rest = {
          caller: "a",
          action: "issues.create",
          target: "t",
          outcome: "done",
          requestId: "r",
          intent: "why",
          times: 1,
        };
        return { at, ...rest, ...more };
      };
      await store.audit([entry(3_000, { fields: ["a", "b"] }), entry(1_000, { target: null, requestId: null, intent: null })]);
      await (await another()).audit([entry(2_000, { times: 14_395, fields: [] })]);
      const all = await store.audited(0, 0, 100);
      expect(all.map(({ number: _number, ...one }) => one)).toEqual([
        entry(3_000, { fields: ["a", "b"] }),
        entry(1_000, { target: null, requestId: null, intent: null }),
        entry(2_000, { times: 14_395, fields: [] }),
      ]);
      expect((await store.audited(all[0]?.number ?? 0, 1_001, 100)).map(({ at }) => at)).toEqual([2_000]);
      expect((await store.audited(0, 0, 2)).map(({ at }) => at)).toEqual([3_000, 1_000]);
      const latest = await store.lastAudited(2);
      expect(latest.map(({ at }) => at)).toEqual([3_000, 2_000]);
      expect((await store.lastAudited(2, latest[1])).map(({ at }) => at)).toEqual([1_000]);
      await store.audit([entry(2_000, { times: 2 })]);
      expect((await store.lastAudited(9, latest[0])).map(({ at, times }) => [at, times])).toEqual([
        [2_000, 2],
        [2_000, 14_395],
        [1_000, 1],
      ]);
      // A time without an entry is a place too.
      expect((await store.lastAudited(9, { at: 1_999, number: 0 })).map(({ at }) => at)).toEqual([1_000]);
      expect(await store.forgetAudit(2_000)).toBe(false);
      expect((await store.audited(0, 0, 100)).map(({ at }) => at)).toEqual([3_000, 2_000, 2_000]);
    },
  ],
  [
    "keeps what several processes change at the same time",
    async (store, another) => {
      const stores = [store, await another(), await another()];
      const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
      await Promise.all(ids.map((id, index) => stores[index % 3]?.addCaller(caller(id), secret(id, id))));
      expect((await store.callers("key")).length).toBe(30);
    },
  ],
];

/** Tests a store of callers. @param place makes a new place, without any data, for each case */
export function accountConformance(name: string, place: () => AccountPlace): void {
  describe(`the store of callers ${name}`, () => {
    const ends: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });
    it.each(cases)("%s", async (_title, check) => {
      const made = place();
      ends.push(() => made.remove());
      const open = async () => {
        const store = await made.open();
        ends.push(() => store.close());
        await store.open();
        return store;
      };
      await check(await open(), open);
    });
  });
}
