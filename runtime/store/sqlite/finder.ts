import type { Condition, Position, SortKey, Test } from "../../search/index.ts";
import { type Access, type AccessContext, accessTo, toRange } from "./access.ts";
import type { Statements } from "./connection.ts";
import { columnOf, expression, sqlOperand } from "./expression.ts";
import type { Column } from "./layout.ts";
import { allOf, join, raw, type Sql, type SqlValue, sql } from "./sql.ts";
import { TooLong, type Watch } from "./watch.ts";

/** What is looked for: all conditions hold, in this order, behind this place. */
interface Wanted {
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  readonly after: Position | undefined;
  readonly need: number;
}

export interface Report {
  driver: string;
  indexes: string[];
  estimate: number;
  steps: string[];
}

/** Which way to take wherever there is a choice; for tests, which must see both ways give the same answer. */
export type Preference = "gather" | "walk";

/** Rough costs in microseconds: fetching and sorting a record that an index gave; looking at one in passing; reading its long texts. */
const costs = { gather: 2, look: 0.7, text: 5 } as const;
/** A walk may look at this many records before another way is taken, if there is one. */
const leastBudget = 20_000;
/** Counting further than this costs more than a wrong choice. */
const mostCounted = 100_000;

/**
 * Finds the ids of records in order. There are two ways. *Gather*: an index gives all candidates of the rarest condition, the other
 * conditions are tested, the rest is sorted. *Walk*: an index gives records in the order of the sort, conditions are tested in
 * passing until there are enough. Which one is cheaper follows from counting, in the indexes, how many records each condition has.
 */
