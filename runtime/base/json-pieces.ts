import { isObject } from "./is-object.ts";
import type { Mask } from "./redact.ts";

/** A part of a JSON value, with the path where it belongs. The elements of an array come in runs, each of which is appended. */
export interface Piece {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** What the thread that parses replies: a piece, or why there is none, and the milliseconds that it worked for it. */
export type TimedReply = PieceReply & { readonly ms: number };

export type PieceReply =
  | { readonly kind: "piece"; readonly path: readonly string[]; readonly text: string }
  | { readonly kind: "end" }
  /** The text is not JSON, or nested too deeply. */
  | { readonly kind: "unreadable" }
  /** The text has more values than it may have. */
  | { readonly kind: "too-many" };

/** What the thread does with texts, each of which has a number. */
export interface PieceApi {
  /** Parses a text when there is room for it. @param mask removes secrets from it before @returns its first piece */
  begin(id: number, bytes: Uint8Array<ArrayBuffer>, mask: Mask | undefined): Promise<TimedReply>;
  /** The next piece of a text. */
  next(id: number): TimedReply;
  /** Drops a text whose pieces are not needed. */
  forget(id: number): void;
}

/** What the thread is started with: how many values a text may have. */
export interface PieceLimits {
  readonly values: number;
}

/** About how many characters of JSON a piece has, which are parsed at once. */
const pieceLength = 64 * 1024;

/** Objects and lists within each other. No platform nests more, and going down into many more would overflow the stack. */
const deepest = 1000;

/** Lengths of shorter containers are not kept: to find them out again takes less than to keep millions of them. */
const keptLength = 1024;

/** A piece as JSON. */
export interface CutPiece {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * Cuts a value into pieces with short JSON, in an order in which {@link put} can put them together. A single text is never cut, however
 * long it is.
 *
 * @throws RangeError for a value that is nested too deeply
 */
export function* cut(value: unknown): Generator<CutPiece, undefined> {
  const lengths = new Map<object, number>();
  if (lengthOf(value, lengths) <= pieceLength || typeof value !== "object" || value === null)
    yield { path: [], text: JSON.stringify(value) };
  else yield* cutContainer(value, [], lengths);
}

function* cutContainer(value: object, path: readonly string[], lengths: Map<object, number>): Generator<CutPiece, undefined> {
  const isList = Array.isArray(value);
  // The empty container comes first, so that it exists when all of its members are pieces of their own.
  yield { path, text: isList ? "[]" : "{}" };
  let members: string[] = [];
  let length = 0;
  const piece = () => ({ path, text: isList ? `[${members.join()}]` : `{${members.join()}}` });
  for (const [key, inner] of membersOf(value)) {
    const own = lengthOf(inner, lengths);
    const apart = own > pieceLength && typeof inner === "object" && inner !== null;
    if (members.length > 0 && (apart || length + own > pieceLength)) {
      yield piece();
      members = [];
      length = 0;
    }
    if (apart) yield* cutContainer(inner, [...path, key], lengths);
    else {
      members.push(isList ? JSON.stringify(inner) : `${JSON.stringify(key)}:${JSON.stringify(inner)}`);
      length += own;
    }
  }
  if (members.length > 0) yield piece();
}

/** The members of an object, or the elements of a list with their places, without a list of them all. */
function* membersOf(value: object): Generator<readonly [key: string, inner: unknown]> {
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) yield [String(at), value[at]];
  else for (const key of Object.keys(value)) yield [key, member(value, key)];
}

/**
 * About how many characters a value has as JSON. Lengths of large containers are kept, because the length of the parent needs them again.
 */
function lengthOf(value: unknown, lengths: Map<object, number>, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  const known = lengths.get(value);
  if (known !== undefined) return known;
  if (depth > deepest) throw new RangeError(`the value is nested more than ${deepest} deep`);
  let length = 2;
  for (const [key, inner] of membersOf(value)) length += key.length + 4 + lengthOf(inner, lengths, depth + 1);
  if (length >= keptLength) lengths.set(value, length);
  return length;
}

/**
 * Puts one more piece of a value in its place.
 *
 * @param root the value made of the pieces so far; undefined before the first piece
 * @returns the value with this piece
 */
export function put(root: unknown, { path, value }: Piece): unknown {
  const last = path.at(-1);
  if (root === undefined || last === undefined) return root === undefined ? value : extend(root, value);
  const holder = path.slice(0, -1).reduce<unknown>(member, root);
  const here = member(holder, last);
  if (here === undefined) define(holder, last, value);
  else extend(here, value);
  return root;
}

function extend(here: unknown, value: unknown): unknown {
  if (Array.isArray(here) && Array.isArray(value)) for (const one of value as unknown[]) here.push(one);
  else if (isObject(here) && isObject(value)) for (const [key, one] of Object.entries(value)) define(here, key, one);
  return here;
}

function member(holder: unknown, key: string): unknown {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Sets a member. Like JSON.parse, it treats a key called `__proto__` as any other key. */
function define(holder: unknown, key: string, value: unknown): void {
  if (typeof holder === "object" && holder !== null)
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
