import type { Table } from "../contract/index.ts";
import type { BoundStatement, Expression, Meaning, Order, Query, Select, SetOperation, Source } from "./algebra.ts";
import { bindNode } from "./bind-expression.ts";
import { bindFrom, type FromContext, outputsOf, renamed } from "./bind-from.ts";
import { countOf, distinctOf, nameOf, positionIn, starred } from "./bind-output.ts";
import { bindCondition, bindExpression, type Clause, directionOf } from "./clause.ts";
import { named, settled } from "./coerce.ts";
import { checkGrouped } from "./grouping.ts";
import { isSame, type NamedColumn, NameScope } from "./scope.ts";
import {
  type Body,
  bodyMember,
  listOf,
  nodeOf,
  nodesOf,
  onlyMembers,
  positionOf,
  StatementError,
  stringOf,
  textMember,
  unknownName,
} from "./syntax.ts";
import { elementOf, type Type } from "./types.ts";
import { some } from "./walk.ts";
import { checkWeight } from "./weight.ts";

/** Limits of one statement, so that no engine gets one that is too deep or too long for it. */
export const statementLimits = { bytes: 65_536, nodes: 5_000, depth: 80, sources: 24, meanings: 4, columns: 500 } as const;

/**
 * Checks the tree of a statement against the tables that a caller may read, and makes our own form of it.
 *
 * @param now what `now()` gives: milliseconds since 1970
 * @throws StatementError for whatever is not on the lists of this folder
 */
export function bindStatement(tree: unknown, tables: readonly Table[], now: number): BoundStatement {
  const statements = listOf(bodyMember({ tree }, "tree")?.["stmts"]);
  const [first] = statements;
  if (first === undefined) throw new StatementError("The text has no statement. Write a SELECT.");
  if (statements.length > 1)
    throw new StatementError("There is more than one statement. Send them one by one.", positionAfter(statements[1]));
  const { kind, body } = nodeOf(bodyMember({ first }, "first")?.["stmt"]);
  if (kind !== "SelectStmt")
    throw new StatementError("Only SELECT is supported: the cache is for reading.", 0, { allowed: ["SELECT"] });
  const binder = new Binder(tables, now);
  const names: string[] = [];
  const query = binder.query(body, undefined, names);
  const parts = checkWeight(query);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new StatementError(`Two columns of the result are called "${twice}". Give one of them another name with AS.`);
  return { query, names, parts, entities: [...binder.entities], meanings: binder.meanings };
}

function positionAfter(statement: unknown): number | undefined {
  const at = bodyMember({ statement }, "statement")?.["stmt_location"];
  return typeof at === "number" ? at : undefined;
}

interface WithQuery {
  readonly name: string;
  readonly number: number;
  readonly columns: readonly string[];
  readonly types: readonly Type[];
}

class Binder {
  readonly entities = new Set<string>();
  readonly meanings: Meaning[] = [];
  readonly #tables: readonly Table[];
  readonly #now: number;
  readonly #positions = new WeakMap<Expression, number>();
  #with: readonly WithQuery[] = [];
  #ids = 0;
  #nodes = 0;
  #depth = 0;

  constructor(tables: readonly Table[], now: number) {
    this.#tables = tables;
    this.#now = now;
  }

