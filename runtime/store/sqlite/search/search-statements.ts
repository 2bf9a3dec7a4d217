import type { Statements } from "../../../sqlite/index.ts";
import { type Sql, type SqlValue, sql, unplanned } from "../tables/sql.ts";
import type { Access } from "./access.ts";
import type { Watch } from "./watch.ts";

/** How a search was run, as `explain` tells it. */
export interface Report {
  driver: string;
  indexes: string[];
  steps: string[];
}

/** The most steps that are reported. */
const mostSteps = 50;

/** Runs the statements of one search under its watch, and reports them. */
export class SearchStatements {
  readonly report: Report = { driver: "", indexes: [], steps: [] };
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #explain: boolean;

  constructor(statements: Statements, watch: Watch, explain: boolean) {
    this.#statements = statements;
    this.#watch = watch;
    this.#explain = explain;
  }

  /** The ids of records. @param rest the statement behind `SELECT n.id FROM` */
  ids(rest: Sql): number[] {
    return this.#idsOf(rest).all(...rest.params) as number[];
  }

  /** Adds ids one by one, so that those are there that were found before the watch stops the statement. */
  addIds(rest: Sql, ids: number[]): void {
    for (const id of this.#idsOf(rest).iterate(...rest.params)) ids.push(id as number);
  }

  rows({ text, params }: Sql): SqlValue[][] {
    this.#begin(text, params);
    return this.#statements
      .get(text)
      .raw()
      .all(...params) as SqlValue[][];
  }

  /** The one value that a statement gives. It must read few rows, because the watch does not see it. */
  value({ text, params }: Sql): SqlValue {
    return this.#statements
      .get(text)
      .pluck()
      .get(...params) as SqlValue;
  }

  /** How many records an access finds, counted up to `most`. */
  count(access: Access, most: number): number {
    if (access.parts !== undefined) {
      let sum = 0;
      for (const part of access.parts) if (sum < most) sum += this.count(part, most - sum);
      return sum;
    }
    this.#watch.check();
    return Number(this.value(sql`SELECT count(*) FROM (${access.ids(false)} LIMIT ${unplanned(most)})`));
  }

  /** Notes what gives the candidates, unless that was noted before, and adds indexes to the report. */
  note(driver: string, indexes: readonly string[]): void {
    this.report.driver ||= driver;
    for (const name of indexes.flatMap((index) => index.replaceAll('"', "").split(", ")))
      if (!this.report.indexes.includes(name)) this.report.indexes.push(name);
  }

  /** @returns a function that drops from the report what was noted since, for a walk that is not finished */
  remember(): () => void {
    const { driver, indexes, steps } = this.report;
    const kept = { driver, indexes: [...indexes], steps };
    return () => void Object.assign(this.report, kept);
  }

  #idsOf({ text: rest, params }: Sql): ReturnType<Statements["get"]> {
    const text = `SELECT n.id FROM ${rest}`;
    this.#begin(text, params);
    return this.#statements.get(text).pluck();
  }

  #begin(text: string, params: readonly SqlValue[]): void {
    this.#watch.check();
    if (!this.#explain) return;
    const rows = this.#statements.get(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
    if (this.report.steps.length < mostSteps) this.report.steps.push(...rows.map(({ detail }) => detail));
  }
}
