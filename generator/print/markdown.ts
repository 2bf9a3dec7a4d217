/** A table in Markdown. Cells are put on one line; a bar in them is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A table without the columns in which every row is empty. */
export function shortTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const full = (_: unknown, column: number) => rows.some((row) => (row[column] ?? "") !== "");
  return markdownTable(
    head.filter(full),
    rows.map((row) => row.filter(full)),
  );
}
