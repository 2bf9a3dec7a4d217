import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { SearchStore, SyncState, SyncStore } from "../../../runtime/store/store.ts";
import { followHints, type ScopeHint } from "../../../runtime/sync/hints.ts";
import { takeLease } from "../../../runtime/sync/leased.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

const { instance } = fakeInstance(() => ({ data: null }));
const cached = standIn<SyncState>({
  ...{ scope: "repository=o/r", entity: "issues", completedAt: "2026-01-01T00:00:00Z", checkpoint: null, records: 1 },
});
const hint: ScopeHint = { entity: "issues", kind: "list", key: "", params: "" };
const whole: ScopeHint = { ...hint, entity: "", kind: "scope" };
const broken = new TenonError("internal", "The store is broken.");
const lost = new TenonError("sync_running", "Another process has the lease.");

/** What becomes of hints in a store that has the scope, and whose leases and states of it are as given. */
const follow = (given: ScopeHint, more: Partial<SyncStore>) => {
  const store = standIn<SyncStore & SearchStore>({ states: async () => [cached], lease: async () => 1, ...more });
  const options = { signal: new AbortController().signal, log: pino({ level: "silent" }) };
  return followHints(instance, store, "repository=o/r", [given], options);
};
const onceKnown = (thrown: unknown): SyncStore["states"] => {
  let asked = 0;
  return async () => {
    if (asked++ > 0) throw thrown;
    return [cached];
  };
};

it.each<[what: string, given: ScopeHint, more: Partial<SyncStore>]>([
  ["an entity's list", hint, { lease: async () => null }],
  ["all of a scope", whole, { lease: async () => null }],
  ["an entity's list, the lease of which is taken over", hint, { states: onceKnown(lost) }],
])("hints wait where another sync has the lease: %s", async (_, given, more) => {
  expect(await follow(given, more)).toEqual({ done: [], busy: [given], failed: [] });
});

it.each<[what: string, given: ScopeHint]>([
  ["an entity's list", hint],
  ["all of a scope", whole],
])("hints fail with the reason: %s", async (_, given) => {
  expect(await follow(given, { states: onceKnown(broken) })).toEqual({
    done: [],
    busy: [],
    failed: [{ hint: given, error: broken }],
  });
});

describe("a lease that cannot be renewed", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each<[thrown: Error, isLost: boolean]>([
    [new TenonError("unknown_connector", "It was removed."), true],
    [broken, false],
  ])("is lost where the store says so, and not where the store cannot be used: %s", async (thrown, isLost) => {
    let asked = 0;
    const lease: SyncStore["lease"] = async () => {
      if (asked++ > 0) throw thrown;
      return 1;
    };
    const key = { connector: "github", instance: "default", scope: "account" };
    const held = await takeLease(standIn<SyncStore>({ lease }), key, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(held?.signal.aborted).toBe(isLost);
    expect(held?.signal.reason).toBe(isLost ? thrown : undefined);
    await held?.giveBack();
  });
});
