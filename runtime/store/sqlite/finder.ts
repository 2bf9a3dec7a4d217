import type { Condition, SortKey, SortPosition, Test } from "../../search/index.ts";
import { type Access, type AccessContext, rowsOf, throughColumn } from "./access.ts";
import type { Statements } from "./connection.ts";
import { expression } from "./expression.ts";
import { type Column, columnNamed, emptyList } from "./layout.ts";
import { behindPosition, orderOf, phases, positionOf, type SortColumn, sortColumns, withoutFirst } from "./order.ts";
import { type Plan, Planner, type Way } from "./planner.ts";
import { sqlOperand } from "./rows.ts";
import { allOf, join, raw, type Sql, type SqlValue, sql, unplanned } from "./sql.ts";
import { TooLong, type Watch } from "./watch.ts";
import { isRange, waysTo } from "./ways.ts";

/** What to find: at most `need` records that fulfil all conditions, in the order of the sort, after a position. */
interface Wanted {
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  readonly after: SortPosition | undefined;
  readonly need: number;
}

export interface Report {
  driver: string;
  indexes: string[];
  steps: string[];
}

/** The way to prefer wherever there is a choice. Only tests set it, to check that all ways give the same answer. */
export type Preference = "gather" | "narrow" | "walk" | "probe";

/** Microseconds for the first round of finding the best way, and by which factor each further round may take longer. */
const firstEffort = 100;
const moreEffort = 6;
/** Microseconds for finding the best way where no index gives the order. Then there is only one round. */
const onlyEffort = 5_000;

/**
 * Finds the ids of records in order. There are two ways. *Gather*: an index gives all candidates of the rarest condition, the other
 * conditions are tested on them, and the records that pass are sorted. *Walk*: an index gives records in the order of the sort, and the
 * conditions are tested until enough records are found. The planner estimates which way is cheaper.
 */
export class Finder {
  readonly report: Report = { driver: "", indexes: [], steps: [] };
  readonly #statements: Statements;
  readonly #watch: Watch;
  readonly #context: AccessContext;
  readonly #total: number;
  readonly #explain: boolean;
  readonly #prefer: Preference | undefined;

  constructor(
    statements: Statements,
    watch: Watch,
    context: AccessContext,
    total: number,
    { explain, prefer }: { readonly explain: boolean; readonly prefer?: Preference | undefined },
  ) {
    this.#prefer = prefer;
    this.#statements = statements;
    this.#watch = watch;
    this.#context = context;
    this.#total = total;
    this.#explain = explain;
  }

