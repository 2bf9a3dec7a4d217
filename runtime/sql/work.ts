import type { Sql } from "./sql.ts";

// Decision 5 in runtime/site/text/decisions.md says why: SQL that both engines share is written once.

// A unit of work is a generator function that yields statements and gets their results. It does not know whether the engine responds at
// once, as a file does in the thread that writes it, or later, as a server does. So its SQL and its decisions are written once for all
// engines.

/** What a unit of work waits for: the rows of a statement, how many rows it changed, or a value that the engine makes in its own way. */
export type Step =
  | { readonly wants: "rows" | "changes"; readonly statement: Sql }
  | { readonly wants: "value"; readonly value: unknown };

/** Several steps in one transaction, which the caller begins and ends. */
export type Work<Result> = Generator<Step, Result, unknown>;

/** Functions that make units of work, by name. */
type Works = Readonly<Record<string, (...args: never[]) => Work<unknown>>>;

/** The same functions where the engine responds at once. */
export type AtOnce<All extends Works> = {
  readonly [Name in keyof All]: All[Name] extends (...args: infer Args) => Work<infer Result> ? (...args: Args) => Result : never;
};

/** The same functions where the engine responds later. */
export type Later<All extends Works> = {
  readonly [Name in keyof All]: All[Name] extends (...args: infer Args) => Work<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** Runs a statement. @returns its rows */
export function* rowsOf<Row extends object>(statement: Sql): Work<Row[]> {
  return (yield { statement, wants: "rows" }) as Row[];
}

/** Runs a statement. @returns its first row; undefined where it has none */
export function* rowOf<Row extends object>(statement: Sql): Work<Row | undefined> {
  return (yield* rowsOf<Row>(statement))[0];
}

/** Runs a statement. @returns how many rows it changed */
export function* changesOf(statement: Sql): Work<number> {
  return (yield { statement, wants: "changes" }) as number;
}

/** Waits for what an engine does in its own way: a value where it responds at once, otherwise a promise. */
export function* awaited<Value>(value: Value | Promise<Value>): Work<Value> {
  return (yield { value, wants: "value" }) as Value;
}

/** Runs statements of an engine that responds at once. @returns rows, or how many rows were changed */
export type RunAtOnce = (statement: Sql, wants: "rows" | "changes") => unknown;

/** Does a unit of work where the engine responds at once. */
export function doAtOnce<Result>(work: Work<Result>, run: RunAtOnce): Result {
  let step = work.next();
  while (step.done !== true)
    step = work.next(step.value.wants === "value" ? step.value.value : run(step.value.statement, step.value.wants));
  return step.value;
}

/** Runs statements of an engine that responds later. */
export interface RunLater {
  query(statement: Sql): Promise<readonly object[]>;
  run(statement: Sql): Promise<number>;
}

/** Does a unit of work where the engine responds later. */
export async function doLater<Result>(work: Work<Result>, engine: RunLater): Promise<Result> {
  let step = work.next();
  while (step.done !== true) step = work.next(await resultOf(step.value, engine));
  return step.value;
}

function resultOf(step: Step, engine: RunLater): unknown {
  if (step.wants === "value") return step.value;
  return step.wants === "rows" ? engine.query(step.statement) : engine.run(step.statement);
}

/**
 * Makes functions from those that make units of work.
 *
 * @param run runs one: `start` begins it, and begins it anew where a transaction has to be done again
 */
export function eachAtOnce<All extends Works>(works: All, run: (start: () => Work<unknown>) => unknown): AtOnce<All> {
  return made(works, run) as AtOnce<All>;
}

/** Like {@link eachAtOnce}, for an engine that responds later. @param run gets the name of the function and its arguments too */
export function eachLater<All extends Works>(
  works: All,
  run: (start: () => Work<unknown>, name: keyof All & string, args: readonly unknown[]) => Promise<unknown>,
): Later<All> {
  return made(works, run) as Later<All>;
}

/** Makes functions that do their work at once. */
export function atOnce<All extends Works>(works: All, run: RunAtOnce): AtOnce<All> {
  return eachAtOnce(works, (start) => doAtOnce(start(), run));
}

/** Makes functions that do their work later. */
export function later<All extends Works>(works: All, engine: RunLater): Later<All> {
  return eachLater(works, (start) => doLater(start(), engine));
}

function made(
  works: Works,
  run: (start: () => Work<unknown>, name: string, args: readonly never[]) => unknown,
): Record<string, unknown> {
  const functions = Object.entries<(...args: never[]) => Work<unknown>>(works);
  return Object.fromEntries(
    functions.map(([name, work]) => [name, (...args: never[]) => run(() => work(...args), name, args)] as const),
  );
}

/** What the engines spell in different ways. */
export interface Dialect {
  /**
   * Follows a SELECT: the rows stay as they are until the transaction ends. `change` when the transaction will change them, `keep` when
   * others may keep them too, `free` when rows that another transaction has locked are left out. Empty where a transaction that writes has
   * the whole database to itself.
   */
  readonly lock: { readonly change: Sql; readonly keep: Sql; readonly free: Sql };
  /** A statement after which other transactions that run it wait until this one ends. */
  inTurn(name: string): Sql;
  /** Milliseconds since 1970, by the one clock that all processes share which use the same tables. */
  now(): Sql;
  /** Whether a column has one of some texts. */
  oneOf(column: string, values: readonly string[]): Sql;
  /** Rows of values, as a source of a SELECT: a table called `name`, whose columns have the order of `columns`. */
  table(name: string, columns: Readonly<Record<string, ColumnValues>>): Sql;
}

/** The values of a column. */
export interface ColumnValues {
  readonly type: "text" | "bigint";
  readonly values: readonly (string | number | null)[];
}
