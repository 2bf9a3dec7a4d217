import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type AccountStore, fullGrant, type ListedProposal } from "../../../runtime/accounts/index.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { Proposals } from "../../../runtime/policy/index.ts";
import { standIn } from "../../support/shaped.ts";

// What the proposals of one caller show may be long, and nobody else may wait for it.

const head = { connector: "github", entity: "issues", action: "create", intent: null, reason: null, idempotencyKey: "k" };
const stored = ["a", "b"].flatMap((caller) =>
  Array.from({ length: 45 }, (_, nth) =>
    standIn<ListedProposal>({
      ...{ id: `${caller}${nth}`, caller, state: "rejected", createdAt: -nth, expiresAt: 1, hash: "h" },
      ...{ head: JSON.stringify({ caller: { id: caller, name: caller }, ...head }) },
      ...{ decidedBy: null, decidedAt: null, owner: null },
    }),
  ),
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("lists of proposals are read some at a time, and callers take turns", async () => {
  const read: unknown[] = [];
  const store = standIn<AccountStore>({
    proposals: async (_state, _now, limit, { caller, after } = {}) => {
      const behind = stored.filter((one) => one.caller === caller && one.createdAt < (after?.createdAt ?? 1));
      const some = behind.slice(0, limit);
      read.push([caller, some.length]);
      return some;
    },
  });
  const proposals = new Proposals({ store, lifetime: 1, timeout: 1, audits: false });
  const list = (id: string) =>
    proposals.list({ id, grant: { ...fullGrant, rights: ["read"] } }, async () => standIn<ConnectorInstance>({}));
  const lists = Promise.all([list("a"), list("b")]);
  const counts: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    await vi.advanceTimersByTimeAsync(turn === 0 ? 0 : 10);
    counts.push(read.length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  const [ofA, ofB] = await lists;
  expect([ofA, ofB].map((one) => one.map(({ id }) => id))).toEqual(
    ["a", "b"].map((caller) => Array.from({ length: 45 }, (_, nth) => `${caller}${nth}`)),
  );
  expect(read).toEqual([20, 20, 5].flatMap((count) => ["a", "b"].map((caller) => [caller, count])));
});
