import type { Meta, Response } from "./budget.ts";
import type { ToolPaging } from "./page.ts";
import { type TextRow, type TextTable, textTable } from "./table.ts";

/** What the text of a list says besides its records. */
export interface ListCall {
  readonly tool: string;
  /** The name of the entity, in the plural. */
  readonly entity: string;
  readonly table: TextTable;
  readonly paging: ToolPaging;
  /** Whether a cursor was given, so that other records came before. */
  readonly goesOn: boolean;
}

/** The text of a list: how many records there are, what a reader must know about them, the records, and the call for the next page. */
export function listText({ data, meta }: Response, call: ListCall): string {
  const rows = (Array.isArray(data) ? data : []) as readonly (TextRow | null)[];
  const { [call.paging.names.more]: more, [call.paging.names.next]: next, ...rest } = meta;
  const { total_count: total, ...others } = rest;
  const lines = [
    countLine(rows.length, typeof total === "number" ? total : undefined, {
      ...call,
      more: more === true,
      synced: rest["synced_at"],
      hidden: listed(rest["warnings"]).some(({ code }) => hiding.includes(String(code))),
      partial: listed(rest["warnings"]).some(({ code, path }) => path === "data" && leaving.includes(String(code))),
    }),
    ...notes(others),
    ...(rows.length === 0 ? [] : [textTable(rows, call.table)]),
    ...(more === true && typeof next === "string" ? [`next page: ${call.tool} with "cursor":${JSON.stringify(next)}`] : []),
  ];
  return lines.join("\n");
}

interface Counted extends Pick<ListCall, "entity" | "goesOn"> {
  readonly more: boolean;
  /** When the cache was filled; null if never to the end, undefined for a live read. */
  readonly synced: unknown;
  /** Whether a warning says that records may be there which this credential does not see. */
  readonly hidden: boolean;
  /** Whether a warning says that the list lacks records. */
  readonly partial: boolean;
}

/** Codes of warnings about records that the platform keeps to itself. */
const hiding: readonly string[] = ["partial_results", "record_missing", "platform_forbidden"];
/** Codes of warnings about records that a list lacks. */
const leaving: readonly string[] = [...hiding, "list_ended"];

function countLine(count: number, total: number | undefined, { entity, goesOn, more, synced, hidden, partial }: Counted): string {
  if (count === 0 && synced === null) return `No ${entity} were found, but no sync has read all of them into the cache yet.`;
  if (count === 0 && !goesOn) {
    if (hidden || (total ?? 0) > 0) return `No ${entity} are visible to this token${total === undefined ? "" : `, of ${total}`}.`;
    return `No ${entity} match these arguments${total === undefined && synced === undefined ? ", as far as this token sees them" : ""}.`;
  }
  if (total !== undefined && total !== count) return `${entity}: ${count} of ${total}`;
  if (more) return `${entity}: ${count}, more follow`;
  if (partial) return `${entity}: ${count}, and not all`;
  return goesOn ? `${entity}: the last ${count}` : `${entity}: all ${count}`;
}

/** The metadata of a list in words, where a reader would act on it, and the rest as JSON. */
function notes({ simulated, synced_at: syncedAt, took_ms: _, warnings, cuts, advice, ...rest }: Meta): string[] {
  const others = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  return [
    ...(simulated === true ? ["SIMULATED: these records are invented."] : []),
    ...(typeof syncedAt === "string" ? [`from the cache, synced ${syncedAt}`] : []),
    // A message may come from the platform: its line breaks must not look like records.
    ...listed(warnings).map(({ code, path, message }) =>
      `warning ${[code, path].filter(Boolean).join(" at ")}: ${String(message)}`.replaceAll(/[\s\p{Cc}]+/gu, " "),
    ),
    ...listed(cuts).map(({ path, left_out: left, unit }) =>
      path === "data"
        ? `${String(left)} more ${String(unit)} did not fit and begin the next page`
        : `cut: ${String(left)} ${String(unit)} of ${String(path)}`,
    ),
    ...(others.length === 0 ? [] : [`meta: ${JSON.stringify(Object.fromEntries(others))}`]),
  ];
}

function listed(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : [];
}
