/** Where a piece belongs, and its value. An array comes in runs of its elements, behind those that came before. */
export interface Piece {
  readonly path: readonly string[];
  readonly value: unknown;
}

export type PieceReply =
  | { readonly kind: "piece"; readonly id: number; readonly path: readonly string[]; readonly text: string }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "not-json"; readonly id: number };

/** Characters of JSON that are sent, and so parsed, at once. */
const pieceLength = 64 * 1024;

/**
 * Cuts a value into pieces whose JSON is short. A single text or number is never cut, however long it is.
 *
 * @param send is given each piece as JSON, in an order in which {@link put} can put them together
 */
export function cut(value: unknown, send: (path: readonly string[], text: string) => void): void {
  const text = JSON.stringify(value);
  if (text.length <= pieceLength || typeof value !== "object" || value === null) send([], text);
  else cutContainer(value, [], send);
}

function cutContainer(value: object, path: readonly string[], send: (path: readonly string[], text: string) => void): void {
  const isList = Array.isArray(value);
  // The container itself, so that it exists when nothing is in it.
  send(path, isList ? "[]" : "{}");
  let waiting: string[] = [];
  let length = 0;
  const flush = () => {
    if (waiting.length > 0) send(path, isList ? `[${waiting.join()}]` : `{${waiting.join()}}`);
    waiting = [];
    length = 0;
  };
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const text = JSON.stringify(inner);
    if (text.length > pieceLength && typeof inner === "object" && inner !== null) {
      flush();
      cutContainer(inner, [...path, key], send);
      continue;
    }
    if (length + text.length > pieceLength) flush();
    waiting.push(isList ? text : `${JSON.stringify(key)}:${text}`);
    length += text.length;
  }
  flush();
}

/**
 * Puts one more piece of a value in its place.
 *
 * @param root what the pieces before gave; undefined before the first one
 * @returns the value so far
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(holder: unknown, key: string): unknown {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Like JSON.parse: a key called `__proto__` is a member like any other. */
function define(holder: unknown, key: string, value: unknown): void {
  if (typeof holder === "object" && holder !== null)
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
