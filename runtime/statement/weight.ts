import { raw } from "../sql/index.ts";
import type { Aggregate, Expression, FunctionCall, Query, Source } from "./algebra.ts";
import { tooDeep } from "./fault.ts";
import { functions } from "./functions.ts";
import { StatementError } from "./syntax.ts";
import { columnsIn, partsOf } from "./walk.ts";

/**
 * The most parts of an expression, where each column counts as what a subquery computes it from, and each argument as often as an engine's
 * spelling repeats it.
 */
const mostParts = 20_000;

/** The parts of columns by source and name, and of the queries of WITH by their number. */
type Known = ReadonlyMap<string | number, readonly number[]>;

/**
 * Refuses a statement that becomes too large when an engine puts the expressions of subqueries where their columns are used: a column that
 * each level uses twice has a million parts after twenty levels, and an engine cannot be stopped while it plans.
 *
 * @returns the parts of all expressions together
 * @throws StatementError
 */
export function checkWeight(query: Query): number {
  const sum = { parts: 0 };
  weights(query, new Map(), sum);
  return sum.parts;
}

/** The parts of each output column. */
function weights(query: Query, outer: Known, sum: { parts: number }): readonly number[] {
  const known = new Map(outer);
  const inside = (inner: Query) => weights(inner, known, sum);
  for (const { name, query: inner } of query.with) known.set(name, inside(inner));
  const { body } = query;
  const weighPart = (expression: Expression): number => {
    const uses = expression.kind === "call" || expression.kind === "aggregate" ? usesIn(expression) : [];
    const parts = partsOf(expression).reduce((all, part, index) => all + (uses[index] ?? 1) * weighPart(part), 1);
    const own = expression.kind === "column" ? (known.get(`${expression.source}.${expression.name}`)?.[0] ?? 1) : parts;
    const all = expression.kind === "subquery" ? inside(expression.query).reduce((before, one) => before + one, own) : own;
    if (all > mostParts)
      throw columnsIn(expression).some(({ source, name }) => known.has(`${source}.${name}`))
        ? new StatementError("Subqueries inside of each other use a column too often. Use it once in each of them.")
        : new StatementError(tooDeep.message);
    return all;
  };
  const weigh = (expression: Expression): number => {
    const parts = weighPart(expression);
    sum.parts += parts;
    return parts;
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
        const columns = source.kind === "query" ? inside(source.query) : (known.get(source.name) ?? []);
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
    const right = inside(body.right);
    return inside(body.left).map((one, index) => Math.max(one, right[index] ?? 0));
  }
  if (body.from !== undefined) look(body.from);
  for (const one of [body.where, body.having, ...(body.group ?? [])]) if (one !== undefined) weigh(one);
  for (const { by } of query.order) if (typeof by !== "number") weigh(by);
  return body.columns.map(weigh);
}

/** How often the spellings of a call have each of its arguments: the largest number of any engine. */
function usesIn({ name, args }: FunctionCall | Aggregate): number[] {
  const { spell, words } = functions[name];
  const marks = args.map((_, index) => `{${index}}`);
  const [word] = args;
  const known = words?.find((one) => word?.kind === "value" && one === word.value);
  const given = marks.map((mark, index) => raw(index === 0 && known !== undefined ? `'${known}'` : mark));
  const texts = (typeof spell === "function" ? [spell] : [spell.sqlite, spell.postgres]).map((one) => one(...given).texts.join());
  return marks.map((mark) => Math.max(1, ...texts.map((text) => text.split(mark).length - 1)));
}
