import { join, raw, type Sql, sql } from "../../postgres/index.ts";
import type { Condition } from "../../search/index.ts";
import { columnNamed, type Layout } from "./layout.ts";
import { type Context, type Where, whereOfTest } from "./operators.ts";

/**
 * Translates a condition in the form of `normalise`, in which only tests are negated.
 *
 * @throws Error for a field that is not searchable, which the caller must have checked
 */
export function whereOf(condition: Condition, layout: Layout, context: Context): Where {
  switch (condition.kind) {
    case "test":
      return whereOfTest(condition, columnNamed(layout, condition.field), context);
    case "not": {
      const inner = whereOf(condition.condition, layout, context);
      // Of a test that finds too many records, the negation would find too few.
      return inner.exact ? { sql: sql`(${inner.sql}) IS NOT TRUE`, exact: true } : { sql: raw("TRUE"), exact: false };
    }
    case "and":
    case "or": {
      const inner = condition.conditions.map((one) => whereOf(one, layout, context));
      const joined = join(
        inner.map((one) => one.sql),
        condition.kind === "and" ? " AND " : " OR ",
      );
      const rare = condition.kind === "and" ? inner.some(isRare) : inner.length > 0 && inner.every(isRare);
      return { sql: sql`(${joined})`, exact: inner.every(({ exact }) => exact), ...(rare ? { rare } : {}) };
    }
  }
}

/** Translates conditions that must all be true, for the records of one instance. */
export function whereOfAll(conditions: readonly Condition[], layout: Layout, context: Context): Where {
  const all = conditions.map((one) => whereOf(one, layout, context));
  const own: Sql = sql`n.inst = ${context.inst}`;
  const together = { sql: join([own, ...all.map((one) => one.sql)], " AND "), exact: all.every(({ exact }) => exact) };
  return all.some(isRare) ? { ...together, rare: true } : together;
}

function isRare({ rare }: Where): boolean {
  return rare === true;
}

/** The fields whose words decide how conditions are translated: those whose vocabulary does, and all that are searched by words. */
export function fieldsOfWords(conditions: readonly Condition[]): { readonly listed: Set<string>; readonly all: Set<string> } {
  const fields = { listed: new Set<string>(), all: new Set<string>() };
  const visit = (condition: Condition): void => {
    if (condition.kind === "test") {
      if (condition.operator === "like" || condition.operator === "fuzzy") fields.listed.add(condition.field);
      if (["like", "fuzzy", "keyword", "eq"].includes(condition.operator)) fields.all.add(condition.field);
    } else if (condition.kind === "not") visit(condition.condition);
    else for (const one of condition.conditions) visit(one);
  };
  for (const one of conditions) visit(one);
  return fields;
}
