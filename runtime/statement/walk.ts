import type { ColumnUse, Expression, Query, Source, WordTest } from "./algebra.ts";

/** The expressions directly inside of one, without those of its subquery. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "column":
    case "value":
      return [];
    case "words":
      return [expression.value, expression.words];
    case "call":
    case "logic":
      return expression.args;
    case "listed":
      return [expression.value, ...expression.list];
    case "case":
      return [
        ...expression.whens.flatMap(({ when, result }) => [when, result]),
        ...(expression.otherwise === undefined ? [] : [expression.otherwise]),
      ];
    case "aggregate": {
      const { args, filter, order, over } = expression;
      const window = over === undefined ? [] : [...over.partition, ...over.order.map(({ by }) => by)];
      return [...args, ...(filter === undefined ? [] : [filter]), ...order.map(({ by }) => by), ...window];
    }
    case "subquery":
      return expression.value === undefined ? [] : [expression.value];
  }
}

/** Whether an expression, or one inside of it but not of a subquery, fulfils a condition. */
export function some(expression: Expression, test: (one: Expression) => boolean): boolean {
  return test(expression) || partsOf(expression).some((part) => some(part, test));
}

/** The columns in an expression, those of subqueries included. */
export function columnsIn(expression: Expression): ColumnUse[] {
  const own = expression.kind === "column" ? [expression] : partsOf(expression).flatMap(columnsIn);
  if (expression.kind === "subquery")
    eachExpression(expression.query, (one) => {
      if (one.kind === "column") own.push(one);
    });
  return own;
}

/** Calls a function with every expression of a query, subqueries included. */
export function eachExpression(query: Query, visit: (expression: Expression) => void): void {
  const inside = (expression: Expression) => {
    visit(expression);
    for (const part of partsOf(expression)) inside(part);
    if (expression.kind === "subquery") eachExpression(expression.query, visit);
  };
  for (const one of query.with) eachExpression(one.query, visit);
  for (const { by } of query.order) if (typeof by !== "number") inside(by);
  const { body } = query;
  if (body.kind === "set") {
    eachExpression(body.left, visit);
    eachExpression(body.right, visit);
    return;
  }
  for (const one of [...body.columns, body.where, ...(body.group ?? []), body.having]) if (one !== undefined) inside(one);
  if (body.from !== undefined) eachOfSource(body.from, inside, visit);
}

function eachOfSource(source: Source, inside: (one: Expression) => void, visit: (one: Expression) => void): void {
  switch (source.kind) {
    case "join":
      eachOfSource(source.left, inside, visit);
      eachOfSource(source.right, inside, visit);
      inside(source.on);
      break;
    case "query":
      eachExpression(source.query, visit);
      break;
    case "unnest":
      inside(source.list);
      break;
    case "table":
    case "with":
    case "meaning":
      break;
  }
}

/** All tests of words in a query. */
export function wordTests(query: Query): WordTest[] {
  const tests: WordTest[] = [];
  eachExpression(query, (one) => {
    if (one.kind === "words") tests.push(one);
  });
  return tests;
}

/** The numbers of the sources in a FROM. */
export function idsOf(source: Source | undefined): number[] {
  if (source === undefined) return [];
  return source.kind === "join" ? [...idsOf(source.left), ...idsOf(source.right)] : [source.id];
}
