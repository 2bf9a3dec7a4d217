import type { ColumnUse, Expression, Select, Source } from "./algebra.ts";
import type { CallName } from "./functions.ts";
import { columnsIn, some } from "./walk.ts";

/** A SELECT that groups rows, or has windows over them, so that it needs all of them before it has a result. */
export interface WholeReading {
  /** The entities of its tables. */
  readonly entities: readonly string[];
  /** The columns by which an engine might look a few rows up instead, by entity and name. */
  readonly lookups: readonly { readonly entity: string; readonly name: string }[];
}

const equal: ReadonlySet<string> = new Set(["=", "is null"] satisfies CallName[]);
const ranges: ReadonlySet<string> = new Set(["<", "<=", ">", ">="] satisfies CallName[]);

/** @returns undefined where a result may come of some rows, or where rows come from elsewhere than tables */
export function wholeReading({ columns, group, from, where, having }: Select): WholeReading | undefined {
  const tables = from === undefined ? undefined : tablesIn(from);
  if (tables === undefined) return undefined;
  const has = (test: (one: Expression) => boolean) =>
    [...columns, ...(having === undefined ? [] : [having])].some((one) => some(one, test));
  const isWhole =
    group === undefined
      ? has((one) => one.kind === "aggregate" && one.over !== undefined)
      : // The least and the greatest value are at the ends of an index.
        group.length > 0 || !has((one) => one.kind === "aggregate" && /^(?:min|max)$/.test(one.name));
  if (!isWhole) return undefined;
  const found: ColumnUse[] = [];
  const look = (one: Expression): boolean => {
    found.push(...lookedUp(one, tables.size > 1));
    return false;
  };
  for (const condition of [...conditionsIn(from), ...(where === undefined ? [] : [where])]) some(condition, look);
  const lookups = found.flatMap(({ source, name }) => {
    const entity = tables.get(source);
    return entity === undefined ? [] : [{ entity, name }];
  });
  return { entities: [...tables.values()], lookups };
}

/** @param isJoin whether there are several tables: to read one whole takes as long as to look a range of it up for each row of another */
function lookedUp(one: Expression, isJoin: boolean): ColumnUse[] {
  if (one.kind === "call" && (equal.has(one.name) || (!isJoin && ranges.has(one.name)))) {
    const isOne = one.args.filter((arg) => columnsIn(arg).length > 0).length === 1;
    return isOne ? one.args.filter((arg) => arg.kind === "column") : [];
  }
  const value = one.kind === "listed" || one.kind === "subquery" ? one.value : undefined;
  return value?.kind === "column" ? [value] : [];
}

/** The entities of the tables in a FROM by their numbers; undefined where it has anything else. */
function tablesIn(source: Source): Map<number, string> | undefined {
  if (source.kind === "table") return new Map([[source.id, source.entity]]);
  if (source.kind !== "join") return undefined;
  const [left, right] = [tablesIn(source.left), tablesIn(source.right)];
  return left === undefined || right === undefined ? undefined : new Map([...left, ...right]);
}

function conditionsIn(source: Source | undefined): Expression[] {
  return source?.kind === "join" ? [source.on, ...conditionsIn(source.left), ...conditionsIn(source.right)] : [];
}
