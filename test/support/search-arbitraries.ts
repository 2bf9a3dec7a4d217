import fc from "fast-check";
import { snakeCase } from "../../runtime/base/text.ts";
import type { FieldOperator, SearchField, SearchIndex, SearchType } from "../../runtime/contract/index.ts";
import { fitting, memberAt, QueryParser, type RecordObject, type SearchQuery } from "../../runtime/search/index.ts";
import { anyValue, offset, searchPlan, strangeTexts, word, written } from "./search-records.ts";

/** Names of the fields that a record may be sorted by. */
export const singleFields: readonly string[] = Object.entries(searchPlan.fields).flatMap(([name, { list }]) =>
  list === undefined ? [name] : [],
);

/** A search as a caller writes it. */
export interface GivenQuery {
  readonly filter?: object;
  readonly sort: readonly object[];
  readonly limit: number;
}

/** The search as the runtime reads it. @throws when it is not valid */
export function readQuery({ filter, sort, limit }: GivenQuery): SearchQuery {
  const parser = new QueryParser("things", searchPlan.fields);
  const condition = filter === undefined ? undefined : parser.filter(filter, []);
  const query = { ...(condition === undefined ? {} : { filter: condition }), sort: parser.sort(sort, []), limit };
  if (parser.faults.length > 0) throw new Error(JSON.stringify(parser.faults));
  return query;
}
/**
 * Queries for records, valid ones only. Operands are mostly made of the records' own values, so that answers are often neither
 * empty nor everything. Making this takes a while; drawing from it does not.
 */
export function searchQueries(records: readonly RecordObject[]): fc.Arbitrary<GivenQuery> {
  const fields = Object.entries(searchPlan.fields).map(([name, field]) => fieldArbitraries(name, field, records));
  const spelled = (name: string) => fc.constantFrom(name, snakeCase(name));
  const sort = fc.array(
    fc
      .constantFrom(...singleFields)
      .chain((name) => fc.record({ name: spelled(name), direction: fc.constantFrom("asc", "desc") })),
    { maxLength: 3, size: "max" },
  );
  const condition = conditions(fields);
  return fc
    .record({ filter: fc.option(condition, { freq: 12, nil: undefined }), sort, limit: fc.integer({ min: 1, max: 50 }) })
    .map(({ filter, sort: keys, limit }) => ({
      ...(filter === undefined ? {} : { filter }),
      sort: keys.map(({ name, direction }) => ({ [name]: direction })),
      limit,
    }));
}

type Entry = readonly [name: string, operand: unknown];

/** For one field, each operator that fits with its operands: `["like", { title: "fix%" }]`. */
function fieldArbitraries(name: string, field: SearchField, records: readonly RecordObject[]): fc.Arbitrary<Entry> {
  const spelling = fc.constantFrom(name, snakeCase(name));
  const operands = operandsOf(field, ownValues(name, field, records));
  const entries = fitting(field).map((operator) =>
    fc.tuple(spelling, operands(operator)).map(([spelled, operand]): Entry => [operator, { [spelled]: operand }]),
  );
  return fc.oneof(...entries);
}

/** The values that records have in a field, or in the elements of a list field. */
function ownValues(name: string, { list }: SearchField, records: readonly RecordObject[]): unknown[] {
  const values = (given: unknown): unknown[] =>
    list === undefined
      ? [given ?? null]
      : Array.isArray(given)
        ? given.map((one: unknown) => (list.by === undefined ? one : memberAt(one, list.by[0] ?? "")) ?? null)
        : [];
  return [...new Set(records.flatMap((one) => values(one[name])))];
}

function operandsOf(
  { list: _list, ...field }: SearchField,
  own: readonly unknown[],
): (operator: FieldOperator) => fc.Arbitrary<unknown> {
  const present = own.filter((value) => value !== null);
  const some = present.length === 0 ? anyValue(field) : fc.constantFrom(...present);
  const respelled =
    field.type === "timestamp"
      ? fc.tuple(some, offset, fc.nat(3)).map(([value, minutes, form]) => written(Date.parse(String(value)), minutes, form))
      : some;
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(some, respelled) },
    { weight: 1, arbitrary: anyValue(field).map((one) => (typeof one === "string" ? one.toWellFormed() : one)) },
  );
  const nullable = fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
  const texts = fc.constantFrom("", ...present.filter((one) => typeof one === "string"));
  return (operator) => {
    switch (operator) {
      case "eq":
      case "neq":
        return nullable;
      case "in":
        return fc.array(nullable, { minLength: 1, maxLength: 6 });
      case "like":
        return patterns(texts);
      case "keyword":
        return fc.oneof(searchWords(texts, 1), searchWords(texts, 3));
      case "fuzzy":
        return searchWords(texts, 3);
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return value;
    }
  };
}

const choice = fc.nat(0xffff);

/** Patterns made of a part of a text: with wildcards before, behind, inside; some letters replaced; some in another case. */
function patterns(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const wild = fc.constantFrom("%", "%", "", "_", "%_", "_%", "%%");
  const made = fc
    .tuple(texts, choice, choice, wild, wild, fc.nat(7), choice)
    .map(([text, from, length, before, behind, kind, where]) => {
      const points = [...text.slice(0, 400).toWellFormed()];
      const start = points.length === 0 || kind === 0 ? 0 : from % points.length;
      const part = kind === 0 ? points : points.slice(start, start + 1 + (length % 10));
      const escaped = part.map((point) => (/[%_\\]/.test(point) && kind !== 7 ? `\\${point}` : point));
      const at = escaped.length === 0 ? 0 : where % escaped.length;
      if (kind === 1 && escaped.length > 1) escaped[at] = "_";
      if (kind === 2 && escaped.length > 1) escaped[at] = "%";
      if (kind === 3 && escaped.length > 2) escaped.splice(at, 2, "%_");
      const whole = escaped.join("");
      return `${before}${kind === 4 ? whole.toUpperCase() : kind === 5 ? whole.toLowerCase() : whole}${behind}`;
    });
  return fc.oneof(
    { weight: 8, arbitrary: made },
    { weight: 1, arbitrary: fc.constantFrom("", "%", "_", "__", "%_%", "\\", "%\\%%", "%a%a%", "_%_") },
  );
}

