/** One thing to print: names of columns and their texts. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Prints rows: as a table on a terminal, as JSON lines elsewhere. */
export function printRows(rows: readonly Row[], empty: string): void {
  if (!process.stdout.isTTY) for (const row of rows) console.log(JSON.stringify(row));
  else if (rows.length === 0) console.log(empty);
  else for (const line of table(rows)) console.log(line);
}

/** Lines of a table with the names of the columns first. */
export function table(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function cell(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "object") return value.join(",");
  // A name that was given on the command line must not move the cursor of the terminal.
  return String(value).replace(/\p{Cc}/gu, "?");
}

/** A time for people and programs; null for never. */
export function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
