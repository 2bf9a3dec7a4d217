import { isObject } from "../base/is-object.ts";
import { nearest } from "../base/nearest.ts";

// The syntax tree of PostgreSQL's parser, as plain JSON of which nothing is taken for granted.

export type Body = Readonly<Record<string, unknown>>;

export interface Node {
  /** Such as `ColumnRef`. */
  readonly kind: string;
  readonly body: Body;
}

/** What is wrong in a statement. */
export interface Mistake {
  readonly message: string;
  /** Byte of the text, as the parser counts; undefined where the tree does not tell. */
  readonly at: number | undefined;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
}

/** Ends the check of a statement. */
export class StatementError extends Error {
  readonly mistake: Mistake;

  constructor(message: string, at?: number, more: Pick<Mistake, "allowed" | "suggestion"> = {}) {
    super(message);
    this.mistake = { message, at, ...more };
  }
}

/** The error for a name that does not exist, with the nearest one that does. */
export function unknownName(message: string, name: string, allowed: readonly string[], at: number | undefined): StatementError {
  const near = nearest(name, allowed);
  return new StatementError(message, at, { allowed, ...(near === undefined ? {} : { suggestion: near }) });
}

/** What to do about a name that SQL takes for a word of its own. */
export function quotesNeeded(name: string): string {
  return ` A column or a table with this name is written in double quotes: "${name}".`;
}

/** @throws StatementError where the tree has something else than one node here */
export function nodeOf(value: unknown): Node {
  const [entry, ...others] = isObject(value) ? Object.entries(value) : [];
  if (entry === undefined || others.length > 0 || !isObject(entry[1]))
    throw new StatementError("This form of SQL is not supported.");
  return { kind: entry[0], body: entry[1] };
}

export function nodesOf(value: unknown): Node[] {
  return listOf(value).map(nodeOf);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Where a node is in the text. The tree leaves a position of 0 out. */
export function positionOf(body: Body): number | undefined {
  const at = body["location"] ?? 0;
  return typeof at === "number" && at >= 0 ? at : undefined;
}

/**
 * Refuses a node that has a member beside these, so that nothing of a statement is passed over.
 *
 * @param what the node in words: `SELECT`
 * @throws StatementError
 */
export function onlyMembers(what: string, body: Body, members: readonly string[]): void {
  const other = Object.keys(body).find((name) => name !== "location" && !members.includes(name));
  if (other !== undefined)
    throw new StatementError(`${what} does not support ${memberNames[other] ?? other} here.`, positionOf(body));
}

/** What people call the members that are not supported. */
const memberNames: Readonly<Record<string, string>> = {
  lockingClause: "FOR UPDATE and FOR SHARE",
  intoClause: "INTO",
  groupDistinct: "GROUP BY DISTINCT",
  valuesLists: "VALUES",
  recursive: "RECURSIVE",
  indirection: "subscripts and fields of a value",
  coldeflist: "a list of column definitions",
  ordinality: "WITH ORDINALITY",
  is_rowsfrom: "ROWS FROM",
  isNatural: "NATURAL",
  func_variadic: "VARIADIC",
  refname: "a window that extends another",
  schemaname: "the name of a schema",
  catalogname: "the name of a database",
  collname: "COLLATE",
  lateral: "LATERAL",
};

/** The text of a node `String`. */
export function stringOf(value: unknown): string {
  const { kind, body } = nodeOf(value);
  const text = kind === "String" ? (body["sval"] ?? "") : undefined;
  if (typeof text !== "string") throw new StatementError("A name is expected here.");
  return text;
}

export function textMember(body: Body, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}

/** The body of a member that is no node, such as an alias or a window. */
export function bodyMember(body: Body, name: string): Body | undefined {
  const value = body[name];
  return isObject(value) ? value : undefined;
}
