import { visibleLine } from "../../base/visible-text.ts";
import { out } from "./standard-output.ts";
import { aligned } from "./terminal-text.ts";

/** One thing to print: names of columns and their texts. */
export type OutputRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Prints rows: as a table on a terminal, as JSON lines elsewhere. */
export function printRows(rows: readonly OutputRow[], empty: string): void {
  const [first] = rows;
  if (!out.isTTY) for (const row of rows) out.line(JSON.stringify(row));
  else if (first === undefined) out.line(empty);
  else for (const line of table(Object.keys(first), rows)) out.line(line);
}

/** Lines of a table with the names of the columns first. */
function table(names: readonly string[], rows: readonly OutputRow[]): string[] {
  return aligned([names, ...rows.map((row) => names.map((name) => cell(row[name])))]);
}

function cell(value: OutputRow[string] | undefined): string {
  if (value === null || value === undefined) return "-";
  // A name that was given on the command line must not move the cursor of the terminal, nor hide text.
  return visibleLine(typeof value === "object" ? value.join(",") : String(value));
}

/** A time for people and programs; null for never. */
export function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
