import { expect } from "vitest";
import { type Case, proposal } from "./case.ts";

export const proposals: readonly Case[] = [
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
    "lists the proposals of one caller, without their contents and outcomes",
    async (store) => {
      await store.addProposal(proposal("1"), 2, 0);
      await store.addProposal(proposal("2", { caller: "b" }), 2, 0);
      const [own, ...others] = await store.proposals("pending", 1_500, 9, { caller: "a" });
      expect(others).toEqual([]);
      const { content, outcome, ...listed } = (await store.proposal("1")) ?? {};
      expect([own, content, outcome]).toEqual([listed, "[]", null]);
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
];
