import { CursorCircle, circleText } from "../base/cursor-circle.ts";
import { TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { batchKey, type OverflowPlan, overflowText, pathKeys, type RecordPlan } from "../contract/index.ts";
import type { GraphqlAnswer } from "../platform/call.ts";
import type { GraphqlFault } from "../platform/failure.ts";
import type { ConnectorInstance } from "./instance.ts";
import { type ReadState, valueAtPath } from "./record-reader.ts";
import type { CutList, ExecuteContext } from "./result.ts";

/** The most elements that one reading adds. Lists that are longer stay cut, because whole records are held in memory. */
const mostElements = 100_000;
/** How often a list is requested again when the platform fails for it alone. */
const mostTries = 3;

/** After so many pages in a row without any element a list counts as one without an end. */
const mostEmpty = 20;

/** A list that is being read on. */
interface Open {
  readonly cut: CutList;
  readonly circle: CursorCircle;
  /** How many pages, the last ones in a row, had no element. */
  readonly empty: number;
  /** Cursor of the next page; null where the list is read from its beginning. */
  readonly after: string | null;
  readonly tries: number;
}

/**
 * Reads lists inside records to their end, several with each call, and adds the elements to the records. Lists of records that do not
 * exist any more stay as they are.
 *
 * @param cuts lists of records of this plan
 * @returns false when the rest of a list is not read: the platform does not show it, or it is too long
 * @throws TenonError when the platform fails
 */
export async function readOverflow(
  instance: ConnectorInstance,
  record: RecordPlan,
  cuts: readonly CutList[],
  context: ExecuteContext,
): Promise<boolean> {
  const { overflow } = record;
  if (overflow === undefined) return true;
  const reading = new Overflow(instance, record, overflow, context);
  let open: readonly Open[] = cuts.map((cut) => ({ cut, circle: new CursorCircle(), empty: 0, after: cut.after, tries: 0 }));
  while (open.length > 0) open = await reading.some(open);
  return reading.whole;
}

class Overflow {
  whole = true;
  readonly #instance: ConnectorInstance;
  readonly #record: RecordPlan;
  readonly #plan: OverflowPlan;
  readonly #context: ExecuteContext;
  /** How many lists one call reads on: as many as the plan says, or fewer when the platform found that too expensive. */
  #size: number;
  /** How many of the next lists are requested one by one. */
  #alone = 0;
  /** How many elements may still be added. */
  #room = mostElements;

  constructor(instance: ConnectorInstance, record: RecordPlan, plan: OverflowPlan, context: ExecuteContext) {
    this.#instance = instance;
    this.#record = record;
    this.#plan = plan;
    this.#context = context;
    this.#size = plan.batch;
  }

  /** Reads the next page of the first lists. @returns the lists of which something remains to be read */
  async some(open: readonly Open[]): Promise<Open[]> {
    const asked = open.slice(0, this.#alone > 0 ? 1 : this.#size);
    try {
      const { count, answer } = await this.#ask(asked);
      if (this.#alone > 0) this.#alone--;
      const answered = asked.slice(0, count);
      return [...answered.flatMap((one, index) => this.#taken(one, index, answer)), ...open.slice(count)];
    } catch (thrown) {
      return [...this.#refused(thrown, asked), ...open.slice(asked.length)];
    }
  }

  /** @returns the answer, and for how many lists it is: fewer than asked for when the platform found the call too expensive */
  async #ask(asked: readonly Open[]): Promise<{ readonly count: number; readonly answer: GraphqlAnswer }> {
    let now = asked;
    const { client } = this.#instance;
    const answer = await client.graphql(
      {
        document: () =>
          overflowText(
            this.#plan,
            now.map(({ cut }) => cut.field),
          ),
        variables: () => Object.fromEntries(now.flatMap((one, index) => this.#variables(one, index))),
        usable: (data, faults) => isObject(data) && now.some((_, index) => this.#isSettled(data, faults, index)),
        shrink: () => {
          if (now.length === 1) return false;
          now = now.slice(0, Math.ceil(now.length / 2));
          this.#size = now.length;
          return true;
        },
      },
      { ...this.#context, deadline: performance.now() + this.#context.timeout },
    );
    return { count: now.length, answer };
  }

  #variables({ cut, after }: Open, index: number): (readonly [string, unknown])[] {
    const id = [`id_${index}`, cut.record[this.#plan.id]] as const;
    return after === null ? [id] : [id, [`after_${index}`, after]];
  }

  /** Whether an answer says of a list how it goes on, or that it will not be shown. */
  #isSettled(data: unknown, faults: readonly GraphqlFault[], index: number): boolean {
    if (isObject(valueAtPath(data, [batchKey(index)]))) return true;
    const rules = faultsOf(faults, index).map((fault) => this.#instance.client.judge.rule(fault));
    return rules.every((rule) => rule !== undefined && rule.retry === undefined && rule.shrink === undefined);
  }

  /**
   * What remains to be read after a call that failed as a whole. A record that is gone may make the whole answer empty, so the lists are
   * then asked for one by one.
   */
  #refused(thrown: unknown, asked: readonly Open[]): Open[] {
    const code = thrown instanceof TenonError ? thrown.code : undefined;
    if (code !== "not_found" && code !== "platform_forbidden" && code !== "bad_cursor") throw thrown;
    if (asked.length > 1) {
      this.#alone = asked.length;
      return [...asked];
    }
    if (this.#alone > 0) this.#alone--;
    if (code === "not_found") return [];
    return asked.flatMap((one) => (code === "bad_cursor" ? this.#restarted(one, thrown) : this.#hidden()));
  }

  /** Adds the elements that an answer has of one list. @returns the list, where something of it remains to be read */
  #taken(one: Open, index: number, { data, faults, headers }: GraphqlAnswer): Open[] {
    const { cut, after } = one;
    const { judge } = this.#instance.client;
    const [fault] = faultsOf(faults, index);
    if (fault !== undefined) {
      const error = judge.error(fault, headers);
      const rule = judge.rule(fault);
      // A record that is not found is gone. The next sync sees that.
      if (error.code === "not_found") return [];
      if (error.code === "bad_cursor") return this.#restarted(one, error);
      return rule?.retry || rule?.shrink ? this.#again(one, error) : this.#hidden();
    }
    const found = valueAtPath(data, [batchKey(index)]);
    if (!isObject(found)) return [];
    const page = this.#read(found, cut);
    if (page === undefined)
      return this.#again(
        one,
        new TenonError("platform_failed", `${this.#instance.connector.title} sent a page that is not a list.`),
      );
    const elements = after === null ? page.elements : [...listOf(cut), ...page.elements];
    cut.record[cut.field] = elements;
    this.#room -= page.elements.length;
    if (page.after === undefined) return [];
    // A list that goes on without a new cursor cannot be read to its end.
    if (page.after === after) return this.#hidden();
    const empty = page.elements.length === 0 ? one.empty + 1 : 0;
    const { title } = this.#instance.connector;
    if (one.circle.closes(page.after)) throw new TenonError("platform_failed", `${title} ${circleText}`);
    if (empty > mostEmpty)
      throw new TenonError(
        "platform_failed",
        `${title} sent ${empty} pages in a row without any element of ${this.#record.name}.${cut.field}, so the list never ends.`,
      );
    if (this.#room > 0) return [{ ...one, empty, after: page.after, tries: 0 }];
    this.#context.log.warn(
      { requestId: this.#context.requestId, record: this.#record.name, field: cut.field, elements: elements.length },
      "the lists of a page are too long, and the end of one is not stored",
    );
    return this.#hidden();
  }

  /** The platform no longer knows the cursor of a list, which is then read from its beginning. */
  #restarted(one: Open, error: unknown): Open[] {
    if (one.after === null) throw error;
    return this.#again({ ...one, circle: new CursorCircle(), after: null }, error);
  }

  /** @throws the error when the list was requested too often */
  #again(one: Open, error: unknown): Open[] {
    if (one.tries + 1 >= mostTries) throw error;
    return [{ ...one, tries: one.tries + 1 }];
  }

  /** The rest of a list is not read. */
  #hidden(): [] {
    this.whole = false;
    return [];
  }

  /** The elements of a list's page, and the cursor of the next one. Undefined where the answer has no list. */
  #read(
    found: object,
    { field }: CutList,
  ): { readonly elements: readonly unknown[]; readonly after: string | undefined } | undefined {
    const paths = [this.#record.fields[field]?.read ?? []].flat().map(pathKeys);
    if (!paths.some((path) => Array.isArray(valueAtPath(found, path)))) return undefined;
    let after: string | undefined;
    const state: ReadState = {
      params: {},
      restUrl: this.#instance.endpoints.rest ?? "",
      // What is wrong inside a record never means that another record is missing.
      warn: () => undefined,
      count: () => undefined,
      cut: (list) => {
        after = list.after;
      },
    };
    const { read } = this.#instance.selections.get(overflowText(this.#plan, [field]), this.#record, new Map([[field, null]]));
    const value = read(found, "data", state)[field];
    return { elements: Array.isArray(value) ? value : [], after };
  }
}

function listOf({ record, field }: CutList): readonly unknown[] {
  const list = record[field];
  return Array.isArray(list) ? list : [];
}

function faultsOf(faults: readonly GraphqlFault[], index: number): GraphqlFault[] {
  return faults.filter(({ path }) => path[0] === batchKey(index));
}
