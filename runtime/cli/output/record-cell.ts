import { snakeCase } from "../../base/text.ts";
import { visibleLine } from "../../base/visible-text.ts";

// The values of records as short texts.

export type Item = Readonly<Record<string, unknown>>;

/**
 * Members by which people know a thing, the best first. An object inside a record is shown by the first that it has, and a table without a
 * choice of fields begins with those that its records have.
 */
export const telling = [
  "login",
  "nameWithOwner",
  "fullName",
  "identifier",
  "key",
  "number",
  "title",
  "name",
  "messageHeadline",
  "subject",
  "summary",
  "slug",
  "tagName",
  "path",
  "sha",
  "oid",
  "code",
  "text",
  "state",
  "status",
  "type",
] as const;

/** The same for an object inside a record, of which a number says less than any name. */
const inside = [...telling.filter((name) => name !== "number"), "number"];

/** A value on one line, without characters that would move the cursor of the terminal or hide text. */
export function cellText(value: unknown): string {
  return visibleLine(valueText(value));
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(valueText).join(", ");
  if (!isItem(value)) return String(value);
  const members = Object.entries(value);
  const [only] = members;
  if (members.length === 1 && only !== undefined) return valueText(only[1]);
  const known = inside.map((name) => memberOf(value, name)).find((one) => isScalar(one));
  return known === undefined ? JSON.stringify(value) : String(known);
}

/** The value at a dotted path. Where the path goes through a list, the values of all elements. */
export function columnValue(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => columnValue(one, path));
  return isItem(value) ? columnValue(memberOf(value, name), rest) : undefined;
}

/** A member by its name, in camelCase or in snake_case. */
function memberOf(item: Item, name: string): unknown {
  if (Object.hasOwn(item, name)) return item[name];
  const own = Object.keys(item).find((one) => snakeCase(one) === snakeCase(name));
  return own === undefined ? undefined : item[own];
}

function isScalar(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
