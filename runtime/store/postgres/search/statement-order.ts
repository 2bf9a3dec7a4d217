import type { Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import type { BoundStatement, Source } from "../../../statement/index.ts";
import type { Layout } from "../tables/layout.ts";

type Query = BoundStatement["query"];

/** A column by which the rows of a statement are ordered first, in an order that its index would have but for the place of NULL. */
interface Ordered {
  readonly entity: string;
  readonly field: string;
}

/** What an index has after the greatest value, and before it backwards. */
const indexed = { ASC: "LAST", DESC: "FIRST" } as const;

/**
 * Says where NULL comes as an index has it, for a column that has no NULL at present: so the server reads the first rows in the order of
 * the index, and stops. It would read and sort them all otherwise, because an index read backwards begins with NULL, and the newest rows
 * come before those without a time.
 *
 * @param queries of the transaction in which the statement runs, so that both see the same rows
 * @param layoutOf the tables of an entity; undefined where there are none
 */
export async function withIndexedOrder(
  queries: Queries,
  query: Query,
  inst: number,
  layoutOf: (entity: string) => Layout | undefined,
): Promise<Query> {
  const [first, ...others] = query.order;
  const ordered = orderedColumn(query);
  const layout = ordered === undefined ? undefined : layoutOf(ordered.entity);
  // Others have no index, or one that is made when searches first ask for it: all rows would be read to find NULL.
  if (first === undefined || ordered === undefined || layout?.pairs.some(({ by }) => by === ordered.field) !== true) return query;
  const column = layout.columns.get(ordered.field);
  if (column?.kind !== "narrow") return query;
  const [row] = await queries.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM ${raw(layout.records)} n WHERE n.inst = ${inst}::integer AND ${column.sql} IS NULL) AS found`,
  );
  return row?.found === false ? { ...query, order: [{ ...first, nulls: indexed[first.direction] }, ...others] } : query;
}

/** @returns undefined where no index of a table would give the order, or where it does so already */
function orderedColumn({ body, order }: Query): Ordered | undefined {
  const [first] = order;
  if (first === undefined || first.nulls === indexed[first.direction]) return undefined;
  if (body.kind !== "select" || body.group !== undefined || body.from === undefined) return undefined;
  const by = typeof first.by === "number" ? body.columns[first.by] : first.by;
  if (by?.kind !== "column") return undefined;
  const entity = tableIn(body.from, by.source);
  return entity === undefined ? undefined : { entity, field: by.name };
}

/** The entity of a table in a FROM. A column of a table that is joined by LEFT JOIN is NULL where it has no row. */
function tableIn(source: Source, id: number): string | undefined {
  if (source.kind === "table") return source.id === id ? source.entity : undefined;
  if (source.kind !== "join") return undefined;
  return tableIn(source.left, id) ?? (source.outer ? undefined : tableIn(source.right, id));
}
