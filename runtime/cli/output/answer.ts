import { cellText, type Item, isItem } from "./record-cell.ts";
import { recordLines, recordTable, rowTable } from "./record-table.ts";

// How responses look: JSON for programs, tables for people.

export interface Form {
  readonly json: boolean;
  readonly ndjson: boolean;
  /** The fields that were requested, as dotted paths; empty for the default fields. */
  readonly fields: readonly string[];
  readonly csv?: boolean;
  /** The columns of a table are those of the first row, in its order. */
  readonly isRows?: boolean;
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
  { json, ndjson, fields, csv = false, isRows = false }: Form,
): void {
  if (csv) out.write(csvText(Array.isArray(data) ? data.filter(isItem) : []));
  else if (ndjson) for (const item of Array.isArray(data) ? data : [data]) out.write(`${JSON.stringify(item)}\n`);
  else if (json || out.isTTY !== true) out.write(`${JSON.stringify({ data, meta })}\n`);
  else out.write(`${lines(data, fields, out.columns ?? 100, isRows).join("\n")}\n`);
}

/** Rows as CSV (RFC 4180) with the names of the columns first. Lists are JSON, and null is empty. */
function csvText(rows: readonly Item[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: unknown) => {
    const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (cells: readonly unknown[]) => `${cells.map(cell).join(",")}\r\n`;
  return rows.length === 0 ? "" : [names, ...rows.map((row) => names.map((name) => row[name]))].map(line).join("");
}

function lines(data: unknown, fields: readonly string[], width: number, isRows: boolean): string[] {
  if (Array.isArray(data)) {
    const rows = data.filter(isItem);
    if (rows.length === 0) return ["Nothing was found."];
    return isRows ? rowTable(rows, width) : recordTable(rows, fields, width);
  }
  return isItem(data) ? recordLines(data, fields, width) : [cellText(data)];
}
