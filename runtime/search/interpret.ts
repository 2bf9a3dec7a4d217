import type { SearchField, StorePlan } from "../contract/index.ts";
import type { Condition, SortKey } from "./condition.ts";
import { testOf } from "./operators.ts";
import { comparedValue, compareTexts, compareValues, memberAt, testedValues } from "./value.ts";

export type RecordObject = Readonly<Record<string, unknown>>;

type Fields = Readonly<Record<string, SearchField>>;

/** The reference meaning of a condition, as a predicate. Every store must find exactly the records for which it is true. */
export function interpret(condition: Condition, fields: Fields): (record: RecordObject) => boolean {
  switch (condition.kind) {
    case "test": {
      const { field } = condition;
      const spec = fieldOf(fields, field);
      const test = testOf(condition.operator, condition.operand);
      return (record) => testedValues(spec, record[field]).some(test);
    }
    case "not": {
      const inner = interpret(condition.condition, fields);
      return (record) => !inner(record);
    }
    case "and": {
      const inner = condition.conditions.map((one) => interpret(one, fields));
      return (record) => inner.every((one) => one(record));
    }
    case "or": {
      const inner = condition.conditions.map((one) => interpret(one, fields));
      return (record) => inner.some((one) => one(record));
    }
  }
}

/** Compares records by a sort. Null comes last in both directions, and the record's key breaks ties. */
export function compareRecords(sort: readonly SortKey[], plan: StorePlan): (a: RecordObject, b: RecordObject) => number {
  const keys = sort.map(({ field, direction }) => ({
    field,
    type: fieldOf(plan.fields, field).type,
    sign: direction === "asc" ? 1 : -1,
  }));
  return (a, b) => {
    for (const { field, type, sign } of keys) {
      const one = comparedValue(type, a[field]);
      const other = comparedValue(type, b[field]);
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1;
        continue;
      }
      const order = compareValues(one, other);
      if (order !== 0) return sign * order;
    }
    return compareTexts(keyText(plan, a), keyText(plan, b));
  };
}

/**
 * The key of a record as one text. Its parts are joined by a zero character, which sorts before all others, so that the texts are
 * ordered like the lists of their parts. A missing value is an empty part.
 */
export function keyText(plan: StorePlan, record: RecordObject): string {
  return plan.key.map((path) => keyPart(path, record)).join("\0");
}

/** The part of a record's key that the record lacks; undefined where it has them all. */
export function missingKey(plan: StorePlan, record: RecordObject): string | undefined {
  return plan.key.find((path) => keyPart(path, record) === "");
}

function keyPart(path: string, record: RecordObject): string {
  const value = memberAt(record, path);
  if (typeof value === "number") return String(value).padStart(16, "0");
  return typeof value === "string" ? value : "";
}

function fieldOf(fields: Fields, name: string): SearchField {
  const field = fields[name];
  if (field === undefined) throw new Error(`"${name}" is not a searchable field`);
  return field;
}
