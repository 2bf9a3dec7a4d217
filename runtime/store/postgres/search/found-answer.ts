import type { FieldTree } from "../../../contract/index.ts";
import { chosen } from "../../answer.ts";
import { mostUnlisted, type UnlistedValue } from "../../store.ts";
import { foundJson, recordOf } from "../rows/rows.ts";
import { type Layout, wideColumns } from "../tables/layout.ts";
import { type FoundRow, listedValues } from "./find.ts";
import { listedColumns } from "./find-statement.ts";

// Makes the answer of the rows that were found.

/**
 * Makes the JSON of a record, behind a comma. Each record is encoded by itself: joining their texts first takes as long as all else here.
 */
export function encoderOf(layout: Layout, fields: FieldTree | null): (row: FoundRow) => Uint8Array {
  const wide = wideColumns(layout);
  return ({ found, texts, more }) => {
    const json =
      fields === null
        ? foundJson(wide, found, texts, more)
        : JSON.stringify(chosen(recordOf(wide, found, texts, more ?? "{}"), fields));
    return Buffer.from(`,${json}`);
  };
}

/** The JSON array of what the encoder has made. */
export function jsonOf(records: readonly Uint8Array[]): Uint8Array {
  const [first = Buffer.from(","), ...others] = records;
  return Buffer.concat([Buffer.from("["), first.subarray(1), ...others, Buffer.from("]")]);
}

/** The values of enumerations that the records have although the enumerations do not list them. */
export function unlistedAmong(layout: Layout, rows: readonly FoundRow[], fields: FieldTree | null): UnlistedValue[] {
  return listedColumns(layout).flatMap((column, index) => {
    const { field, listed = [] } = column;
    if (fields !== null && !fields.has(field)) return [];
    const known = new Set<unknown>(listed);
    const unlisted = new Set<string>();
    const name = `e${index}`;
    for (const row of rows)
      for (const value of listedValues(column, name, row))
        if (typeof value === "string" && !known.has(value)) unlisted.add(value);
    return [...unlisted]
      .sort()
      .slice(0, mostUnlisted + 1)
      .map((value) => ({ field, value }));
  });
}
