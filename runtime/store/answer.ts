import { type FieldTree, storeLimits } from "../contract/index.ts";

/** An answer ends before the record that would make it larger than about this many bytes; a cursor leads to the rest. */
export const largestAnswer = storeLimits.bytes;

/** The most records of an answer that is sorted by a long text, because an engine keeps this text of each record in memory. */
export const mostByText = storeLimits.byText;

/** The chosen paths of a record. An object without a chosen inner path is returned whole. */
export function chosen(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => chosen(one, fields));
  if (typeof value !== "object" || value === null) return value;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...fields].map(([name, inner]) => {
      const member = Object.hasOwn(object, name) ? object[name] : null;
      return [name, inner === null ? member : chosen(member, inner)];
    }),
  );
}
