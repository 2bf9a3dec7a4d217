import { circleText } from "../base/cursor-circle.ts";
import { badCursor, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type GraphqlList, nestedOuterPage, type Page, type Paging, warning } from "../contract/index.ts";
import type { GraphqlAnswer } from "../platform/call.ts";
import { type Environment, readState, shortPage, warnOfHidden } from "./environment.ts";
import { notFound } from "./graphql-get.ts";
import { Cursors, type NestedPosition } from "./nested-cursor.ts";
import { checkCount, hasNextPage } from "./page-count.ts";
import { missingAt, type RecordReader, valueAtPath } from "./record-reader.ts";
import { documentVariables } from "./variables.ts";

type Row = Record<string, unknown>;

/** The most calls to the platform for one action. */
const mostCalls = 60;

/**
 * Reads the records inside the elements of an outer connection as one list, in order, each once. The cursor of this list is made here:
 * it names the outer element and the record inside it, so that a page may end in the middle of an element.
 */
export async function readNested(
  operation: GraphqlList,
  nested: { inner: string; rest: string },
  { size, cursor }: Paging,
  env: Environment,
): Promise<Page<Row>> {
  const { action, params } = env.request;
  const wanted = Number(params[size]);
  const walk = new NestedWalk(operation, nested, wanted, env);
  const cursors = new Cursors(await env.instance.secret(), action.name, documentVariables(operation, params));
  let position = cursors.read(params[cursor]);
  let more = true;
  const read = new Set([cursors.write(position)]);
  for (let calls = 0; more && walk.rows.length < wanted && calls < mostCalls; calls++) {
    const step = position.parent === undefined ? await walk.outer(position) : await walk.inside(position, position.parent);
    position = step.position;
    more = step.more;
    const next = cursors.write(position);
    if (more && read.has(next)) throw new TenonError("platform_failed", `${env.instance.connector.title} ${circleText}`);
    read.add(next);
  }
  if (more && walk.rows.length < wanted) env.warnings.add(shortPage("the platform gave too few records with each call."));
  return {
    data: walk.rows,
    meta: { has_next_page: more, end_cursor: more ? cursors.write(position) : null, ...env.warnings.meta },
  };
}

interface Step {
  readonly position: NestedPosition;
  readonly more: boolean;
}

class NestedWalk {
  readonly rows: Row[] = [];
  readonly #operation: GraphqlList;
  readonly #nested: { inner: string; rest: string };
  readonly #wanted: number;
  readonly #env: Environment;
  readonly #read: RecordReader;
  #outerSize = nestedOuterPage;
  #innerSize: number;

  constructor(operation: GraphqlList, nested: { inner: string; rest: string }, wanted: number, env: Environment) {
    this.#operation = operation;
    this.#nested = nested;
    this.#wanted = wanted;
    this.#env = env;
    this.#innerSize = wanted;
    this.#read = this.#selection(operation.document).read;
  }

