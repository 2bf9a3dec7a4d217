import { type Grant, mayUseEntity, type StoredAuditEntry } from "../accounts/index.ts";
import { errorCodes } from "../base/error-codes.ts";
import type { EndedSearch } from "../server/monitoring/access-log.ts";
import { type ShownTime, timeOf } from "./words.ts";

/** An entry of the audit log as the page shows it. */
export interface CallView {
  readonly at: readonly ShownTime[];
  readonly caller: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: string;
  /** The code of an error, which leads to its page; empty for everything else. */
  readonly code: string;
  readonly intent: string;
  readonly requestId: string;
}

/** A slow search as the page shows it. */
export interface SearchView {
  readonly at: readonly ShownTime[];
  readonly took: string;
  readonly instance: string;
  readonly entity: string;
  readonly caller: string;
  readonly outcome: string;
  readonly requestId: string;
}

/** Entries of the audit log among which the page looks for errors. */
export const mostEntries = 2_000;
/** Rows of one table. */
const mostRows = 50;

/** What a caller may see of what others did. */
export interface Sight {
  readonly grant: Grant;
  /** Ids of the instances that the caller may use. */
  readonly instances: ReadonlySet<string>;
}

/** The latest calls, and the latest of them that were errors. @param entries the latest first */
export function callViews(entries: readonly StoredAuditEntry[], sight: Sight): { calls: CallView[]; errors: CallView[] } {
  const ended = new Set(entries.filter(({ outcome }) => outcome !== "begun").map(callName));
  // A write that has ended is shown once. One that has not is under way, or was cut off.
  const seen = entries.filter((entry) => (entry.outcome !== "begun" || !ended.has(callName(entry))) && seesEntry(entry, sight));
  const errors = seen.filter(({ outcome }) => !["done", "replayed", "begun"].includes(outcome));
  return { calls: seen.slice(0, mostRows).map(callView), errors: errors.slice(0, mostRows).map(callView) };
}

/** What the entries of one call have in common. */
function callName({ caller, action, target, requestId }: StoredAuditEntry): string {
  return JSON.stringify([caller, action, target, requestId]);
}

export function searchViews(searches: readonly EndedSearch[], { grant, instances }: Sight): SearchView[] {
  const now = Date.now();
  return searches
    .filter(({ instance, entity }) => instances.has(instance) && mayUseEntity(grant, entity))
    .slice(0, mostRows)
    .map(({ at, took, ...rest }) => ({ ...rest, at: timeOf(at, now), took: `${Math.round(took)} ms` }));
}

/** Whoever may not use all instances and entities sees what was done to those that are allowed, and nothing else. */
function seesEntry({ target, action }: StoredAuditEntry, { grant, instances }: Sight): boolean {
  const isWhole = grant.instances === null && grant.workspaces === null && grant.organization === null;
  if (!isWhole && (target === null || !instances.has(target))) return false;
  return grant.entities === null || grant.entities.some((entity) => action.startsWith(`${entity}.`));
}

function callView({ at, caller, action, target, outcome, intent, requestId, times }: StoredAuditEntry): CallView {
  return {
    at: timeOf(at, Date.now()),
    caller,
    action,
    target: target ?? "",
    outcome: times === 1 ? outcome : `${outcome}, ${times} times`,
    code: Object.hasOwn(errorCodes, outcome) ? outcome : "",
    intent: intent ?? "",
    requestId: requestId ?? "",
  };
}
