import fc from "fast-check";
import type { SearchField, StorePlan } from "../../runtime/contract/index.ts";
import type { RecordObject } from "../../runtime/search/index.ts";
import { anyCharacter } from "./any-character.ts";

/** An entity that has fields of every type and with every index. */
export const searchPlan: StorePlan = {
  key: ["repository", "number"],
  fields: {
    repository: { type: "string", index: "exact", scope: true },
    number: { type: "integer", index: "exact" },
    nodeId: { type: "string", index: "exact", nullable: true },
    title: { type: "string", index: "name" },
    headRefName: { type: "string", index: "name", nullable: true },
    body: { type: "string", index: "text" },
    bodyText: { type: "string", index: "text", nullable: true },
    state: { type: "string", index: "exact", values: ["open", "closed"] },
    stateReason: { type: "string", index: "exact", nullable: true, values: ["completed", "not_planned", "reopened"] },
    commentsCount: { type: "integer", index: "exact" },
    position: { type: "integer", index: "exact", nullable: true },
    score: { type: "number", index: "exact", nullable: true },
    isDraft: { type: "boolean", index: "exact" },
    isLocked: { type: "boolean", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    labels: { type: "string", index: "name", list: { by: ["label.name", "slug"] } },
    topics: { type: "string", index: "exact", list: {} },
    checks: { type: "string", index: "exact", nullable: true, values: ["passed", "failed"], list: {} },
    sizes: { type: "integer", index: "exact", nullable: true, list: {} },
    deadlines: { type: "timestamp", index: "exact", list: { by: ["at"] } },
    votes: { type: "boolean", index: "exact", list: {} },
  },
};
/** What tells the records of `searchPlan` apart. */
export function nameOfRecord(record: RecordObject): string {
  return `${String(record["repository"])}#${String(record["number"])}`;
}

// Words near each other: beginnings, typing errors, swaps, cases, forms, scripts, digits, marks.
const vocabulary = [
  ..."a an go map maps mapped mapping parser parsers praser Parser PARSER form from fix fixed prefix suffix".split(" "),
  ..."document documents dokumant documentation network netwrok networking v2 v21 x86_64 2 42 snake_case __proto__".split(" "),
  ..."caf\u00e9 cafe\u0301 cafe CAF\u00c9 re\u0301sume\u0301 r\u00e9sum\u00e9 J\u030c \u01f0 \u1fb3 a\u0323\u0307 a\u0307\u0323".split(
    " ",
  ),
  ..."\u039f\u0394\u039f\u03a3 \u03bf\u03b4\u03bf\u03c2 \u03bf\u03b4\u03bf\u03c3 stra\u00dfe STRA\u1e9eE strasse \u0130stanbul istanbul \u0131 I".split(
    " ",
  ),
  ..."\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u0645\u0631\u062d\u0628\u0627 \u4f60\u597d \ud801\udc00\ud801\udc01 \ud801\udc28\ud801\udc29\ud801\udc2a \u2167 \u212a \ufb01".split(
    " ",
  ),
  ..."\ud83d\ude00 \ud83d\ude00\ud83d\ude80 \ud83d\udc68\u200d\ud83d\udc69 constructor null".split(" "),
];
const separators = [" ", " ", " ", " ", "-", ", ", "\n", "_", ".", "", "\u0000", "\u00a0", "\ud83d\ude00", "\u202e", "'"];
export const strangeTexts = [
  "",
  "",
  " ",
  "%",
  "_",
  "\\",
  "%_\\",
  '"',
  "'",
  "''; --",
  "\u0000",
  "x\u0000",
  "__proto__",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\ufeffx",
  "\u0301",
  "*",
  '"a" OR b',
  "null",
];

export const word = fc.constantFrom(...vocabulary);
const separator = fc.constantFrom(...separators);
const words = (most: number) =>
  fc.array(fc.tuple(word, separator), { minLength: 1, maxLength: most }).map((parts) => parts.flat().join("").trimEnd());

/** Texts for names and titles. */
export const shortText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: words(4) },
  { weight: 1, arbitrary: fc.constantFrom(...strangeTexts) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
);

