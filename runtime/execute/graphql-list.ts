import { circleText } from "../base/cursor-circle.ts";
import { TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type GraphqlList, onlyPage, type Page, type Paging, pageInfo, pathKeys, warning } from "../contract/index.ts";
import type { GraphqlAnswer } from "../platform/call.ts";
import { type Environment, readState, recordsMissing, shortPage, warnOfHidden } from "./environment.ts";
import { answerPath, isOther, notFound } from "./graphql-get.ts";
import { readNested } from "./nested-list.ts";
import { checkCount, hasNextPage } from "./page-count.ts";
import { missingAt, valueAtPath } from "./record-reader.ts";
import { documentVariables } from "./variables.ts";

type Row = Record<string, unknown>;

/** The most calls to the platform for one list action. It allows 1,000 search results in pages of 100, and halved pages. */
const mostCalls = 40;
/** After so many calls in a row without any record the list goes on in the next page. */
const mostEmpty = 5;

/** Reads a list: as many records as were requested, with as many calls as that takes. */
export function readList(operation: GraphqlList, env: Environment): Promise<Page<Row>> {
  const { items, nested, page } = operation;
  if (nested !== undefined && page !== undefined) return readNested(operation, nested, page, env);
  return items === undefined || page === undefined ? readWhole(operation, env) : readPages(operation, items, page, env);
}

/** Reads a list that the platform does not divide into pages. */
async function readWhole(operation: GraphqlList, env: Environment): Promise<Page<Row>> {
  const { instance, request, call } = env;
  const { params, choice } = request;
  const { document, read } = instance.selections.get(operation.document, operation.record, choice);
  const variables = documentVariables(operation, params);
  const answer = await instance.client.graphql(
    { document, variables: () => variables, usable: (data) => Array.isArray(valueAtPath(data, operation.path)) },
    call,
  );
  const list = valueAtPath(answer.data, operation.path);
  const isEmpty = operation.emptyWhen !== undefined && valueAtPath(answer.data, pathKeys(operation.emptyWhen)) === true;
  if (!Array.isArray(list) && isEmpty) return { data: [], meta: { ...onlyPage, ...env.warnings.meta } };
  if (!Array.isArray(list)) throw notFound(missingAt(answer.data, operation.path), env);
  warnOfHidden(answer, env);
  const rows: Row[] = [];
  const state = readState(env);
  takeRows(rows, list, answer, operation.path, operation, env, (node, at) => read(node, at, state));
  return { data: rows, meta: { ...onlyPage, ...env.warnings.meta } };
}

async function readPages(
  operation: GraphqlList,
  items: "nodes" | "edges",
  { size, cursor, max }: Paging,
  env: Environment,
): Promise<Page<Row>> {
  const { instance, request, call } = env;
  const { params, choice } = request;
  const isCounted = call.withTotal === true && operation.counts === true;
  const totalField = isCounted ? "totalCount" : operation.total;
  const text = isCounted ? operation.document.replaceAll(pageInfo, `${pageInfo}totalCount`) : operation.document;
  const { document, read } = instance.selections.get(text, operation.record, choice);
  const fixed = documentVariables(operation, params);
  const wanted = Number(params[size]);
  const after = params[cursor];
  const walk = new PageWalk(wanted, max, typeof after === "string" ? after : "");
  const rows: Row[] = [];
  const state = readState(env);
  let total: number | undefined;
  let empty = 0;
  for (let calls = 1; ; calls++) {
    let answer: GraphqlAnswer;
    try {
      answer = await instance.client.graphql(
        {
          document,
          variables: () => ({ ...fixed, ...walk.variables(rows.length) }),
          usable: (data, faults) =>
            isUsable(valueAtPath(data, [...operation.path, items])) &&
            (faults.length === 0 || isObject(valueAtPath(data, [...operation.path, "pageInfo"]))),
          shrink: () => walk.shrink(),
        },
        call,
      );
    } catch (thrown) {
      if (rows.length === 0 || !(thrown instanceof TenonError && thrown.retryable)) throw thrown;
      // The records read so far are returned; the caller reads on with the cursor.
      env.warnings.add(shortPage(thrown.message));
      break;
    }
    warnOfHidden(answer, env);
    const connection = valueAtPath(answer.data, operation.path);
    if (!isObject(connection)) {
      if (operation.empty !== undefined && endsAt(answer.data, operation.path, operation.empty)) break;
      throw notFound(missingAt(answer.data, operation.path), env);
    }
    const list = valueAtPath(connection, [items]);
    if (!Array.isArray(list))
      throw new TenonError("platform_failed", `${instance.connector.title} sent a page that is not a list.`);
    checkCount(list.length, walk.size, env);
    takeRows(rows, list, answer, [...operation.path, items], operation, env, (node, at) => read(node, at, state));
    const counted = totalField === undefined ? undefined : valueAtPath(connection, [totalField]);
    if (typeof counted === "number") total = counted;
    const goesOn = walk.note(hasNextPage(connection, env), valueAtPath(connection, ["pageInfo", "endCursor"]));
    if (!goesOn) env.warnings.add(warning("data", "list_ended"));
    if (walk.circle) throw new TenonError("platform_failed", `${instance.connector.title} ${circleText}`);
    empty = list.length === 0 ? empty + 1 : 0;
    if (rows.length >= wanted || !walk.more) break;
    if (calls >= mostCalls || empty >= mostEmpty) {
      env.warnings.add(shortPage("the platform gave too few records with each call."));
      break;
    }
  }
  return {
    data: rows,
    meta: {
      has_next_page: walk.more,
      end_cursor: walk.endCursor(operation.cursorAlways ?? false),
      ...(total === undefined ? {} : { total_count: total }),
      ...env.warnings.meta,
    },
  };
}

