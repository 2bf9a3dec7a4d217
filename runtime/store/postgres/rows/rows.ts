import { createHash } from "node:crypto";
import { wellFormed } from "../../../base/well-formed.ts";
import {
  type Comparable,
  comparedValue,
  fold,
  keyText,
  type RecordObject,
  testedValues,
  wordsOf,
} from "../../../search/index.ts";
import type { Column, Layout } from "../tables/layout.ts";
import { givenText, storedText } from "../tables/text.ts";
import { type TokenList, tokensOf } from "../words/word-tokens.ts";

export type StoredValue = string | number | boolean | null;

/** A record in the form in which the tables store it. */
export interface Row {
  readonly key: string;
  /** A digest of everything that an answer has of the record. */
  readonly digest: string;
  /** The values of the columns, by the names that `Layout.written` has, but for the words. */
  readonly values: Readonly<Record<string, StoredValue | readonly string[]>>;
  /** The words of each field that has an index of words, each once, by the number of the field. */
  readonly words: ReadonlyMap<number, TokenList>;
}

/**
 * Bytes of the longest key, of the longest value of an enumeration or scope, and of the longest token of an array that are stored as they
 * are. An entry of an index has a limit, and has at most one key and one such value.
 */
const longestKey = 1_800;
const longestShort = 600;
/** The bytes of a digest that ends a text in the place of the rest, and of the sign before it. */
const digestRoom = 64;
/** Bytes up to which a value of an enumeration or scope is surely not shortened. The last character may have been left out. */
export const surelyWhole = longestShort - digestRoom - 4;
const longestToken = 255;

/** The key under which a record is stored. */
export function keyOf({ plan }: Layout, record: RecordObject): string {
  return storedKey(keyText(plan, wellFormed(record)));
}

/** @param inst the id of the instance, with which all tokens begin */
export function rowOf(layout: Layout, inst: number, given: RecordObject): Row {
  const record = wellFormed(given);
  const values: Record<string, Row["values"][string]> = {};
  const found: Record<string, unknown> = {};
  const words = new Map<number, TokenList>();
  for (const [field, column] of layout.columns) {
    const spec = layout.plan.fields[field];
    const tested = spec === undefined ? [] : testedValues(spec, record[field]);
    const [value = null] = tested;
    if (column.kind !== "wide") found[field] = record[field] ?? null;
    if (column.kind === "list") values[column.name] = tested.map((one) => itemToken(inst, one));
    else if (column.kind !== "key") {
      const compared = comparedValue(column.type, record[field]);
      values[column.name] =
        column.isShort === true && typeof compared === "string" ? storedShort(compared) : storedValue(compared);
    }
    if (column.folded !== undefined) values[column.folded] = typeof value === "string" ? storedText(fold(value)) : null;
    if (column.words === undefined) continue;
    const all = tested.length === 1 && typeof value === "string" ? wordsOf(value) : tested.flatMap(wordsIn);
    words.set(column.words.number, tokensOf(inst, all));
  }
  const inMore = (name: string, value: unknown) => {
    const column = layout.columns.get(name);
    // A long text has a column of its own. What is no text has no place there.
    return column === undefined || (column.kind === "wide" && typeof value !== "string" && value !== null && value !== undefined);
  };
  const more = Object.fromEntries(Object.entries(record).filter(([name, value]) => inMore(name, value)));
  values["found"] = JSON.stringify(found);
  values["more"] = JSON.stringify(more);
  const digest = createHash("sha256");
  for (const name of ["found", "more", ...wideNames(layout)]) digest.update(JSON.stringify(values[name] ?? null));
  values["digest"] = digest.digest("base64");
  return { key: storedKey(keyText(layout.plan, record)), digest: String(values["digest"]), values, words };
}

function wordsIn(value: Comparable): string[] {
  return typeof value === "string" ? wordsOf(value) : [];
}

/** A value as a column stores it. */
export function storedValue(value: Comparable): Comparable {
  return typeof value === "string" ? storedText(value) : value;
}

/** The value that a column stores. */
export function givenValue(stored: Comparable): Comparable {
  return typeof stored === "string" ? givenText(stored) : stored;
}

/**
 * A key as it is stored. A key that is too long for an index ends in a digest. Given such a key again, the result is the same.
 */
export function storedKey(key: string): string {
  return shortened(storedText(key), longestKey);
}

/** A value of an enumeration or a scope as it is stored, likewise. */
export function storedShort(value: string): string {
  return shortened(storedText(value), longestShort);
}

function shortened(stored: string, longest: number): string {
  return Buffer.byteLength(stored) <= longest ? stored : `${beginningOf(stored, longest - digestRoom)}#${digestOf(stored)}`;
}

/** Whether a stored key may be one that was too long. */
export function mayBeCut(stored: string): boolean {
  // The last character before the digest may have been left out.
  return Buffer.byteLength(stored) > longestKey - digestRoom - 4;
}

/** What stands for a word in a vocabulary. */
export function shortToken(word: string): string {
  return Buffer.byteLength(word) <= longestToken ? word : `#${digestOf(word)}`;
}

/** What stands for a value of a list; for null, what stands for an empty list. */
export function itemToken(inst: number, value: Comparable): string {
  if (value === null) return `${inst}`;
  return `${inst}:${shortToken(`=${storedText(String(value))}`)}`;
}

/** The value of a list for which a token stands; null for an empty list, and for a value that is too long to be in its token. */
export function itemOf(token: string): string | null {
  const at = token.indexOf(":=");
  return at < 0 ? null : givenText(token.slice(at + 2));
}

/**
 * Makes the record of a stored row: first the searchable fields, then the others.
 *
 * @param texts the long texts, in the order of the columns
 */
export function recordOf(
  wide: readonly Column[],
  found: string,
  texts: readonly (string | null)[],
  more: string,
): Record<string, unknown> {
  return Object.assign(foundOf(wide, found, texts), JSON.parse(more));
}

/** The searchable fields of a stored row. */
export function foundOf(wide: readonly Column[], found: string, texts: readonly (string | null)[]): Record<string, unknown> {
  const record = JSON.parse(found) as Record<string, unknown>;
  for (const [index, { field }] of wide.entries()) {
    const text = texts[index] ?? null;
    record[field] = text === null ? null : givenText(text);
  }
  return record;
}

/**
 * The searchable fields of a stored row as JSON, for which the stored JSON need not be read.
 *
 * @param more JSON of the other fields, where a value that is no text stands there instead of in the column of a long text
 */
export function foundJson(
  wide: readonly Column[],
  found: string,
  texts: readonly (string | null)[],
  more: string | undefined,
): string {
  if (wide.length === 0) return found;
  const members = wide.map(({ field }, index) => {
    const text = texts[index] ?? null;
    const key = `${JSON.stringify(field)}:`;
    return key + (text !== null ? JSON.stringify(givenText(text)) : more?.includes(key) ? memberJson(more, field) : "null");
  });
  return `{${members.join()}${found === "{}" ? "" : ","}${found.slice(1)}`;
}

function memberJson(object: string, name: string): string {
  const members = JSON.parse(object) as Readonly<Record<string, unknown>>;
  return JSON.stringify(Object.hasOwn(members, name) ? members[name] : null);
}

function wideNames(layout: Layout): string[] {
  return [...layout.columns.values()].filter(({ kind }) => kind === "wide").map(({ name }) => name);
}

function beginningOf(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, "");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
