import type { ConnectorInstance } from "../execute/index.ts";
import type { ScopeCollection, SyncNotes, SyncState, SyncStore } from "../store/store.ts";
import { Pass, type PassOptions, type PassResult } from "./pass.ts";
import { probeToKeep } from "./probe.ts";
import { dueParts, partsOf } from "./reread.ts";
import type { Scope } from "./scope.ts";

/** What is needed to sync one entity of one scope. */
export interface EntityRun {
  readonly instance: ConnectorInstance;
  readonly store: SyncStore;
  readonly scope: Scope;
  readonly entity: string;
  readonly state: SyncState | undefined;
  readonly options: PassOptions;
  /** What the probe of the scope says of the entity. */
  readonly probe: string | undefined;
  /** When the probe was asked, in milliseconds since 1970. */
  readonly asked: number;
}

export interface EntityPasses {
  readonly done: PassResult;
  /** The pass that read some parts of the records again; absent where none was due. */
  readonly reread?: PassResult;
}

/** Counts and outcome of a pass that was not needed. */
export const nothingDone = { full: false, inserted: 0, changed: 0, unchanged: 0, repeated: 0, removed: 0, calls: 0, points: 0 };

/**
 * Reads what has changed of an entity, or everything; then the parts of its records that are due to be read again.
 *
 * @throws TenonError when the platform or the store fails; what was read is stored
 */
export async function runPasses(run: EntityRun): Promise<EntityPasses> {
  const { store, state, options, probe, asked } = run;
  const collection = collectionOf(run);
  const pass = passOf(run, state, options);
  const unchanged = pass.isUnchanged(probe);
  if (unchanged) await store.confirm(collection);
  let done: PassResult = unchanged ? { ...nothingDone, unchanged: state?.records ?? 0, outcome: "complete" } : await pass.run();
  await noteVerified(run, pass, done);
  if (pass.resumed && done.outcome === "complete")
    // What the first part of the pass read may have changed while it was cut off.
    done = sumOf(done, await passOf(run, await stateNow(run), { ...options, full: false }).run());
  if (!unchanged) {
    const kept = done.outcome === "complete" && !pass.continued ? probeToKeep(probe, asked) : null;
    await store.note(collection, { probe: kept });
  }
  return done.outcome === "complete" ? { done, ...(await readAgain(run)) } : { done };
}

async function readAgain(run: EntityRun): Promise<{ readonly reread?: PassResult }> {
  const { store, options } = run;
  const parts = partsFor(run);
  if (parts === undefined) return {};
  const state = await stateNow(run);
  const due = dueParts(verifiedOf(state, parts), Date.now());
  if (due.length === 0) return {};
  const pass = passOf(run, state, { ...options, full: false, parts: due });
  const reread = await pass.run();
  await noteVerified(run, pass, reread);
  const { calls, points } = reread;
  await store.note(collectionOf(run), { reread: { at: new Date().toISOString(), calls, points } });
  return { reread };
}

/** Notes of which parts a complete pass has compared all records with the platform. */
async function noteVerified(run: EntityRun, pass: Pass, { outcome, full }: PassResult): Promise<void> {
  const parts = partsFor(run);
  if (parts === undefined || outcome !== "complete") return;
  const { rereads } = pass;
  if (rereads === undefined && !full) return;
  const before = verifiedOf(await stateNow(run), parts);
  const verified = before.map((at, part) => (rereads?.parts.includes(part) !== false ? pass.began : at));
  await run.store.note(collectionOf(run), { verified });
}

/** When each part was last compared with the platform. A file of an earlier version knows only when everything was. */
function verifiedOf(state: SyncState | undefined, parts: number): readonly number[] {
  const known: SyncNotes["verified"] = state?.notes.verified;
  if (known?.length === parts) return known;
  return Array.from({ length: parts }, () => Date.parse(state?.fullAt ?? "1970-01-01"));
}

function partsFor({ instance: { connector }, scope, entity }: EntityRun): number | undefined {
  return partsOf(connector, connector.entities[entity]?.sync.filter((plan) => plan.scope === scope.kind) ?? []);
}

function passOf({ instance, store, scope, entity }: EntityRun, state: SyncState | undefined, options: PassOptions): Pass {
  return new Pass(instance, store, scope, entity, state, options);
}

function collectionOf({ instance: { connector, storeName }, scope, entity }: EntityRun): ScopeCollection {
  return { connector: connector.name, instance: storeName, scope: scope.name, entity };
}

async function stateNow({ instance: { connector, storeName }, store, scope, entity }: EntityRun): Promise<SyncState | undefined> {
  const states = await store.states({ connector: connector.name, instance: storeName, scope: scope.name });
  return states.find((one) => one.entity === entity);
}

/** What two passes did together, one after the other. */
function sumOf(first: PassResult, second: PassResult): PassResult {
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
