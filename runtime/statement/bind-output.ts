import type { Expression } from "./algebra.ts";
import { isSame, type NameScope } from "./scope.ts";
import { type Body, bodyMember, listOf, nodeOf, positionOf, StatementError, stringOf, unknownName } from "./syntax.ts";

// What a SELECT says of its result: the names of its columns, and how many rows it has.

export function distinctOf(value: unknown): boolean {
  const list = listOf(value);
  if (list.some((one) => Object.keys(bodyMember({ one }, "one") ?? {}).length > 0))
    throw new StatementError(
      "DISTINCT ON is not supported. Number the rows with row_number() OVER (PARTITION BY …) in a subquery, and keep the first.",
    );
  return list.length > 0;
}

/** The number of an output column, where a node of ORDER BY or GROUP BY is its number or its name. */
export function positionIn(node: unknown, names: readonly string[]): number | undefined {
  const { kind, body } = nodeOf(node);
  if (kind === "ColumnRef") {
    const fields = listOf(body["fields"]);
    const [first] = fields;
    if (fields.length !== 1 || nodeOf(first).kind !== "String") return undefined;
    const found = names.indexOf(stringOf(first));
    return found < 0 ? undefined : found;
  }
  if (kind !== "A_Const" || bodyMember(body, "ival") === undefined) return undefined;
  const number = bodyMember(body, "ival")?.["ival"] ?? 0;
  if (typeof number !== "number" || number < 1 || number > names.length)
    throw new StatementError(`SELECT has the columns 1 to ${names.length}.`, positionOf(body));
  return number - 1;
}

export function countOf(value: unknown, what: string): number | undefined {
  if (value === undefined) return undefined;
  const { kind, body } = nodeOf(value);
  if (kind === "A_Const" && body["isnull"] === true) return undefined;
  const number =
    kind === "A_Const" && bodyMember(body, "ival") !== undefined ? (bodyMember(body, "ival")?.["ival"] ?? 0) : undefined;
  if (typeof number !== "number" || number < 0)
    throw new StatementError(`${what} takes a whole number from 0 on.`, positionOf(body));
  return number;
}

export function starred(
  path: readonly string[],
  scope: NameScope,
  body: Body,
): { readonly name: string[]; readonly given: Expression[] } {
  const [table] = path;
  const sources = scope.sources.filter(({ name }) => table === undefined || isSame(name, table));
  if (sources.length === 0)
    throw unknownName(
      table === undefined ? "* needs a FROM." : `There is no table "${table}" in FROM.`,
      table ?? "",
      scope.sources.map(({ name }) => name),
      positionOf(body),
    );
  const all = sources.flatMap((source) => {
    const shown = source.columns.filter(({ hidden }) => hidden !== true);
    for (const { column } of shown) source.use?.(column.name);
    return shown;
  });
  return { name: all.map(({ name }) => name), given: all.map(({ column }) => column) };
}

/** The name that PostgreSQL gives a column without AS. */
export function nameOf(kind: string, body: Body): string {
  switch (kind) {
    case "ColumnRef":
      return stringOf(listOf(body["fields"]).at(-1));
    case "FuncCall":
      return stringOf(listOf(body["funcname"]).at(-1));
    case "CaseExpr":
      return "case";
    case "CoalesceExpr":
      return "coalesce";
    case "TypeCast": {
      const inner = nodeOf(body["arg"]);
      return inner.kind === "ColumnRef" || inner.kind === "FuncCall" ? nameOf(inner.kind, inner.body) : "column";
    }
    default:
      return "column";
  }
}
