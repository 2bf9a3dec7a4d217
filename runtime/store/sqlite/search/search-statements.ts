import { type Sql, sql } from "../../../sql/index.ts";
import { type SqliteValue, type Statements, sqliteText } from "../../../sqlite/index.ts";
import { unplanned } from "../tables/unplanned.ts";
import type { AccessPath } from "./access.ts";
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
    const { statement, params } = this.#idsOf(rest);
    return statement.all(...params) as number[];
  }

  /** Adds ids one by one, so that those are there that were found before the watch stops the statement. */
  addIds(rest: Sql, ids: number[]): void {
    const { statement, params } = this.#idsOf(rest);
    for (const id of statement.iterate(...params)) ids.push(id as number);
  }

  rows(wanted: Sql): SqliteValue[][] {
    const { statement, params } = this.#begun(wanted);
    return statement.raw().all(...params) as SqliteValue[][];
  }

  /** The one value that a statement gives. It must read few rows, because the watch does not see it. */
  value(wanted: Sql): SqliteValue {
    const { text, params } = sqliteText(wanted);
    return this.#statements
      .get(text)
      .pluck()
      .get(...params) as SqliteValue;
  }

  /** How many records an access finds, counted up to `most`. */
  count(access: AccessPath, most: number): number {
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

  #idsOf(rest: Sql) {
    const { statement, params } = this.#begun(sql`SELECT n.id FROM ${rest}`);
    return { statement: statement.pluck(), params };
  }

  #begun(wanted: Sql) {
    const { text, params } = sqliteText(wanted);
    this.#watch.check();
    if (this.#explain) this.#explained(text, params);
    return { statement: this.#statements.get(text), params };
  }

  #explained(text: string, params: readonly SqliteValue[]): void {
    const rows = this.#statements.get(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
    if (this.report.steps.length < mostSteps) this.report.steps.push(...rows.map(({ detail }) => detail));
  }
}
