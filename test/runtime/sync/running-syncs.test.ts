import { pino } from "pino";
import { expect, it } from "vitest";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import type { SyncState, SyncStore } from "../../../runtime/store/store.ts";
import { RunningSyncs, readScopes, type SyncResult, sync } from "../../../runtime/sync/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

const { instance } = fakeInstance(() => ({ data: null }));
const reached = new Error("the leases are asked for");

/** The syncs of a store that has these scopes, of which some have a complete sync. */
function syncsOf(scopes: readonly { readonly name: string; readonly complete: boolean }[]): RunningSyncs {
  const state = (scope: string, complete: boolean) => ({
    scope,
    entity: "issues",
    completedAt: complete ? "2026-01-01T00:00:00Z" : null,
  });
  const states = scopes.map(({ name, complete }) => state(name, complete) as SyncState);
  return syncsIn({ states: async () => states, lease: () => Promise.reject(reached) });
}

const syncsIn = (store: Partial<SyncStore>) => new RunningSyncs(standIn<SyncStore>(store), pino({ level: "silent" }));

const numbered = (count: number, complete: boolean) =>
  Array.from({ length: count }, (_, at) => ({ name: `repository=o/r${at}`, complete }));
const start = (syncs: RunningSyncs, ...names: string[]) =>
  syncs.start(instance satisfies ConnectorInstance, {
    scopes: readScopes(instance.connector, names),
    full: false,
    massDelete: false,
  });

it("a caller cannot fill the store with the names of scopes that are never synced", async () => {
  const syncs = syncsOf(numbered(200, false));
  await expect(start(syncs, "repository=o/new")).rejects.toMatchObject({
    code: "invalid_request",
    faults: [expect.objectContaining({ pointer: "/scopes", code: "out_of_range" })],
  });
  await expect(start(syncs, "repository=O/R7")).rejects.toBe(reached);
});

it("any number of scopes may be added to those that were synced", async () => {
  await expect(start(syncsOf(numbered(5_000, true)), "repository=o/new")).rejects.toBe(reached);
});

it("a caller learns at once that somebody else has the lease of a scope, whoever took it last", async () => {
  const syncs = syncsIn({ states: async () => [], lease: async () => null });
  await expect(start(syncs, "repository=o/r")).rejects.toMatchObject({ code: "sync_running" });
  await expect(start(syncs, "repository=o/r")).rejects.toThrow("(repository=o/r)");
});

it("a caller waits until the sync has its leases, and not for its end", async () => {
  const asked: string[] = [];
  const states = async () => {
    asked.push("states");
    return asked.includes("lease") ? new Promise<never>(() => undefined) : [];
  };
  const lease = async () => {
    asked.push("lease");
    return 1;
  };
  await start(syncsIn({ states, lease }), "repository=o/r");
  expect(asked).toContain("lease");
});

it("a sync has nothing to read where another process reads all that is part of every sync", async () => {
  const { ended } = await start(syncsIn({ states: async () => [], lease: async () => null }));
  await expect(ended).rejects.toMatchObject({ code: "sync_running" });
});

it("a sync of no scopes is complete", async () => {
  const given = {
    scopes: [],
    full: false,
    massDelete: false,
    signal: new AbortController().signal,
    log: pino({ level: "silent" }),
  };
  expect(await sync(instance, standIn<SyncStore>({ states: async () => [] }), given)).toMatchObject({ outcome: "complete" });
});

it("no sync begins while the service shuts down", async () => {
  const syncs = syncsOf([]);
  await syncs.close();
  await expect(start(syncs, "repository=o/r")).rejects.toMatchObject({ code: "shutting_down", retryAfter: 5 });
});

it("a sync can be stopped when another one of its instance has ended", async () => {
  const syncs = syncsOf([]);
  const first = Promise.withResolvers<SyncResult>();
  const tracked = syncs.track("a", () => first.promise);
  const second = syncs.track("a", (end) => new Promise((_, reject) => end.addEventListener("abort", () => reject(end.reason))));
  second.catch(() => undefined);
  first.resolve({ outcome: "complete", entities: [], elsewhere: [], changeChecks: { calls: 0, points: 0 } });
  await tracked;
  expect(await syncs.stop("a")).toBe(true);
  await expect(second).rejects.toThrow();
  expect(await syncs.stop("a")).toBe(false);
});
