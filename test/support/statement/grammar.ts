import fc from "fast-check";
import { casts, integers, type Kind, kinds, literal, operandWords, quoted, texts } from "./records.ts";

// Statements of everything that the language has, over `events` and `things` of the conformance tests.

interface Table {
  readonly alias: string;
  readonly columns: readonly (readonly [name: string, kind: Kind])[];
  /** A column without ties. */
  readonly key: string | undefined;
  readonly lists: readonly string[];
}

// Otherwise fast-check prefers the first and the last of everything.
const evenly = (max: number) => fc.noBias(fc.nat({ max }));

/** Texts of statements. */
export const statements: fc.Arbitrary<string> = fc.gen().map((choose) => new Grammar((most) => choose(evenly, most)).statement());

class Grammar {
  readonly #nat: (most: number) => number;
  #aliases = 0;
  #tables: readonly Table[] = [];

  constructor(nat: (most: number) => number) {
    this.#nat = nat;
  }

  statement(): string {
    return this.#one(
      () => this.#rows(),
      () => this.#rows(),
      () => this.#groups(),
      () => this.#groups(),
      () => this.#windows(),
      () => this.#sets(),
      () => this.#common(),
    );
  }

  #one<Made>(...ways: readonly (() => Made)[]): Made {
    const way = ways[this.#nat(ways.length - 1)] ?? ways[0];
    if (way === undefined) throw new Error("nothing to choose from");
    return way();
  }

  #of<Value>(values: readonly Value[]): Value {
    return this.#one(...values.map((value) => () => value));
  }

  #chance(percent: number): boolean {
    return this.#nat(99) < percent;
  }

  #list(least: number, most: number, make: (index: number) => string): string[] {
    return Array.from({ length: least + this.#nat(most - least) }, (_, index) => make(index));
  }

  #events(): Table & { readonly sql: string } {
    const alias = `e${++this.#aliases}`;
    const columns = [
      ["id", "text"],
      ["title", "text"],
      ["body", "text"],
      ["opened_at", "timestamp"],
      ["closedAt", "timestamp"],
      ["done", "boolean"],
      ["size", "integer"],
      ["price", "number"],
    ] as const;
    return { alias, columns, key: `${alias}.id`, lists: [`${alias}.labels`], sql: `events ${alias}` };
  }

  #things(): Table & { readonly sql: string } {
    const alias = `t${++this.#aliases}`;
    return {
      alias,
      columns: [
        ["id", "text"],
        ["title", "text"],
      ],
      key: `${alias}.key`,
      lists: [],
      sql: `things AS ${alias}`,
    };
  }

  #derived(): Table & { readonly sql: string } {
    const made = this.#kinds().map((kind, index) => [`x${index}`, kind] as const);
    const sql = this.#query(
      made.map(
        ([name, kind]) =>
          () =>
            `${this.#expression(kind, 2)} AS ${name}`,
      ),
    );
    const alias = `d${++this.#aliases}`;
    return { alias, columns: made, key: undefined, lists: [], sql: `(${sql}) ${alias}` };
  }

  #kinds(): Kind[] {
    return Array.from({ length: 1 + this.#nat(2) }, () => this.#of(kinds));
  }

  /** A statement has a limit for its tables. */
  get #isFull(): boolean {
    return this.#aliases > 10;
  }

  /** Runs what needs tables in scope, and takes them out of it again. */
  #from<Made>(make: (sql: string, tables: readonly Table[]) => Made, most = 2): Made {
    const events = () => this.#events();
    const outer = this.#tables;
    const first = this.#one<Table & { readonly sql: string }>(events, events, this.#isFull ? events : () => this.#derived());
    const own: Table[] = [first];
    this.#tables = [...outer, first];
    let sql = first.sql;
    for (let count = this.#isFull ? 0 : this.#nat(most); count > 0; count--) {
      const list = own.flatMap(({ lists }) => lists)[0];
      if (list !== undefined && this.#chance(40)) {
        const alias = `u${++this.#aliases}`;
        const unnest: Table = { alias, columns: [["v", "text"]], key: undefined, lists: [] };
        sql += this.#one(
          () => ` CROSS JOIN unnest(${list}) AS ${alias}(v)`,
          () => ` LEFT JOIN unnest(${list}) AS ${alias}(v) ON true`,
        );
        own.push(unnest);
      } else {
        const table = this.#one(
          () => this.#events(),
          () => this.#things(),
        );
        own.push(table);
        this.#tables = [...outer, ...own];
        const on = this.#one(
          () => `${table.alias}.id = ${this.#expression("text", 1)}`,
          () => this.#condition(2),
        );
        sql += ` ${this.#of(["JOIN", "LEFT JOIN"])} ${table.sql} ON ${on}`;
      }
      this.#tables = [...outer, ...own];
    }
    const made = make(sql, own);
    this.#tables = outer;
    return made;
  }

  #query(columns: readonly (() => string)[]): string {
    return this.#from((from) => `SELECT ${columns.map((column) => column()).join(", ")} FROM ${from}${this.#where()}`, 1);
  }

  #where(): string {
    return this.#chance(40) ? ` WHERE ${this.#condition(2)}` : "";
  }

  #order(count: number): string {
    if (this.#chance(30)) return "";
    const by = this.#list(
      1,
      2,
      () => `${this.#nat(count - 1) + 1}${this.#of(["", " DESC", " NULLS FIRST", " DESC NULLS LAST"])}`,
    );
    const limit = this.#chance(50) ? ` LIMIT ${this.#nat(6)}${this.#chance(30) ? ` OFFSET ${this.#nat(3)}` : ""}` : "";
    return ` ORDER BY ${by.join(", ")}${limit}`;
  }

  #rows(): string {
    const given = this.#kinds();
    return this.#from((from) => {
      const columns = given.map((kind, index) => `${this.#expression(kind, 3)} AS c${index}`);
      return `SELECT ${this.#chance(20) ? "DISTINCT " : ""}${columns.join(", ")} FROM ${from}${this.#where()}${this.#order(columns.length)}`;
    });
  }

  #groups(): string {
    return this.#from((from) => {
      const keys = this.#list(0, 2, () => this.#expression(this.#of(kinds), 2));
      const sums = this.#list(1, 3, () => this.#aggregate());
      const columns = [...keys, ...sums].map((column, index) => `${column} AS c${index}`);
      const group = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, index) => index + 1).join(", ")}`;
      const having = this.#chance(30)
        ? ` HAVING ${this.#aggregate("integer")} ${this.#of([">", "<=", "<>"])} ${this.#nat(3)}`
        : "";
      return `SELECT ${columns.join(", ")} FROM ${from}${this.#where()}${group}${having}${this.#order(columns.length)}`;
    });
  }

  #aggregate(only?: "integer"): string {
    const of = (kind: Kind) => this.#expression(kind, 2);
    const size = () => this.#of(["1", ...this.#columns("integer")]);
    const filter = this.#chance(20) ? ` FILTER (WHERE ${this.#condition(1)})` : "";
    const count = () =>
      this.#one(
        () => "count(*)",
        () => `count(${of(this.#of(kinds))})`,
        () => `count(DISTINCT ${of(this.#of(kinds))})`,
      );
    if (only !== undefined) return `${count()}${filter}`;
    const made = this.#one(
      count,
      () => `${this.#of(["sum", "avg"])}(${size()})`,
      () => `${this.#of(["min", "max"])}(${of(this.#of(["text", "integer", "number", "timestamp", "interval"]))})`,
      () => `${this.#of(["bool_and", "bool_or"])}(${of("boolean")})`,
      () => `string_agg(${of("text")}, ${quoted(this.#of(texts))} ORDER BY ${of(this.#of(kinds))}${this.#of(["", " DESC"])})`,
      () => `string_agg(DISTINCT ${of("text")}, '/')`,
      () =>
        `${this.#of(["percentile_cont", "percentile_disc"])}(${this.#of([0, 0.25, 0.5, 1])}) WITHIN GROUP (ORDER BY ${size()})`,
    );
    return `${made}${filter}`;
  }

  #windows(): string {
    return this.#from((from, tables) => {
      const keys = tables.flatMap(({ key }) => (key === undefined ? [] : [key]));
      const isTotal = keys.length === tables.length;
      const made = this.#list(1, 2, () => this.#window(isTotal ? keys : undefined)).map(
        (column, index) => `${column} AS w${index}`,
      );
      return `SELECT ${[...keys.map((key, index) => `${key} AS k${index}`), ...made].join(", ")} FROM ${from}${this.#where()}`;
    }, 1);
  }

  /** @param keys what makes an order total; undefined where nothing does, so that only peers may matter */
  #window(keys: readonly string[] | undefined): string {
    const partition = this.#chance(50) ? `PARTITION BY ${this.#expression(this.#of(kinds), 1)} ` : "";
    const by = `${this.#expression(this.#of(kinds), 1)}${this.#of(["", " DESC", " NULLS FIRST"])}`;
    const peers = `OVER (${partition}ORDER BY ${by})`;
    const sum = () =>
      this.#of([
        "count(*)",
        `sum(${this.#of(["1", ...this.#columns("integer")])})`,
        `max(${this.#expression("text", 1)})`,
        `min(${this.#expression("timestamp", 1)})`,
      ]);
    if (keys === undefined || this.#chance(30))
      return `${this.#one(() => `${this.#of(["rank", "dense_rank", "percent_rank", "cume_dist"])}()`, sum)} ${peers}`;
    const total = `${partition}ORDER BY ${[by, ...keys].join(", ")}`;
    const start = this.#of(["UNBOUNDED PRECEDING", "2 PRECEDING", "CURRENT ROW"]);
    const frame = this.#chance(50)
      ? ` ROWS BETWEEN ${start} AND ${this.#of(["CURRENT ROW", "1 FOLLOWING", "UNBOUNDED FOLLOWING"])}`
      : "";
    const value = () => this.#expression(this.#of(kinds), 1);
    return this.#one(
      () => `row_number() OVER (${total})`,
      () => `ntile(${1 + this.#nat(4)}) OVER (${total})`,
      () => `${this.#of(["lag", "lead"])}(${value()}${this.#of(["", ", 2"])}) OVER (${total})`,
      () => `${this.#of(["first_value", "last_value"])}(${value()}) OVER (${total}${frame})`,
      () => `${sum()} OVER (${total}${frame})`,
    );
  }

  #sets(): string {
    const given = this.#kinds();
    const side = () => this.#query(given.map((kind, index) => () => `${this.#expression(kind, 2)} AS c${index}`));
    return `${side()} ${this.#of(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])} ${side()}${this.#order(given.length)}`;
  }

  #common(): string {
    const made = this.#kinds().map((kind, index) => [`x${index}`, kind] as const);
    const inner = this.#query(
      made.map(
        ([name, kind]) =>
          () =>
            `${this.#expression(kind, 2)} AS ${name}`,
      ),
    );
    const table = (alias: string): Table => ({ alias, columns: made, key: undefined, lists: [] });
    this.#tables = [table("a"), table("b")];
    const columns = this.#list(1, 3, (index) => `${this.#expression(this.#of(kinds), 2)} AS c${index}`);
    const sql = `WITH w AS (${inner}) SELECT ${columns.join(", ")} FROM w a ${this.#of(["JOIN", "LEFT JOIN"])} w b ON ${this.#condition(2)}`;
    this.#tables = [];
    return `${sql}${this.#order(columns.length)}`;
  }

  #columns(kind: Kind): string[] {
    return this.#tables.flatMap(({ alias, columns }) =>
      columns.flatMap(([name, of]) => (of === kind ? [`${alias}.${name}`] : [])),
    );
  }

  #expression(kind: Kind, most: number): string {
    const depth = this.#isFull ? 0 : most;
    const columns = this.#columns(kind);
    if (columns.length > 0 && (depth <= 0 || this.#chance(45))) return this.#of(columns);
    if (depth <= 0 || this.#chance(20)) return this.#chance(15) ? `NULL::${casts[kind]}` : literal(kind, (all) => this.#of(all));
    const of = (other: Kind) => this.#expression(other, depth - 1);
    return this.#one(
      () => `coalesce(${of(kind)}, ${of(kind)})`,
      () => `CASE WHEN ${this.#condition(depth - 1)} THEN ${of(kind)} ELSE ${of(kind)} END`,
      () => `${this.#of(kind === "boolean" ? ["nullif"] : ["greatest", "least", "nullif"])}(${of(kind)}, ${of(kind)})`,
      () => this.#own(kind, depth),
      () => this.#own(kind, depth),
      () => this.#own(kind, depth),
    );
  }

  #own(kind: Kind, depth: number): string {
    const of = (other: Kind) => this.#expression(other, depth - 1);
    const small = () => this.#of(integers);
    switch (kind) {
      case "text":
        return this.#one(
          () => `${this.#of(["lower", "upper", "trim", "ltrim", "rtrim"])}(${of("text")})`,
          () => `${this.#of(["left", "right"])}(${of("text")}, ${small()})`,
          () => `substr(${of("text")}, ${small()}, ${small()})`,
          () => `replace(${of("text")}, ${quoted(this.#of(texts))}, ${of("text")})`,
          () => `split_part(${of("text")}, ${quoted(this.#of(texts))}, ${1 + this.#nat(2)})`,
          () => `(${of("text")} || ${of(this.#of(["text", "integer", "boolean", "timestamp"]))})`,
          () => `concat(${of("text")}, ${of("number")}, ${of("boolean")})`,
          () => `(${of(this.#of(["integer", "number", "boolean", "timestamp"]))})::text`,
        );
      case "integer":
        return this.#one(
          () => `(${of("integer")} ${this.#of(["+", "-", "*", "/", "%"])} ${of("integer")})`,
          () => `length(${of("text")})`,
          () => `strpos(${of("text")}, ${quoted(this.#of(texts))})`,
          () => `${this.#of(["floor", "ceil", "trunc", "sign"])}(${of("number")})`,
          () => `abs(${of("integer")})`,
          () => `(- ${of("integer")})`,
          () =>
            `(${this.#one(
              () => of("boolean"),
              () => of("number"),
              () => `${of("text")} || ''`,
            )})::int`,
          () => this.#overList((list) => `cardinality(${list})`, "3"),
          () => this.#from((from) => `(SELECT count(*) FROM ${from}${this.#where()})`, 0),
        );
      case "number":
        return this.#one(
          () => `(${of("number")} ${this.#of(["+", "-", "*", "/"])} ${of(this.#of(["number", "integer"]))})`,
          () => `round(${of("number")}${this.#of(["", ", 1", ", 3"])})`,
          () => `(${of("text")} || '')::numeric`,
          () =>
            `extract(${this.#of(["year", "quarter", "month", "week", "day", "hour", "minute", "second", "dow", "isodow", "doy", "epoch"])} FROM ${of("timestamp")})`,
          () => `extract(epoch FROM ${of("interval")})`,
          () => `sqrt(${of("number")})`,
        );
      case "timestamp":
        return this.#one(
          () =>
            `date_trunc('${this.#of(["second", "minute", "hour", "day", "week", "month", "quarter", "year"])}', ${of("timestamp")})`,
          () => `(${of("timestamp")} ${this.#of(["+", "-"])} ${of("interval")})`,
          () => `(${of("timestamp")})::date`,
          () =>
            this.#from((from, [own]) => {
              const [column] = own?.columns.find(([, of]) => of === "timestamp") ?? [];
              return `(SELECT max(${column === undefined ? literal(kind, (all) => this.#of(all)) : `${own?.alias}.${column}`}) FROM ${from}${this.#where()})`;
            }, 0),
        );
      case "interval":
        return this.#one(
          () => `(${of("timestamp")} - ${of("timestamp")})`,
          () => `(${of("interval")} * ${this.#of(["2", "0.5", "-1"])})`,
        );
      case "boolean":
        return this.#condition(depth - 1);
    }
  }

  /** @param otherwise where no table in scope has a list */
  #overList(make: (list: string) => string, otherwise: string): string {
    const all = this.#tables.flatMap(({ lists }) => lists);
    return all.length === 0 ? otherwise : make(this.#of(all));
  }

  /** A test of words, which takes a column of a table and a constant. */
  #words(): string {
    const searched = this.#tables.flatMap(({ alias, columns }) =>
      /^[et]\d/.test(alias) ? columns.flatMap(([name]) => (name === "title" || name === "body" ? [`${alias}.${name}`] : [])) : [],
    );
    if (searched.length === 0) return "true";
    const words = this.#list(1, 3, () => this.#of(operandWords)).join(this.#of([" ", "-", "  "]));
    return `${this.#of(["keyword", "fuzzy", "NOT fuzzy"])}(${this.#of(searched)}, ${quoted(words)})`;
  }

  #condition(depth: number): string {
    return `(${this.#test(depth)})`;
  }

  #test(depth: number): string {
    const kind = this.#of(kinds);
    const of = (other: Kind) => this.#expression(other, depth - 1);
    const compare = () => `${of(kind)} ${this.#of(["=", "<>", "<", "<=", ">", ">="])} ${of(kind)}`;
    if (depth <= 0 || this.#isFull) return this.#one(() => `${of(kind)} IS NOT NULL`, compare);
    return this.#one(
      compare,
      compare,
      () => `(${this.#condition(depth - 1)} ${this.#of(["AND", "OR"])} ${this.#condition(depth - 1)})`,
      () => `NOT (${this.#condition(depth - 1)})`,
      () => `(${this.#condition(depth - 1)}) IS ${this.#of(["", "NOT "])}${this.#of(["TRUE", "FALSE", "UNKNOWN"])}`,
      () => `${of(kind)} IS ${this.#of(["", "NOT "])}NULL`,
      () => `${of(kind)} IS ${this.#of(["", "NOT "])}DISTINCT FROM ${of(kind)}`,
      () =>
        `${of("text")} ${this.#of(["", "NOT "])}LIKE ${quoted(this.#of(["%a%", "cr_sh", "Στ%", "%ß%", "\\%%", "", "%", "ς", "i̇%", "ﬀ"]))}`,
      () => `${of("text")} ${this.#of(["", "NOT "])}IN (${this.#list(1, 3, () => of("text")).join(", ")})`,
      () => `${of(kind)} ${this.#of(["", "NOT "])}BETWEEN ${of(kind)} AND ${of(kind)}`,
      () => this.#overList((list) => `${of("text")} = ANY(${list})`, "true"),
      () => this.#from((from) => `${this.#of(["", "NOT "])}EXISTS (SELECT 1 FROM ${from}${this.#where()})`, 0),
      () => {
        const value = of(kind);
        return this.#from(
          (from) => `${value} ${this.#of(["", "NOT "])}IN (SELECT ${this.#expression(kind, 1)} FROM ${from}${this.#where()})`,
          0,
        );
      },
      () => `starts_with(${of("text")}, ${of("text")})`,
      () => this.#words(),
    );
  }
}
