import type { GraphQLResolveInfo } from "graphql";
import { cursorWriter, readCursor } from "./cursor.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export interface Options<T> {
  /** Id of the record that the list belongs to. */
  readonly parent: string;
  /** More fields of an edge. */
  readonly edge?: (item: T) => Readonly<Record<string, unknown>>;
  /** The node of an item, when the item is more than its node. */
  readonly node?: (item: T) => unknown;
  readonly more?: Readonly<Record<string, unknown>>;
  /** The count to return, where the list has more items than can be paged through. */
  readonly totalCount?: number;
}

const pageNames: readonly string[] = ["first", "last", "after", "before"];

/**
 * A page of a list in the form of a connection. The size of the page was checked before the document ran. Edges and cursors are made when
 * they are read: most documents select neither.
 */
export function connectionOf<T extends object>(
  items: readonly T[],
  args: PageArguments,
  info: GraphQLResolveInfo,
  options: Options<T>,
) {
  const scope = scopeOf(args, info, options.parent);
  const node = options.node ?? ((item: T): unknown => item);
  const keys = items.map((item, index) => keyOf(node(item)) ?? String(index));
  const start = typeof args.after === "string" ? after(keys, readCursor(scope, args.after)) : 0;
  const end = typeof args.before === "string" ? before(keys, readCursor(scope, args.before)) : items.length;
  const { from, to } = cut(start, Math.max(start, end), args);
  const write = cursorWriter(scope);
  const cursor = (index: number) => write({ index, key: keys[index] ?? "" });
  const page = items.slice(from, to);
  return {
    totalCount: options.totalCount ?? items.length,
    nodes: page.map(node),
    get edges() {
      return page.map((item, index) => ({ cursor: cursor(from + index), node: node(item), ...options.edge?.(item) }));
    },
    pageInfo: {
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
      get startCursor() {
        return page.length === 0 ? null : cursor(from);
      },
      get endCursor() {
        return page.length === 0 ? null : cursor(to - 1);
      },
    },
    ...options.more,
  };
}

function cut(start: number, end: number, { first, last }: PageArguments): { from: number; to: number } {
  if (typeof first === "number") return { from: start, to: Math.min(end, start + first) };
  if (typeof last === "number") return { from: Math.max(start, end - last), to: end };
  // A document that reads only the count of a list needs no page size, and gets no records.
  return { from: start, to: start };
}

/** The position after a cursor. It follows the cursor's record; where that is gone, it is the index that the record had. */
function after(keys: readonly string[], place: { index: number; key: string }): number {
  const at = keys.indexOf(place.key);
  return at < 0 ? Math.min(place.index, keys.length) : at + 1;
}

function before(keys: readonly string[], place: { index: number; key: string }): number {
  const at = keys.indexOf(place.key);
  return at < 0 ? Math.min(place.index, keys.length) : at;
}

function scopeOf(args: PageArguments, info: GraphQLResolveInfo, parent: string): string {
  const own = Object.entries(args).filter(([name]) => !pageNames.includes(name));
  own.sort(([a], [b]) => (a < b ? -1 : 1));
  return `${info.parentType.name}.${info.fieldName}:${parent}:${JSON.stringify(own)}`;
}

function keyOf(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("id" in node)) return undefined;
  return typeof node.id === "string" ? node.id : undefined;
}
