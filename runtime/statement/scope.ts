import { snakeCase } from "../base/snake-case.ts";
import type { ColumnUse } from "./algebra.ts";
import { StatementError, unknownName } from "./syntax.ts";

export interface NamedColumn {
  /** The name that a caller uses. */
  readonly name: string;
  readonly column: ColumnUse;
  /** `*` leaves it out. */
  readonly hidden?: boolean;
}

/** A source of FROM by the name that the statement gives it. */
export interface ScopeSource {
  readonly name: string;
  readonly columns: readonly NamedColumn[];
  /** Called for each use of a column, so that an engine reads only these. */
  readonly use?: (column: string) => void;
}

/** The names that an expression may use, and those of the queries around it. */
export class NameScope {
  readonly sources: ScopeSource[] = [];
  readonly #outer: NameScope | undefined;

  constructor(outer?: NameScope) {
    this.#outer = outer;
  }

  add(source: ScopeSource, at: number | undefined): void {
    if (this.sources.some(({ name }) => isSame(name, source.name)))
      throw new StatementError(`Two tables are called "${source.name}". Give one of them another name with AS.`, at);
    this.sources.push(source);
  }

  /** @throws StatementError for a name that no source has, or several have */
  column(table: string | undefined, name: string, at: number | undefined): ColumnUse {
    const found = this.#find(table, name, at);
    if (found !== undefined) return found;
    const all = this.#all();
    if (table !== undefined && !all.some((one) => isSame(one.name, table)))
      throw unknownName(
        `There is no table "${table}" in FROM.`,
        table,
        all.map((one) => one.name),
        at,
      );
    const columns = all.filter((one) => table === undefined || isSame(one.name, table)).flatMap((one) => one.columns);
    const names = [...new Set(columns.map((one) => snakeCase(one.name)))];
    const where = table === undefined ? "" : ` in "${table}"`;
    const hint = names.includes(name) || all.length > 0 ? "" : " The statement has no FROM.";
    throw unknownName(`There is no column "${name}"${where}.${hint}`, name, names, at);
  }

  /** A name as the source of the column spells it: the parser turns `createdAt` into `createdat`. */
  spelling(name: string): string {
    const known = this.sources.flatMap(({ columns }) => columns).find((one) => one.name.toLowerCase() === name);
    return known?.name ?? name;
  }

  /** Lets an engine read another column beside one that `column` has given. */
  read(beside: ColumnUse, name: string): void {
    const source = this.#all().find(({ columns }) => columns.some(({ column }) => column.source === beside.source));
    source?.use?.(name);
  }

  isOwn(source: number): boolean {
    return this.sources.some(({ columns }) => columns.some(({ column }) => column.source === source));
  }

  /** Whether a source is one of the queries around this one. */
  isOuter(source: number): boolean {
    return this.#outer !== undefined && (this.#outer.isOwn(source) || this.#outer.isOuter(source));
  }

  #all(): ScopeSource[] {
    return [...this.sources, ...(this.#outer === undefined ? [] : this.#outer.#all())];
  }

  #find(table: string | undefined, name: string, at: number | undefined): ColumnUse | undefined {
    const found = this.sources.flatMap((source) =>
      table === undefined || isSame(source.name, table)
        ? source.columns.filter((one) => isSame(one.name, name)).map((one) => ({ source, one }))
        : [],
    );
    const [only, second] = found;
    if (second !== undefined) {
      const tables = found.map(({ source }) => `"${source.name}"`).join(" and ");
      throw new StatementError(`"${name}" may be a column of ${tables}. Write the table before it, with a point.`, at);
    }
    if (only === undefined) return this.#outer === undefined ? undefined : this.#outer.#find(table, name, at);
    only.source.use?.(only.one.column.name);
    return only.one.column;
  }
}

/** Whether two names are one: case does not matter, and a field has two spellings, `createdAt` and `created_at`. */
export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() || snakeCase(one) === other || one === snakeCase(other);
}