/** The position of a walk through pages, and the size of its next page. */
class PageWalk {
  readonly #wanted: number;
  /** How many records the last page was to have. */
  size: number;
  cursor: string;
  more = false;
  /** Whether the next page is one that was read already. */
  circle = false;
  readonly #cursors: Set<string>;

  constructor(wanted: number, limit: number, cursor: string) {
    this.#wanted = wanted;
    this.size = Math.min(wanted, limit);
    this.cursor = cursor;
    this.#cursors = new Set([cursor]);
  }

  variables(have: number): { first: number; after?: string } {
    this.size = Math.max(1, Math.min(this.size, this.#wanted - have));
    return { first: this.size, ...(this.cursor === "" ? {} : { after: this.cursor }) };
  }

  /** Halves the page, which starts at the same cursor. Returns false when the page cannot get smaller. */
  shrink(): boolean {
    if (this.size <= 1) return false;
    this.size = Math.ceil(this.size / 2);
    return true;
  }

  /** Notes whether a page is followed by another one. Returns false when there are more records but no cursor to read them with. */
  note(more: boolean, endCursor: unknown): boolean {
    const goesOn = typeof endCursor === "string" && endCursor !== "" && endCursor !== this.cursor;
    this.more = more && goesOn;
    if (goesOn) {
      this.circle = more && this.#cursors.has(endCursor);
      this.#cursors.add(endCursor);
      this.cursor = endCursor;
    }
    return this.more === more;
  }

  /** The cursor for the caller: null on the last page, unless the action always answers a string. */
  endCursor(always: boolean): string | null {
    return this.more || always ? this.cursor : null;
  }
}

/** A page is usable unless every record of it is missing. */
function isUsable(list: unknown): boolean {
  return Array.isArray(list) && (list.length === 0 || list.some((one) => one !== null));
}

/** Whether the path leads to objects up to the given key, and the key has null. */
function endsAt(data: unknown, path: readonly string[], key: string): boolean {
  const until = path.slice(0, path.indexOf(key) + 1);
  return isObject(valueAtPath(data, until.slice(0, -1))) && valueAtPath(data, until) === null;
}

/**
 * Adds the records of one page. Objects of another type are passed over, because a search mixes types. Elements that are no objects are
 * left out and reported. Errors inside a record become warnings that name the record by its place in our answer.
 */
function takeRows(
  rows: Row[],
  list: readonly unknown[],
  answer: GraphqlAnswer,
  path: readonly string[],
  operation: GraphqlList,
  env: Environment,
  read: (node: unknown, at: string) => Row,
): void {
  const places = new Map<number, number>();
  for (const [index, node] of list.entries()) {
    if (!isObject(node)) continue;
    if (isOther(node, operation.narrow)) continue;
    places.set(index, rows.length);
    rows.push(read(node, `data.${rows.length}`));
  }
  const missing = list.filter((node) => !isObject(node)).length;
  const { judge } = env.instance.client;
  let explained = 0;
  for (const fault of answer.faults) {
    const error = judge.error(fault, answer.headers);
    const index = fault.path[path.length];
    const place = typeof index === "number" ? places.get(index) : undefined;
    if (place === undefined && typeof index === "number") explained++;
    env.warnings.add({
      path: place === undefined ? "data" : answerPath(fault.path.slice(path.length + 1), `data.${place}`),
      code: error.code,
      message: error.message,
    });
  }
  if (missing > explained) env.warnings.add(recordsMissing(missing - explained));
}
