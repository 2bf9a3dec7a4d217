import { join, raw, type Sql, sql } from "../sql/index.ts";
import type { Aggregate, Expression, FrameEnd, Order, Query, Select, Source, Value, WordTest } from "./algebra.ts";
import { meaningTypes } from "./bind-meaning.ts";
import { statementFault, tooDeep } from "./fault.ts";
import { functions } from "./functions.ts";
import { longestPlace, real } from "./spelling.ts";
import type { Type } from "./types.ts";
import { type WholeReading, wholeReading } from "./whole-reading.ts";

/** How a statement reads the rows of a table. */
export interface Reading {
  /** Whether they may be read again and again, for the rows of another source. */
  readonly repeated: boolean;
  /** Set where all rows must be read before there is a result. */
  readonly whole?: WholeReading | undefined;
}

/** What the engines say in different ways. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /**
   * A source of the rows of an entity that belong to the instance, with these columns by their own names, and no other row.
   *
   * @param reading how a statement reads it
   */
  table(entity: string, columns: readonly string[], reading: Reading): Sql;
  value(value: Value): Sql;
  /** A source of the elements of a list: a table with the column `value`. */
  unnest(list: Sql, type: Type, alias: Sql): Sql;
  /** Whether a text has the words of a test. @param words the column with its words */
  words(test: WordTest, value: Sql, words: Sql): Sql;
  /** The hits of a search by meaning: the values of the columns of each. */
  hits(search: number): readonly (readonly Value[])[];
  /** A condition that is true, and that the engine has to look at for each row of some sources that are joined. */
  watched?(columns: readonly Sql[]): Sql;
}

/** The most characters of SQL that one expression may become. */
const mostText = 262_144;

/** The keys of a GROUP BY as they are called where they are used, by the expression as JSON. */
type Keys = ReadonlyMap<string, Sql>;

const noKeys: Keys = new Map();

/**
 * Makes an engine's SQL of a statement. Every value is a bound parameter, and every name one of the spec's or of ours.
 *
 * @param most the most rows that are read
 * @throws TenonError for an expression that becomes too long
 */
export function renderStatement(query: Query, engine: Engine, most: number): Sql {
  return new Renderer(engine).query({ ...query, limit: Math.min(query.limit ?? most, most) });
}

