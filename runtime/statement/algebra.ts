import type { CallName } from "./functions.ts";
import type { Type } from "./types.ts";

// A statement after it was checked: plain data without a text of the caller but in values, which become bound parameters. Engines make
// their own SQL from it. Sources and columns have numbers and names of ours; the caller's names of columns are only in `BoundStatement`.

export interface ColumnUse {
  readonly kind: "column";
  /** Number of the source that has it. */
  readonly source: number;
  /** A field of the entity, or `c` and the column's number in a subquery. */
  readonly name: string;
  readonly type: Type;
  /** The entity with whose words `keyword` and `fuzzy` search it; absent where they cannot. */
  readonly searched?: string;
}

export interface Value {
  readonly kind: "value";
  readonly value: string | number | boolean | null;
  readonly type: Type;
}

export interface FunctionCall {
  readonly kind: "call";
  readonly name: CallName;
  readonly args: readonly Expression[];
  readonly type: Type;
}

/** `any` of several conditions, or `all` of them. */
export interface Logic {
  readonly kind: "logic";
  readonly how: "AND" | "OR";
  readonly args: readonly Expression[];
  readonly type: "boolean";
}

/** Whether a text has words, as the operators of cached search mean it. It is never NULL. */
export interface WordTest {
  readonly kind: "words";
  readonly how: "keyword" | "fuzzy";
  readonly value: ColumnUse;
  /** The column with the words of the value, which not every engine has. */
  readonly words: ColumnUse;
  readonly operand: string;
  readonly type: "boolean";
}

export interface Case {
  readonly kind: "case";
  readonly whens: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise: Expression | undefined;
  readonly type: Type;
}

export interface Listed {
  readonly kind: "listed";
  readonly value: Expression;
  readonly list: readonly Expression[];
  readonly type: "boolean";
}

export interface Aggregate {
  readonly kind: "aggregate";
  readonly name: CallName;
  readonly args: readonly Expression[];
  readonly distinct: boolean;
  readonly filter: Expression | undefined;
  readonly order: readonly Order[];
  /** Set for a window function, and for an aggregate over a window. */
  readonly over?: Window;
  readonly type: Type;
}

export interface Window {
  readonly partition: readonly Expression[];
  readonly order: readonly Order[];
  readonly frame: WindowFrame | undefined;
}

export interface WindowFrame {
  readonly unit: "ROWS" | "RANGE";
  readonly start: FrameEnd;
  readonly end: FrameEnd;
}

export type FrameEnd =
  | { readonly at: "UNBOUNDED PRECEDING" | "CURRENT ROW" | "UNBOUNDED FOLLOWING" }
  | { readonly at: "PRECEDING" | "FOLLOWING"; readonly rows: number };

export interface Subquery {
  readonly kind: "subquery";
  readonly how: "scalar" | "exists" | "in";
  /** What is looked for, with `in`. */
  readonly value?: Expression;
  readonly query: Query;
  readonly type: Type;
}

export type Expression = ColumnUse | Value | FunctionCall | Logic | WordTest | Case | Listed | Aggregate | Subquery;

export interface Order {
  readonly by: Expression;
  readonly direction: "ASC" | "DESC";
  readonly nulls: "FIRST" | "LAST";
}

export type Source =
  | { readonly kind: "table"; readonly id: number; readonly entity: string; readonly columns: readonly string[] }
  | { readonly kind: "query"; readonly id: number; readonly query: Query }
  | { readonly kind: "with"; readonly id: number; readonly name: number; readonly types: readonly Type[] }
  /** The elements of a list, in the column `c0`. */
  | { readonly kind: "unnest"; readonly id: number; readonly list: Expression; readonly type: Type }
  /** The hits of a search by meaning, which is run before the statement: `meanings` of the statement has its parameters. */
  | { readonly kind: "meaning"; readonly id: number; readonly search: number }
  | { readonly kind: "join"; readonly outer: boolean; readonly left: Source; readonly right: Source; readonly on: Expression };

export interface Select {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly columns: readonly Expression[];
  readonly from: Source | undefined;
  readonly where: Expression | undefined;
  /** Undefined where the rows are not grouped. An empty list makes one group of all rows. */
  readonly group: readonly Expression[] | undefined;
  readonly having: Expression | undefined;
}

export interface SetOperation {
  readonly kind: "set";
  readonly operator: "UNION" | "UNION ALL" | "INTERSECT" | "EXCEPT";
  readonly left: Query;
  readonly right: Query;
}

export interface Query {
  readonly with: readonly { readonly name: number; readonly query: Query }[];
  readonly body: Select | SetOperation;
  /** By an expression of the select, or by the number of an output column. */
  readonly order: readonly (Omit<Order, "by"> & { readonly by: Expression | number })[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly types: readonly Type[];
}

/** A search by meaning in a FROM. Its parameters are those of the action, and are not checked yet. */
export interface Meaning {
  readonly entity: string;
  readonly params: { readonly semantic: Readonly<Record<string, unknown>>; readonly limit?: unknown };
  /** Byte of the text where it is, as the parser counts. */
  readonly at: number | undefined;
}

export interface BoundStatement {
  readonly query: Query;
  readonly names: readonly string[];
  /** How many parts its expressions have together, where each column counts as what a subquery computes it from. */
  readonly parts: number;
  /** The entities of its tables, each once. */
  readonly entities: readonly string[];
  readonly meanings: readonly Meaning[];
}
