import { invalidRequest, type TenonError } from "../base/errors.ts";
import type { Mistake } from "./syntax.ts";

/** What an engine may find only while it runs a statement. */
export const outOfRange = {
  number: { message: "A number is too large, or too close to zero.", at: undefined },
  held: {
    message: "The percentiles of a statement have more than 8,000,000 values. Leave out some of them, or rows.",
    at: undefined,
  },
  joined: { message: "A number, or a text that string_agg makes, is too large.", at: undefined },
  time: { message: "A time is out of range: calendars have the years 1 to 9999.", at: undefined },
  text: { message: "The statement makes a text that is too long.", at: undefined },
  sought: { message: "What is looked for in a text has at most 1,000 characters.", at: undefined },
  row: { message: "A row of the result is larger than 32 MiB. Select fewer columns, or parts of their texts.", at: undefined },
} as const satisfies Readonly<Record<string, Mistake>>;

/** An expression of which the engines' SQL would be too long. */
export const tooDeep: Mistake = {
  message: "An expression has too many functions inside of each other. Use fewer of them.",
  at: undefined,
};

/**
 * The error for what is wrong in a statement, at its place in the request.
 *
 * @param text the statement, for the line and the column of the mistake
 */
export function statementFault({ message, at, allowed, suggestion }: Mistake, text?: string): TenonError {
  const place = at === undefined || text === undefined ? "" : ` (${lineAndColumn(text, at)})`;
  const hint = suggestion === undefined ? {} : { suggestion };
  const list = allowed === undefined ? {} : { allowed };
  return invalidRequest([{ pointer: "/params/sql", code: "bad_statement", message: `${message}${place}`, ...list, ...hint }]);
}

/** @param at byte of the text in UTF-8 */
function lineAndColumn(text: string, at: number): string {
  const before = Buffer.from(text).subarray(0, at).toString();
  const lines = before.split("\n");
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1}`;
}