/** The name of a column in SQL. Names come from specs and from this room. */
export function quotedColumn(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

class Renderer {
  readonly #engine: Engine;
  #layers = 0;
  /** How many joins, queries of WITH and subqueries of expressions are around what is rendered now. */
  #loops = 0;
  /** Columns that have another name since their rows were grouped. */
  readonly #renamed = new Map<string, Sql>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  query({ with: common, body, order, limit, offset, types }: Query): Sql {
    const queries = common.map(
      ({ name, query }) =>
        sql`${raw(`w${name} (${query.types.map((_, index) => `c${index}`).join(", ")})`)} AS (${this.#inLoop(() => this.query(query))})`,
    );
    const start = queries.length === 0 ? raw("") : sql`WITH ${join(queries, ", ")} `;
    const { text, keys } = body.kind === "select" ? this.#select(body) : this.#set(body.operator, body.left, body.right);
    const sorted = order.map(({ by, direction, nulls }) => {
      const what = typeof by === "number" ? raw(String(by + 1)) : this.#expression(by, keys);
      return sql`${what} ${raw(`${direction} NULLS ${nulls}`)}`;
    });
    // Ties are broken by all columns of the result, so that engines agree on the order and on the rows that LIMIT leaves.
    const ties = types.flatMap((type, index) =>
      order.some(({ by }) => by === index) || type.endsWith("[]") ? [] : [raw(`${index + 1} ASC NULLS LAST`)],
    );
    const end = [
      ...(sorted.length === 0 ? [] : [sql` ORDER BY ${join([...sorted, ...ties], ", ")}`]),
      ...(limit === undefined
        ? offset === undefined || this.#engine.name === "postgres"
          ? []
          : [raw(" LIMIT -1")]
        : [raw(` LIMIT ${limit}`)]),
      ...(offset === undefined ? [] : [raw(` OFFSET ${offset}`)]),
    ];
    return sql`${start}${text}${join(end, "")}`;
  }

  #set(operator: string, left: Query, right: Query): { readonly text: Sql; readonly keys: Keys } {
    const text = sql`SELECT * FROM (${this.query(left)}) l ${raw(operator)} SELECT * FROM (${this.query(right)}) r`;
    return { text, keys: noKeys };
  }

  #select(select: Select): { readonly text: Sql; readonly keys: Keys } {
    const { distinct, columns, from, where, group, having } = select;
    // Before what names its columns.
    const whole = this.#loops > 0 ? undefined : wholeReading(select);
    const source = from === undefined ? raw("") : sql` FROM ${this.#source(from, whole)}`;
    const conditions = [
      ...(from?.kind === "join" && this.#engine.watched !== undefined ? [this.#engine.watched(watchedIn(from))] : []),
      ...(where === undefined ? [] : [this.#expression(where, noKeys)]),
    ];
    const filter = conditions.length === 0 ? raw("") : sql` WHERE ${join(conditions, " AND ")}`;
    const rows = sql`${source}${filter}`;
    const isPlain = group === undefined || group.every((key) => key.kind === "column");
    const layer = isPlain ? { rows, keys: noKeys } : this.#layer(group, from, rows);
    const listed = columns.map((column, index) => sql`${this.#expression(column, layer.keys)} AS ${raw(`c${index}`)}`);
    const keys = isPlain ? (group ?? []).map((key) => this.#expression(key, noKeys)) : [...layer.keys.values()];
    const grouped = keys.length === 0 ? raw("") : sql` GROUP BY ${join(keys, ", ")}`;
    const kept = having === undefined ? raw("") : sql` HAVING ${this.#expression(having, layer.keys)}`;
    const text = sql`SELECT ${raw(distinct ? "DISTINCT " : "")}${join(listed, ", ")}${layer.rows}${grouped}${kept}`;
    return { text, keys: layer.keys };
  }

  /**
   * Makes the keys of a GROUP BY columns of a subquery. PostgreSQL would not see that an expression of the SELECT is one of GROUP BY: its
   * values are other parameters there.
   */
  #layer(group: readonly Expression[], from: Source | undefined, rows: Sql): { readonly rows: Sql; readonly keys: Keys } {
    const alias = `g${++this.#layers}`;
    const columns = columnsOf(from);
    const inner = [
      ...group.map((key, index) => sql`${this.#expression(key, noKeys)} AS ${raw(`k${index}`)}`),
      ...columns.map(({ source, name }) => sql`${this.#column(source, name)} AS ${raw(quotedColumn(`t${source}.${name}`))}`),
    ];
    for (const { source, name } of columns)
      this.#renamed.set(`${source}.${name}`, raw(`${alias}.${quotedColumn(`t${source}.${name}`)}`));
    for (const [index, key] of group.entries())
      if (key.kind === "column") this.#renamed.set(`${key.source}.${key.name}`, raw(`${alias}.k${index}`));
    const keys = new Map(group.map((key, index) => [JSON.stringify(key), raw(`${alias}.k${index}`)]));
    return { rows: sql` FROM (SELECT ${join(inner, ", ")}${rows}) ${raw(alias)}`, keys };
  }

  #column(source: number, name: string): Sql {
    return this.#renamed.get(`${source}.${name}`) ?? raw(`t${source}.${quotedColumn(name)}`);
  }

  #source(source: Source, whole?: WholeReading): Sql {
    switch (source.kind) {
      case "table": {
        const reading = { repeated: this.#loops > 0, whole };
        return sql`(${this.#engine.table(source.entity, source.columns, reading)}) ${raw(`t${source.id}`)}`;
      }
      case "query":
        return sql`(${this.query(source.query)}) ${raw(`t${source.id}`)}`;
      case "with":
        return raw(`w${source.name} t${source.id}`);
      case "meaning":
        return sql`(${this.#hits(source.search)}) ${raw(`t${source.id}`)}`;
      case "unnest":
        this.#renamed.set(`${source.id}.c0`, this.#element(raw(`t${source.id}.value`), source.type));
        return this.#engine.unnest(this.#expression(source.list, noKeys), source.type, raw(`t${source.id}`));
      case "join": {
        const [left, right] = this.#inLoop(() => [this.#source(source.left, whole), this.#source(source.right, whole)] as const);
        const nested = source.right.kind === "join" ? sql`(${right})` : right;
        const on = this.#expression(source.on, noKeys);
        // SQLite takes hits for as many rows as a table has, unless it is made to begin with them.
        const isFirst = source.left.kind === "meaning" && this.#engine.name === "sqlite";
        return sql`${left} ${raw(source.outer ? "LEFT JOIN" : isFirst ? "CROSS JOIN" : "JOIN")} ${nested} ON ${on}`;
      }
    }
  }

  /** SQLite takes a number in JSON for an integer where it can, which has other last digits than the number that a column stores. */
  #element(value: Sql, type: Type): Sql {
    return this.#engine.name === "sqlite" && (type === "integer" || type === "number") ? real(value) : value;
  }

  #inLoop<Made>(make: () => Made): Made {
    this.#loops++;
    try {
      return make();
    } finally {
      this.#loops--;
    }
  }

  #hits(search: number): Sql {
    const hits = this.#engine.hits(search);
    const shown = Object.values(meaningTypes).map((type): Value => ({ kind: "value", value: null, type }));
    const rows = (hits.length === 0 ? [shown] : hits).map(
      (hit) =>
        sql`(${join(
          hit.map((one) => this.#engine.value(one)),
          ", ",
        )})`,
    );
    const named = shown.map((_, index) => `column${index + 1} AS c${index}`).join(", ");
    return sql`SELECT ${raw(named)} FROM (VALUES ${join(rows, ", ")}) v${raw(hits.length === 0 ? " WHERE FALSE" : "")}`;
  }

  #expression(expression: Expression, keys: Keys): Sql {
    const key = keys.size === 0 ? undefined : keys.get(JSON.stringify(expression));
    if (key !== undefined) return key;
    const inner = (one: Expression) => this.#expression(one, keys);
    switch (expression.kind) {
      case "column":
        return this.#column(expression.source, expression.name);
      case "value":
        return this.#engine.value(expression);
      case "call":
        return this.#spelled(expression.name, expression.args.map(inner), expression.args);
      case "words":
        return this.#engine.words(expression, inner(expression.value), inner(expression.words));
      case "logic":
        return sql`(${join(expression.args.map(inner), ` ${expression.how} `)})`;
      case "listed":
        return sql`(${inner(expression.value)} IN (${join(expression.list.map(inner), ", ")}))`;
      case "case": {
        const whens = expression.whens.map(({ when, result }) => sql` WHEN ${inner(when)} THEN ${inner(result)}`);
        const otherwise = expression.otherwise === undefined ? raw("") : sql` ELSE ${inner(expression.otherwise)}`;
        return sql`(CASE${join(whens, "")}${otherwise} END)`;
      }
      case "aggregate":
        return this.#aggregate(expression, keys);
      case "subquery": {
        const { how, value, query } = expression;
        // A value comes from the first row: engines disagree on what happens with several.
        const text = this.#inLoop(() =>
          this.query(how === "scalar" ? { ...query, limit: Math.min(query.limit ?? 1, 1) } : query),
        );
        if (how === "exists") return sql`EXISTS (${text})`;
        return value === undefined ? sql`(${text})` : sql`(${inner(value)} IN (${text}))`;
      }
    }
  }

  #spelled(name: Aggregate["name"], args: readonly Sql[], given: readonly Expression[]): Sql {
    const { spell, words } = functions[name];
    const spelling = typeof spell === "function" ? spell : spell[this.#engine.name];
    const [word] = given;
    // A word of the function is one of its own list, and no value.
    const known = words?.find((one) => word?.kind === "value" && one === word.value);
    const spelled = known === undefined ? spelling(...args) : spelling(raw(`'${known}'`), ...args.slice(1));
    // Some spellings have an argument several times, which makes the text of nested calls grow fast.
    if (spelled.texts.reduce((sum, one) => sum + one.length, spelled.values.length) > mostText) throw statementFault(tooDeep);
    return spelled;
  }

  #aggregate({ name, args, distinct, filter, order, over, type }: Aggregate, keys: Keys): Sql {
    const made = args.map((one) => this.#expression(one, keys));
    if (distinct && made[0] !== undefined) made[0] = sql`DISTINCT ${made[0]}`;
    const last = made.length - 1;
    if (order.length > 0 && made[last] !== undefined) made[last] = sql`${made[last]} ORDER BY ${this.#order(order, keys)}`;
    const filtered = filter === undefined ? raw("") : sql` FILTER (WHERE ${this.#expression(filter, keys)})`;
    const window = over === undefined ? raw("") : sql` OVER (${this.#window(over, keys)})`;
    const whole = (one: Aggregate["name"]) => sql`${this.#spelled(one, made, args)}${filtered}${window}`;
    if (this.#engine.name === "postgres" && (name === "string_agg" || name === "string_agg_distinct")) {
      const size = joinedSize(
        name === "string_agg_distinct",
        args.map((one) => this.#expression(one, keys)),
      );
      return sql`(CASE WHEN ${size}${filtered} IS NULL THEN NULL ELSE ${whole(name)} END)`;
    }
    if (this.#engine.name === "sqlite") return name === "sum" || name === "avg" ? sql`t_finite(${whole(name)})` : whole(name);
    // PostgreSQL's own average also sums up squares, which may be too large.
    if (name === "avg") return sql`(${whole("sum")} / nullif(${whole("count")}, 0))`;
    // PostgreSQL counts in a type of its own.
    return type === "integer" ? sql`(${whole(name)})::double precision` : whole(name);
  }

  #window({ partition, order, frame }: NonNullable<Aggregate["over"]>, keys: Keys): Sql {
    const parts = [
      ...(partition.length === 0
        ? []
        : [
            sql`PARTITION BY ${join(
              partition.map((one) => this.#expression(one, keys)),
              ", ",
            )}`,
          ]),
      ...(order.length === 0 ? [] : [sql`ORDER BY ${this.#order(order, keys)}`]),
      ...(frame === undefined ? [] : [raw(`${frame.unit} BETWEEN ${endOf(frame.start)} AND ${endOf(frame.end)}`)]),
    ];
    return join(parts, " ");
  }

  #order(order: readonly Order[], keys: Keys): Sql {
    return join(
      order.map(({ by, direction, nulls }) => sql`${this.#expression(by, keys)} ${raw(`${direction} NULLS ${nulls}`)}`),
      ", ",
    );
  }
}

