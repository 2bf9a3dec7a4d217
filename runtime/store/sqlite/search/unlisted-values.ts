import type { FieldTree } from "../../../contract/index.ts";
import type { Statements } from "../../../sqlite/index.ts";
import { mostUnlisted, type UnlistedValue } from "../../store.ts";
import type { Column, Layout } from "../tables/layout.ts";
import type { CollectionState } from "./collection-state.ts";

/**
 * Finds values that an enumeration does not list. A platform may have values that are newer than the spec. Which columns have any is read
 * once for each state of the file, from the indexes of the enumerations and the values of lists; mostly there are none, and then a search
 * costs nothing more.
 */
export class UnlistedValues {
  readonly #statements: Statements;
  /** Columns with values that their enumerations do not list, by the state of the collection in which they were looked at. */
  readonly #known = new WeakMap<CollectionState, readonly Column[]>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Those that the records of an answer have, in the fields that the answer gives: of each field at most {@link mostUnlisted} and one. */
  among(state: CollectionState, ids: readonly number[], fields: FieldTree | null): readonly UnlistedValue[] {
    if (ids.length === 0) return [];
    const { layout } = state;
    const possible = this.#all(state).filter(({ field }) => fields === null || fields.has(field));
    if (possible.length === 0) return [];
    const json = JSON.stringify(ids);
    return possible.flatMap(({ field, sql, items }) => {
      const value = items === undefined ? sql : "i.v";
      const joined = items === undefined ? "" : `CROSS JOIN ${items} i ON i.inst = n.inst AND i.k = n.k`;
      const all = `SELECT DISTINCT ${value} FROM json_each(?) d CROSS JOIN ${layout.narrow} n ON n.id = d.value ${joined}
        WHERE typeof(${value}) = 'text' AND ${value} NOT IN (SELECT value FROM json_each(?)) ORDER BY 1 LIMIT ${mostUnlisted + 1}`;
      const listed = JSON.stringify(layout.plan.fields[field]?.values ?? []);
      const found = this.#statements.get(all).pluck().all(json, listed) as string[];
      return found.map((one) => ({ field, value: one }));
    });
  }

  #all(state: CollectionState): readonly Column[] {
    const { layout, instance } = state;
    if (instance === undefined) return [];
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    const columns = [...layout.columns.values()].filter((column) => this.#hasUnlisted(column, layout, instance));
    this.#known.set(state, columns);
    return columns;
  }

  #hasUnlisted({ field, sql, index, items }: Column, layout: Layout, instance: number): boolean {
    const listed = layout.plan.fields[field]?.values;
    if (listed === undefined || (index === undefined && items === undefined)) return false;
    const smallest = (symbol: ">=" | ">", than: string): unknown =>
      this.#statements
        .get(
          items === undefined
            ? `SELECT min(${sql}) FROM ${layout.narrow} n INDEXED BY ${index} WHERE n.inst = likely(?) AND ${sql} ${symbol} likely(?)`
            : // The mark of an empty list is a number, which is before all texts.
              `SELECT min(v) FROM ${items} WHERE inst = ? AND v ${symbol} ?`,
        )
        .pluck()
        .get(instance, than);
    let value = smallest(">=", "");
    while (typeof value === "string" && listed.includes(value)) value = smallest(">", value);
    return typeof value === "string";
  }
}