/** Texts for bodies, some of them very long. */
export const longText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: words(20) },
  { weight: 2, arbitrary: shortText },
  {
    weight: 1,
    arbitrary: fc.tuple(words(8), words(3), fc.nat(2000)).map(
      ([some, end, length]) =>
        `${some} `
          .repeat(3000)
          .slice(0, 4000 + length)
          .toWellFormed() + end,
    ),
  },
);

const hour = 3_600_000;
const instant = fc.oneof(
  { weight: 4, arbitrary: fc.nat(40).map((hours) => Date.UTC(2024, 1, 28, 12) + hours * hour) },
  { weight: 1, arbitrary: fc.nat(5).map((step) => Date.UTC(2024, 1, 29) + step) },
  { weight: 1, arbitrary: fc.integer({ min: -1000, max: Date.UTC(2100, 0) / hour }).map((hours) => hours * hour) },
);

/** Minutes by which a spelling of an instant is off UTC. */
export const offset = fc.constantFrom(0, 0, 0, 60, 330, -480, 840, -210);

/** An instant in one of its spellings. */
export const timestamp: fc.Arbitrary<string> = fc
  .tuple(instant, offset, fc.nat(3))
  .map(([at, minutes, form]) => written(at, minutes, form));

/** An instant between two milliseconds. */
const finer = fc.nat(3).map((tenths) => `2024-02-29T00:00:00.00${tenths}${tenths}5Z`);

export function written(at: number, minutes: number, form: number): string {
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
  const text = local.endsWith(".000") ? local.slice(0, form === 0 && local.endsWith(":00.000") ? -7 : -4) : local;
  if (minutes === 0 && form < 3) return form === 1 && text.endsWith("T00:00:00") ? text.slice(0, 10) : `${text}Z`;
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${text}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const integer = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -3, max: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 100, 99, -100) },
);
const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 0.1, 0.2, 0.1 + 0.2, 0.3, 1e21, -1e-7, 5e-324, Number.MAX_VALUE) },
);

/** A value of a field; of a list field a whole list, with elements that have no value among the others. */
export function anyValue(field: SearchField): fc.Arbitrary<unknown> {
  const { list, ...element } = field;
  if (list === undefined) return anyElement(element);
  const value = fc.oneof({ weight: 9, arbitrary: anyElement(element) }, { weight: 1, arbitrary: fc.constant(null) });
  const inObject = (one: unknown, path: string) => path.split(".").reduceRight((inner, name) => ({ [name]: inner }), one);
  const { by } = list;
  if (by === undefined) return fc.array(value, { maxLength: 4 });
  return fc.array(
    fc.tuple(value, fc.subarray([...by])).map(([one, paths]) => Object.assign({}, ...paths.map((path) => inObject(one, path)))),
    { maxLength: 4 },
  );
}

function anyElement({ type, index, values }: SearchField): fc.Arbitrary<unknown> {
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "string") return index === "text" ? longText : shortText;
  const instants = fc.oneof({ weight: 9, arbitrary: timestamp }, { weight: 1, arbitrary: finer });
  return { integer, number, boolean: fc.boolean(), timestamp: instants }[type];
}

/** A record: what may have no value is null in some, and missing in others. */
const record: fc.Arbitrary<RecordObject> = fc.record<Record<string, unknown>>(
  {
    ...Object.fromEntries(
      Object.entries(searchPlan.fields).map(([name, field]) => [
        name,
        field.nullable
          ? fc.oneof({ weight: 3, arbitrary: anyValue(field) }, { weight: 1, arbitrary: fc.constant(null) })
          : anyValue(field),
      ]),
    ),
    repository: fc.constantFrom("o/a", "o/a-b", "o/A", "\u00e9/x", "\ud83d\ude00/x", "\uffee/x"),
    number: fc.integer({ min: 0, max: 300 }),
  },
  { requiredKeys: Object.entries(searchPlan.fields).flatMap(([name, { nullable }]) => (nullable ? [] : [name])) },
);

/** Records of `searchPlan`, each with a key of its own. */
export function searchRecords(minLength: number, maxLength: number = minLength): fc.Arbitrary<RecordObject[]> {
  return fc.uniqueArray(record, {
    minLength,
    maxLength,
    size: "max",
    selector: nameOfRecord,
  });
}
