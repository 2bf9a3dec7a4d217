import { setImmediate as pause } from "node:timers/promises";
import type { FieldTree } from "../../contract/index.ts";
import { chosen } from "../answer.ts";
import type { UnlistedValue } from "../store.ts";
import { type FoundRow, listedValues } from "./find.ts";
import { listedColumns } from "./find-statement.ts";
import { type Layout, wideColumns } from "./layout.ts";
import { foundJson, recordOf } from "./rows.ts";

// Makes the answer of the rows that were found.

/** How many records are put into an answer before other work of this process has its turn. */
const recordsAtOnce = 200;
/** Values of one enumeration that records have although it does not list them, at most. */
const mostUnlisted = 20;

/** The records as a JSON array. */
export async function jsonOf(layout: Layout, rows: readonly FoundRow[], fields: FieldTree | null): Promise<Uint8Array> {
  const wide = wideColumns(layout);
  const record = ({ found, texts, more = "{}" }: FoundRow) =>
    fields === null ? foundJson(wide, found, texts) : JSON.stringify(chosen(recordOf(wide, found, texts, more), fields));
  // Each record is encoded by itself: joining all of them into one text first takes as long as everything else here.
  const parts: Uint8Array[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % recordsAtOnce === 0) await pause();
    parts.push(Buffer.from(`${index === 0 ? "[" : ","}${record(row)}`));
  }
  return Buffer.concat([...parts, Buffer.from(rows.length === 0 ? "[]" : "]")]);
}

/** The values of enumerations that the records have although the enumerations do not list them. */
export function unlistedAmong(layout: Layout, rows: readonly FoundRow[], fields: FieldTree | null): UnlistedValue[] {
  return listedColumns(layout).flatMap((column, index) => {
    const { field, listed = [] } = column;
    if (fields !== null && !fields.has(field)) return [];
    const known = new Set<unknown>(listed);
    const unlisted = new Set<string>();
    for (const row of rows)
      for (const value of listedValues(column, index, row))
        if (typeof value === "string" && !known.has(value)) unlisted.add(value);
    return [...unlisted]
      .sort()
      .slice(0, mostUnlisted)
      .map((value) => ({ field, value }));
  });
}
