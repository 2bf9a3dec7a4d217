import { type ArrayType, binaryArray, binaryHalves } from "../../../postgres/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { Layout, WrittenColumn } from "../tables/layout.ts";
import type { Row, StoredValue } from "./rows.ts";

/**
 * The statement that inserts rows, or replaces those that are stored. Each column goes to the server as one array. Of a column whose values
 * are arrays, all items go as one array, with the places at which the items of each row begin and end.
 */
export function insertStatement({ records, written }: Layout, inst: number, rows: readonly Row[]): Sql {
  const parts = [
    keyPart(rows),
    ...written.map((column, index) =>
      column.isArray === true ? arrayPart(column, index, rows) : valuePart(column, index, rows),
    ),
  ];
  const names = join(
    written.map(({ name }) => raw(name)),
    ", ",
  );
  return sql`INSERT INTO ${raw(records)} AS n (inst, k, ${names})
    SELECT ${inst}::integer, ${join(partsOf(parts, "value"), ", ")}
    FROM unnest(${join(partsOf(parts, "sent"), ", ")}) AS r (${join(partsOf(parts, "names"), ", ")})
    ON CONFLICT (inst, k) DO UPDATE SET ${join(written.map(changed), ", ")}`;
}

/** What a column adds to the statement. */
interface Part {
  /** The arrays from which the table `r` is made. */
  readonly sent: Sql;
  /** Their names as columns of `r`. */
  readonly names: Sql;
  /** The value of a row. */
  readonly value: Sql;
}

function partsOf(parts: readonly Part[], member: keyof Part): Sql[] {
  return parts.map((part) => part[member]);
}

function keyPart(rows: readonly Row[]): Part {
  const keys = binaryArray(
    "text",
    rows.map(({ key }) => key),
  );
  return { sent: sql`${keys}::text[]`, names: raw("k"), value: raw("r.k") };
}

function valuePart({ name, type }: WrittenColumn, index: number, rows: readonly Row[]): Part {
  const values = binaryArray<ArrayType>(
    type,
    rows.map(({ values }) => (values[name] ?? null) as StoredValue),
  );
  return { sent: sql`${values}::${raw(type)}[]`, names: raw(`c${index}`), value: raw(`r.c${index}`) };
}

function arrayPart({ name, type, words }: WrittenColumn, index: number, rows: readonly Row[]): Part {
  const items = (row: Row) => row.values[name] as readonly string[];
  const tokens = (row: Row) => row.words.get(words ?? -1)?.tokens ?? [];
  const ends: number[] = [];
  for (const row of rows) ends.push((ends.at(-1) ?? 0) + (words === undefined ? items(row).length : tokens(row).length / 2));
  const starts = [0, ...ends.slice(0, -1)].map((end) => end + 1);
  const [from, to] = [binaryArray("integer", starts), binaryArray("integer", ends)];
  const all = words === undefined ? binaryArray("text", rows.flatMap(items)) : binaryHalves(rows.map(tokens));
  return {
    sent: sql`${from}::integer[], ${to}::integer[]`,
    names: raw(`from${index}, to${index}`),
    value: sql`(${all}::${raw(type)}[])[r.from${raw(String(index))}:r.to${raw(String(index))}]`,
  };
}

/** A large value that stays the same is not written again. */
function changed({ name, isLarge }: WrittenColumn): Sql {
  if (isLarge !== true) return raw(`${name} = excluded.${name}`);
  return raw(`${name} = CASE WHEN n.${name} = excluded.${name} THEN n.${name} ELSE excluded.${name} END`);
}
