import { randomUUID } from "node:crypto";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { Warning } from "../contract/index.ts";
import { type ConnectorInstance, type ExecuteContext, storedAs } from "../execute/index.ts";
import { failure, type ProblemReport, storedProblem } from "../store/problem-text.ts";
import type { Spent, SyncState, SyncStore } from "../store/store.ts";
import { nothingDone, syncEntityRuns } from "./entity-sync-runs.ts";
import { MisfitCounter } from "./misfits.ts";
import type { Scope } from "./scope.ts";
import type { SyncRunOptions, SyncRunResult } from "./sync-run.ts";

/** How entities are synced, whatever scope they are in. */
export interface EntityOptions {
  /** Reads everything, not only what has changed. */
  readonly full: boolean;
  /** Allows to remove more than half of the records of an entity. */
  readonly massDelete: boolean;
  /** Ends the sync after the page that is being read. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly onProgress?: (progress: Progress) => void;
}

/** What has just happened: a page was read, or the sync run over an entity has ended. */
export interface Progress {
  readonly kind: "page" | "end";
  readonly scope: string;
  readonly entity: string;
  /** Records read in this sync run so far. */
  readonly records: number;
  /** Records after the last sync, as an estimate of how many there will be; undefined in the first one. */
  readonly expected: number | undefined;
  /** Calls to the platform in this sync run so far, and what they took from its hourly budget. */
  readonly spent: Spent;
  /** Points that the platform still allows in this hour; undefined before its first answer. */
  readonly quotaLeft: number | undefined;
  readonly result?: EntityResult;
}

export interface EntityResult extends Omit<SyncRunResult, "outcome" | "unread"> {
  readonly scope: string;
  readonly entity: string;
  readonly outcome: SyncRunResult["outcome"] | "failed" | "skipped";
  /** How many values do not fit the spec, by field and code of their warning; absent where there are none. */
  readonly misfits?: Readonly<Record<string, number>>;
  /** What reading a part of the records again did, beside the counts of the result; absent where none was due. */
  readonly verification?: Omit<SyncRunResult, "unread">;
  /** Why it is not complete; absent where it is, and where the entity was skipped. */
  readonly problem?: ProblemReport;
}

/** What was learned of an entity before it is synced. */
export interface EntityKnown {
  /** What the syncs before have left; undefined before the first. */
  readonly state: SyncState | undefined;
  /** What the change check of the scope reports of it. */
  readonly changeCheck: string | undefined;
  /** When the change check was made, in milliseconds since 1970. */
  readonly checkedAt: number;
  /** Why nothing of the scope can be read; absent where that is not known. */
  readonly missing: ProblemReport | undefined;
}

/** The longest time for one call, in milliseconds. A call may have to wait for the platform's budget, which is full again after an hour. */
const longestCall = 70 * 60_000;

/** Reads one entity of one scope into the store. A failure is part of the result. */
export async function syncEntity(
  instance: ConnectorInstance,
  store: SyncStore,
  scope: Scope,
  entity: string,
  { state, changeCheck, checkedAt, missing }: EntityKnown,
  options: EntityOptions,
): Promise<EntityResult> {
  const { full, massDelete, signal, log, onProgress } = options;
  const collection = { ...storedAs(instance), scope: scope.name, entity };
  const name = { scope: scope.name, entity };
  const requestId = randomUUID();
  let records = 0;
  let spent: Spent = { calls: 0, points: 0 };
  const progress = (kind: Progress["kind"], result?: EntityResult) =>
    onProgress?.({
      kind,
      ...name,
      records,
      expected: state?.records,
      spent,
      quotaLeft: instance.client.quotaLeft("graphql"),
      ...(result === undefined ? {} : { result }),
    });
  const misfits = new MisfitCounter();
  const context = () => ({ ...contextOf(options, requestId), onMisfit: (warning: Warning) => misfits.add(warning) });
  let result: EntityResult;
  try {
    if (missing !== undefined) throw new TenonError("not_found", missing.message);
    const syncRunOptions: SyncRunOptions = {
      full,
      massDelete,
      context,
      onPage: (page) => {
        records += page.records;
        if (signal.aborted) throw stopped();
        progress("page");
      },
      onCall: (points) => {
        spent = { calls: spent.calls + 1, points: spent.points + points };
      },
    };
    const task = { instance, store, scope, entity, state, options: syncRunOptions, changeCheck, checkedAt };
    const { done, verification } = await syncEntityRuns(task);
    const last = verification ?? done;
    result = {
      ...name,
      ...countsOf(done),
      outcome: last.outcome,
      ...problemOf(last),
      ...(verification === undefined ? {} : { verification: countsOf(verification) }),
    };
  } catch (thrown) {
    const error = signal.aborted ? stopped() : asTenonError(thrown);
    if (error.code === "internal") log.error({ err: error.cause, requestId, ...name }, "unexpected error in a sync");
    await store.fail(collection, error.code).catch(() => undefined);
    result = { ...nothingDone, ...spent, ...name, outcome: "failed", problem: missing ?? failure(error) };
  }
  // What reading again took is noted apart.
  const { calls, points } = result;
  const repeated = result.repeated + (result.verification?.repeated ?? 0);
  const counted = misfits.since(result.full ? undefined : state?.notes.misfits);
  const notes = { spent: { calls, points }, repeated: repeated === 0 ? null : repeated, misfits: counted };
  await store.note(collection, notes).catch(() => undefined);
  if (misfits.any) {
    result = { ...result, misfits: misfits.counts };
    log.warn({ requestId, ...name, values: misfits.counts }, "values do not fit the spec; they are kept as they are");
  }
  if (repeated > 0) log.warn({ requestId, ...name, repeated }, "records came more than once with different contents");
  log.info({ requestId, ...result }, "synced");
  // The entity that was read first has said that the scope is missing.
  if (missing === undefined) progress("end", result);
  return result;
}

/** How a sync calls the platform. */
export function contextOf({ signal, log }: EntityOptions, requestId: string): ExecuteContext {
  return { timeout: longestCall, signal, log, requestId, background: true };
}

function stopped(): TenonError {
  return new TenonError("shutting_down", "The sync was stopped.");
}

/** A sync run without its last error, which the problem reports. */
function countsOf({ unread: _, ...counts }: SyncRunResult): Omit<SyncRunResult, "unread"> {
  return counts;
}

/** Why a sync run that was read to its end is not complete. */
function problemOf({ outcome, reason = "partial_results", unread }: SyncRunResult): { readonly problem?: ProblemReport } {
  switch (outcome) {
    case "complete":
      return {};
    case "partial":
      return { problem: unread === undefined ? storedProblem(reason) : withUnread(storedProblem(reason), unread) };
    case "refused":
      return { problem: storedProblem("mass_delete_refused") };
  }
}

/** The problem of a sync run that could not read what belongs to some records: it names the error, which the stored problem does not. */
function withUnread(
  { code, message }: ProblemReport,
  { parents, of, error }: NonNullable<SyncRunResult["unread"]>,
): ProblemReport {
  const records = parents === 1 ? `one record of ${of}` : `${parents} records of ${of}`;
  return { code, message: `${message} What belongs to ${records} could not be read (${error.code}: ${error.message})` };
}
