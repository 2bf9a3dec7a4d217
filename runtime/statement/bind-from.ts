import type { Expression, Meaning, Source } from "./algebra.ts";
import { meaningCall, meaningColumns } from "./bind-meaning.ts";
import { bindCondition, bindExpression, type Clause } from "./clause.ts";
import { type NamedColumn, NameScope, type ScopeSource } from "./scope.ts";
import {
  type Body,
  bodyMember,
  listOf,
  type Node,
  nodeOf,
  onlyMembers,
  positionOf,
  StatementError,
  stringOf,
  textMember,
} from "./syntax.ts";
import { elementOf, type Type } from "./types.ts";

/** What a FROM may name beside tables, and how its parts get their numbers. */
export interface FromContext {
  readonly clause: Clause;
  /** Makes a source of a table or of a query of WITH. */
  readonly table: (
    name: string,
    at: number | undefined,
  ) => { source: Source; columns: readonly NamedColumn[]; use?: (column: string) => void };
  readonly id: (at: number | undefined) => number;
  /** Makes a source of a search by meaning. @throws StatementError for an entity that the caller may not read */
  readonly meaning: (call: Omit<Meaning, "at">, at: number | undefined) => Extract<Source, { kind: "meaning" }>;
}

interface Bound {
  readonly source: Source;
  readonly named: readonly ScopeSource[];
}

const always: Expression = { kind: "value", value: true, type: "boolean" };

/**
 * Checks a FROM, and adds its sources to the scope.
 *
 * @returns undefined where there is none
 */
export function bindFrom(items: unknown, scope: NameScope, context: FromContext): Source | undefined {
  let all: Source | undefined;
  const before: ScopeSource[] = [];
  for (const item of listOf(items)) {
    const { source, named } = bindItem(nodeOf(item), before, context);
    before.push(...named);
    all = all === undefined ? source : crossed(all, source);
  }
  for (const one of before) scope.add(one, undefined);
  return all;
}

/** A comma stands for an inner join. The sources stay one chain, because engines let `unnest` see only what comes before in a chain. */
function crossed(left: Source, right: Source): Source {
  if (right.kind !== "join") return { kind: "join", outer: false, left, right, on: always };
  return { ...right, left: crossed(left, right.left) };
}

function bindItem(node: Node, before: readonly ScopeSource[], context: FromContext): Bound {
  const { kind, body } = node;
  const at = positionOf(body);
  return context.clause.enter(at, () => {
    switch (kind) {
      case "RangeVar":
        return namedTable(body, context);
      case "RangeSubselect":
        return derived(body, context);
      case "RangeFunction":
        return called(body, before, context);
      case "JoinExpr":
        return joined(body, before, context);
      default:
        throw new StatementError("FROM takes tables, subqueries, joins, unnest and semantic_search.", at);
    }
  });
}

function namedTable(body: Body, context: FromContext): Bound {
  onlyMembers("FROM", body, ["relname", "inh", "relpersistence", "alias"]);
  const at = positionOf(body);
  if (body["inh"] !== true) throw new StatementError("ONLY is not supported.", at);
  const name = textMember(body, "relname") ?? "";
  const { source, columns, use } = context.table(name, at);
  const alias = aliasOf(body);
  return {
    source,
    named: [
      { name: alias?.name ?? name, columns: renamed(columns, alias?.columns ?? [], at), ...(use === undefined ? {} : { use }) },
    ],
  };
}

function derived(body: Body, { clause, id }: FromContext): Bound {
  onlyMembers("FROM", body, ["subquery", "alias"]);
  const at = positionOf(body);
  const { kind, body: select } = nodeOf(body["subquery"]);
  const alias = aliasOf(body);
  if (kind !== "SelectStmt") throw new StatementError("A subquery must be a SELECT.", at);
  const names: string[] = [];
  const query = clause.query(select, clause.scope, names);
  const number = id(at);
  return {
    source: { kind: "query", id: number, query },
    named: [{ name: alias?.name ?? "", columns: renamed(outputsOf(number, names, query.types), alias?.columns ?? [], at) }],
  };
}

