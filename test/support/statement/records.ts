import fc from "fast-check";
import type { RecordObject } from "../../../runtime/search/index.ts";

// Records with nulls, ties, lists, extreme values, and unusual Unicode.

export const texts = [
  "",
  " ",
  "a",
  "b ",
  "Crash",
  "crash",
  "Straße",
  "ΑΣ",
  "ς",
  "İi",
  "ﬀ",
  "é",
  "é",
  "😀\uffff",
  "\ud7ff",
  "%_\\",
  "12",
  "-1.50",
  "\x01\x02",
  "𐐀",
  "'\"; --",
  "x".repeat(300),
  "Crash on the starting screen",
  "the SCREEN crashed: Starting, große Straße",
  "starting crahs b",
];
/** Words for `keyword` and `fuzzy`, some with an error. */
export const operandWords = [
  "crash",
  "crahs",
  "start",
  "strating",
  "Screen",
  "strasse",
  "Straße",
  "the",
  "ασ",
  "é",
  "b",
  "𐐀",
  "12",
  "i̇i",
];
export const integers = [-7, -1, 0, 1, 2, 3, 10, 1000];
const numbers = [-2.5, -0.25, 0, 0.25, 0.5, 1, 2, 1e15, 9007199254740992, 1e300, -1e300, 1e-300, 5e-324, 1.7976931348623157e308];
export const times = [
  "0001-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "2000-02-29T12:00:00Z",
  "2024-01-31T23:59:59.500Z",
  "2024-12-30T00:00:00+02:00",
  "9999-12-31T23:59:59.999Z",
];

const maybe = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { freq: 4 });

/** Records of `events`. */
export const eventRecords: fc.Arbitrary<RecordObject[]> = fc
  .array(
    fc.record({
      title: maybe(texts),
      body: maybe(texts),
      openedAt: maybe(times),
      closedAt: maybe(times),
      done: maybe([true, false]),
      size: maybe(integers),
      price: maybe(numbers),
      labels: fc.array(fc.record({ name: maybe(texts) }), { maxLength: 3 }),
    }),
    { minLength: 4, maxLength: 9 },
  )
  .map((all) => all.map((one, index) => ({ id: `${"bca"[index % 3]}${index}`, ...one })));

export const thingRecords: fc.Arbitrary<RecordObject[]> = fc
  .uniqueArray(fc.constantFrom("b0", "c1", "a2", "b3", "x"), { maxLength: 4 })
  .chain((ids) => fc.tuple(...ids.map((id) => maybe(texts).map((title) => ({ id, title })))));

export type Kind = "text" | "integer" | "number" | "boolean" | "timestamp" | "interval";
export const kinds: readonly Kind[] = ["text", "integer", "number", "boolean", "timestamp", "interval"];

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export const casts: Readonly<Record<Kind, string>> = {
  text: "text",
  integer: "bigint",
  number: "numeric",
  boolean: "boolean",
  timestamp: "timestamp",
  interval: "interval",
};

/** A value of a kind as a statement has it. */
export function literal(kind: Kind, of: <Value>(values: readonly Value[]) => Value): string {
  switch (kind) {
    case "text":
      // Nothing of the caller's text may have U+0000.
      return quoted(of(texts));
    case "integer":
      return `${of([...integers, 2147483648, 9007199254740991])}`;
    case "number":
      return `${of(["0.5", "-0.25", "2.0", "1e300", "1e-300", "1e15", "0.0"])}`;
    case "boolean":
      return of(["true", "false"]);
    case "timestamp":
      return `timestamp ${quoted(of(times))}`;
    case "interval":
      return `interval '${of(["1 day", "-90 minutes", "0.5 seconds", "2 weeks 3 hours"])}'`;
  }
}
