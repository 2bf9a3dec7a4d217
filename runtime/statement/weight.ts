import type { Expression, Query, Source } from "./algebra.ts";
import { StatementError } from "./syntax.ts";
import { partsOf } from "./walk.ts";

/** The most parts of an expression, where each column counts as what a subquery computes it from. */
const mostParts = 20_000;

/** The parts of columns by source and name, and of the queries of WITH by their number. */
type Known = ReadonlyMap<string | number, readonly number[]>;

/**
 * Refuses a statement that becomes too large when an engine puts the expressions of subqueries where their columns are used: a column that
 * each level uses twice has a million parts after twenty levels, and an engine cannot be stopped while it plans.
 *
 * @throws StatementError
 */
export function checkWeight(query: Query): void {
  weights(query, new Map());
}

/** The parts of each output column. */
function weights(query: Query, outer: Known): readonly number[] {
  const known = new Map(outer);
  for (const { name, query: inner } of query.with) known.set(name, weights(inner, known));
  const { body } = query;
  const weigh = (expression: Expression): number => {
    const inside = partsOf(expression).reduce((sum, part) => sum + weigh(part), 1);
    const own = expression.kind === "column" ? (known.get(`${expression.source}.${expression.name}`)?.[0] ?? 1) : inside;
    const all = expression.kind === "subquery" ? weights(expression.query, known).reduce((sum, one) => sum + one, own) : own;
    if (all > mostParts)
      throw new StatementError("Subqueries inside of each other use a column too often. Use it once in each of them.");
    return all;
  };
  const look = (source: Source): void => {
    switch (source.kind) {
      case "join":
        look(source.left);
        look(source.right);
        weigh(source.on);
        break;
      case "query":
      case "with": {
        const columns = source.kind === "query" ? weights(source.query, known) : (known.get(source.name) ?? []);
        for (const [index, one] of columns.entries()) known.set(`${source.id}.c${index}`, [one]);
        break;
      }
      case "unnest":
        known.set(`${source.id}.c0`, [weigh(source.list)]);
        break;
      case "table":
      case "meaning":
    }
  };
  if (body.kind === "set") {
    const right = weights(body.right, known);
    return weights(body.left, known).map((one, index) => Math.max(one, right[index] ?? 0));
  }
  if (body.from !== undefined) look(body.from);
  for (const one of [body.where, body.having, ...(body.group ?? [])]) if (one !== undefined) weigh(one);
  for (const { by } of query.order) if (typeof by !== "number") weigh(by);
  return body.columns.map(weigh);
}
