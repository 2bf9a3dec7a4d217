import type { Expression } from "./algebra.ts";
import { bindCall } from "./bind-call.ts";
import { cast } from "./cast.ts";
import { all, bindCondition, bindExpression, type Clause } from "./clause.ts";
import { called, named, textFrom, together } from "./coerce.ts";
import type { CallName } from "./functions.ts";
import {
  type Body,
  listOf,
  type Node,
  nodeOf,
  nodesOf,
  onlyMembers,
  positionOf,
  quotesNeeded,
  StatementError,
  stringOf,
  textMember,
} from "./syntax.ts";
import { elementOf } from "./types.ts";

/** Checks a node that is an expression. @throws StatementError for one that is not on the list */
export function bindNode({ kind, body }: Node, clause: Clause): Expression {
  const at = positionOf(body);
  switch (kind) {
    case "A_Const":
      return constant(body, at);
    case "ColumnRef":
      return columnRef(body, clause);
    case "A_Expr":
      return operation(body, clause);
    case "BoolExpr":
      return logic(body, clause);
    case "NullTest": {
      onlyMembers("IS NULL", body, ["arg", "nulltesttype"]);
      const arg = bindExpression(body["arg"], clause);
      if (elementOf(arg.type) !== undefined)
        throw new StatementError("A list is never NULL. Test it with cardinality(list) = 0.", at);
      const test = called("is null", [arg], at, "IS NULL");
      return body["nulltesttype"] === "IS_NOT_NULL" ? called("not", [test], at) : test;
    }
    case "BooleanTest":
      return booleanTest(body, clause);
    case "CaseExpr":
      return caseOf(body, clause);
    case "CoalesceExpr":
      onlyMembers("coalesce", body, ["args"]);
      return called("coalesce", all(body["args"], clause), at);
    case "MinMaxExpr":
      onlyMembers("greatest", body, ["args", "op"]);
      return called(body["op"] === "IS_LEAST" ? "least" : "greatest", all(body["args"], clause), at);
    case "TypeCast":
      onlyMembers("A cast", body, ["arg", "typeName"]);
      return cast(bindExpression(body["arg"], clause), body["typeName"], at);
    case "FuncCall":
      return bindCall(body, clause);
    case "SQLValueFunction":
      return currentTime(body, clause);
    case "SubLink":
      return subquery(body, clause);
    default:
      throw new StatementError(`${wordsOf(kind)} is not supported.`, at);
  }
}

function constant(body: Body, at: number | undefined): Expression {
  if (body["isnull"] === true) return { kind: "value", value: null, type: "unknown" };
  for (const [name, inner] of Object.entries(body)) {
    const own = typeof inner === "object" && inner !== null ? (Object.values(inner)[0] as unknown) : undefined;
    if (name === "ival") return { kind: "value", value: typeof own === "number" ? own : 0, type: "integer" };
    if (name === "fval") {
      const value = Number(own);
      const isWhole = /^\d+$/.test(String(own)) && Number.isFinite(value);
      // Its last digits would be lost, and the statement would be about another number.
      if (isWhole && BigInt(String(own)) !== BigInt(value))
        throw new StatementError(
          `Whole numbers above ${Number.MAX_SAFE_INTEGER} lose digits: write this one with an exponent, or as a text.`,
          at,
        );
      if (Number.isFinite(value))
        return { kind: "value", value, type: isWhole && Number.isSafeInteger(value) ? "integer" : "number" };
      throw new StatementError("This number is too large.", at);
    }
    if (name === "boolval") return { kind: "value", value: own === true, type: "boolean" };
    if (name === "sval") return { kind: "value", value: typeof own === "string" ? own : "", type: "unknown" };
  }
  throw new StatementError("This kind of literal is not supported.", at);
}

function columnRef(body: Body, { scope, positions }: Clause): Expression {
  const at = positionOf(body);
  onlyMembers("A column", body, ["fields"]);
  const fields = nodesOf(body["fields"]);
  if (fields.some(({ kind }) => kind === "A_Star")) throw new StatementError("* can be used only in SELECT and in count(*).", at);
  const names = listOf(body["fields"]).map(stringOf);
  const [table, name] = names.length === 1 ? [undefined, names[0]] : names;
  if (name === undefined || names.length > 2)
    throw new StatementError("A column is named by its name, or by table.name. There are no schemas.", at);
  const column = { ...scope.column(table, name, at) };
  if (at !== undefined) positions.set(column, at);
  return column;
}

const comparisons: Readonly<Record<string, CallName>> = {
  "=": "=",
  "<>": "<>",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};
