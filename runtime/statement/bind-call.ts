import type { Aggregate, Expression, FrameEnd, Order, Window, WindowFrame } from "./algebra.ts";
import { wordTest } from "./bind-words.ts";
import { all, bindCondition, bindExpression, bindOrder, type Clause } from "./clause.ts";
import { called, expected, textFrom } from "./coerce.ts";
import { type CallName, callable, functionNamed, functions } from "./functions.ts";
import {
  type Body,
  bodyMember,
  listOf,
  nodeOf,
  onlyMembers,
  positionOf,
  StatementError,
  stringOf,
  textMember,
  unknownName,
} from "./syntax.ts";
import { elementOf } from "./types.ts";
import { columnsIn } from "./walk.ts";

const members = [
  "funcname",
  "args",
  "agg_order",
  "agg_filter",
  "over",
  "agg_within_group",
  "agg_star",
  "agg_distinct",
  "funcformat",
];

/** Checks the call of a function. @throws StatementError */
export function bindCall(body: Body, clause: Clause): Expression {
  onlyMembers("A call", body, members);
  const at = positionOf(body);
  const path = listOf(body["funcname"]).map(stringOf);
  const shown = path.at(-1) ?? "";
  if (path.length > 1 && path[0] !== "pg_catalog") throw new StatementError("Functions are named without a schema.", at);
  if (shown === "unnest") return unnested(body, clause);
  if (shown === "now") {
    if (listOf(body["args"]).length > 0) throw new StatementError("now() takes no arguments.", at);
    return { kind: "value", value: clause.now, type: "timestamp" };
  }
  if (shown === "keyword" || shown === "fuzzy") return wordTest(shown, body, clause);
  if (shown === "timezone") throw new StatementError("AT TIME ZONE is not supported: all times are in UTC.", at);
  const name = functionNamed(shown);
  if (name === undefined)
    throw unknownName(`There is no function "${shown}".`, shown, [...callable, "fuzzy", "keyword", "now", "unnest"].sort(), at);
  const { kind } = functions[name];
  if (kind === "aggregate" || kind === "window") return overRows(name, shown, body, clause);
  const other = ["agg_order", "agg_filter", "over", "agg_within_group", "agg_star", "agg_distinct"].find(
    (one) => body[one] !== undefined,
  );
  if (other !== undefined)
    throw new StatementError(`${shown} is no aggregate: it takes no DISTINCT, ORDER BY, FILTER, OVER or *.`, at);
  return scalar(name, shown, body, clause);
}

function scalar(name: CallName, shown: string, body: Body, clause: Clause): Expression {
  const at = positionOf(body);
  const { words } = functions[name];
  if (words !== undefined) return worded(name, shown, body, words, clause);
  const args = all(body["args"], clause);
  return called(name, name === "concat" ? args.map((one) => textFrom(one, at)) : args, at, shown);
}

/** A function whose first argument is a word: `date_trunc('day', …)`. */
function worded(name: CallName, shown: string, body: Body, words: readonly string[], clause: Clause): Expression {
  const at = positionOf(body);
  const [first, ...rest] = all(body["args"], clause);
  const word = first?.kind === "value" ? String(first.value).toLowerCase() : "";
  if (!words.includes(word)) throw unknownName(`The first argument of ${shown} must be one of these words.`, word, words, at);
  const [value] = rest;
  if (name === "extract" && word === "epoch" && value !== undefined && rest.length === 1) {
    const ms = value.type === "interval" ? value : expected(value, "timestamp", "What extract takes", at);
    const thousand: Expression = { kind: "value", value: 1000, type: "number" };
    return { kind: "call", name: "/", args: [ms, thousand], type: "number" };
  }
  const made = called(name, rest, at, shown);
  // The word is one of the table's, so it is no text of the caller.
  return { ...made, args: [{ kind: "value", value: word, type: "text" }, ...made.args] };
}

