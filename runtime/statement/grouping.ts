import type { Expression, Source } from "./algebra.ts";
import { StatementError } from "./syntax.ts";
import { eachExpression, idsOf, partsOf } from "./walk.ts";

/**
 * Checks what a SELECT with groups may use: what it groups by, and aggregates of everything else. SQLite would take any row of the group.
 *
 * @throws StatementError
 */
export function checkGrouped(
  expression: Expression,
  group: readonly Expression[],
  from: Source | undefined,
  positions: WeakMap<Expression, number>,
): void {
  const keys = new Set(group.map((one) => JSON.stringify(one)));
  const own = new Set(idsOf(from));
  const refuse = (column: Expression): never => {
    const what = column.kind === "words" ? column.how : `The column${column.kind === "column" ? ` "${column.name}"` : ""}`;
    throw new StatementError(
      `${what} must be in GROUP BY, or inside of an aggregate such as count or max.`,
      positions.get(column),
    );
  };
  const check = (one: Expression): void => {
    if (keys.has(JSON.stringify(one))) return;
    if (one.kind === "column" && own.has(one.source)) refuse(one);
    if (one.kind === "words" && own.has(one.value.source)) refuse(one);
    if (one.kind === "aggregate" && one.over === undefined) return;
    for (const part of partsOf(one)) check(part);
    if (one.kind === "subquery")
      eachExpression(one.query, (inner) => {
        if (inner.kind === "column" && own.has(inner.source) && !keys.has(JSON.stringify(inner))) refuse(inner);
      });
  };
  check(expression);
}