/** The columns of a subquery, as the query around it sees them. */
export function outputsOf(source: number, names: readonly string[], types: readonly Type[]): NamedColumn[] {
  return names.map((name, index) => ({
    name,
    column: { kind: "column", source, name: `c${index}`, type: types[index] ?? "text" },
  }));
}

function called(body: Body, before: readonly ScopeSource[], context: FromContext): Bound {
  onlyMembers("FROM", body, ["lateral", "functions", "alias"]);
  const [entry, ...others] = listOf(body["functions"]);
  const [call] = listOf(nodeOf(entry).body["items"]);
  const { kind, body: fn } = nodeOf(call);
  const name = kind === "FuncCall" && others.length === 0 ? listOf(fn["funcname"]).map(stringOf).at(-1) : undefined;
  if (name === "semantic_search") return byMeaning(body, fn, context);
  if (name === "unnest") return unnested(body, fn, before, context);
  const allowed = ["unnest", "semantic_search"];
  throw new StatementError("The only functions in FROM are unnest and semantic_search.", positionOf(fn), { allowed });
}

function byMeaning(body: Body, fn: Body, { clause, meaning }: FromContext): Bound {
  const at = positionOf(fn);
  const source = meaning(meaningCall(fn, clause), at);
  const alias = aliasOf(body);
  const columns = renamed(meaningColumns(source.id), alias?.columns ?? [], at);
  return { source, named: [{ name: alias?.name ?? "semantic_search", columns }] };
}

function unnested(body: Body, fn: Body, before: readonly ScopeSource[], { clause, id }: FromContext): Bound {
  const at = positionOf(body);
  onlyMembers("unnest", fn, ["funcname", "args", "funcformat"]);
  const scope = new NameScope(clause.scope);
  for (const one of before) scope.add(one, at);
  const [arg, ...more] = listOf(fn["args"]);
  const list = more.length > 0 ? undefined : bindExpression(arg, { ...clause, scope, unnest: undefined });
  const type = list === undefined ? undefined : elementOf(list.type);
  if (list === undefined || type === undefined)
    throw new StatementError("unnest takes one list, such as unnest(labels).", positionOf(fn));
  const number = id(at);
  const alias = aliasOf(body);
  const name = alias?.columns[0] ?? alias?.name ?? "unnest";
  return {
    source: { kind: "unnest", id: number, list, type },
    named: [{ name: alias?.name ?? "unnest", columns: [{ name, column: { kind: "column", source: number, name: "c0", type } }] }],
  };
}

function joined(body: Body, before: readonly ScopeSource[], context: FromContext): Bound {
  const type = body["jointype"];
  onlyMembers("JOIN", body, ["jointype", "larg", "rarg", "quals"]);
  if (type !== "JOIN_INNER" && type !== "JOIN_LEFT")
    throw new StatementError("Joins are INNER, LEFT and CROSS. Turn a RIGHT JOIN around.", undefined, {
      allowed: ["JOIN", "LEFT JOIN", "CROSS JOIN"],
    });
  const left = bindItem(nodeOf(body["larg"]), before, context);
  const right = bindItem(nodeOf(body["rarg"]), [...before, ...left.named], context);
  const named = [...left.named, ...right.named];
  const scope = new NameScope(context.clause.scope);
  for (const one of named) scope.add(one, undefined);
  const on =
    body["quals"] === undefined ? always : bindCondition(body["quals"], { ...context.clause, scope }, "The condition of a JOIN");
  return { source: { kind: "join", outer: type === "JOIN_LEFT", left: left.source, right: right.source, on }, named };
}

interface Alias {
  readonly name: string;
  readonly columns: readonly string[];
}

function aliasOf(body: Body): Alias | undefined {
  const alias = bodyMember(body, "alias");
  if (alias === undefined) return undefined;
  onlyMembers("AS", alias, ["aliasname", "colnames"]);
  return { name: textMember(alias, "aliasname") ?? "", columns: listOf(alias["colnames"]).map(stringOf) };
}

/** Columns with the names that the statement gives them: the first so many. */
export function renamed(columns: readonly NamedColumn[], names: readonly string[], at: number | undefined): NamedColumn[] {
  if (names.length > columns.length) throw new StatementError(`There are ${columns.length} columns and more names for them.`, at);
  return columns.map((one, index) => ({ ...one, name: names[index] ?? one.name }));
}
