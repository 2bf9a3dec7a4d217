import { describe, expect, it } from "vitest";
import { type AuditEntry, AuditLog } from "../../../runtime/accounts/index.ts";

const entry: AuditEntry = {
  at: 1,
  caller: "a",
  action: "x",
  target: null,
  outcome: "done",
  times: 1,
  requestId: null,
  intent: null,
};

/** A store that refuses everything once it is closed. */
function closable() {
  const gate = Promise.withResolvers<void>();
  const calls: string[] = [];
  let closed = false;
  const call = async (name: string) => {
    if (closed) throw new Error("The store is closed.");
    calls.push(name);
  };
  const store = {
    audit: (entries: readonly AuditEntry[]) => call(`store ${entries.length}`),
    audited: async () => [],
    lastAudited: async () => [],
    forgetAudit: async () => {
      await call("remove");
      await gate.promise;
      await call("removed");
      return true;
    },
  };
  return { store, gate, calls, close: () => (closed = true) };
}

describe("the audit log", () => {
  it("is closed when its entries are stored and the removal of old ones has ended, so that the store can be closed", async () => {
    const { store, gate, calls, close } = closable();
    const told: string[] = [];
    const log = new AuditLog({ store, age: 1_000, tell: (problem) => told.push(problem) });
    await log.keep(entry);
    log.add(entry);
    const closed = log.close().then(close);
    gate.resolve();
    await closed;
    expect(calls).toEqual(["store 1", "remove", "store 1", "removed"]);
    expect(told).toEqual([]);
  });

  it("begins no removal of old entries while it is closed", async () => {
    const { store, calls, close } = closable();
    const told: string[] = [];
    const log = new AuditLog({ store, age: 1_000, tell: (problem) => told.push(problem) });
    log.add(entry);
    await log.close();
    close();
    expect([calls, told]).toEqual([["store 1"], []]);
  });
});
