import type { SearchCaller } from "../base/search-caller.ts";
import type { Table } from "../contract/index.ts";
import type { BoundStatement, Value } from "../statement/index.ts";
import type { CollectionSync } from "./collection-sync.ts";

/** A statement that was checked, and how many rows may come of it. */
export interface StatementQuery {
  readonly statement: BoundStatement;
  readonly limit: number;
  /** The hits of each search by meaning in the statement: the values of their columns. Absent where it has no such search. */
  readonly hits?: readonly (readonly (readonly Value[])[])[];
}

export interface StatementAnswer {
  /** JSON array of the rows, in UTF-8. */
  readonly json: Uint8Array;
  readonly count: number;
  /** There are more rows than these. */
  readonly more: boolean;
  /** How far each table of the statement is synced. */
  readonly tables: readonly { readonly entity: string; readonly syncedAt: string | null; readonly sync: CollectionSync }[];
  /** What the engine got, without values; for `explain`. */
  readonly sql: string;
}

/** Milliseconds that one statement may take. */
export const statementTime = 10_000;

/** Runs statements over the cached records of an instance. */
export interface StatementStore {
  /**
   * Parses a statement. The store brings the parser, so that a client without a store needs none.
   *
   * @throws TenonError as `parseStatement` of `runtime/statement`
   */
  parseStatement(text: string, tables: readonly Table[], caller?: SearchCaller): Promise<BoundStatement>;
  /**
   * @param deadline, signal, caller as of `SearchStore.search`
   * @throws TenonError as `SearchStore.search`
   */
  runStatement(
    instance: { readonly connector: string; readonly instance: string },
    query: StatementQuery,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StatementAnswer>;
}
