import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { Column, Layout } from "../tables/layout.ts";

/**
 * The values of a list as statements read them: the tokens of its column. The token of a long value is a digest, so that the values of such
 * a list come from the record.
 */
export function listColumn({ field, sql: tokens }: Column, { plan }: Layout): Sql {
  const by = plan.fields[field]?.list?.by;
  const members =
    by === undefined
      ? raw("(1, e)")
      : join(
          by.map((path, index) => sql`(${raw(String(index))}, e #> ${path.split(".")}::text[])`),
          ", ",
        );
  const value = sql`(SELECT CASE json_typeof(m) WHEN 'string' THEN m #>> '{}' END FROM (VALUES ${members}) p(i, m) WHERE json_typeof(m) <> 'null' ORDER BY i LIMIT 1)`;
  const values = sql`SELECT v, min(o) AS o FROM json_array_elements((${storedJson})::json -> ${field}::text) WITH ORDINALITY x(e, o), LATERAL (SELECT ${value} AS v) y WHERE v IS NOT NULL GROUP BY v`;
  return sql`CASE WHEN ${tokens}::text LIKE '%:#%' THEN (SELECT array_agg(('0:=' || v) COLLATE "C" ORDER BY o) FROM (${values}) z) ELSE ${tokens} END`;
}

/** The record's JSON with the groups that stand for the characters U+0000 to U+0003, of which the first is none of PostgreSQL's. */
const storedJson = raw(
  ["\\u0001\\u0002\\u0002", "\\u0001\\u0002\\u0003", "\\u0001\\u0003\\u0002", "\\u0001\\u0003\\u0003"].reduce(
    (json, group, code) => `replace(${json}, '\\ufdd${code}', '${group}')`,
    // U+FDD0 to U+FDD3 are no characters, and JSON has no reason to write them so.
    "regexp_replace(n.found, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u000([0-3])', '\\1\\ufdd\\2', 'g')",
  ),
);
