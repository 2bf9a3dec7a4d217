import type { Condition } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import { type Context, hasBeginning, type Where, whereOfTest } from "./operators.ts";

/**
 * Translates a condition in the form of `normalise`, in which only tests are negated.
 *
 * @throws Error for a field that is not searchable, which the caller must have checked
 */
function whereOf(condition: Condition, layout: Layout, context: Context): Where {
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
      const count = condition.kind === "and" ? countOfAll(inner) : countOfAny(inner);
      return { sql: sql`(${joined})`, exact: inner.every(({ exact }) => exact), ...count };
    }
  }
}

/** Translates conditions that must all be true, for the records of one instance. */
export function whereOfAll(conditions: readonly Condition[], layout: Layout, context: Context): Where {
  const all = conditions.map((one) => whereOf(one, layout, context));
  const own: Sql = sql`n.inst = ${context.inst}`;
  return {
    sql: join([own, ...all.map((one) => one.sql)], " AND "),
    exact: all.every(({ exact }) => exact),
    ...countOfAll(all),
  };
}

type Counted = Pick<Where, "count">;

function countOfAll(all: readonly Counted[]): Counted {
  const known = all.flatMap(({ count }) => count ?? []);
  return known.length === 0 ? {} : { count: Math.min(...known) };
}

function countOfAny(any: readonly Counted[]): Counted {
  const known = any.flatMap(({ count }) => count ?? []);
  return known.length === 0 || known.length < any.length ? {} : { count: known.reduce((sum, one) => sum + one) };
}

/** Whether no record without a value of the field fulfils a condition. */
export function needsValue(condition: Condition, field: string): boolean {
  if (condition.kind !== "test" || condition.field !== field) return false;
  if (condition.operator === "eq") return condition.operand !== null;
  return condition.operator !== "in" || !condition.operand.includes(null);
}

/** The fields whose words decide how conditions are translated: those whose vocabulary does, and all that are searched by words. */
export function fieldsOfWords(
  conditions: readonly Condition[],
  layout: Layout,
): { readonly listed: Set<string>; readonly all: Set<string> } {
  const fields = { listed: new Set<string>(), all: new Set<string>() };
  const visit = (condition: Condition): void => {
    if (condition.kind === "test") {
      const { operator, field } = condition;
      const byWords =
        operator === "fuzzy" || (operator === "like" && !hasBeginning(columnNamed(layout, field), condition.operand));
      if (byWords) fields.listed.add(field);
      if (byWords || operator === "keyword" || operator === "eq") fields.all.add(field);
    } else if (condition.kind === "not") visit(condition.condition);
    else for (const one of condition.conditions) visit(one);
  };
  for (const one of conditions) visit(one);
  return fields;
}