  find(given: Wanted): number[] {
    const wanted = withoutFixed(given);
    const index = this.#walkIndex(wanted);
    const residual = wanted.conditions.filter((one) => !index?.covered.has(one));
    const [first] = this.#columns(wanted.sort);
    if (index !== undefined && index.covered.size === 0 && first?.column.few === true) return this.#walkGroups(wanted, first);
    if (index !== undefined && residual.length === 0) return this.#walk(wanted, index, [], undefined, []);
    const ways = waysTo(wanted.conditions, this.#context);
    const { layout } = this.#context;
    const planner = new Planner(layout, this.#total, wanted.need, ways, (access, most) => this.#count(access, most));
    if (index === undefined) return this.#gather(wanted, planner, planner.fewest(onlyEffort), []);
    const preferred = this.#preferred(ways);
    if (preferred?.gather !== undefined) return this.#gather(wanted, planner, preferred.gather, preferred.lists);
    if (preferred !== undefined || ways.length === 0) return this.#walk(wanted, index, residual, planner, preferred?.lists ?? []);
    const found: number[] = [];
    // A walk that was stopped goes on behind the last record that it has found, maybe in another way.
    let behind = wanted;
    for (let effort = firstEffort; ; effort *= moreEffort) {
      const { gather, lists, looks } = planner.plan(wanted.conditions, residual, effort);
      if (gather !== undefined) {
        const rest = this.#gather({ ...behind, need: wanted.need - found.length }, planner, gather, lists);
        return [...found, ...rest];
      }
      const report = { ...this.report, indexes: [...this.report.indexes] };
      this.#watch.allow(looks >= this.#total ? Number.POSITIVE_INFINITY : looks);
      const started = performance.now();
      try {
        return this.#walk(behind, index, residual, planner, lists, found);
      } catch (thrown) {
        if (!(thrown instanceof TooLong)) throw thrown;
        const took = (performance.now() - started) * 1_000;
        const { missed, hits } = this.#watch;
        planner.learn({
          tests: planner.inOrder(residual, lists),
          lists,
          missed,
          hits,
          took,
          need: wanted.need - found.length,
        });
        Object.assign(this.report, report);
        const last = found.at(-1);
        if (last !== undefined)
          behind = { ...wanted, after: positionOf(this.#statements, layout, last, this.#columns(wanted.sort)) };
      } finally {
        this.#watch.allow(Number.POSITIVE_INFINITY);
      }
    }
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
  #everything(index: string = this.#context.layout.keyIndex): Access {
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

  #count(access: Access, most: number): number {
    if (access.parts !== undefined) {
      let sum = 0;
      for (const part of access.parts) if (sum < most) sum += this.#count(part, most - sum);
      return sum;
    }
    this.#watch.check();
    const counted = sql`SELECT count(*) FROM (${access.ids(false)} LIMIT ${unplanned(most)})`;
    return Number(
      this.#statements
        .get(counted.text)
        .pluck()
        .get(...counted.params),
    );
  }

  /** @param way undefined for all records */
  #gather(wanted: Wanted, planner: Planner, way: Way | undefined, lists: readonly Way[]): number[] {
    const { conditions, sort, after, need } = wanted;
    const behind = after === undefined ? [] : [behindPosition(this.#columns(sort), after)];
    const { from, where } = this.#matching(conditions, behind, planner, way, lists, this.#everything());
    return this.#ids(sql`${from} WHERE ${where} ORDER BY ${this.#order(sort)} LIMIT ${unplanned(need)}`);
  }

  /**
   * Counts the records that fulfil all conditions, by the values of columns or, without any, all together.
   *
   * @param most rows that are given at most, in any order
   * @returns rows of the values of the columns and the count
   */
  count(conditions: readonly Condition[], by: readonly Column[], most: number): SqlValue[][] {
    const { layout } = this.#context;
    const ways = waysTo(conditions, this.#context);
    const planner = new Planner(layout, this.#total, this.#total, ways, (access, limit) => this.#count(access, limit));
    const [only] = by;
    const all = this.#everything(by.length === 1 ? only?.index : undefined);
    const { from, where } = this.#matching(conditions, [], planner, planner.fewest(onlyEffort), [], all);
    const names = by.map(({ sql: name }) => raw(name));
    const grouped = names.length === 0 ? raw("") : sql` GROUP BY ${join(names, ", ")}`;
    const counted = sql`SELECT ${join([...names, raw("count(*)")], ", ")} FROM ${from} WHERE ${where}${grouped} LIMIT ${unplanned(most)}`;
    this.#watch.check();
    if (this.#explain) this.#explained(counted.text, counted.params);
    return this.#statements
      .get(counted.text)
      .raw()
      .all(...counted.params) as SqlValue[][];
  }

  /** The source of the records that fulfil all conditions. @param all how all records are read, where there is no way */
  #matching(
    conditions: readonly Condition[],
    more: readonly Sql[],
    planner: Planner,
    way: Way | undefined,
    lists: readonly Way[],
    all: Access,
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
    this.#note(access.label, [access.index, ...lists.map((one) => one.access.index)].join(", "));
    return { from: rows.from, where: allOf([rows.where, ...more, ...tests, ...watched]) };
  }

  /** The tests of each record, in order. They form a CASE, because the engine may evaluate the parts of an AND in any order. */
  #tests(residual: readonly Condition[], planner: Planner, lists: readonly Way[]): Sql[] {
    if (residual.length === 0) return [];
    const steps = planner
      .inOrder(residual, lists)
      .map((one, index) => sql`WHEN (${this.#test(one, lists)}) IS NOT TRUE THEN miss(${index})`);
    return [sql`CASE ${join(steps, " ")} ELSE hit() END`];
  }

  #test(condition: Condition, lists: readonly Way[]): Sql {
    const own = lists.filter(({ conditions }) => conditions.includes(condition));
    const listed = own.length === 0 ? undefined : allOf(own.map((way) => sql`n.id IN (${idsOf(way)})`));
    if (listed !== undefined && own.some(({ access }) => access.exact)) return listed;
    const test = expression(condition, this.#context.layout, this.#watch.tests);
    return listed === undefined ? test : sql`CASE WHEN ${listed} THEN ${test} END`;
  }

  /** The index with the order of the sort, and the conditions that all records in the part of it that is read fulfil. */
  #walkIndex({ conditions, sort }: Wanted): WalkIndex | undefined {
    const { layout } = this.#context;
    const [first] = sort;
    if (first === undefined) {
      // In the index of a column, the records with one value are in the order of their keys.
      const [only] = conditions;
      const column = conditions.length === 1 && only !== undefined && isEqual(only) ? columnNamed(layout, only.field) : undefined;
      if (column?.index !== undefined && only !== undefined) return { index: column.index, covered: new Set([only]) };
      if (column?.items !== undefined && only !== undefined && isEqual(only)) {
        const value = only.operand === null ? emptyList(column) : sqlOperand(only.operand);
        return { index: column.items, covered: new Set([only]), values: sql`n.v = ${unplanned(value)}` };
      }
      return { index: layout.keyIndex, covered: new Set() };
    }
    const column = columnNamed(layout, first.field);
    if (column.index === undefined) return undefined;
    const ranges = conditions.filter((one) => isRange(one) && one.field === first.field);
    const pairs = layout.composites.flatMap(({ fixed, by, name }) => {
      const equal = by === first.field ? conditions.find((one) => isEqual(one) && one.field === fixed) : undefined;
      return equal === undefined ? [] : [{ name, equal }];
    });
    const pair = pairs.length > 1 ? this.#fewestOf(pairs) : pairs[0];
    return pair === undefined
      ? { index: column.index, covered: new Set(ranges) }
      : { index: pair.name, covered: new Set([pair.equal, ...ranges]) };
  }

  /** The pair with the fewest records, or the first one where all have many. */
  #fewestOf(pairs: readonly Pair[]): Pair | undefined {
    for (const most of manyOfPair) {
      const counted = pairs.map(({ name, equal }) => {
        const where = expression(equal, this.#context.layout, this.#watch.tests);
        return this.#count(throughColumn(name, name, where, true, this.#context), most);
      });
      const least = Math.min(...counted);
      if (least < most) return pairs[counted.indexOf(least)];
    }
    return pairs[0];
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
    const indexes = [index.index, ...lists.map((way) => way.access.index)].join(", ");
    this.#note(first === undefined ? "order of the key" : `order of ${first.column.field}`, indexes);
    for (const phase of phases(first, rest, wanted.after)) {
      const left = wanted.need - found.length;
      if (left <= 0) break;
      const where = allOf([...bound, ...phase.where, ...tested]);
      const order = join([...phase.order, raw("n.k")], ", ");
      this.#addIds(sql`${from} WHERE ${where} ORDER BY ${order} LIMIT ${unplanned(left)}`, found);
    }
    return found;
  }

  /** For a sort that begins with a column of few values: finds the records of one value after the other, each by the rest of the sort. */
  #walkGroups(wanted: Wanted, { column, direction }: SortColumn): number[] {
    const { sort, after, conditions } = wanted;
    const found: number[] = [];
    const add = (value: SqlValue, behind: SortPosition | undefined) => {
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

  #nextValue(column: Column, direction: SortKey["direction"], behind: SqlValue | undefined): SqlValue {
    const { layout, instance } = this.#context;
    const [pick, than] = direction === "asc" ? ["min", ">"] : ["max", "<"];
    const name = raw(column.sql);
    const from = raw(`${layout.narrow} n INDEXED BY ${column.index}`);
    const bound = behind === undefined ? sql`${name} IS NOT NULL` : sql`${name} ${raw(than)} ${behind}`;
    const next = sql`SELECT ${raw(pick)}(${name}) FROM ${from} WHERE n.inst = ${unplanned(instance)} AND ${bound}`;
    return this.#statements
      .get(next.text)
      .pluck()
      .get(...next.params) as SqlValue;
  }

  #ids(rest: Sql): number[] {
    return this.#idsOf(rest).all(...rest.params) as number[];
  }

  /** Adds ids one by one, so that those are there that were found before the watch stops the statement. */
  #addIds(rest: Sql, ids: number[]): void {
    for (const id of this.#idsOf(rest).iterate(...rest.params)) ids.push(id as number);
  }

  #idsOf({ text: rest, params }: Sql): ReturnType<Statements["get"]> {
    this.#watch.check();
    const text = `SELECT n.id FROM ${rest}`;
    if (this.#explain) this.#explained(text, params);
    return this.#statements.get(text).pluck();
  }

  #order(sort: readonly SortKey[]): Sql {
    return join([...this.#columns(sort).flatMap(orderOf), raw("n.k")], ", ");
  }

  #columns(sort: readonly SortKey[]): SortColumn[] {
    return sortColumns(this.#context.layout, sort);
  }

  #note(driver: string, index: string): void {
    this.report.driver ||= driver;
    for (const name of index.replaceAll('"', "").split(", "))
      if (!this.report.indexes.includes(name)) this.report.indexes.push(name);
  }

  #explained(text: string, params: readonly SqlValue[]): void {
    const rows = this.#statements.get(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
    if (this.report.steps.length < 50) this.report.steps.push(...rows.map(({ detail }) => detail));
  }
}

/** A statement that reads at most this many records runs without the watch, because it takes only a few milliseconds. */
const fewRecords = 2_000;
/** A statement that reads at most this many ids from an index runs without the watch. */
const fewIds = 100_000;

function isSmall({ whole, least }: Way): boolean {
  return whole && least <= fewRecords;
}

function idsOf({ access, whole, least }: Way): Sql {
  return access.ids(!(whole && least <= fewIds));
}

/** An index of two fields, of which the first one has to equal a value. */
interface Pair {
  readonly name: string;
  readonly equal: Condition;
}

/** How many records of each pair are counted at most, in turn. */
const manyOfPair = [100, 1_000];

interface WalkIndex {
  readonly index: string;
  readonly covered: ReadonlySet<Condition>;
  /** Set where the index is the table of a list's values: the condition on its rows. They have the ids and keys of records. */
  readonly values?: Sql;
}

function isEqual(condition: Condition): condition is Test & { operator: "eq" } {
  return condition.kind === "test" && condition.operator === "eq";
}

/** Drops fields from the sort that must equal one value or are named twice, because they do not change the order. */
function withoutFixed(wanted: Wanted): Wanted {
  const fixed = new Set(wanted.conditions.filter(isEqual).map(({ field }) => field));
  const seen = new Set<string>();
  const keep = wanted.sort.map(({ field }) => {
    const counts = !fixed.has(field) && !seen.has(field);
    seen.add(field);
    return counts;
  });
  if (!keep.includes(false)) return wanted;
  const { after } = wanted;
  return {
    ...wanted,
    sort: wanted.sort.filter((_, index) => keep[index]),
    after: after === undefined ? undefined : ([...after.filter((_, index) => keep[index] ?? true)] as [...SortPosition]),
  };
}
