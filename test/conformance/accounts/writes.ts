import { expect } from "vitest";
import type { AuditEntry } from "../../../runtime/accounts/index.ts";
import type { Case } from "./case.ts";

export const writes: readonly Case[] = [
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
];
