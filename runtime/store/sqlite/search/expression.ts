import type { Condition } from "../../../search/index.ts";
import { allOf, join, raw, type Sql, sql } from "../../../sql/index.ts";
import { sqlOperand } from "../rows/rows.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import { operatorOf, type Tests } from "./operators.ts";

/** Translates a condition into SQL with exactly the same meaning. NULL may take the place of false where that makes no difference. */
export function expression(condition: Condition, layout: Layout, tests: Tests): Sql {
  switch (condition.kind) {
    case "test":
      return operatorOf(condition).expression(condition, columnNamed(layout, condition.field), tests);
    case "not": {
      const { condition: inner } = condition;
      if (inner.kind === "test" && inner.operator === "eq") {
        const { kind, sql: name } = columnNamed(layout, inner.field);
        if (kind !== "list") return sql`${raw(name)} IS NOT ${sqlOperand(inner.operand)}`;
      }
      return sql`(${expression(inner, layout, tests)}) IS NOT TRUE`;
    }
    case "and":
      return sql`(${allOf(condition.conditions.map((one) => expression(one, layout, tests)))})`;
    case "or":
      return sql`(${join(
        condition.conditions.map((one) => expression(one, layout, tests)),
        " OR ",
      )})`;
  }
}
