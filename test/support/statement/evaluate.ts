import { testOf } from "../../../runtime/search/index.ts";
import type {
  Aggregate,
  BoundStatement,
  Expression,
  FrameEnd,
  Order,
  Query,
  Select,
  Source,
  Window,
} from "../../../runtime/statement/algebra.ts";
import { answered } from "../../../runtime/statement/index.ts";
import { aggregated, byOrder, call, compared, type Value } from "./functions.ts";

// The plain meaning of a statement: no plan, no index, no SQL. Each part is computed as the language page says it.

/** The columns of a row by source and name. Those of the queries around it are found behind it. */
interface Row {
  readonly values: ReadonlyMap<string, Value>;
  readonly outer: Row | undefined;
}

/** What a column of a SELECT is computed for: a row, or a group of rows. */
interface Item {
  readonly row: Row;
  readonly group: readonly Row[] | undefined;
}

interface Context {
  readonly tables: ReadonlyMap<string, readonly ReadonlyMap<string, Value>[]>;
  readonly common: ReadonlyMap<number, readonly (readonly Value[])[]>;
}

const empty: Row = { values: new Map(), outer: undefined };

/** The rows that a statement answers, in its order, as members by their names. */
export function evaluate({ query, names }: BoundStatement, tables: Context["tables"]): Readonly<Record<string, unknown>>[] {
  return run(query, empty, { tables, common: new Map() }).map((row) =>
    Object.fromEntries(names.map((name, at) => [name, answered(query.types[at] ?? "text", row[at], (list) => list as Value[])])),
  );
}

function run(query: Query, outer: Row, given: Context): (readonly Value[])[] {
  let context = given;
  for (const { name, query: inner } of query.with)
    context = { ...context, common: new Map([...context.common, [name, run(inner, outer, context)]]) };
  const { body, order, types } = query;
  const made =
    body.kind === "set"
      ? together(body.operator, run(body.left, outer, context), run(body.right, outer, context)).map((values) => ({
          values,
          by: (at: Expression | number) => values[at as number] ?? null,
        }))
      : select(body, outer, context);
  const ties = types.flatMap((type, at) =>
    type.endsWith("[]") ? [] : [{ by: at, direction: "ASC", nulls: "LAST" } as const satisfies Query["order"][number]],
  );
  if (order.length > 0) made.sort(byOrder([...order, ...ties], (one, { by }) => one.by(by)));
  const from = query.offset ?? 0;
  return made.slice(from, query.limit === undefined ? undefined : from + query.limit).map(({ values }) => values);
}

const textOf = (values: readonly Value[]) => JSON.stringify(values.map((one) => (Object.is(one, -0) ? 0 : one)));

function unique<Of>(all: readonly Of[], key: (one: Of) => string): Of[] {
  return [...new Map(all.toReversed().map((one) => [key(one), one])).values()].toReversed();
}

function together(operator: string, left: (readonly Value[])[], right: (readonly Value[])[]): (readonly Value[])[] {
  const known = new Set(right.map(textOf));
  if (operator === "UNION ALL") return [...left, ...right];
  if (operator === "UNION") return unique([...left, ...right], textOf);
  return unique(left, textOf).filter((one) => known.has(textOf(one)) === (operator === "INTERSECT"));
}

function select({ distinct, columns, from, where, group, having }: Select, outer: Row, context: Context) {
  const rows = (from === undefined ? [{ values: new Map(), outer }] : source(from, outer, context)).filter(
    (row) => where === undefined || value(where, { row, group: undefined }, [], context) === true,
  );
  const single = (row: Row): Item => ({ row, group: undefined });
  const keyed = Map.groupBy(rows, (row) => textOf((group ?? []).map((key) => value(key, single(row), [], context))));
  if (group?.length === 0 && rows.length === 0) keyed.set("", []);
  const items = (
    group === undefined
      ? rows.map(single)
      : [...keyed.values()].map((all): Item => ({ row: all[0] ?? { values: new Map(), outer }, group: all }))
  ).filter((item) => having === undefined || value(having, item, [], context) === true);
  const made = items.map((item) => {
    const values = columns.map((column) => value(column, item, items, context));
    const by = (at: Expression | number) => (typeof at === "number" ? (values[at] ?? null) : value(at, item, items, context));
    return { values, by };
  });
  return distinct ? unique(made, ({ values }) => textOf(values)) : made;
}

function source(given: Source, outer: Row, context: Context): Row[] {
  const named = (id: number, rows: readonly (readonly Value[])[]): Row[] =>
    rows.map((row) => ({ values: new Map(row.map((one, at) => [`${id}.c${at}`, one])), outer }));
  switch (given.kind) {
    case "table":
      return (context.tables.get(given.entity) ?? []).map((record) => ({
        values: new Map([...record].map(([name, one]) => [`${given.id}.${name}`, one])),
        outer,
      }));
    case "query":
      return named(given.id, run(given.query, outer, context));
    case "with":
      return named(given.id, context.common.get(given.name) ?? []);
    case "meaning":
      throw new Error("Searches by meaning are not evaluated.");
    case "unnest": {
      const list = value(given.list, { row: outer, group: undefined }, [], context);
      return named(
        given.id,
        (Array.isArray(list) ? list : []).map((one: Value) => [one]),
      );
    }
    case "join":
      return source(given.left, outer, context).flatMap((left) => {
        const found = source(given.right, left, context)
          .map((right): Row => ({ values: new Map([...left.values, ...right.values]), outer }))
          .filter((row) => value(given.on, { row, group: undefined }, [], context) === true);
        return found.length > 0 || !given.outer ? found : [left];
      });
  }
}

