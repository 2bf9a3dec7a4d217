import type { AuditPosition, AuditStore, StoredAuditEntry } from "../accounts/index.ts";
import { errorCodes } from "../base/error-codes.ts";
import {
  type CallerNames,
  type CallView,
  callViews,
  isError,
  mostEntries,
  mostRows,
  type Sight,
  visibleCalls,
} from "./call-views.ts";
import { type ShownTime, timeOf } from "./words.ts";

/** Which calls somebody wants to see. Empty texts choose nothing. */
export interface CallsQuery {
  readonly caller: string;
  readonly instance: string;
  readonly action: string;
  /** `errors`, or one code. */
  readonly outcome: string;
  /** Milliseconds since 1970: from this time on, and up to that. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Where the page before this one ended. */
  readonly before: AuditPosition | undefined;
}

/** The calls, and what is needed to ask for others. A value that may be absent is a list of at most one element. */
export interface CallsView {
  readonly query: Pick<CallsQuery, "caller" | "instance" | "action">;
  readonly from: string;
  readonly to: string;
  readonly outcomes: readonly { readonly value: string; readonly text: string; readonly chosen: boolean }[];
  readonly spans: readonly { readonly href: string; readonly text: string }[];
  readonly calls: readonly CallView[];
  readonly none: readonly string[];
  /** How far back the page has looked, where there may be more. */
  readonly cut: readonly ShownTime[];
  readonly older: readonly string[];
}

/** Entries that are looked through for the end of a write that an earlier page has the beginning of. */
const mostLater = 500;
/** Characters of a filter. */
const longest = 200;
const spans = [
  ["Last hour", 3_600_000],
  ["Last day", 86_400_000],
  ["Last week", 604_800_000],
] as const;

/** Reads a query as a form writes it. What cannot be understood chooses nothing. */
export function callsQuery(given: URLSearchParams): CallsQuery {
  const text = (name: string) => (given.get(name) ?? "").trim().slice(0, longest);
  const [at = Number.NaN, number = Number.NaN] = text("before").split(".").map(Number);
  const outcome = text("outcome");
  return {
    caller: text("caller"),
    instance: text("instance"),
    action: text("action"),
    outcome: outcome === "errors" || Object.hasOwn(errorCodes, outcome) ? outcome : "",
    from: timeGiven(text("from")),
    to: timeGiven(text("to")),
    before: Number.isSafeInteger(at) && Number.isSafeInteger(number) ? { at, number } : undefined,
  };
}

/** A time as `<input type="datetime-local">` writes it, in UTC. */
function timeGiven(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text)) return undefined;
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function inputTime(at: number | undefined): string {
  return at === undefined ? "" : new Date(at).toISOString().slice(0, 16);
}

/** The calls that a query chooses, among so many entries as one page looks at. */
export async function callsView(
  audit: Pick<AuditStore, "lastAudited" | "audited">,
  query: CallsQuery,
  sight: Sight,
  callers: CallerNames,
): Promise<CallsView> {
  const { from, to, before } = query;
  // A minute that is given includes its last second.
  const start = before ?? (to === undefined ? undefined : { at: to + 59_999, number: Number.MAX_SAFE_INTEGER });
  const entries = await audit.lastAudited(mostEntries, start);
  const later = before === undefined ? [] : await audit.audited(before.number - 1, 0, mostLater);
  const found = visibleCalls(entries, sight, later).filter((entry) => isChosen(entry, query));
  const rows = found.slice(0, mostRows);
  const now = Date.now();
  const last = found.length > mostRows ? rows.at(-1) : entries.length === mostEntries ? entries.at(-1) : undefined;
  const more = last !== undefined && (from === undefined || last.at >= from);
  return {
    query,
    from: inputTime(from),
    to: inputTime(to),
    outcomes: [
      { value: "", text: "all" },
      { value: "errors", text: "all errors" },
      ...Object.keys(errorCodes).map((code) => ({ value: code, text: code })),
    ].map((one) => ({ ...one, chosen: one.value === query.outcome })),
    spans: spans.map(([text, ms]) => ({ text, href: callsPath({ ...query, from: now - ms, to: undefined, before: undefined }) })),
    calls: await callViews(rows, callers),
    none: rows.length > 0 ? [] : [more ? "None of the calls that this page has looked at." : "There are no such calls."],
    cut: more ? timeOf(last.at, now) : [],
    older: more ? [callsPath({ ...query, before: last })] : [],
  };
}

function isChosen(entry: StoredAuditEntry, { caller, instance, action, outcome, from }: CallsQuery): boolean {
  return (
    (caller === "" || entry.caller === caller) &&
    (instance === "" || entry.target === instance) &&
    (action === "" || entry.action.includes(action)) &&
    (outcome === "" || (outcome === "errors" ? isError(entry) : entry.outcome === outcome)) &&
    (from === undefined || entry.at >= from)
  );
}

/** The address of the calls that a query chooses. */
export function callsPath({ from, to, before, ...texts }: Partial<CallsQuery>): string {
  const all = {
    ...texts,
    from: inputTime(from),
    to: inputTime(to),
    before: before === undefined ? "" : `${before.at}.${before.number}`,
  };
  const given = Object.entries(all).filter(([, value]) => value !== "");
  return given.length === 0 ? "/admin/calls" : `/admin/calls?${new URLSearchParams(given)}`;
}