const arithmetic: Readonly<Record<string, CallName>> = { "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "||": "||" };
const operatorsAllowed = [...Object.keys(comparisons), ...Object.keys(arithmetic), "~~", "!~~", "~~*", "!~~*"];

function operation(body: Body, clause: Clause): Expression {
  onlyMembers("This operator", body, ["kind", "name", "lexpr", "rexpr", "rexpr_list_start", "rexpr_list_end"]);
  const at = positionOf(body);
  const symbol = listOf(body["name"]).map(stringOf).join(".");
  const left = () => bindExpression(body["lexpr"], clause);
  const right = () => bindExpression(body["rexpr"], clause);
  const negated = (is: boolean, test: Expression) => (is ? called("not", [test], at) : test);
  const kind = textMember(body, "kind") ?? "";
  switch (kind) {
    case "AEXPR_OP":
      return plainOperation(symbol, body, clause);
    case "AEXPR_DISTINCT":
      return called("is distinct from", [left(), right()], at);
    case "AEXPR_NOT_DISTINCT":
      return called("not", [called("is distinct from", [left(), right()], at)], at);
    case "AEXPR_NULLIF":
      return called("nullif", [left(), right()], at);
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
      return negated(symbol.startsWith("!"), called("like", [left(), right()], at, "LIKE"));
    case "AEXPR_IN":
      return negated(symbol === "<>", listed(left(), all(itemsOf(body["rexpr"]), clause), at));
    case "AEXPR_OP_ANY": {
      if (symbol !== "=") throw new StatementError("ANY is supported with = only.", at);
      const test = called("= any", [left(), right()], at, "= ANY");
      const element = elementOf(test.args[1]?.type ?? "unknown");
      return element === "text" || element === "boolean" ? test : { ...test, name: "= any number" };
    }
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN": {
      const [low, high] = listOf(nodeOf(body["rexpr"]).body["items"]);
      const from = called(">=", [left(), bindExpression(low, clause)], at, "BETWEEN");
      const to = called("<=", [left(), bindExpression(high, clause)], at, "BETWEEN");
      return negated(kind === "AEXPR_NOT_BETWEEN", { kind: "logic", how: "AND", args: [from, to], type: "boolean" });
    }
    default:
      throw new StatementError("This operator is not supported.", at, {
        allowed: [...operatorsAllowed, "IN", "BETWEEN", "LIKE"],
      });
  }
}

function plainOperation(symbol: string, body: Body, clause: Clause): Expression {
  const at = positionOf(body);
  const right = bindExpression(body["rexpr"], clause);
  if (body["lexpr"] === undefined) {
    if (symbol === "+") return right;
    if (symbol !== "-") throw new StatementError(`The operator ${symbol} is not supported.`, at, { allowed: operatorsAllowed });
    const made = called("negative", [right], at, "-");
    return right.kind === "value" && typeof right.value === "number" ? { ...right, value: -right.value } : made;
  }
  const left = bindExpression(body["lexpr"], clause);
  const name = Object.hasOwn(comparisons, symbol)
    ? comparisons[symbol]
    : Object.hasOwn(arithmetic, symbol)
      ? arithmetic[symbol]
      : undefined;
  if (name === undefined) throw new StatementError(`The operator ${symbol} is not supported.`, at, { allowed: operatorsAllowed });
  if (name === "/" && left.type === "integer" && right.type === "integer") return called("div", [left, right], at, "/");
  // As in PostgreSQL, || makes a text of whatever it joins with a text.
  if (name === "||") return called("||", [textFrom(left, at), textFrom(right, at)], at);
  const isChecked = (name === "+" || name === "-") && [left, right].some(({ type }) => type === "number");
  return called(isChecked ? `checked ${name}` : name, [left, right], at, symbol);
}

function itemsOf(value: unknown): readonly unknown[] {
  const { kind, body } = nodeOf(value);
  if (kind !== "List") throw new StatementError("IN needs a list in parentheses.");
  return listOf(body["items"]);
}

function listed(value: Expression, list: readonly Expression[], at: number | undefined): Expression {
  const made = together([value, ...list]);
  const [first, ...rest] = made?.all ?? [];
  if (made === undefined || first === undefined || elementOf(made.type) !== undefined)
    throw new StatementError("The values of IN must have the type of what is compared with them.", at);
  return { kind: "listed", value: first, list: rest, type: "boolean" };
}

/** The most conditions that one AND or OR may join: engines have limits. */
const mostJoined = 400;

function logic(body: Body, clause: Clause): Expression {
  onlyMembers("This condition", body, ["boolop", "args"]);
  const at = positionOf(body);
  const items = listOf(body["args"]);
  if (body["boolop"] === "NOT_EXPR") return called("not", [bindCondition(items[0], clause, "What NOT negates")], at);
  if (items.length > mostJoined) throw new StatementError(`AND and OR join at most ${mostJoined} conditions. Use IN.`, at);
  const how = body["boolop"] === "OR_EXPR" ? "OR" : "AND";
  const args = items.map((one) => bindCondition(one, clause, `What ${how} joins`));
  return { kind: "logic", how, args, type: "boolean" };
}

