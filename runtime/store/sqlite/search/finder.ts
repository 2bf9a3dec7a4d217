import type { Condition, SortKey, SortPosition, Test } from "../../../search/index.ts";
import { allOf, join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { SqliteValue, Statements } from "../../../sqlite/index.ts";
import { sqlOperand } from "../rows/rows.ts";
import type { Column } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";
import { type AccessContext, type AccessPath, rowsOf } from "./access.ts";
import { expression } from "./expression.ts";
import { behindPosition, orderOf, phases, positionOf, type SortColumn, sortColumns, withoutFirst } from "./order.ts";
import { type Plan, Planner, type Way } from "./planner.ts";
import { planning } from "./planning.ts";
import { idsOf, isSmall, recordTests } from "./record-tests.ts";
import { type Report, SearchStatements } from "./search-statements.ts";
import { type WalkIndex, walkIndexOf } from "./walk-index.ts";
import { type Wanted, withoutFixed } from "./wanted.ts";
import { TooLong, type Watch } from "./watch.ts";
import { waysTo } from "./ways.ts";

/** The way to prefer wherever there is a choice. Only tests set it, to check that all ways give the same answer. */
export type Preference = "gather" | "narrow" | "walk" | "probe";

/**
 * Finds the ids of records in order. There are two ways. *Gather*: an index gives all candidates of the rarest condition, the other
 * conditions are tested on them, and the records that pass are sorted. *Walk*: an index gives records in the order of the sort, and the
 * conditions are tested until enough records are found. The planner estimates which way is cheaper.
 */
export class Finder {
  readonly #statements: Statements;
  readonly #run: SearchStatements;
  readonly #watch: Watch;
  readonly #context: AccessContext;
  readonly #total: number;
  readonly #prefer: Preference | undefined;

  constructor(
    statements: Statements,
    watch: Watch,
    context: AccessContext,
    total: number,
    { explain, prefer }: { readonly explain: boolean; readonly prefer?: Preference | undefined },
  ) {
    this.#statements = statements;
    this.#run = new SearchStatements(statements, watch, explain);
    this.#watch = watch;
    this.#context = context;
    this.#total = total;
    this.#prefer = prefer;
  }

  /** How the last search was run. */
  get report(): Report {
    return this.#run.report;
  }

  find(given: Wanted): number[] {
    const wanted = withoutFixed(given);
    const count = (access: AccessPath, most: number) => this.#run.count(access, most);
    const index = walkIndexOf(wanted, this.#context, this.#watch.tests, count);
    const residual = wanted.conditions.filter((one) => !index?.covered.has(one));
    const [first] = this.#columns(wanted.sort);
    if (index !== undefined && index.covered.size === 0 && first?.column.few === true) return this.#walkGroups(wanted, first);
    if (index !== undefined && residual.length === 0) return this.#walk(wanted, index, [], undefined, []);
    const ways = waysTo(wanted.conditions, this.#context);
    const planner = new Planner(this.#context.layout, this.#total, wanted.need, ways, count);
    if (index === undefined) return this.#gather(wanted, planner, planner.fewest(planning.onlyEffort), []);
    const preferred = this.#preferred(ways);
    if (preferred?.gather !== undefined) return this.#gather(wanted, planner, preferred.gather, preferred.lists);
    if (preferred !== undefined || ways.length === 0) return this.#walk(wanted, index, residual, planner, preferred?.lists ?? []);
    return this.#bestOf(wanted, index, residual, planner);
  }

  /**
   * Walks for a bounded number of records, and makes a better plan with what an unfinished walk has shown, until all are found. A walk that
   * was stopped goes on behind the last record that it has found, maybe in another way.
   */
  #bestOf(wanted: Wanted, index: WalkIndex, residual: readonly Condition[], planner: Planner): number[] {
    const found: number[] = [];
    let behind = wanted;
    for (let effort = planning.firstEffort; ; effort *= planning.moreEffort) {
      const { gather, lists, looks } = planner.plan(wanted.conditions, residual, effort);
      if (gather !== undefined) {
        const rest = this.#gather({ ...behind, need: wanted.need - found.length }, planner, gather, lists);
        return [...found, ...rest];
      }
      const restoreReport = this.#run.remember();
      this.#watch.allow(looks >= this.#total ? Number.POSITIVE_INFINITY : looks);
      const started = performance.now();
      try {
        return this.#walk(behind, index, residual, planner, lists, found);
      } catch (thrown) {
        if (!(thrown instanceof TooLong)) throw thrown;
        const took = (performance.now() - started) * 1_000;
        const { missed, hits } = this.#watch;
        const need = wanted.need - found.length;
        planner.learn({ tests: planner.inOrder(residual, lists), lists, missed, hits, took, need });
        restoreReport();
        const last = found.at(-1);
        if (last !== undefined) behind = { ...wanted, after: this.#positionOf(last, wanted.sort) };
      } finally {
        this.#watch.allow(Number.POSITIVE_INFINITY);
      }
    }
  }

  #positionOf(id: number, sort: readonly SortKey[]): SortPosition {
    return positionOf(this.#statements, this.#context.layout, id, this.#columns(sort));
  }

  #preferred(ways: readonly Way[]): Plan | undefined {
    const [gather] = ways;
    if (this.#prefer === undefined || gather === undefined) return undefined;
    const words = ways.filter(({ access }) => access.words !== undefined);
    if (this.#prefer === "gather") return { gather, lists: [], looks: 0 };
    if (this.#prefer === "narrow") return { gather, lists: words.filter((way) => way !== gather), looks: 0 };
    return { lists: this.#prefer === "probe" ? words : [], looks: 0 };
  }

  /** All records, by the index of the key or by another one. */
  #everything(index: string = this.#context.layout.keyIndex): AccessPath {
    const { layout, instance } = this.#context;
    return {
      label: "every record",
      index,
      ids: () => raw(""),
      rows: {
        from: raw(`${layout.narrow} n INDEXED BY ${index}`),
        where: sql`n.inst = ${unplanned(instance)}`,
      },
      exact: false,
    };
  }

  /** @param way undefined for all records */
  #gather(wanted: Wanted, planner: Planner, way: Way | undefined, lists: readonly Way[]): number[] {
    const { conditions, sort, after, need } = wanted;
    const behind = after === undefined ? [] : [behindPosition(this.#columns(sort), after)];
    const { from, where } = this.#matching(conditions, behind, planner, way, lists, this.#everything());
    return this.#run.ids(sql`${from} WHERE ${where} ORDER BY ${this.#order(sort)} LIMIT ${unplanned(need)}`);
  }

  /**
   * Counts the records that fulfil all conditions, by the values of columns or, without any, all together.
   *
   * @param most rows that are given at most, in any order
   * @returns rows of the values of the columns and the count
   */
  count(conditions: readonly Condition[], by: readonly Column[], most: number): SqliteValue[][] {
    const { layout } = this.#context;
    const ways = waysTo(conditions, this.#context);
    const planner = new Planner(layout, this.#total, this.#total, ways, (access, limit) => this.#run.count(access, limit));
    const [only] = by;
    const all = this.#everything(by.length === 1 ? only?.index : undefined);
    const { from, where } = this.#matching(conditions, [], planner, planner.fewest(planning.onlyEffort), [], all);
    const names = by.map(({ sql: name }) => raw(name));
    const grouped = names.length === 0 ? raw("") : sql` GROUP BY ${join(names, ", ")}`;
    const counted = sql`SELECT ${join([...names, raw("count(*)")], ", ")} FROM ${from} WHERE ${where}${grouped} LIMIT ${unplanned(most)}`;
    return this.#run.rows(counted);
  }

  /** The source of the records that fulfil all conditions. @param all how all records are read, where there is no way */
  #matching(
    conditions: readonly Condition[],
    more: readonly Sql[],
    planner: Planner,
    way: Way | undefined,
    lists: readonly Way[],
    all: AccessPath,
  ): { readonly from: Sql; readonly where: Sql } {
    const access = way?.access ?? all;
    // Where the way gives only ids, the lists are checked before any record is fetched.
    const early = access.rows === undefined ? lists : [];
    const sure = [...(way === undefined ? [] : [way]), ...early].filter((one) => one.access.exact);
    const residual = conditions.filter((one) => !sure.some((done) => done.conditions.includes(one)));
    const ids = way === undefined ? raw("") : idsOf(way);
    const rows = rowsOf(access, ids, early.map(idsOf), this.#context);
    const tests = this.#tests(residual, planner, access.rows === undefined ? [] : lists);
    const watched = tests.length > 0 || (way !== undefined && isSmall(way)) ? [] : [raw("pass()")];
    this.#run.note(access.label, [access.index, ...lists.map((one) => one.access.index)]);
    return { from: rows.from, where: allOf([rows.where, ...more, ...tests, ...watched]) };
  }

  #tests(residual: readonly Condition[], planner: Planner, lists: readonly Way[]): Sql[] {
    return recordTests(residual, lists, planner, this.#context.layout, this.#watch.tests);
  }

  /** @param found receives the ids, also those that are found before the watch stops the walk */
  #walk(
    wanted: Wanted,
    index: WalkIndex,
    residual: readonly Condition[],
    planner: Planner | undefined,
    lists: readonly Way[],
    found: number[] = [],
  ): number[] {
    const [first, ...rest] = this.#columns(wanted.sort);
    const covered = [...index.covered];
    const { layout, instance } = this.#context;
    // Without a test the first rows are the result. With a second sort key the engine first reads all rows with equal values.
    const untested = rest.length === 0 ? [] : [raw("pass()")];
    const tested = planner === undefined || residual.length === 0 ? untested : this.#tests(residual, planner, lists);
    const covering =
      index.values === undefined ? covered.map((one) => expression(one, layout, this.#watch.tests)) : [index.values];
    const bound = [sql`n.inst = ${unplanned(instance)}`, ...covering];
    const from = raw(index.values === undefined ? `${layout.narrow} n INDEXED BY ${index.index}` : `${index.index} n`);
    const indexes = [index.index, ...lists.map((way) => way.access.index)];
    this.#run.note(first === undefined ? "order of the key" : `order of ${first.column.field}`, indexes);
    for (const phase of phases(first, rest, wanted.after)) {
      const left = wanted.need - found.length;
      if (left <= 0) break;
      const where = allOf([...bound, ...phase.where, ...tested]);
      const order = join([...phase.order, raw("n.k")], ", ");
      this.#run.addIds(sql`${from} WHERE ${where} ORDER BY ${order} LIMIT ${unplanned(left)}`, found);
    }
    return found;
  }

  /** For a sort that begins with a column of few values: finds the records of one value after the other, each by the rest of the sort. */
  #walkGroups(wanted: Wanted, { column, direction }: SortColumn): number[] {
    const { sort, after, conditions } = wanted;
    const found: number[] = [];
    const add = (value: SqliteValue, behind: SortPosition | undefined) => {
      const operand = value !== null && column.type === "boolean" ? value === 1 : value;
      const test: Test = { kind: "test", operator: "eq", field: column.field, operand };
      const inner = { conditions: [...conditions, test], sort: sort.slice(1), after: behind, need: wanted.need - found.length };
      for (const id of this.find(inner)) found.push(id);
    };
    const start = after === undefined ? undefined : sqlOperand(after[0]);
    if (start !== null) {
      if (start !== undefined) add(start, withoutFirst(after));
      for (
        let value = this.#nextValue(column, direction, start);
        value !== null;
        value = this.#nextValue(column, direction, value)
      ) {
        if (found.length >= wanted.need) return found;
        add(value, undefined);
      }
    }
    if (found.length < wanted.need) add(null, start === null ? withoutFirst(after) : undefined);
    return found;
  }

  #nextValue(column: Column, direction: SortKey["direction"], behind: SqliteValue | undefined): SqliteValue {
    const { layout, instance } = this.#context;
    const [pick, than] = direction === "asc" ? ["min", ">"] : ["max", "<"];
    const name = raw(column.sql);
    const from = raw(`${layout.narrow} n INDEXED BY ${column.index}`);
    const bound = behind === undefined ? sql`${name} IS NOT NULL` : sql`${name} ${raw(than)} ${behind}`;
    const next = sql`SELECT ${raw(pick)}(${name}) FROM ${from} WHERE n.inst = ${unplanned(instance)} AND ${bound}`;
    return this.#run.value(next);
  }

  #order(sort: readonly SortKey[]): Sql {
    return join([...this.#columns(sort).flatMap(orderOf), raw("n.k")], ", ");
  }

  #columns(sort: readonly SortKey[]): SortColumn[] {
    return sortColumns(this.#context.layout, sort);
  }
}