export class Finder {
  readonly report: Report = { driver: "", indexes: [], estimate: 0, steps: [] };
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
    if (index !== undefined && residual.length === 0) return this.#walk(wanted, index, residual);
    const best = this.#rarest(wanted);
    if (best === undefined)
      return index === undefined ? this.#gather(wanted, this.#everything()) : this.#walk(wanted, index, residual);
    const gather = this.#prefer ?? (best.estimate * costs.gather <= this.#walkCost(wanted, best.shares) ? "gather" : "walk");
    if (index === undefined || gather === "gather") return this.#gather(wanted, best.access, best.conditions, best.estimate);
    this.#watch.allow(Math.max(leastBudget, (3 * best.estimate * costs.gather) / costs.look));
    try {
      return this.#walk(wanted, index, residual);
    } catch (thrown) {
      if (!(thrown instanceof TooLong)) throw thrown;
      return this.#gather(wanted, best.access, best.conditions, best.estimate);
    } finally {
      this.#watch.allow(Number.POSITIVE_INFINITY);
    }
  }

  #everything(): Access {
    const { layout, instance } = this.#context;
    return {
      label: "every record",
      index: layout.keyIndex,
      ids: raw(""),
      from: raw(`${layout.narrow} n INDEXED BY ${layout.keyIndex}`),
      where: sql`n.inst = ${instance}`,
      exact: false,
    };
  }

  /** The condition with the fewest records, as far as indexes can tell. */
  #rarest({ conditions, need }: Wanted) {
    const ways = this.#ways(conditions);
    const [only] = ways;
    if (only === undefined) return undefined;
    // What is left of the choice when there is one way, and it gives the records in order as well.
    const most = Math.min(
      mostCounted,
      Math.ceil(Math.sqrt((need * Math.max(1, this.#total) * (costs.look + costs.text)) / costs.gather)),
    );
    let best = { ...only, estimate: Number.POSITIVE_INFINITY };
    const shares: number[] = [];
    for (const way of ways) {
      const estimate = this.#count(way.access, Math.min(most, best.estimate));
      shares.push(Math.min(1, Math.max(1, estimate) / Math.max(1, this.#total)));
      if (estimate < best.estimate) best = { ...way, estimate };
      // Not worth another look at an index.
      if (estimate <= 50) break;
    }
    // Counting stopped: there are more, perhaps many more.
    if (best.estimate >= most) best.estimate = this.#count(best.access, Math.min(mostCounted, most * 8));
    return { ...best, shares };
  }

  #ways(conditions: readonly Condition[]): { access: Access; conditions: Condition[] }[] {
    const ways: { access: Access; conditions: Condition[] }[] = [];
    const ranges = new Map<string, Test[]>();
    for (const condition of conditions) {
      if (
        condition.kind === "test" &&
        isRange(condition) &&
        columnOf(this.#context.layout, condition.field).index !== undefined
      ) {
        ranges.set(condition.field, [...(ranges.get(condition.field) ?? []), condition]);
        continue;
      }
      const access = accessTo(condition, this.#context);
      if (access !== undefined) ways.push({ access, conditions: [condition] });
    }
    for (const tests of ranges.values()) {
      const access = toRange(tests, this.#context);
      if (access !== undefined) ways.push({ access, conditions: tests });
    }
    return ways;
  }

  #count(access: Access, most: number): number {
    if (access.parts !== undefined) return access.parts.reduce((sum, part) => sum + this.#count(part, most), 0);
    const counted = sql`SELECT count(*) FROM (${access.ids} LIMIT ${most})`;
    return Number(
      this.#statements
        .get(counted.text)
        .pluck()
        .get(...counted.params),
    );
  }

  /** A walk looks at as many records as it takes to find enough, when the conditions have nothing to do with each other. */
  #walkCost({ need }: Wanted, shares: readonly number[]): number {
    const share = shares.reduce((product, one) => product * one, 1);
    return Math.min(this.#total, need / share) * (costs.look + costs.text);
  }

  #gather(
    { conditions, sort, after, need }: Wanted,
    access: Access,
    driven: readonly Condition[] = [],
    estimate = this.#total,
  ): number[] {
    const { layout } = this.#context;
    const residual = access.exact ? conditions.filter((one) => !driven.includes(one)) : conditions;
    const tests = residual.map((one) => expression(one, layout, this.#watch.tests));
    const place = after === undefined ? [] : [behindPlace(this.#columns(sort), after)];
    const where = allOf([
      access.where,
      ...place,
      ...(tests.length === 0 ? [] : [sql`CASE WHEN tick() THEN ${allOf(tests)} END`]),
    ]);
    this.#note(access.label, access.index, estimate);
    return this.#ids(
      sql`${access.from}${this.#texts([where, ...this.#columns(sort).map(({ column }) => raw(column.sql))])} WHERE ${where} ORDER BY ${this.#order(sort)} LIMIT ${need}`,
    );
  }

  /** The index whose order is that of the sort, and the conditions that it fulfils by itself. */
  #walkIndex({ conditions, sort }: Wanted): WalkIndex | undefined {
    const { layout } = this.#context;
    const [first] = sort;
    if (first === undefined) {
      // Within one value of a column its index has the order of the key.
      const [only] = conditions;
      const column = conditions.length === 1 && only !== undefined && isEqual(only) ? columnOf(layout, only.field) : undefined;
      if (column?.index !== undefined && only !== undefined) return { index: column.index, covered: new Set([only]) };
      return { index: layout.keyIndex, covered: new Set() };
    }
    const column = columnOf(layout, first.field);
    if (column.index === undefined) return undefined;
    const ranges = conditions.filter((one) => one.kind === "test" && isRange(one) && one.field === first.field);
    for (const { few, by, name } of layout.composites) {
      const fixed = conditions.find((one) => isEqual(one) && one.field === few);
      if (by === first.field && fixed !== undefined) return { index: name, covered: new Set([fixed, ...ranges]) };
    }
    return { index: column.index, covered: new Set(ranges) };
  }

  #walk(wanted: Wanted, index: WalkIndex, residual: readonly Condition[]): number[] {
    const [first, ...rest] = this.#columns(wanted.sort);
    const covered = [...index.covered];
    if (first?.column.few === true && !covered.length) return this.#walkGroups(wanted, first);
    const { layout, instance } = this.#context;
    const tests = residual.map((one) => expression(one, layout, this.#watch.tests));
    const bound = [sql`n.inst = ${instance}`, ...covered.map((one) => expression(one, layout, this.#watch.tests))];
    const tested = tests.length === 0 ? [] : [sql`CASE WHEN tick() THEN ${allOf(tests)} END`];
    const from = raw(`${layout.narrow} n INDEXED BY ${index.index}`);
    this.#note(first === undefined ? "order of the key" : `order of ${first.column.field}`, index.index, wanted.need);
    const found: number[] = [];
    for (const phase of phases(first, rest, wanted.after)) {
      const left = wanted.need - found.length;
      if (left <= 0) break;
      const where = allOf([...bound, ...phase.where, ...tested]);
      const order = join([...phase.order, raw("n.k")], ", ");
      found.push(...this.#ids(sql`${from}${this.#texts([where, order])} WHERE ${where} ORDER BY ${order} LIMIT ${left}`));
    }
    return found;
  }

  /** A column of few values comes first: one value after the other, each with the rest of the sort. */
  #walkGroups(wanted: Wanted, { column, direction }: SortColumn): number[] {
    const { sort, after, conditions } = wanted;
    const found: number[] = [];
    const add = (value: SqlValue, behind: Position | undefined) => {
      const operand = value !== null && column.type === "boolean" ? value === 1 : value;
      const test: Test = { kind: "test", operator: "eq", field: column.field, operand };
      const inner = { conditions: [...conditions, test], sort: sort.slice(1), after: behind, need: wanted.need - found.length };
      found.push(...this.find(inner));
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
    const next = sql`SELECT ${raw(pick)}(${name}) FROM ${from} WHERE n.inst = ${instance} AND ${bound}`;
    return this.#statements
      .get(next.text)
      .pluck()
      .get(...next.params) as SqlValue;
  }

  #ids(rest: Sql): number[] {
    this.#watch.check();
    const text = `SELECT n.id FROM ${rest.text}`;
    if (this.#explain) this.#explained(text, rest.params);
    return this.#statements
      .get(text)
      .pluck()
      .all(...rest.params) as number[];
  }

  /** The wide table takes part only where a condition or the order needs a long text. */
  #texts(parts: readonly Sql[]): Sql {
    return parts.some(({ text }) => text.includes("w."))
      ? raw(` CROSS JOIN ${this.#context.layout.wide} w ON w.id = n.id`)
      : raw("");
  }

  #order(sort: readonly SortKey[]): Sql {
    return join([...this.#columns(sort).flatMap(orderOf), raw("n.k")], ", ");
  }

  #columns(sort: readonly SortKey[]): SortColumn[] {
    return sort.map(({ field, direction }) => ({ column: columnOf(this.#context.layout, field), direction }));
  }

  #note(driver: string, index: string, estimate: number): void {
    this.report.driver ||= driver;
    this.report.estimate ||= estimate;
    for (const name of index.replaceAll('"', "").split(", "))
      if (!this.report.indexes.includes(name)) this.report.indexes.push(name);
  }

  #explained(text: string, params: readonly SqlValue[]): void {
    const rows = this.#statements.get(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
    if (this.report.steps.length < 50) this.report.steps.push(...rows.map(({ detail }) => detail));
  }
}

interface WalkIndex {
  readonly index: string;
  readonly covered: ReadonlySet<Condition>;
}

interface SortColumn {
  readonly column: Column;
  readonly direction: SortKey["direction"];
}

const ranges: readonly string[] = ["gt", "gte", "lt", "lte"];

function isRange(test: Test): boolean {
  return ranges.includes(test.operator);
}

function isEqual(condition: Condition): condition is Test & { operator: "eq" } {
  return condition.kind === "test" && condition.operator === "eq";
}

/** A field that must equal one value does not order anything. */
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
    after: after === undefined ? undefined : ([...after.filter((_, index) => keep[index] ?? true)] as [...Position]),
  };
}

function withoutFirst(after: Position | undefined): Position | undefined {
  return after === undefined ? undefined : (after.slice(1) as [...Position]);
}

/** Null is last in both directions. */
function orderOf({ column, direction }: SortColumn): Sql[] {
  return [raw(`${column.sql} IS NULL`), raw(`${column.sql} ${direction === "asc" ? "ASC" : "DESC"}`)];
}

/** Behind a place in the order: behind it in one key while equal in all before. */
function behindPlace(columns: readonly SortColumn[], after: Position): Sql {
  const [first, ...rest] = columns;
  const [value = null, ...others] = after;
  if (first === undefined) return sql`n.k > ${sqlOperand(value)}`;
  const name = raw(first.column.sql);
  const inner = behindPlace(rest, others as [...Position]);
  if (value === null) return sql`(${name} IS NULL AND ${inner})`;
  const than = raw(first.direction === "asc" ? ">" : "<");
  const operand = sqlOperand(value);
  return sql`(${name} ${than} ${operand} OR ${name} IS NULL OR (${name} = ${operand} AND ${inner}))`;
}

interface Phase {
  readonly where: readonly Sql[];
  readonly order: readonly Sql[];
}

/** The order of a walk in stretches that an index can begin in the middle of: the rest of one value, what follows, and null. */
function phases(first: SortColumn | undefined, rest: readonly SortColumn[], after: Position | undefined): Phase[] {
  if (first === undefined) return [{ where: after === undefined ? [] : [sql`n.k > ${sqlOperand(after[0])}`], order: [] }];
  const name = raw(first.column.sql);
  const inner = rest.flatMap(orderOf);
  const order = [raw(`${first.column.sql} ${first.direction === "asc" ? "ASC" : "DESC"}`), ...inner];
  const behind = after === undefined ? undefined : behindPlace(rest, withoutFirst(after) as [...Position]);
  const [value] = after ?? [];
  const last: Phase = { where: [sql`${name} IS NULL`], order: inner };
  if (behind === undefined || value === undefined) return [{ where: [sql`${name} IS NOT NULL`], order }, last];
  if (value === null) return [{ where: [sql`${name} IS NULL`, behind], order: inner }];
  const operand = sqlOperand(value);
  const than = raw(first.direction === "asc" ? ">" : "<");
  return [
    { where: [sql`${name} = ${operand}`, behind], order: inner },
    { where: [sql`${name} ${than} ${operand}`], order },
    last,
  ];
}