function booleanTest(body: Body, clause: Clause): Expression {
  onlyMembers("IS TRUE", body, ["arg", "booltesttype"]);
  const at = positionOf(body);
  const arg = bindCondition(body["arg"], clause, "What IS TRUE tests");
  const not = (one: Expression) => called("not", [one], at);
  const isTrue = (one: Expression) => called("is true", [one], at);
  switch (body["booltesttype"]) {
    case "IS_NOT_TRUE":
      return not(isTrue(arg));
    case "IS_FALSE":
      return isTrue(not(arg));
    case "IS_NOT_FALSE":
      return not(isTrue(not(arg)));
    case "IS_UNKNOWN":
      return called("is null", [arg], at);
    case "IS_NOT_UNKNOWN":
      return not(called("is null", [arg], at));
    default:
      return isTrue(arg);
  }
}

function caseOf(body: Body, clause: Clause): Expression {
  onlyMembers("CASE", body, ["arg", "args", "defresult"]);
  const at = positionOf(body);
  const subject = body["arg"] === undefined ? undefined : () => bindExpression(body["arg"], clause);
  const whens = nodesOf(body["args"]).map(({ body: when }) => {
    onlyMembers("WHEN", when, ["expr", "result"]);
    const test =
      subject === undefined
        ? bindCondition(when["expr"], clause, "The condition after WHEN")
        : called("=", [subject(), bindExpression(when["expr"], clause)], positionOf(when));
    return { when: test, result: bindExpression(when["result"], clause) };
  });
  const otherwise = body["defresult"] === undefined ? undefined : bindExpression(body["defresult"], clause);
  const made = together([...whens.map(({ result }) => result), ...(otherwise === undefined ? [] : [otherwise])]);
  if (made === undefined) throw new StatementError("The results of a CASE must have one type.", at);
  const results = made.all;
  return {
    kind: "case",
    whens: whens.map(({ when, result }, index) => ({ when, result: results[index] ?? result })),
    otherwise: otherwise === undefined ? undefined : results.at(-1),
    type: made.type,
  };
}

function currentTime(body: Body, { now }: Clause): Expression {
  onlyMembers("This function", body, ["op", "typmod"]);
  const op = body["op"];
  if (op === "SVFOP_CURRENT_TIMESTAMP" || op === "SVFOP_LOCALTIMESTAMP") return { kind: "value", value: now, type: "timestamp" };
  if (op === "SVFOP_CURRENT_DATE") return { kind: "value", value: now - (now % day), type: "timestamp" };
  const hint = op === "SVFOP_USER" ? quotesNeeded("user") : "";
  throw new StatementError(`This function is not supported.${hint}`, positionOf(body), {
    allowed: ["now()", "current_timestamp", "current_date"],
  });
}

const day = 86_400_000;

function subquery(body: Body, clause: Clause): Expression {
  onlyMembers("A subquery", body, ["subLinkType", "testexpr", "subselect"]);
  const at = positionOf(body);
  const { kind, body: select } = nodeOf(body["subselect"]);
  if (kind !== "SelectStmt") throw new StatementError("A subquery must be a SELECT.", at);
  const query = clause.query(select, clause.scope);
  const [type, ...others] = query.types;
  switch (body["subLinkType"]) {
    case "EXISTS_SUBLINK":
      return { kind: "subquery", how: "exists", query, type: "boolean" };
    case "EXPR_SUBLINK":
      if (type === undefined || others.length > 0)
        throw new StatementError("A subquery that is a value must have one column.", at);
      // One row at most, as each engine has another way with more.
      return { kind: "subquery", how: "scalar", query, type };
    case "ANY_SUBLINK": {
      if (type === undefined || others.length > 0) throw new StatementError("A subquery after IN must have one column.", at);
      const value = bindExpression(body["testexpr"], clause);
      const made = together([value, { kind: "value", value: null, type }]);
      const [first] = made?.all ?? [];
      if (first === undefined || made === undefined || elementOf(made.type) !== undefined)
        throw new StatementError(`IN compares ${named(value.type, value)} with ${named(type)}.`, at);
      return { kind: "subquery", how: "in", value: first, query, type: "boolean" };
    }
    default:
      throw new StatementError("This kind of subquery is not supported.", at, {
        allowed: ["EXISTS (…)", "IN (…)", "(SELECT …)"],
      });
  }
}

/** The name of a kind of node in words: `ArrayExpr` is `array expr`. */
function wordsOf(kind: string): string {
  return kind.replace(/^A_/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
