import type { Condition, Test } from "../../../search/index.ts";
import { allOf } from "../../../sql/index.ts";
import { columnNamed } from "../tables/layout.ts";
import { type AccessContext, type AccessPath, throughAny, throughColumn } from "./access.ts";
import { expression } from "./expression.ts";
import { operatorOf } from "./operators.ts";
import type { Way } from "./planner.ts";

/** The ways to the records of a conjunction. Each finds the records of one condition, or of several that one index answers together. */
export function waysTo(conditions: readonly Condition[], context: AccessContext): Way[] {
  const ways: Way[] = [];
  const add = (access: AccessPath, own: readonly Condition[]) => ways.push({ access, conditions: own, least: 0, whole: false });
  /** Tests that form a range of one field, such as its two ends, by field. */
  const ranges = new Map<string, Test[]>();
  for (const condition of conditions) {
    if (isRange(condition) && columnNamed(context.layout, condition.field).index !== undefined)
      ranges.set(condition.field, [...(ranges.get(condition.field) ?? []), condition]);
    else for (const access of accessesTo(condition, context)) add(access, [condition]);
  }
  for (const [field, tests] of ranges) {
    const { index } = columnNamed(context.layout, field);
    const where = allOf(tests.map((test) => expression(test, context.layout, [])));
    if (index !== undefined) add(throughColumn(index, field, where, true, context), tests);
  }
  return ways;
}

export function isRange(condition: Condition): condition is Test {
  return condition.kind === "test" && operatorOf(condition).isRange;
}

function accessesTo(condition: Condition, context: AccessContext): AccessPath[] {
  switch (condition.kind) {
    case "test":
      return operatorOf(condition).ways(condition, columnNamed(context.layout, condition.field), context);
    case "not":
      return [];
    case "or": {
      const parts = condition.conditions.flatMap((one) => accessesTo(one, context).slice(0, 1));
      return parts.length < condition.conditions.length ? [] : throughAny(parts);
    }
    case "and": {
      // As a part of a union, the records of any one of the conditions are a sufficient set of candidates.
      const [access] = condition.conditions.flatMap((one) => accessesTo(one, context).slice(0, 1));
      return access === undefined ? [] : [{ ...access, exact: false }];
    }
  }
}
