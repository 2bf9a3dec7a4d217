import { isObject } from "../base/is-object.ts";
import { characterBoundary, snakeCase } from "../base/text.ts";

// Decision 18 in runtime/site/text/decisions-service.md says why: lists for models are tables, and each response is sent once.

// Lists of records as text for a model: a header, then one line for each record, so that no name is repeated.

/** A list as a table. */
export interface TextTable {
  /** Dotted paths of the fields to show. A path through a list gives the member of each of its elements. */
  readonly columns: readonly string[];
  /** A short view: long texts and lists are cut, and times are given as days. */
  readonly isBrief: boolean;
}

/** A record with a member for each column. */
export type TextRow = Readonly<Record<string, unknown>>;

/** Characters of a text that a short view shows. */
const shortText = 80;
/** Elements of a list that a short view shows. */
const shortList = 3;
/** Digits of a similarity behind the point: the others are noise of the model, and cost tokens. */
const scoreDigits = 3;

/** The table of the hits of a search by meaning: how similar each is, the record's own columns, and the passage. */
export function ofHits({ columns, isBrief }: TextTable): TextTable {
  return { columns: ["metadata.score", ...columns.map((column) => `entity.${column}`), "metadata.context"], isBrief };
}

/** The record as a row, in which a short view has its long texts and lists cut. */
export function textRow(record: unknown, { columns, isBrief }: TextTable): TextRow {
  return Object.fromEntries(
    columns.map((column) => {
      const value = at(record, column.split("."));
      if (column === "metadata.score" && typeof value === "number") return [column, Number(value.toFixed(scoreDigits))];
      return [column, brief(value, isBrief && column !== "metadata.context")];
    }),
  );
}

/** Rows as text, null for one that does not fit. Every line but the first is a record: a line break in a text is written as `\n`. */
export function textTable(rows: readonly (TextRow | null)[], { columns, isBrief }: TextTable): string {
  const days = columns.filter((column) => isBrief && isTimes(rows.map((row) => row?.[column])));
  const header = columns.map((column) => `${column.replace(/^(entity|metadata)\./, "")}${days.includes(column) ? " (day)" : ""}`);
  const line = (row: TextRow | null) =>
    row === null
      ? "(too long to show: choose fewer fields)"
      : columns.map((column) => cell(days.includes(column) ? String(row[column] ?? "").slice(0, 10) : row[column])).join("|");
  return [...(columns.length === 0 ? [] : [header.join("|")]), ...rows.map(line)].join("\n");
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => at(one, [name, ...rest]));
  if (!isObject(value)) return null;
  // A field may be named in snake_case too, as the response to it is not.
  const isOther = !Object.hasOwn(value, name) && name.includes("_");
  const key = isOther ? Object.keys(value).find((one) => snakeCase(one) === name) : name;
  return key !== undefined && Object.hasOwn(value, key) ? at(value[key], rest) : null;
}

function brief(value: unknown, isBrief: boolean): unknown {
  if (!isBrief) return value;
  if (Array.isArray(value) && value.length > shortList) return [...value.slice(0, shortList), `+${value.length - shortList}`];
  if (typeof value !== "string" || value.length <= shortText) return value;
  const kept = characterBoundary(value, shortText);
  return `${value.slice(0, kept)}…(+${value.length - kept} characters)`;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function isTimes(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== null && value !== undefined);
  return given.length > 0 && given.every((value) => typeof value === "string" && time.test(value));
}

/** What needs quotes: a text that would be read as another number of cells, lines or elements, or as nothing, or as quoted. */
const special = { cell: /^$|^["\s]|\s$|[|\p{Cc}\u2028\u2029]/u, element: /^$|^["\s]|\s$|[|,\p{Cc}\u2028\u2029]/u };

/** A value as the text of a cell; nothing for null. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return plain(value, special.cell);
  const isFlat = value.every((one) => typeof one !== "object" || one === null);
  return isFlat ? value.map((one: unknown) => plain(one, special.element)).join(",") : plain(value, special.cell);
}

function plain(value: unknown, unless: RegExp): string {
  if (typeof value === "string" && !unless.test(value)) return value;
  const lineEnds = /[\u007f-\u009f\u2028\u2029]/g;
  return JSON.stringify(value).replaceAll(lineEnds, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