  /** @param names gets the names of the output columns */
  query(body: Body, outer: NameScope | undefined, names: string[] = []): Query {
    return this.#enter(undefined, () => {
      const visible = this.#with;
      const common = this.#withQueries(body["withClause"], outer);
      try {
        return this.#body(body, outer, names, common);
      } finally {
        this.#with = visible;
      }
    });
  }

  #withQueries(value: unknown, outer: NameScope | undefined): Query["with"] {
    if (value === undefined) return [];
    const withClause = bodyMember({ value }, "value") ?? {};
    onlyMembers("WITH", withClause, ["ctes"]);
    return nodesOf(withClause["ctes"]).map(({ body }) => {
      onlyMembers("WITH", body, ["ctename", "ctematerialized", "ctequery", "aliascolnames"]);
      const name = textMember(body, "ctename") ?? "";
      const { kind, body: select } = nodeOf(body["ctequery"]);
      if (kind !== "SelectStmt") throw new StatementError("WITH takes SELECT only.", positionOf(body));
      if (this.#with.some((one) => one.name === name))
        throw new StatementError(`WITH has two queries called "${name}".`, positionOf(body));
      const names: string[] = [];
      const query = this.query(select, outer, names);
      const given = listOf(body["aliascolnames"]).map(stringOf);
      const columns = renamed(outputsOf(0, names, query.types), given, positionOf(body)).map((one) => one.name);
      const number = this.#id(positionOf(body));
      this.#with = [...this.#with, { name, number, columns, types: query.types }];
      return { name: number, query };
    });
  }

  #body(body: Body, outer: NameScope | undefined, names: string[], common: Query["with"]): Query {
    const isSet = (body["op"] ?? "SETOP_NONE") !== "SETOP_NONE";
    const tail = ["sortClause", "limitOffset", "limitCount", "limitOption", "withClause", "op"];
    onlyMembers(isSet ? "UNION" : "SELECT", body, [...tail, ...(isSet ? ["all", "larg", "rarg"] : selectMembers)]);
    if (body["limitOption"] === "LIMIT_OPTION_WITH_TIES") throw new StatementError("WITH TIES is not supported. Use LIMIT.");
    const { made, types, orderBy } = isSet ? this.#set(body, outer, names) : this.#select(body, outer, names);
    const order = nodesOf(body["sortClause"]).map(({ body: sort }) => ({
      ...directionOf(sort),
      by: positionIn(sort["node"], names) ?? orderBy(sort["node"]),
    }));
    for (const { by } of order)
      if (typeof by === "number" && elementOf(types[by] ?? "text") !== undefined)
        throw new StatementError("Rows cannot be ordered by a list.");
    return {
      with: common,
      body: made,
      order,
      limit: countOf(body["limitCount"], "LIMIT"),
      offset: countOf(body["limitOffset"], "OFFSET"),
      types,
    };
  }

  #set(body: Body, outer: NameScope | undefined, names: string[]): Bound {
    const sides = [body["larg"], body["rarg"]].map((value) => {
      const own: string[] = [];
      const side = bodyMember({ value }, "value") ?? {};
      return { own, query: this.query("SelectStmt" in side ? nodeOf(side).body : side, outer, own) };
    });
    const [left, right] = sides;
    if (left === undefined || right === undefined) throw new StatementError("A set operation needs two queries.");
    if (left.query.types.length !== right.query.types.length)
      throw new StatementError("The queries of a set operation must have as many columns as each other.");
    const types = left.query.types.map((type, index) => {
      const other = right.query.types[index] ?? type;
      const isOne = type === other || (isNumeric(type) && isNumeric(other));
      if (!isOne || elementOf(type) !== undefined)
        throw new StatementError(
          `Column ${index + 1} is ${named(type)} in one query and ${named(other)} in the other. Cast one of them.`,
        );
      return type === other ? type : "number";
    });
    names.push(...left.own);
    const operators: Readonly<Record<string, SetOperation["operator"]>> = {
      SETOP_UNION: body["all"] === true ? "UNION ALL" : "UNION",
      SETOP_INTERSECT: "INTERSECT",
      SETOP_EXCEPT: "EXCEPT",
    };
    const operator = operators[String(body["op"])];
    if (operator === undefined || (body["all"] === true && operator !== "UNION ALL"))
      throw new StatementError("Set operations are UNION, UNION ALL, INTERSECT and EXCEPT.");
    return {
      made: { kind: "set", operator, left: left.query, right: right.query },
      types,
      orderBy: () => {
        throw new StatementError("The result of a set operation is ordered by names or numbers of its columns.");
      },
    };
  }

  #select(body: Body, outer: NameScope | undefined, names: string[]): Bound {
    const scope = new NameScope(outer);
    const windows = new Map(
      nodesOf(body["windowClause"]).map(({ body: window }) => [(textMember(window, "name") ?? "").toLowerCase(), window]),
    );
    const clause = this.#clause(scope, windows);
    const only = (where: string): Clause => ({
      ...clause,
      noAggregates: `an aggregate cannot be used in ${where}.`,
      noWindows: `a window function cannot be used in ${where}. Put it into a subquery of FROM.`,
      unnest: undefined,
    });
    let from = bindFrom(body["fromClause"], scope, this.#from(only("FROM"), outer));
    const unnestedLists = new Map<string, Expression>();
    const unnest = (list: Expression, at: number | undefined): Expression => {
      const key = JSON.stringify(list);
      const type = elementOf(list.type);
      const known = unnestedLists.get(key);
      if (known !== undefined) return known;
      if (type === undefined || from === undefined || unnestedLists.size > 0)
        throw new StatementError("A SELECT can have one unnest in its list. Put others into FROM.", at);
      const source: Source = { kind: "unnest", id: this.#id(at), list, type };
      from = { kind: "join", outer: false, left: from, right: source, on: { kind: "value", value: true, type: "boolean" } };
      const column: Expression = { kind: "column", source: source.id, name: "c0", type };
      unnestedLists.set(key, column);
      return column;
    };
    const columns: Expression[] = [];
    for (const target of nodesOf(body["targetList"])) {
      const { name, given } = this.#target(target.body, scope, { ...clause, unnest });
      names.push(...name);
      columns.push(...given);
    }
    if (columns.length === 0) throw new StatementError("SELECT needs at least one column.");
    if (columns.length > statementLimits.columns)
      throw new StatementError(`A SELECT has at most ${statementLimits.columns} columns.`);
    const where = body["whereClause"] === undefined ? undefined : bindCondition(body["whereClause"], only("WHERE"), "WHERE");
    const group = nodesOf(body["groupClause"]).map((node) =>
      this.#groupKey(node, names, columns, { ...only("GROUP BY"), unnest }),
    );
    const having =
      body["havingClause"] === undefined
        ? undefined
        : bindCondition(body["havingClause"], { ...clause, noWindows: "a window function cannot be used in HAVING." }, "HAVING");
    const isGrouped =
      group.length > 0 ||
      having !== undefined ||
      columns.some((column) => some(column, (one) => one.kind === "aggregate" && one.over === undefined));
    const distinct = distinctOf(body["distinctClause"]);
    if (distinct && columns.some(({ type }) => elementOf(type) !== undefined))
      throw new StatementError("DISTINCT cannot compare lists. Use unnest.");
    const check = (one: Expression) => {
      if (isGrouped) checkGrouped(one, group, from, this.#positions);
      return one;
    };
    for (const one of [...columns, ...(having === undefined ? [] : [having])]) check(one);
    const made: Select = { kind: "select", distinct, columns, from, where, group: isGrouped ? group : undefined, having };
    return {
      made,
      types: columns.map(({ type }) => type),
      orderBy: (node) => {
        const by = settled(bindExpression(node, clause));
        const known = columns.findIndex((column) => JSON.stringify(column) === JSON.stringify(by));
        if (known >= 0) return known;
        if (distinct)
          throw new StatementError("With DISTINCT, rows are ordered by columns of the SELECT.", positionOf(nodeOf(node).body));
        if (elementOf(by.type) !== undefined) throw new StatementError("Rows cannot be ordered by a list.");
        return check(by);
      },
    };
  }

  #clause(scope: NameScope, windows: Clause["windows"]): Clause {
    return {
      bind: bindNode,
      scope,
      windows,
      noAggregates: undefined,
      noWindows: undefined,
      unnest: undefined,
      query: (body, outer, names) => this.query(body, outer, names),
      enter: (at, make) => this.#enter(at, make),
      positions: this.#positions,
      now: this.#now,
    };
  }

  /** @param outer what a subquery of FROM may use: the queries around the whole SELECT, and none of its neighbours */
  #from(clause: Clause, outer: NameScope | undefined): FromContext {
    return {
      clause: { ...clause, scope: new NameScope(outer) },
      id: (at) => this.#id(at),
      meaning: (call, at) => {
        const { entity } = this.#table(call.entity, at);
        if (this.meanings.push({ ...call, entity, at }) > statementLimits.meanings)
          throw new StatementError(`A statement has at most ${statementLimits.meanings} searches by meaning.`, at);
        return { kind: "meaning", id: this.#id(at), search: this.meanings.length - 1 };
      },
      table: (name, at) => {
        const common = this.#with.findLast((one) => one.name === name);
        const id = this.#id(at);
        if (common !== undefined)
          return {
            source: { kind: "with", id, name: common.number, types: common.types },
            columns: outputsOf(id, common.columns, common.types),
          };
        const table = this.#table(name, at);
        const used = new Set<string>();
        const columns = Object.entries(table.columns).map(
          ([column, type]): NamedColumn => ({
            name: column,
            column: {
              kind: "column",
              source: id,
              name: column,
              type,
              ...(table.searched.includes(column) ? { searched: table.entity } : {}),
            },
            hidden: table.hidden.includes(column),
          }),
        );
        const source = { kind: "table" as const, id, entity: table.entity, columns: [] as string[] };
        const use = (column: string) => {
          if (!used.has(column)) source.columns.push(column);
          used.add(column);
        };
        return { source, columns, use };
      },
    };
  }

  /** @throws StatementError where the caller may read no such table */
  #table(name: string, at: number | undefined): Table {
    const table = this.#tables.find(({ entity }) => isSame(entity, name));
    if (table === undefined) {
      const all = [...this.#with.map((one) => one.name), ...this.#tables.map(({ entity }) => entity)];
      throw unknownName(`There is no table "${name}".`, name, all, at);
    }
    this.entities.add(table.entity);
    return table;
  }

  #target(body: Body, scope: NameScope, clause: Clause): { readonly name: string[]; readonly given: Expression[] } {
    onlyMembers("SELECT", body, ["name", "val"]);
    const { kind, body: value } = nodeOf(body["val"]);
    const fields = kind === "ColumnRef" ? nodesOf(value["fields"]) : [];
    if (fields.at(-1)?.kind === "A_Star")
      return starred(
        fields.slice(0, -1).map(({ body: one }) => textMember(one, "sval") ?? ""),
        scope,
        value,
      );
    const expression = settled(bindExpression(body["val"], clause));
    return { name: [textMember(body, "name") ?? scope.spelling(nameOf(kind, value))], given: [expression] };
  }

  #groupKey(
    { kind, body }: { kind: string; body: Body },
    names: readonly string[],
    columns: readonly Expression[],
    clause: Clause,
  ): Expression {
    const node = { [kind]: body };
    const at = positionOf(body);
    if (kind === "GroupingSet") throw new StatementError("GROUPING SETS, CUBE and ROLLUP are not supported.", at);
    const isColumn = kind === "ColumnRef" && listOf(body["fields"]).length === 1;
    const name = isColumn ? stringOf(listOf(body["fields"])[0]) : undefined;
    const isInput =
      name !== undefined && clause.scope.sources.some((one) => one.columns.some((column) => isSame(column.name, name)));
    const position = isInput ? undefined : positionIn(node, names);
    const key = position === undefined ? settled(bindExpression(node, clause)) : columns[position];
    if (key === undefined) throw new StatementError("GROUP BY names a column that SELECT does not have.", at);
    if (some(key, (one) => one.kind === "aggregate"))
      throw new StatementError("GROUP BY cannot have an aggregate or a window function.", at);
    if (elementOf(key.type) !== undefined) throw new StatementError("Rows cannot be grouped by a list. Use unnest.", at);
    return key;
  }

  #id(at: number | undefined): number {
    if (++this.#ids > statementLimits.sources)
      throw new StatementError(`A statement has at most ${statementLimits.sources} tables and subqueries.`, at);
    return this.#ids;
  }

  #enter<Made>(at: number | undefined, make: () => Made): Made {
    if (++this.#nodes > statementLimits.nodes)
      throw new StatementError(`A statement has at most ${statementLimits.nodes} parts.`, at);
    if (++this.#depth > statementLimits.depth)
      throw new StatementError(`A statement is at most ${statementLimits.depth} levels deep.`, at);
    try {
      return make();
    } finally {
      this.#depth--;
    }
  }
}

interface Bound {
  readonly made: Select | SetOperation;
  readonly types: readonly Type[];
  /** Checks an expression of ORDER BY. */
  readonly orderBy: (node: unknown) => Order["by"] | number;
}

const selectMembers = [
  "distinctClause",
  "targetList",
  "fromClause",
  "whereClause",
  "groupClause",
  "havingClause",
  "windowClause",
];

function isNumeric(type: Type): boolean {
  return type === "integer" || type === "number";
}
