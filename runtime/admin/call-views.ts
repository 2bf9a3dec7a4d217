import { type AccountStore, type Grant, mayUseEntity, type StoredAuditEntry, seesEveryInstance } from "../accounts/index.ts";
import { errorCodes } from "../base/error-codes.ts";
import { keyOf } from "./recent-calls.ts";
import type { EndedSearch } from "./slow-searches.ts";
import { type ShownTime, timeOf } from "./words.ts";

/** An entry of the audit log as the page shows it. */
export interface CallView {
  /** The page of the call. */
  readonly href: string;
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

/** Entries of the audit log that one page looks at. */
export const mostEntries = 2_000;
/** Rows of one table. */
export const mostRows = 50;

/** What a caller may see of what others did. */
export interface Sight {
  readonly grant: Grant;
  /** Ids of the instances that the caller may use. */
  readonly instances: ReadonlySet<string>;
}

/** Finds callers by their ids; absent where none are stored. */
export type CallerNames = Pick<AccountStore, "caller"> | undefined;

/**
 * The entries that a caller may see, one of each call: of a write that has ended, not the one of its beginning. A beginning without an end
 * is under way, or was cut off.
 *
 * @param entries the latest first
 * @param later entries after these, where the end of a write may be
 */
export function visibleCalls(
  entries: readonly StoredAuditEntry[],
  sight: Sight,
  later: readonly StoredAuditEntry[] = [],
): StoredAuditEntry[] {
  const ended = new Set([...later, ...entries].filter(({ outcome }) => outcome !== "begun").map(keyOf));
  return entries.filter((entry) => (entry.outcome !== "begun" || !ended.has(keyOf(entry))) && seesEntry(entry, sight));
}

export function isError({ outcome }: Pick<StoredAuditEntry, "outcome">): boolean {
  return !["done", "replayed", "begun"].includes(outcome);
}

/** The page of a call. */
export function callPath({ number }: Pick<StoredAuditEntry, "number">): string {
  return `/admin/calls/${number}`;
}

export async function callViews(entries: readonly StoredAuditEntry[], callers: CallerNames): Promise<CallView[]> {
  const names = await namesOf(entries, callers);
  return entries.map((entry) => callView(entry, names.get(entry.caller) ?? entry.caller));
}

/** Names of the callers of some entries, by their ids: those that have one. */
async function namesOf(entries: readonly StoredAuditEntry[], callers: CallerNames): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.map(({ caller }) => caller))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await callerName(id, callers)] as const)));
}

/** What a caller is called: its name and id, or only its id where it has no name. */
export async function callerName(id: string, callers: CallerNames): Promise<string> {
  const known = await callers?.caller(id);
  return known === undefined ? id : `${known.name} (${id})`;
}

export function searchViews(searches: readonly EndedSearch[], { grant, instances }: Sight): SearchView[] {
  const now = Date.now();
  return searches
    .filter(({ instance, entity }) => instances.has(instance) && mayUseEntity(grant, entity))
    .slice(0, mostRows)
    .map(({ at, took, ...rest }) => ({ ...rest, at: timeOf(at, now), took: `${Math.round(took)} ms` }));
}

/** Whether a caller may use everything, so that it may also see what belongs to no instance, such as keys and the log. */
export function seesAll(grant: Grant): boolean {
  return seesEveryInstance(grant) && grant.entities === null;
}

/** Whoever may not use all instances and entities sees what was done to those that are allowed, and nothing else. */
export function seesEntry({ target, action }: StoredAuditEntry, { grant, instances }: Sight): boolean {
  if (!seesEveryInstance(grant) && (target === null || !instances.has(target))) return false;
  return grant.entities === null || grant.entities.some((entity) => action.startsWith(`${entity}.`));
}

function callView(entry: StoredAuditEntry, caller: string): CallView {
  const { at, action, target, outcome, intent, requestId, times } = entry;
  return {
    href: callPath(entry),
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
