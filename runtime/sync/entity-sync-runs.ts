import { type ConnectorInstance, storedAs } from "../execute/index.ts";
import type { ScopeCollection, SyncNotes, SyncState, SyncStore } from "../store/store.ts";
import { changeCheckToKeep } from "./change-check.ts";
import type { Scope } from "./scope.ts";
import { SyncRun, type SyncRunOptions, type SyncRunResult } from "./sync-run.ts";
import { duePartitions, partitionCount } from "./verification.ts";

/** What is needed to sync one entity of one scope. */
export interface EntityTask {
  readonly instance: ConnectorInstance;
  readonly store: SyncStore;
  readonly scope: Scope;
  readonly entity: string;
  readonly state: SyncState | undefined;
  readonly options: SyncRunOptions;
  /** What the change check of the scope reports of the entity. */
  readonly changeCheck: string | undefined;
  /** When the change check was made, in milliseconds since 1970. */
  readonly checkedAt: number;
}

export interface EntityRuns {
  readonly done: SyncRunResult;
  /** The sync run that read some partitions of the records again; absent where none was due. */
  readonly verification?: SyncRunResult;
}

/** Counts and outcome of a sync run that was not needed. */
export const nothingDone = { full: false, inserted: 0, changed: 0, unchanged: 0, repeated: 0, removed: 0, calls: 0, points: 0 };

/**
 * Reads what has changed of an entity, or everything; then the partitions of its records that are due to be read again.
 *
 * @throws TenonError when the platform or the store fails; what was read is stored
 */
export async function syncEntityRuns(task: EntityTask): Promise<EntityRuns> {
  const { store, state, options, changeCheck, checkedAt } = task;
  const collection = collectionOf(task);
  const run = syncRunOf(task, state, options);
  const unchanged = run.unchangedRecords(changeCheck);
  if (unchanged !== undefined) await store.confirm(collection);
  let done: SyncRunResult = unchanged === undefined ? await run.run() : { ...nothingDone, unchanged, outcome: "complete" };
  await noteVerified(task, run, done);
  if (run.resumed && done.outcome === "complete")
    // What the first part of the sync run read may have changed while it was cut off.
    done = sumOf(done, await syncRunOf(task, await stateNow(task), { ...options, full: false }).run());
  if (unchanged === undefined) {
    const kept = done.outcome === "complete" && !run.continued ? changeCheckToKeep(changeCheck, checkedAt) : null;
    await store.note(collection, { changeCheck: kept });
  }
  return done.outcome === "complete" ? { done, ...(await verify(task)) } : { done };
}

async function verify(task: EntityTask): Promise<{ readonly verification?: SyncRunResult }> {
  const { store, options } = task;
  const partitions = partitionsFor(task);
  if (partitions === undefined) return {};
  const state = await stateNow(task);
  const due = duePartitions(verifiedOf(state, partitions), Date.now());
  if (due.length === 0) return {};
  const run = syncRunOf(task, state, { ...options, full: false, partitions: due });
  const verification = await run.run();
  await noteVerified(task, run, verification);
  const { calls, points } = verification;
  await store.note(collectionOf(task), { verification: { at: new Date().toISOString(), calls, points } });
  return { verification };
}

/** Notes of which partitions a complete sync run has compared all records with the platform. */
async function noteVerified(task: EntityTask, run: SyncRun, { outcome, full }: SyncRunResult): Promise<void> {
  const partitions = partitionsFor(task);
  if (partitions === undefined || outcome !== "complete") return;
  const { verifies } = run;
  if (verifies === undefined && !full) return;
  const before = verifiedOf(await stateNow(task), partitions);
  const verified = before.map((at, partition) => (verifies?.partitions.includes(partition) !== false ? run.began : at));
  await task.store.note(collectionOf(task), { verified });
}

/** when each partition was last compared with the platform. A file of an earlier version knows only when everything was. */
function verifiedOf(state: SyncState | undefined, partitions: number): readonly number[] {
  const known: SyncNotes["verified"] = state?.notes.verified;
  if (known?.length === partitions) return known;
  return Array.from({ length: partitions }, () => Date.parse(state?.fullAt ?? "1970-01-01"));
}

function partitionsFor({ instance: { connector }, scope, entity }: EntityTask): number | undefined {
  return partitionCount(connector, connector.entities[entity]?.sync.filter((plan) => plan.scope === scope.kind) ?? []);
}

function syncRunOf(
  { instance, store, scope, entity }: EntityTask,
  state: SyncState | undefined,
  options: SyncRunOptions,
): SyncRun {
  return new SyncRun(instance, store, scope, entity, state, options);
}

function collectionOf({ instance, scope, entity }: EntityTask): ScopeCollection {
  return { ...storedAs(instance), scope: scope.name, entity };
}

async function stateNow({ instance, store, scope, entity }: EntityTask): Promise<SyncState | undefined> {
  const states = await store.states({ ...storedAs(instance), scope: scope.name });
  return states.find((one) => one.entity === entity);
}

/** What two sync runs did together, one after the other. */
function sumOf(first: SyncRunResult, second: SyncRunResult): SyncRunResult {
  const sum = (of: "inserted" | "changed" | "unchanged" | "repeated" | "removed" | "calls" | "points") => ({
    [of]: first[of] + second[of],
  });
  return {
    ...second,
    full: first.full || second.full,
    ...sum("inserted"),
    ...sum("changed"),
    ...sum("unchanged"),
    ...sum("repeated"),
    ...sum("removed"),
    ...sum("calls"),
    ...sum("points"),
  };
}
