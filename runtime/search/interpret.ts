import type { SearchField, StorePlan } from "../contract/index.ts";
import type { Condition, SortKey } from "./condition.ts";
import { testOf } from "./operators.ts";
import { comparedValue, compareTexts, compareValues, memberAt, testedValues } from "./value.ts";

// Decision 3 in runtime/site/text/decisions.md says why: an interpreter defines the meaning of a search.

export type RecordObject = Readonly<Record<string, unknown>>;

type Fields = Readonly<Record<string, SearchField>>;

/** The reference meaning of a condition, as a predicate. Every store must find exactly the records for which it is true. */
export function interpret(condition: Condition, fields: Fields): (record: RecordObject) => boolean {
  const steps = interpretInSteps(condition, fields);
  return (record) => {
    const tests = steps(record);
    for (;;) {
      const step = tests.next();
      if (step.done === true) return step.value;
    }
  };
}

/** To make the test of an operand takes about as long as to test so many characters for each character of it. */
const makingCost = 8;

/**
 * The same in steps: a step is one test of a record, so that whoever has other work too can do that in between. Before each test, it
 * gives about how many characters are looked at.
 */
export function interpretInSteps(condition: Condition, fields: Fields): (record: RecordObject) => Generator<number, boolean> {
  switch (condition.kind) {
    case "test": {
      const { field, operator, operand } = condition;
      const spec = fieldOf(fields, field);
      // Made with its first use: there may be hundreds of them.
      let test: ReturnType<typeof testOf> | undefined;
      return function* (record) {
        const values = testedValues(spec, record[field]);
        yield charactersOf(values) + (test === undefined ? makingCost * charactersOf([operand].flat()) : 0);
        test ??= testOf(operator, operand);
        return values.some(test);
      };
    }
    case "not": {
      const inner = interpretInSteps(condition.condition, fields);
      return function* (record) {
        return !(yield* inner(record));
      };
    }
    case "and":
    case "or": {
      const inner = condition.conditions.map((one) => interpretInSteps(one, fields));
      const decides = condition.kind === "or";
      return function* (record) {
        for (const one of inner) if ((yield* one(record)) === decides) return decides;
        return !decides;
      };
    }
  }
}

function charactersOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 1), 0);
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
 * The key of a record as one text. Its parts are joined by U+0000, which sorts before all others, so that the texts are ordered like the
 * lists of their parts. A missing value is an empty part. A key of one part stays as it is: searches compare it with values of its field.
 */
export function keyText(plan: StorePlan, record: RecordObject): string {
  const parts = plan.key.map((path) => keyPart(path, record));
  return parts.length === 1 ? (parts[0] ?? "") : parts.map(joinable).join("\0");
}

/** The parts of a key that {@link keyText} has made, of so many. */
export function keyParts(key: string, count: number): readonly string[] {
  if (count === 1) return [key];
  return key.split("\0").map((part) => part.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01"));
}

/** A part without U+0000, in the same order among others: two keys would otherwise be the same text. */
function joinable(part: string): string {
  // To look whether there is anything to replace takes a small part of the time of replacing nothing.
  if (!part.includes("\x01") && !part.includes("\0")) return part;
  return part.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
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