function unnested(body: Body, clause: Clause): Expression {
  const at = positionOf(body);
  onlyMembers("unnest", body, ["funcname", "args", "funcformat"]);
  const args = all(body["args"], clause);
  const [list] = args;
  if (list === undefined || args.length > 1 || elementOf(list.type) === undefined)
    throw new StatementError("unnest takes one list, such as unnest(labels).", at);
  if (clause.unnest === undefined)
    throw new StatementError(
      "unnest can be used in FROM and in the list of a SELECT. Write FROM …, unnest(labels) AS label.",
      at,
    );
  return clause.unnest(list, at);
}

function overRows(name: CallName, shown: string, body: Body, clause: Clause): Expression {
  const at = positionOf(body);
  const entry = functions[name];
  const over = bodyMember(body, "over");
  if (over === undefined && entry.kind === "window")
    throw new StatementError(`${shown} needs a window: ${shown}(…) OVER (ORDER BY …).`, at);
  const why = over === undefined ? clause.noAggregates : clause.noWindows;
  if (why !== undefined) throw new StatementError(`${shown}: ${why}`, at);
  const inner: Clause = {
    ...clause,
    noAggregates: over === undefined ? "an aggregate cannot be used inside another one." : clause.noAggregates,
    noWindows: "a window function cannot be used inside an aggregate or another window function.",
    unnest: undefined,
  };
  const within = body["agg_within_group"] === true;
  const distinct = body["agg_distinct"] === true;
  const isPercentile = name === "percentile_cont" || name === "percentile_disc";
  if (within !== isPercentile)
    throw new StatementError(`Write percentile_cont(0.5) WITHIN GROUP (ORDER BY …); no other function takes WITHIN GROUP.`, at);
  if (over !== undefined && (distinct || isPercentile || name === "string_agg"))
    throw new StatementError(`${shown} cannot be used over a window${distinct ? " with DISTINCT" : ""}.`, at);
  if (
    entry.kind === "window" &&
    (distinct || body["agg_filter"] !== undefined || body["agg_order"] !== undefined || body["agg_star"] === true)
  )
    throw new StatementError(`${shown} takes no DISTINCT, FILTER, ORDER BY or *.`, at);
  if (body["agg_star"] === true && name !== "count") throw new StatementError(`Only count takes *.`, at);
  if (body["agg_star"] !== true && name === "count" && listOf(body["args"]).length !== 1)
    throw new StatementError("count takes * or one argument.", at);
  const given = all(body["args"], inner);
  const order = bindOrder(body["agg_order"], (node) => bindExpression(node, inner));
  if (over === undefined) checkLevel([...given, ...order.map(({ by }) => by)], shown, clause);
  const [sorted] = order;
  const args = isPercentile && sorted !== undefined ? [...given, sorted.by] : given;
  const call = called(name, args, at, shown);
  if (isPercentile) checkFraction(call.args[0], order, at);
  const isOrdered = name === "string_agg";
  if (!isOrdered && !isPercentile && order.length > 0)
    throw new StatementError(`${shown} takes no ORDER BY: its result does not depend on the order.`, at);
  const filter = body["agg_filter"] === undefined ? undefined : bindCondition(body["agg_filter"], inner, "FILTER (WHERE …)");
  const made = isOrdered ? joined(call.args, order, distinct, at) : { name, args: call.args, order: [], distinct };
  const aggregate: Aggregate = {
    kind: "aggregate",
    ...made,
    filter,
    type: call.type,
    ...(over === undefined ? {} : { over: bindWindow(over, inner) }),
  };
  return aggregate;
}

/**
 * An aggregate that looks at columns of the queries around it alone would belong to one of these, and count its rows.
 *
 * @throws StatementError
 */
function checkLevel(args: readonly Expression[], shown: string, { scope, positions }: Clause): void {
  const columns = args.flatMap(columnsIn);
  const [outer] = columns.filter((column) => scope.isOuter(column.source));
  if (outer !== undefined && !columns.some((column) => scope.isOwn(column.source)))
    throw new StatementError(
      `${shown} needs a column of a table in the FROM of its own subquery, and "${outer.name}" belongs to the query around it.`,
      positions.get(outer),
    );
}