/** Some words of a text, in its order: as they are, cut off, with an error, in another case, in another form. */
function searchWords(texts: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> {
  const own = fc
    .tuple(texts, choice, fc.array(fc.tuple(fc.nat(4), fc.nat(9), choice), { minLength: 1, maxLength: most }))
    .map(([text, from, steps]) => {
      const all = text
        .slice(0, 2000)
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter((one) => one !== "");
      let at = all.length === 0 ? 0 : from % all.length;
      return steps
        .flatMap(([step, kind, where]) => {
          const found = all[at];
          at += 1 + step;
          return found === undefined ? [] : [damaged(found, kind, where)];
        })
        .join(" ");
    });
  const free = fc.array(word, { minLength: 1, maxLength: most }).map((some) => some.join(" "));
  return fc
    .oneof(
      { weight: 5, arbitrary: own },
      { weight: 2, arbitrary: free },
      { weight: 1, arbitrary: fc.constantFrom(...strangeTexts) },
    )
    .map((text) => text.toWellFormed().slice(0, 300).toWellFormed());
}

function damaged(text: string, kind: number, where: number): string {
  const points = [...text];
  const at = where % points.length;
  switch (kind) {
    case 0:
      return points.slice(0, at + 1).join("");
    case 1:
      return points.toSpliced(at, 1).join("");
    case 2:
      return points.toSpliced(at, 0, "x").join("");
    case 3:
      return points.with(at, "z").join("");
    case 4:
      return points.toSpliced(at, 2, ...points.slice(at, at + 2).reverse()).join("");
    case 5:
      return text.toUpperCase();
    case 6:
      return text.normalize("NFD");
    default:
      return text;
  }
}

/** Conditions up to 10 deep, most of them shallow. */
function conditions(fields: readonly fc.Arbitrary<Entry>[]): fc.Arbitrary<object> {
  const test = fc.oneof(...fields);
  let inner = test.map(([name, operand]): object => ({ [name]: operand }));
  for (let depth = 2; depth <= 10; depth++) {
    const one = inner;
    const list = fc.array(one, { minLength: 1, maxLength: depth > 8 ? 4 : 2, size: "max" });
    const part = fc.oneof(
      { weight: 9, arbitrary: test },
      { weight: 2, arbitrary: fc.tuple(fc.constant("not"), one) },
      { weight: 2, arbitrary: fc.tuple(fc.constant("and"), list) },
      { weight: 3, arbitrary: fc.tuple(fc.constant("or"), list) },
    );
    // Several operators in one object, and several fields under one operator, where they happen to meet.
    inner = fc
      .oneof(
        { weight: 5, arbitrary: part.map((only): Entry[] => [only]) },
        { weight: 1, arbitrary: fc.array(part, { minLength: 2, maxLength: 3 }) },
      )
      .map(joined);
  }
  const straight = fc
    .tuple(inner, fc.array(fc.constantFrom("not", "and", "or"), { minLength: 1, maxLength: 9 }))
    .map(([one, names]) => names.reduce<object>((within, name) => ({ [name]: name === "not" ? within : [within] }), one));
  return fc
    .oneof({ weight: 12, arbitrary: inner }, { weight: 1, arbitrary: straight })
    .filter((one) => depthOf(one) <= 10 && testsOf(one) <= 100);
}

function joined(entries: readonly Entry[]): object {
  const made: Record<string, unknown> = {};
  for (const [name, operand] of entries) {
    const before = made[name];
    made[name] =
      before === undefined || Array.isArray(operand) || name === "not"
        ? operand
        : { ...(before as object), ...(operand as object) };
  }
  return made;
}

function within(condition: object): object[] {
  return Object.entries(condition).flatMap(([name, operand]) =>
    name === "not" ? [operand] : Array.isArray(operand) ? operand : [],
  );
}

function depthOf(condition: object): number {
  return 1 + Math.max(0, ...within(condition).map(depthOf));
}

function testsOf(condition: object): number {
  const own = Object.values(condition).map((operand: object) => Object.keys(operand).length);
  return [...own, ...within(condition).map(testsOf)].reduce((sum, one) => sum + one, 0);
}

/** A condition that compares one field, for laws about conditions. */
export function searchTests(records: readonly RecordObject[], type?: SearchType, index?: SearchIndex): fc.Arbitrary<object> {
  const fits = Object.entries(searchPlan.fields).filter(
    ([, field]) => (type === undefined || field.type === type) && (index === undefined || field.index === index),
  );
  return fc
    .oneof(...fits.map(([name, field]) => fieldArbitraries(name, field, records)))
    .map(([name, operand]) => ({ [name]: operand }));
}

/** A field and a value that it can be compared with, mostly one of the records'. */
export function searchOperands(
  records: readonly RecordObject[],
): fc.Arbitrary<{ field: string; value: unknown; ordered: boolean }> {
  return fc.oneof(
    ...Object.entries(searchPlan.fields).map(([field, one]) =>
      operandsOf(
        one,
        ownValues(field, one, records),
      )("eq").map((value) => ({
        field,
        value,
        ordered: one.type !== "boolean" && one.list === undefined && value !== null,
      })),
    ),
  );
}
