import type { SearchType } from "../contract/index.ts";

/** What values are compared by: texts by code point, numbers and instants (milliseconds since 1970) by number. */
export type Comparable = string | number | boolean | null;

/** ISO 8601: a date, or a date and time with its offset. A date alone is its midnight in UTC. */
const timestamp =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<offsetHour>\d{2}):?(?<offsetMinute>\d{2})))?$/i;

/** The instant that a text names, or undefined when it names none. */
export function instantOf(text: string): number | undefined {
  const parts = timestamp.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const part = (name: string) => Number(parts[name] ?? 0);
  const [month, day] = [part("month") - 1, part("day")];
  const date = new Date(Date.UTC(2000, 0, 1, part("hour"), part("minute"), part("second")));
  date.setUTCMilliseconds(Math.floor(Number(`0.${parts["fraction"] ?? 0}`) * 1000));
  if (date.getUTCDate() !== 1 || part("minute") > 59 || part("second") > 59) return undefined;
  date.setUTCFullYear(part("year"), month, day);
  // What is no day of its month has become one of another month.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  if (part("offsetHour") > 23 || part("offsetMinute") > 59) return undefined;
  const offset = (part("offsetHour") * 60 + part("offsetMinute")) * 60_000;
  return date.getTime() - (parts["sign"] === "-" ? -offset : offset);
}

/** A record's value as it is compared. What is missing, or is not of the field's type, is null. */
export function comparable(type: SearchType, value: unknown): Comparable {
  switch (type) {
    case "string":
      return typeof value === "string" ? value : null;
    case "integer":
    case "number":
      // Adding zero makes a negative zero the same as the other.
      return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "timestamp":
      return typeof value === "string" ? (instantOf(value) ?? null) : null;
  }
}

/** Order of two values of one type, neither of them null: negative, 0 or positive. */
export function compareValues(a: Comparable, b: Comparable): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return Number(a) - Number(b);
}

/**
 * Order by code point. JavaScript orders by code unit, which differs where one text has a surrogate pair (U+10000 and above) and
 * the other a character from U+E000.
 */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one !== other) return shifted(one) - shifted(other);
  }
  return a.length - b.length;
}

/** Code units in the order of the code points that they begin: surrogates behind all others. */
function shifted(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}
