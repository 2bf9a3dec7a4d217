import { cellText, isItem } from "./record-cell.ts";
import { recordLines, recordTable } from "./record-table.ts";

// How responses look: JSON for programs, tables for people.

export interface Form {
  readonly json: boolean;
  readonly ndjson: boolean;
  /** The fields that were asked for, as dotted paths; empty for the default fields. */
  readonly fields: readonly string[];
}

/** What a response is written to. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Writes a response in the form that the flags ask for. Without them it is a table on a terminal, and JSON elsewhere. */
export function writeAnswer(
  out: Out,
  { data, meta }: { readonly data: unknown; readonly meta: unknown },
  { json, ndjson, fields }: Form,
): void {
  if (ndjson) for (const item of Array.isArray(data) ? data : [data]) out.write(`${JSON.stringify(item)}\n`);
  else if (json || out.isTTY !== true) out.write(`${JSON.stringify({ data, meta })}\n`);
  else out.write(`${lines(data, fields, out.columns ?? 100).join("\n")}\n`);
}

function lines(data: unknown, fields: readonly string[], width: number): string[] {
  if (Array.isArray(data)) return data.length === 0 ? ["Nothing was found."] : recordTable(data.filter(isItem), fields, width);
  return isItem(data) ? recordLines(data, fields, width) : [cellText(data)];
}
