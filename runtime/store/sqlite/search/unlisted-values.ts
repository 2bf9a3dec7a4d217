import type { FieldTree } from "../../../contract/index.ts";
import type { Statements } from "../../../sqlite/index.ts";
import type { UnlistedValue } from "../../store.ts";
import type { Column, Layout } from "../tables/layout.ts";

/** Values of one enumeration that records have although the enumeration does not list them, at most. */
const mostValues = 20;

interface Known {
  /** Number of the state of the file that the values were read in. */
  readonly state: number;
  readonly values: readonly UnlistedValue[];
}

/**
 * Finds values that an enumeration does not list. A platform may have values that are newer than the spec. Which ones there are is read
 * once for each state of the file, from the indexes of the enumerations and the values of lists; mostly there are none, and then a search
 * costs nothing more.
 */
export class UnlistedValues {
  readonly #statements: Statements;
  readonly #known = new Map<string, Known>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Those that the records of an answer have, in the fields that the answer gives. */
  among(layout: Layout, instance: number, ids: readonly number[], fields: FieldTree | null): readonly UnlistedValue[] {
    const possible = this.#all(layout, instance).filter(({ field }) => fields === null || fields.has(field));
    if (possible.length === 0) return possible;
    const json = JSON.stringify(ids);
    return possible.filter(({ field, value }) => {
      const column = layout.columns.get(field);
      if (column === undefined) return false;
      const has =
        column.items === undefined
          ? `${column.sql} = likely(?)`
          : `EXISTS (SELECT 1 FROM ${column.items} i WHERE i.inst = n.inst AND i.v = ? AND i.k = n.k)`;
      const one = `SELECT 1 FROM json_each(?) d CROSS JOIN ${layout.narrow} n ON n.id = d.value WHERE ${has} LIMIT 1`;
      return this.#statements.get(one).get(json, value) !== undefined;
    });
  }

  #all(layout: Layout, instance: number): readonly UnlistedValue[] {
    const key = `${instance} ${layout.narrow}`;
    const state = Number(this.#statements.get("PRAGMA data_version").pluck().get());
    const known = this.#known.get(key);
    if (known?.state === state) return known.values;
    const values = [...layout.columns.values()].flatMap((column) => this.#inColumn(column, layout, instance));
    this.#known.set(key, { state, values });
    return values;
  }

  #inColumn({ field, sql, index, items }: Column, layout: Layout, instance: number): UnlistedValue[] {
    const listed = layout.plan.fields[field]?.values;
    if (listed === undefined || (index === undefined && items === undefined)) return [];
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
    const found: UnlistedValue[] = [];
    let value = smallest(">=", "");
    for (let looks = 0; typeof value === "string" && looks < listed.length + mostValues; looks++) {
      if (!listed.includes(value)) found.push({ field, value });
      value = smallest(">", value);
    }
    return found;
  }
}
