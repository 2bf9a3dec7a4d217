import type { TenonError } from "../base/errors.ts";
import type { SearchCaller } from "../base/search-caller.ts";
import type { Sql } from "../sql/index.ts";

/** Runs statements. A row is an object of its columns; see `value-types.ts` for what the values become. */
export interface Queries {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** Like `query`, but makes something of each row when it arrives. Meanwhile the server goes on with the next ones. */
  each<Row extends object, Made>(statement: Sql, make: (row: Row) => Made): Promise<Made[]>;
  /** @returns how many rows were changed */
  run(statement: Sql): Promise<number>;
}

export interface QueryOptions {
  /** When the statement must have ended, as of `performance.now()`. Without it, a statement may take 30 seconds. */
  readonly deadline?: number;
  /** Makes the error that is thrown after the deadline; without it, that is `database_unavailable`. */
  readonly late?: () => TenonError;
  /** Ends the statement, on the server too. What is thrown is the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Whose statement it is; without it, the service's own. */
  readonly caller?: SearchCaller;
}

export interface TransactionOptions extends QueryOptions {
  /** Without it, each statement sees what is committed when it begins. With it, all of them see what the first one saw. */
  readonly isolation?: "repeatable read" | "serializable";
  readonly readOnly?: true;
  /**
   * The work has the same outcome when it is done twice. It is then done again when the connection is lost, even during COMMIT, of which
   * nobody knows whether it was done.
   */
  readonly repeatable?: true;
}

/**
 * A PostgreSQL database, as far as the stores use it. No statement relies on a state of the session, so that a pooler may give each
 * transaction another one: no `SET` without `LOCAL`, no locks of a session, no `LISTEN`, and prepared statements with names only on
 * connections that lead to the server itself.
 *
 * Every method throws TenonError `database_unavailable` while the server cannot be reached or cannot write, `overloaded` when too many
 * statements wait for a connection, and `shutting_down` after `close`. Other errors of the server are faults of the statement; they are
 * thrown as the driver's `DatabaseError`, whose `code` is the SQLSTATE.
 */
export interface Database {
  /** The most connections that it has at a time. */
  readonly connections: number;
  /** Runs one statement in a transaction of its own. */
  query<Row extends object>(statement: Sql, options?: QueryOptions): Promise<Row[]>;
  /** Like `query`. @returns how many rows were changed */
  run(statement: Sql, options?: QueryOptions): Promise<number>;
  /**
   * Does work in one transaction, which is committed when the work succeeds and otherwise rolled back. When the server refuses it because
   * of other transactions (SQLSTATE 40001, 40P01), all of it is done again, a few times; so the work must have no effect but its
   * statements.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** Runs a statement that cannot be part of a transaction, such as `CREATE INDEX CONCURRENTLY`. The server knows no limit for its time. */
  alone(statement: Sql, options?: QueryOptions): Promise<void>;
  /** Ends the connections. What runs is finished first. */
  close(): Promise<void>;
}