  /** Reads a page of outer elements, each with its first records. */
  async outer(position: NestedPosition): Promise<Step> {
    const { instance, request, call } = this.#env;
    const fixed = documentVariables(this.#operation, request.params);
    const answer = await instance.client.graphql(
      {
        document: this.#selection(this.#operation.document).document,
        variables: () => ({
          ...fixed,
          first: this.#outerSize,
          size: this.#innerSize,
          ...(position.outer === undefined ? {} : { after: position.outer }),
        }),
        usable: (data, faults) =>
          this.#usable(valueAtPath(data, [...this.#operation.path, "edges"])) &&
          (faults.length === 0 || isObject(valueAtPath(data, [...this.#operation.path, "pageInfo"]))),
        shrink: () => this.#shrink(),
      },
      call,
    );
    warnOfHidden(answer, this.#env);
    const connection = valueAtPath(answer.data, this.#operation.path);
    if (!isObject(connection)) throw notFound(missingAt(answer.data, this.#operation.path), this.#env);
    const all = valueAtPath(connection, ["edges"]);
    const lists = [all, ...listOf(all).map((edge) => valueAtPath(edge, ["node", this.#nested.inner, "edges"]))];
    this.#warn(answer, lists);
    const edges = listOf(all);
    checkCount(edges.length, this.#outerSize, this.#env);
    const hasNext = hasNextPage(connection, this.#env);
    let here = position;
    for (const [index, edge] of edges.entries()) {
      const cursor = stringOrEmpty(valueAtPath(edge, ["cursor"]));
      const inner = valueAtPath(edge, ["node", this.#nested.inner]);
      checkCount(listOf(valueAtPath(inner, ["edges"])).length, this.#innerSize, this.#env);
      const innerGoesOn = isObject(inner) && hasNextPage(inner, this.#env);
      const left = this.#take(listOf(valueAtPath(inner, ["edges"])));
      const unread = left !== undefined || innerGoesOn;
      if (unread) {
        const last = left ?? stringOrEmpty(valueAtPath(listOf(valueAtPath(inner, ["edges"])).at(-1), ["cursor"]));
        return {
          position: { outer: here.outer, parent: { id: stringOrEmpty(valueAtPath(edge, ["node", "id"])), cursor, inner: last } },
          more: true,
        };
      }
      here = { outer: cursor };
      if (this.rows.length >= this.#wanted) return { position: here, more: hasNext || index < edges.length - 1 };
    }
    return { position: here, more: hasNext && edges.length > 0 };
  }

  /** Reads the remaining records of one outer element. Only a further call can tell whether more outer elements follow. */
  async inside(position: NestedPosition, parent: NonNullable<NestedPosition["parent"]>): Promise<Step> {
    const { instance, call } = this.#env;
    const path = ["node", this.#nested.inner];
    const size = () => Math.min(this.#innerSize, this.#wanted - this.rows.length);
    const answer = await instance.client
      .graphql(
        {
          document: this.#selection(this.#nested.rest).document,
          variables: () => ({
            parent: parent.id,
            size: size(),
            ...(parent.inner === "" ? {} : { inside: parent.inner }),
          }),
          usable: (data) => hasSomething(valueAtPath(data, [...path, "edges"])),
          shrink: () => this.#shrink(),
        },
        call,
      )
      .catch(unknownParent);
    const inner = valueAtPath(answer.data, path);
    if (!isObject(inner)) throw badCursor();
    this.#warn(answer, [valueAtPath(inner, ["edges"])]);
    const edges = listOf(valueAtPath(inner, ["edges"]));
    checkCount(edges.length, size(), this.#env);
    const goesOn = hasNextPage(inner, this.#env);
    const left = this.#take(edges);
    const last = left ?? stringOrEmpty(valueAtPath(edges.at(-1), ["cursor"]));
    const unread = left !== undefined || goesOn;
    if (unread && last !== "" && last !== parent.inner)
      return { position: { outer: position.outer, parent: { ...parent, inner: last } }, more: true };
    if (this.rows.length < this.#wanted) return { position: { outer: parent.cursor }, more: true };
    return { position: { outer: parent.cursor }, more: await this.#hasOuterAfter(parent.cursor) };
  }

  /** A page is usable unless every record of it is missing. */
  #usable(edges: unknown): boolean {
    if (!hasSomething(edges)) return false;
    const inner = listOf(edges).map((edge) => valueAtPath(edge, ["node", this.#nested.inner, "edges"]));
    return (
      inner.every((list) => listOf(list).length === 0) || inner.some((list) => listOf(list).length > 0 && hasSomething(list))
    );
  }

  /** Asks whether another outer element follows, so that `has_next_page` is exact. */
  async #hasOuterAfter(cursor: string): Promise<boolean> {
    const { instance, request, call } = this.#env;
    const fixed = documentVariables(this.#operation, request.params);
    const path = [...this.#operation.path, "edges"];
    const answer = await instance.client.graphql(
      {
        document: this.#selection(this.#operation.document).document,
        variables: () => ({ ...fixed, first: 1, size: 1, after: cursor }),
        usable: (data) => Array.isArray(valueAtPath(data, path)),
      },
      call,
    );
    const edges = valueAtPath(answer.data, path);
    // The platform may answer null without an error. That does not mean that the list has ended.
    if (!Array.isArray(edges)) throw notFound(missingAt(answer.data, path), this.#env);
    return edges.length > 0;
  }

  /** Takes records until the page is full. Returns the cursor of the last record taken when some are left, otherwise undefined. */
  #take(edges: readonly unknown[]): string | undefined {
    const state = readState(this.#env);
    for (const [index, edge] of edges.entries()) {
      if (this.rows.length >= this.#wanted) return index === 0 ? "" : stringOrEmpty(valueAtPath(edges[index - 1], ["cursor"]));
      const node = valueAtPath(edge, ["node"]);
      if (isObject(node)) this.rows.push(this.#read(node, `data.${this.rows.length}`, state));
      else this.#env.warnings.add(warning("data", "record_missing", "The platform left out one of these records."));
    }
    return undefined;
  }

  #shrink(): boolean {
    if (this.#outerSize <= 1 && this.#innerSize <= 1) return false;
    this.#outerSize = Math.ceil(this.#outerSize / 2);
    this.#innerSize = Math.ceil(this.#innerSize / 2);
    return true;
  }

  /** Warns of the errors in an answer. When there are none, warns of lists and elements that are missing without an error. */
  #warn({ faults, headers }: GraphqlAnswer, lists: readonly unknown[]): void {
    const isWhole = (list: unknown) => Array.isArray(list) && !list.includes(null);
    if (faults.length === 0 && !lists.every(isWhole))
      this.#env.warnings.add(
        warning("data", "record_missing", "The platform left out some of these records without saying why."),
      );
    for (const fault of faults) {
      const error = this.#env.instance.client.judge.error(fault, headers);
      this.#env.warnings.add({ path: "data", code: error.code, message: error.message });
    }
  }

  #selection(document: string) {
    const { record } = this.#operation;
    return this.#env.instance.selections.get(document, record, this.#env.request.choice);
  }
}

/** The outer element that the cursor names does not exist any more, so the cursor is not valid. */
function unknownParent(thrown: unknown): never {
  throw thrown instanceof TenonError && thrown.code === "not_found" ? badCursor() : thrown;
}

/** Whether a list is there and not all of its elements are missing. An empty list counts. */
function hasSomething(edges: unknown): boolean {
  return Array.isArray(edges) && (edges.length === 0 || edges.some((edge) => valueAtPath(edge, ["node"]) !== null));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => one !== null) : [];
}

function stringOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
