import { isObject } from "../execute/index.ts";
import type { Shape } from "./envelope.ts";

// How an answer is cut to what the client asked for. The rules are those that the client itself follows when it runs without a service.

/** Characters that are left of a long text. */
const longestText = 200;
const notice = "… [cut; the action get answers the whole text]";

/**
 * Makes a function that shapes one record.
 *
 * @param isList whether the record is one of many, in which long texts may be cut
 */
export function shaper({ select, exclude, truncate }: Shape, isList: boolean): (record: unknown) => unknown {
  const fields = (record: unknown): unknown => {
    if (!isObject(record)) return record;
    if (select.length > 0) return only(record, select);
    return exclude.length > 0 ? without(record, exclude) : record;
  };
  return isList && truncate ? (record) => cut(fields(record)) : fields;
}

type Members = Record<string, unknown>;

/** An object without a prototype, so that every name is a member like any other. */
function members(from: object = {}): Members {
  return Object.assign<Members, object>(Object.create(null), from);
}

function only(record: Readonly<Members>, names: readonly string[]): Members {
  const made = members();
  for (const name of names) {
    if (Object.hasOwn(record, name)) made[name] = record[name];
    else put(made, record, name.split("."));
  }
  return made;
}

/** Copies what stands at a path. A path that leads through null or a list, or to nothing, is left out. */
function put(to: Members, from: Readonly<Members>, [key = "", ...rest]: readonly string[]): void {
  if (!Object.hasOwn(from, key)) return;
  if (rest.length === 0) {
    to[key] = from[key];
    return;
  }
  const inner = from[key];
  // What is there whole already has the member too.
  if (!isObject(inner) || to[key] === inner || !hasPath(inner, rest)) return;
  const known = to[key];
  const made = isObject(known) ? (known as Members) : members();
  to[key] = made;
  put(made, inner, rest);
}

function hasPath(from: unknown, [key = "", ...rest]: readonly string[]): boolean {
  if (!isObject(from) || !Object.hasOwn(from, key)) return false;
  return rest.length === 0 || hasPath(from[key], rest);
}

function without(record: Readonly<Members>, names: readonly string[]): Members {
  const made = members(record);
  for (const name of names) {
    if (Object.hasOwn(made, name)) delete made[name];
    else remove(made, name.split("."));
  }
  return made;
}

/** Removes what stands at a path. The objects on the way are copied, because they belong to the record. */
function remove(from: Members, [key = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    delete from[key];
    return;
  }
  const inner = Object.hasOwn(from, key) ? from[key] : undefined;
  if (!isObject(inner) || !hasPath(inner, rest)) return;
  const copy = members(inner);
  from[key] = copy;
  remove(copy, rest);
}

/** Cuts every long text in a value. */
function cut(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
  if (Array.isArray(value)) return value.map(cut);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]));
}

/** Counts characters, and not halves of them. */
function cutText(text: string): string {
  if (text.length <= longestText) return text;
  // So many code units hold as many characters or more than are left.
  const first = [...text.slice(0, 2 * longestText + 1)];
  return first.length > longestText ? first.slice(0, longestText).join("") + notice : text;
}