/** string_agg joins in the order that it is given, and then in that of its texts, so that every engine joins alike. */
function joined(
  args: readonly Expression[],
  order: readonly Order[],
  distinct: boolean,
  at: number | undefined,
): Pick<Aggregate, "name" | "args" | "order" | "distinct"> {
  const [text] = args;
  if (text === undefined) throw new StatementError("string_agg takes a text and a separator.", at);
  if (args[1]?.kind !== "value") throw new StatementError("The separator of string_agg must be a constant.", at);
  if (!distinct) return { name: "string_agg", args, order: [...order, { by: text, direction: "ASC", nulls: "LAST" }], distinct };
  const isOwn = order.every(({ by, direction }) => JSON.stringify(by) === JSON.stringify(text) && direction === "ASC");
  if (!isOwn) throw new StatementError("string_agg(DISTINCT …) joins in the order of its texts: leave ORDER BY out.", at);
  return { name: "string_agg_distinct", args, order: [], distinct: false };
}

function checkFraction(fraction: Expression | undefined, order: readonly Order[], at: number | undefined): void {
  const value = fraction?.kind === "value" ? Number(fraction.value) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new StatementError("A percentile is a number from 0 to 1.", at);
  if (order.length !== 1 || order[0]?.direction === "DESC")
    throw new StatementError("WITHIN GROUP takes one ORDER BY, ascending.", at);
}

function bindWindow(given: Body, clause: Clause): Window {
  const name = textMember(given, "name");
  const body = name === undefined ? given : clause.windows.get(name.toLowerCase());
  if (body === undefined)
    throw unknownName(`There is no window "${name}".`, name ?? "", [...clause.windows.keys()], positionOf(given));
  onlyMembers("A window", body, ["name", "partitionClause", "orderClause", "frameOptions", "startOffset", "endOffset"]);
  return {
    partition: all(body["partitionClause"], clause),
    order: bindOrder(body["orderClause"], (node) => bindExpression(node, clause)),
    frame: frameOf(body),
  };
}

/** Bits of `frameOptions` in PostgreSQL's tree. */
const bits = {
  nonDefault: 0x1,
  rows: 0x4,
  groups: 0x8,
  startUnboundedPreceding: 0x20,
  endUnboundedFollowing: 0x100,
  startCurrent: 0x200,
  endCurrent: 0x400,
  startPreceding: 0x800,
  endPreceding: 0x1000,
  exclude: 0x38000,
} as const;
/** The most rows that a frame may reach. */
const farthest = 1_000_000;

function frameOf(body: Body): WindowFrame | undefined {
  const given = body["frameOptions"];
  const options = typeof given === "number" ? given : 0;
  const has = (bit: number) => (options & bit) !== 0;
  if (!has(bits.nonDefault)) return undefined;
  if (has(bits.groups) || has(bits.exclude))
    throw new StatementError("A frame takes ROWS or RANGE, without EXCLUDE.", positionOf(body));
  const offset = (name: string): number => {
    const { kind, body: value } = nodeOf(body[name]);
    // The parser has `ival` only for integers of 32 bits, and leaves its value out when it is 0.
    const whole = kind === "A_Const" ? bodyMember(value, "ival") : undefined;
    const rows = whole && (whole["ival"] ?? 0);
    if (!has(bits.rows) || typeof rows !== "number" || rows < 0 || rows > farthest)
      throw new StatementError(`A frame reaches a whole number of ROWS, at most ${farthest}.`, positionOf(body));
    return rows;
  };
  const start: FrameEnd = has(bits.startUnboundedPreceding)
    ? { at: "UNBOUNDED PRECEDING" }
    : has(bits.startCurrent)
      ? { at: "CURRENT ROW" }
      : { at: has(bits.startPreceding) ? "PRECEDING" : "FOLLOWING", rows: offset("startOffset") };
  const end: FrameEnd = has(bits.endUnboundedFollowing)
    ? { at: "UNBOUNDED FOLLOWING" }
    : has(bits.endCurrent)
      ? { at: "CURRENT ROW" }
      : { at: has(bits.endPreceding) ? "PRECEDING" : "FOLLOWING", rows: offset("endOffset") };
  return { unit: has(bits.rows) ? "ROWS" : "RANGE", start, end };
}
