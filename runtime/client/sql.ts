import type { CallOptions } from "./options.ts";
import type { StoreMeta } from "./search.ts";

type SqlValue = string | number | boolean | null;

/** A row of the result: its columns by the names that the statement gives them. Times are ISO 8601, intervals seconds. */
export type SqlRow = Readonly<Record<string, SqlValue | readonly SqlValue[]>>;

export interface SqlOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** The most rows: 1 to 10,000. Default: 1,000. `meta.has_more` says whether there are more. */
  readonly limit?: number;
  /** Adds `meta.plan.sql`: the SQL that the engine got. */
  readonly explain?: boolean;
}

/** What a statement of SQL answers. */
export interface SqlResult<Row> {
  readonly data: readonly Row[];
  readonly meta: Omit<StoreMeta, "cursor" | "total_count">;
}

/**
 * Runs a `SELECT` over the cached records of all entities that the caller may read. Hosted mode only.
 *
 * @throws CallError `invalid_request` for what is wrong in the statement, with its place
 */
export type RunSql = <Row extends object = SqlRow>(sql: string, options?: SqlOptions) => Promise<SqlResult<Row>>;
