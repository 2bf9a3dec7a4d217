import { isObject } from "../base/is-object.ts";
import { type GraphqlGet, type GraphqlList, isHarmless } from "../contract/index.ts";
import type { Environment } from "./environment.ts";
import { checkCount, hasNextPage } from "./page-count.ts";
import { type ReadState, type RecordReader, valueAtPath } from "./record-reader.ts";

type Row = Record<string, unknown>;

/** Where a batch reads on for one parent: behind a cursor of its list, or inside one inner list of a list of lists. */
export interface BatchPosition {
  readonly after?: string;
  readonly inside?: { readonly id: string; readonly after: string };
}

/** What an answer has for one parent. */
export interface BatchPage {
  readonly kind: "page";
  readonly records: readonly Row[];
  /** Where the remaining records are read; empty when there are none. */
  readonly more: readonly BatchPosition[];
  /** False when the platform did not show every record of the page. */
  readonly whole: boolean;
  /** Set where the platform forbids to see the rest, and says so. */
  readonly forbidden?: true;
}

/** The pages that a batch has asked for: how many records of a list, and of the lists inside it. */
export interface BatchSizes {
  readonly outer: number;
  readonly inner: number;
}

/** Collects the records of one parent from the parts of an answer. */
class Collector {
  readonly records: Row[] = [];
  readonly more: BatchPosition[] = [];
  whole = true;
  readonly #read: RecordReader;
  readonly #state: ReadState;
  readonly #narrow: string | undefined;

  constructor(read: RecordReader, state: ReadState, narrow: string | undefined) {
    this.#read = read;
    this.#state = {
      ...state,
      warn: (warning) => {
        if (!isHarmless(warning)) this.whole = false;
      },
    };
    this.#narrow = narrow;
  }

  take(nodes: readonly unknown[]): void {
    for (const node of nodes) {
      if (!isObject(node)) this.whole = false;
      else if (this.#narrow === undefined || node["__typename"] === this.#narrow)
        this.records.push(this.#read(node, "data", this.#state));
    }
  }

  /** Notes that a list goes on behind a cursor. A list that goes on without a new cursor cannot be read to its end. */
  goesOn(more: boolean, cursor: unknown, before: string | undefined, position: (cursor: string) => BatchPosition): void {
    if (!more) return;
    if (typeof cursor === "string" && cursor !== "" && cursor !== before) this.more.push(position(cursor));
    else this.whole = false;
  }

  get page(): BatchPage {
    return { kind: "page", records: this.records, more: this.more, whole: this.whole };
  }
}

/**
 * Reads what an answer has for one parent.
 *
 * @param found what stands at the operation's path
 * @returns undefined when nothing usable stands there
 */
export function readBatchPage(
  operation: GraphqlGet | GraphqlList,
  found: unknown,
  { after, inside }: BatchPosition,
  sizes: BatchSizes,
  read: RecordReader,
  state: ReadState,
  env: Environment,
): BatchPage | undefined {
  const nested = operation.kind === "graphql-list" ? operation.nested : undefined;
  const collector = new Collector(read, state, operation.narrow ? operation.record.on : undefined);
  const listAt = (at: unknown, key: string, size: number): readonly unknown[] | undefined => {
    const list = valueAtPath(at, [key]);
    if (!Array.isArray(list)) return undefined;
    checkCount(list.length, size, env);
    // A list of which everything is missing says nothing about its records.
    const nodes = nested === undefined ? list : list.map((edge) => valueAtPath(edge, ["node"]));
    return nodes.length > 0 && nodes.every((node) => node === null) ? undefined : list;
  };
  /** Takes the records of an inner list. */
  const innerList = (at: unknown, id: unknown, before: string | undefined): void => {
    const edges = listAt(at, "edges", sizes.inner);
    if (edges === undefined || typeof id !== "string") {
      collector.whole = false;
      return;
    }
    collector.take(edges.map((edge) => valueAtPath(edge, ["node"])));
    const last = valueAtPath(edges.at(-1), ["cursor"]);
    collector.goesOn(hasNextPage(at, env), last, before, (cursor) => ({ inside: { id, after: cursor } }));
  };
  if (operation.kind === "graphql-get") {
    if (!isObject(found) || (operation.narrow && found["__typename"] !== operation.record.on)) return undefined;
    collector.take([found]);
    return collector.page;
  }
  if (operation.items === undefined) {
    if (!Array.isArray(found)) return undefined;
    collector.take(found);
    return collector.page;
  }
  if (inside !== undefined) {
    if (!isObject(found)) return undefined;
    innerList(found, inside.id, inside.after);
    return collector.page;
  }
  const list = listAt(found, nested === undefined ? operation.items : "edges", sizes.outer);
  if (list === undefined) return undefined;
  if (nested === undefined) collector.take(list);
  else
    for (const edge of list) innerList(valueAtPath(edge, ["node", nested.inner]), valueAtPath(edge, ["node", "id"]), undefined);
  collector.goesOn(hasNextPage(found, env), valueAtPath(found, ["pageInfo", "endCursor"]), after, (cursor) => ({
    after: cursor,
  }));
  return collector.page;
}
