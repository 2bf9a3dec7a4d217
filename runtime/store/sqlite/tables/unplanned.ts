import { type Sql, sql } from "../../../sql/index.ts";
import type { SqliteValue } from "../../../sqlite/index.ts";

/**
 * A value after `=` or `LIMIT`. With a plain `?` the engine would plan the whole statement again for every value, which may take longer
 * than the search. The engine ignores a value inside `likely` when it plans; `likely` has no other effect here.
 */
export function unplanned(value: SqliteValue): Sql {
  return sql`likely(${value})`;
}
