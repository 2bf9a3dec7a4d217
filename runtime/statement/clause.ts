import type { Expression, Order, Query } from "./algebra.ts";
import { expected, settled } from "./coerce.ts";
import type { NameScope } from "./scope.ts";
import { type Body, listOf, type Node, nodeOf, nodesOf, onlyMembers, positionOf, StatementError } from "./syntax.ts";

/** Where an expression is, and what it may use there. */
export interface Clause {
  readonly scope: NameScope;
  /** Why there can be no aggregate here; undefined where there can be. */
  readonly noAggregates: string | undefined;
  /** Why there can be no window function here. */
  readonly noWindows: string | undefined;
  /** The windows that the query names, as the tree has them. */
  readonly windows: ReadonlyMap<string, Body>;
  /** Checks a node that is an expression. */
  readonly bind: (node: Node, clause: Clause) => Expression;
  /** Checks a query inside of the expression. */
  readonly query: (body: Body, scope: NameScope, names?: string[]) => Query;
  /** Makes `unnest` in an expression a source of FROM; undefined where it must not be. */
  readonly unnest: ((list: Expression, at: number | undefined) => Expression) | undefined;
  /** Counts a node, and what it is inside of. @throws StatementError for a statement that is too large or too deep */
  readonly enter: <Made>(at: number | undefined, make: () => Made) => Made;
  /** Where the columns of the statement are in its text. */
  readonly positions: WeakMap<Expression, number>;
  /** `now()`, which is one time in all of a statement: milliseconds since 1970. */
  readonly now: number;
}

/** Checks an expression. @throws StatementError */
export function bindExpression(value: unknown, clause: Clause): Expression {
  const node = nodeOf(value);
  return clause.enter(positionOf(node.body), () => clause.bind(node, clause));
}

/** Checks a condition. @throws StatementError where it is none */
export function bindCondition(value: unknown, clause: Clause, what: string): Expression {
  return expected(bindExpression(value, clause), "boolean", what, positionOf(nodeOf(value).body));
}

export function all(value: unknown, clause: Clause): Expression[] {
  return listOf(value).map((one) => bindExpression(one, clause));
}

/** Checks an ORDER BY, of a query or inside of an aggregate. */
export function bindOrder(value: unknown, bindBy: (node: unknown) => Expression): Order[] {
  return nodesOf(value).map(({ kind, body }) => {
    if (kind !== "SortBy") throw new StatementError("This ORDER BY is not supported.");
    const { direction, nulls } = directionOf(body);
    return { by: settled(bindBy(body["node"])), direction, nulls };
  });
}

/** Missing values come last in both directions unless the statement says otherwise, as in cached search. */
export function directionOf(body: Body): Omit<Order, "by"> {
  onlyMembers("ORDER BY", body, ["node", "sortby_dir", "sortby_nulls"]);
  if (body["sortby_dir"] === "SORTBY_USING") throw new StatementError("ORDER BY … USING is not supported: write ASC or DESC.");
  return {
    direction: body["sortby_dir"] === "SORTBY_DESC" ? "DESC" : "ASC",
    nulls: body["sortby_nulls"] === "SORTBY_NULLS_FIRST" ? "FIRST" : "LAST",
  };
}
