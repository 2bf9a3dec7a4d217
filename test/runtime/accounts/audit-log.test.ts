import { describe, expect, it, vi } from "vitest";
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
  it("keeps entries that cannot be stored, in their order, and stores them when that is possible again", async () => {
    vi.useFakeTimers();
    const stored: string[] = [];
    let away = true;
    let tries = 0;
    const { store } = closable();
    const audit = async (entries: readonly AuditEntry[]) => {
      tries++;
      if (away) throw new Error("The database is away.");
      stored.push(...entries.map(({ action }) => action));
    };
    const told: string[] = [];
    const log = new AuditLog({
      store: { ...store, audit, forgetAudit: async () => false },
      age: 1_000,
      tell: (problem) => told.push(problem),
    });
    await expect(log.begin(entry)).rejects.toThrow("away");
    await log.keep({ ...entry, action: "first" });
    log.add({ ...entry, action: "second" });
    await vi.advanceTimersByTimeAsync(60_000);
    // One to begin, one to keep, and one after 0.5, 1, 2, 4, 8 and 16 more seconds.
    expect(tries).toBe(8);
    away = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(stored).toEqual(["first", "second"]);
    log.add({ ...entry, action: "third" });
    await vi.advanceTimersByTimeAsync(500);
    expect(stored).toEqual(["first", "second", "third"]);
    expect(told).toEqual(["entries of the audit log wait, because they cannot be stored: The database is away."]);
    await log.close();
    vi.useRealTimers();
  });

  it("loses the oldest of too many entries that wait, and those that are left at the end, and says so", async () => {
    const { store } = closable();
    const stored: number[] = [];
    let away = true;
    const audit = async (entries: readonly AuditEntry[]) => {
      if (away) throw new Error("The database is away.");
      stored.push(...entries.map(({ at }) => at));
    };
    const told: string[] = [];
    const options = {
      store: { ...store, audit, forgetAudit: async () => false },
      age: 1_000,
      tell: (problem: string) => told.push(problem),
    };
    const log = new AuditLog(options);
    for (let at = 0; at <= 20_000; at++) log.add({ ...entry, at });
    away = false;
    await log.close();
    expect([stored[0], stored.length]).toEqual([1_000, 19_001]);
    away = true;
    const other = new AuditLog(options);
    other.add(entry);
    await other.close();
    expect(told).toEqual([
      "1000 entries of the audit log were lost: they could not be stored",
      "entries of the audit log wait, because they cannot be stored: The database is away.",
      "1 entries of the audit log were lost: they could not be stored",
    ]);
  });

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

  it("says why old entries could not be removed, and keeps new ones all the same", async () => {
    const { store, calls } = closable();
    const told: string[] = [];
    const forgetAudit = async () => Promise.reject(new Error("The database is away."));
    const log = new AuditLog({ store: { ...store, forgetAudit }, age: 1_000, tell: (problem) => told.push(problem) });
    await log.keep(entry);
    await log.keep(entry);
    await log.close();
    expect(calls).toEqual(["store 1", "store 1"]);
    expect(told).toEqual(["old entries of the audit log could not be removed: The database is away."]);
  });

  it("has reads that succeeded, too, unless an option leaves them out", () => {
    const { store } = closable();
    const options = { store, age: 1_000, tell: () => undefined };
    const reads = [options, { ...options, reads: true }, { ...options, reads: false }].map((one) => new AuditLog(one).reads);
    expect(reads).toEqual([true, true, false]);
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