function value(given: Expression, item: Item, items: readonly Item[], context: Context): Value {
  const inner = (one: Expression) => value(one, item, items, context);
  switch (given.kind) {
    case "column": {
      for (let row: Row | undefined = item.row; row !== undefined; row = row.outer) {
        const found = row.values.get(`${given.source}.${given.name}`);
        if (found !== undefined) return found;
      }
      return null;
    }
    case "value":
      return given.value;
    case "call":
      return call(given.name, given.args.map(inner));
    case "words": {
      const text = inner(given.value);
      return typeof text === "string" && testOf(given.how, given.operand)(text);
    }
    case "logic": {
      const all = given.args.map(inner);
      const decides = given.how === "OR";
      return all.includes(decides) ? decides : all.includes(null) ? null : !decides;
    }
    case "case":
      return inner(given.whens.find(({ when }) => inner(when) === true)?.result ?? given.otherwise ?? nothing);
    case "listed":
      return isIn(inner(given.value), given.list.map(inner));
    case "subquery": {
      const rows = run(given.query, item.row, context);
      if (given.how === "exists") return rows.length > 0;
      const values = rows.map(([one = null]) => one);
      return given.value === undefined ? (values[0] ?? null) : isIn(inner(given.value), values);
    }
    case "aggregate":
      return given.over === undefined ? grouped(given, item, context) : overWindow(given, given.over, item, items, context);
  }
}

const nothing: Expression = { kind: "value", value: null, type: "text" };

function isIn(one: Value, list: readonly Value[]): Value {
  if (list.length === 0) return false;
  if (one === null) return null;
  return list.some((other) => other !== null && compared(one, other) === 0) ? true : list.includes(null) ? null : false;
}

function grouped(given: Aggregate, { group = [] }: Item, context: Context): Value {
  return joined(
    given,
    group.map((row): Item => ({ row, group: undefined })),
    [],
    context,
  );
}

/** An aggregate of some items. */
function joined(
  { name, args, filter, distinct, order }: Aggregate,
  given: readonly Item[],
  all: readonly Item[],
  context: Context,
): Value {
  const of = (one: Expression, item: Item) => value(one, item, all, context);
  const kept = given.filter((item) => filter === undefined || of(filter, item) === true);
  const sorted = order.length === 0 ? kept : kept.toSorted(byOrder(order, (item, { by }: Order) => of(by, item)));
  const rows = sorted.map((item) => args.map((arg) => of(arg, item)));
  return aggregated(name, distinct ? unique(rows, textOf) : rows);
}

function overWindow(
  given: Aggregate,
  { partition, order, frame }: Window,
  item: Item,
  items: readonly Item[],
  context: Context,
): Value {
  const of = (one: Expression, at: Item) => value(one, at, items, context);
  const keyOf = (at: Item) => textOf(partition.map((one) => of(one, at)));
  const compare = byOrder(order, (at: Item, { by }: Order) => of(by, at));
  const rows = items.filter((at) => keyOf(at) === keyOf(item)).sort(compare);
  const at = rows.indexOf(item);
  const firstPeer = rows.findIndex((one) => compare(one, item) === 0);
  const lastPeer = rows.findLastIndex((one) => compare(one, item) === 0);
  const arg = (index: number, from: Item | undefined) => {
    const one = given.args[index];
    return one === undefined || from === undefined ? null : of(one, from);
  };
  const end = (to: FrameEnd, isStart: boolean): number => {
    if ("rows" in to) return at + (to.at === "PRECEDING" ? -to.rows : to.rows);
    if (to.at === "CURRENT ROW") return frame?.unit === "ROWS" ? at : isStart ? firstPeer : lastPeer;
    return to.at === "UNBOUNDED PRECEDING" ? 0 : rows.length - 1;
  };
  const start = frame === undefined ? 0 : end(frame.start, true);
  const last = frame === undefined ? (order.length === 0 ? rows.length - 1 : lastPeer) : end(frame.end, false);
  const framed = rows.slice(Math.max(0, start), Math.max(0, last + 1));
  switch (given.name) {
    case "row_number":
      return at + 1;
    case "rank":
      return firstPeer + 1;
    case "dense_rank":
      return rows.filter((one, index) => index <= firstPeer && (index === 0 || compare(rows[index - 1] ?? one, one) !== 0))
        .length;
    case "percent_rank":
      return rows.length === 1 ? 0 : firstPeer / (rows.length - 1);
    case "cume_dist":
      return (lastPeer + 1) / rows.length;
    case "ntile": {
      const count = Math.max(1, Math.trunc(Number(arg(0, item))));
      const size = Math.floor(rows.length / count);
      const larger = rows.length % count;
      return at < larger * (size + 1)
        ? Math.floor(at / (size + 1)) + 1
        : larger + Math.floor((at - larger * (size + 1)) / size) + 1;
    }
    case "lag":
    case "lead": {
      const by = given.args.length > 1 ? Number(arg(1, item)) : 1;
      const other = rows[given.name === "lag" ? at - by : at + by];
      return other === undefined ? arg(2, item) : arg(0, other);
    }
    case "first_value":
      return arg(0, framed[0]);
    case "last_value":
      return arg(0, framed.at(-1));
    default:
      return joined({ ...given, order: [] }, framed, items, context);
  }
}