/**
 * The size of the text that `string_agg` makes, as a sum that is too large for a number when the text is too long: it stops the statement
 * before the text is made. Texts that are left out because they came before differ in a fraction too, by their hashes.
 */
function joinedSize(isDistinct: boolean, [text = raw("NULL"), separator = raw("NULL")]: readonly Sql[]): Sql {
  const length = sql`octet_length(${text}) + coalesce(octet_length(${separator}), 0)`;
  const scale = sql`1.7976931348623157e308::double precision / ${longestPlace}`;
  return isDistinct
    ? sql`sum(DISTINCT (${length} + hashtext(${text}) / 8589934592.0)::double precision * (${scale}))`
    : sql`sum((${length})::double precision * (${scale}))`;
}

function endOf(end: FrameEnd): string {
  return "rows" in end ? `${end.rows} ${end.at}` : end.at;
}

/** The columns of the sources in a FROM that may be used. */
function columnsOf(source: Source | undefined): readonly { readonly source: number; readonly name: string }[] {
  switch (source?.kind) {
    case undefined:
      return [];
    case "join":
      return [...columnsOf(source.left), ...columnsOf(source.right)];
    case "table":
      return source.columns.map((name) => ({ source: source.id, name }));
    case "unnest":
      return [{ source: source.id, name: "c0" }];
    case "query":
      return source.query.types.map((_, index) => ({ source: source.id, name: `c${index}` }));
    case "meaning":
      return Object.keys(meaningTypes).map((_, index) => ({ source: source.id, name: `c${index}` }));
    case "with":
      return source.types.map((_, index) => ({ source: source.id, name: `c${index}` }));
  }
}

/** The column `at:` of a table, in which the watch sees its rows; any other source has a first column of its own. */
export const watchedColumn = "at:";

function watchedIn(source: Source): Sql[] {
  switch (source.kind) {
    case "join":
      return [...watchedIn(source.left), ...watchedIn(source.right)];
    case "table":
      return [raw(`t${source.id}.${quotedColumn(watchedColumn)}`)];
    case "unnest":
      return [raw(`t${source.id}.value`)];
    case "query":
    case "with":
    case "meaning":
      return [raw(`t${source.id}.c0`)];
  }
}
