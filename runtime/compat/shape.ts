import { isObject } from "../base/is-object.ts";
import type { Shape } from "./envelope.ts";

// How an answer is cut to what the client asked for. The rules are those that the client itself follows when it runs without a service.

/** Characters that are left of a long text. */
const longestText = 200;
const notice = "… [cut; the action get returns the whole text]";

/**
 * Makes a function that shapes one record.
 *
 * @param isList whether the record is one of many, in which long texts may be cut
 */
export function shaper({ select, exclude, truncate }: Shape, isList: boolean): (record: unknown) => unknown {
  // Split here, once, and not for every record.
  const selected = select.map(pathOf);
  const excluded = exclude.map(pathOf);
  const fields = (record: unknown): unknown => {
    if (!isObject(record)) return record;
    if (selected.length > 0) return chosenMembers(record, selected);
    return excluded.length > 0 ? without(record, excluded) : record;
  };
  return isList && truncate ? (record) => cut(fields(record)) : fields;
}

/** A name as the client wrote it, and the keys that it stands for where no member has the whole name. */
interface Path {
  readonly name: string;
  readonly keys: readonly string[];
}

function pathOf(name: string): Path {
  return { name, keys: name.split(".") };
}

type Members = Record<string, unknown>;

/** An object without a prototype, so that every name is a member like any other. */
function members(from: object = {}): Members {
  return Object.assign<Members, object>(Object.create(null), from);
}

function chosenMembers(record: Readonly<Members>, paths: readonly Path[]): Members {
  const made = members();
  for (const { name, keys } of paths) {
    if (Object.hasOwn(record, name)) made[name] = record[name];
    else put(made, record, keys, 0);
  }
  return made;
}

/** Copies the value at a path, starting at its key `at`. Skips a path that leads through null or a list, or to nothing. */
function put(to: Members, from: Readonly<Members>, keys: readonly string[], at: number): void {
  const key = keys[at] ?? "";
  if (!Object.hasOwn(from, key)) return;
  const next = at + 1;
  if (next >= keys.length) {
    to[key] = from[key];
    return;
  }
  const inner = from[key];
  // What is there whole already has the member too.
  if (!isObject(inner) || to[key] === inner || !hasPath(inner, keys, next)) return;
  const known = to[key];
  const made = isObject(known) ? (known as Members) : members();
  to[key] = made;
  put(made, inner, keys, next);
}

function hasPath(from: unknown, keys: readonly string[], at: number): boolean {
  const key = keys[at] ?? "";
  if (!isObject(from) || !Object.hasOwn(from, key)) return false;
  return at + 1 >= keys.length || hasPath(from[key], keys, at + 1);
}

function without(record: Readonly<Members>, paths: readonly Path[]): Members {
  const made = members(record);
  for (const { name, keys } of paths) {
    if (Object.hasOwn(made, name)) delete made[name];
    else remove(made, keys, 0);
  }
  return made;
}

/** Removes the value at a path, starting at its key `at`. Copies the objects on the way, because they belong to the record. */
function remove(from: Members, keys: readonly string[], at: number): void {
  const key = keys[at] ?? "";
  const next = at + 1;
  if (next >= keys.length) {
    delete from[key];
    return;
  }
  const inner = Object.hasOwn(from, key) ? from[key] : undefined;
  if (!isObject(inner) || !hasPath(inner, keys, next)) return;
  const copy = members(inner);
  from[key] = copy;
  remove(copy, keys, next);
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
