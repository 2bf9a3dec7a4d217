import { TenonError } from "../base/errors.ts";
import { isHarmless, pagingOf, type SyncPlan } from "../contract/index.ts";
import {
  type BatchAnswer,
  type BatchPosition,
  type ConnectorInstance,
  type CutList,
  type ExecuteContext,
  executeChecked,
  prepareRequest,
  readOverflow,
  runBatch,
} from "../execute/index.ts";
import type { RecordObject } from "../search/index.ts";
import { parentPath } from "./parents.ts";
import type { Scope } from "./scope.ts";

/** One page of a list. */
export interface ListRead {
  readonly kind: "page";
  readonly records: readonly RecordObject[];
  /** Cursor of the next page; undefined behind the last one. */
  readonly next: string | undefined;
  /** How many records the whole list has, where the platform says so. */
  readonly total: number | undefined;
  /** False when the platform did not show every record of the page. */
  readonly whole: boolean;
}

/** What is read for one parent: its parameters, and where to read on. */
export interface ParentAsk extends BatchPosition {
  readonly params: Readonly<Record<string, unknown>>;
}

/** What was found for one parent. `bad_cursor`: the platform does not know its cursor any more. */
export type ParentAnswer = BatchAnswer | { readonly kind: "bad_cursor" };

/** Reads one entity of one scope from the platform. */
export class PlatformReader {
  readonly #instance: ConnectorInstance;
  readonly #scope: Scope;
  readonly #entity: string;
  readonly #fields: readonly string[] | undefined;
  readonly #context: () => ExecuteContext;

  constructor(
    instance: ConnectorInstance,
    scope: Scope,
    entity: string,
    fields: readonly string[] | undefined,
    context: () => ExecuteContext,
  ) {
    this.#instance = instance;
    this.#scope = scope;
    this.#entity = entity;
    this.#fields = fields;
    this.#context = context;
  }

  /** Reads a page of a list. @throws TenonError */
  async list(
    plan: SyncPlan,
    own: Readonly<Record<string, unknown>>,
    after: string | undefined,
  ): Promise<ListRead | "bad_cursor"> {
    try {
      const reading = this.#reading(plan);
      const { data, meta } = await executeChecked(this.#instance, this.#request(plan, own, after), reading.context);
      const lists = await reading.toEnd();
      return {
        kind: "page",
        records: (Array.isArray(data) ? data : [data]) as RecordObject[],
        next: meta["has_next_page"] === true ? String(meta["end_cursor"]) : undefined,
        total: typeof meta["total_count"] === "number" ? meta["total_count"] : undefined,
        whole: lists && meta.warnings?.every(isHarmless) !== false,
      };
    } catch (thrown) {
      if (thrown instanceof TenonError && thrown.code === "bad_cursor") return "bad_cursor";
      throw thrown;
    }
  }

  /**
   * Reads for several parents, with one call.
   *
   * @param asks at least one; more only where the plan has a batch
   * @returns the answers for the first asks, in their order, at least one
   * @throws TenonError when nothing could be read for any of them
   */
  async parents(plan: SyncPlan, asks: readonly ParentAsk[]): Promise<ParentAnswer[]> {
    const batch = plan.each?.batch;
    try {
      if (batch === undefined) return [await this.#parent(plan, asks[0])];
      const requests = asks.map(({ params, ...position }) => ({ ...position, request: this.#request(plan, params, undefined) }));
      const reading = this.#reading(plan);
      const answers = await runBatch(this.#instance, batch, requests, reading.context);
      const lists = await reading.toEnd();
      return answers.map((one) => this.#explained(one.kind === "page" && !lists ? { ...one, whole: false } : one));
    } catch (thrown) {
      if (!(thrown instanceof TenonError)) throw thrown;
      // An answer without data does not say whose cursor is unknown.
      if (thrown.code === "bad_cursor") return asks.map(() => ({ kind: "bad_cursor" }));
      throw thrown.code === "not_found" ? this.#scopeMissing(thrown) : thrown;
    }
  }

  /** Prepares a call after which the rest of its records' searchable lists is read. A list without its end would be searched wrongly. */
  #reading({ action }: SyncPlan): { readonly context: ExecuteContext; readonly toEnd: () => Promise<boolean> } {
    const { operation } = action;
    const context = this.#context();
    if (operation.record.overflow === undefined) return { context, toEnd: async () => true };
    const cuts: CutList[] = [];
    return {
      context: { ...context, onCut: (list) => void cuts.push(list) },
      toEnd: () => readOverflow(this.#instance, operation.record, cuts, context),
    };
  }

  /** A parent may vanish before its list is read: then nothing belongs to it any longer. */
  async #parent(plan: SyncPlan, { params, after }: ParentAsk = { params: {} }): Promise<ParentAnswer> {
    try {
      const read = await this.list(plan, params, after);
      if (read === "bad_cursor") return { kind: "bad_cursor" };
      const { records, next, whole } = read;
      return { kind: "page", records: [...records], more: next === undefined ? [] : [{ after: next }], whole };
    } catch (thrown) {
      const path = parentPath(plan.action.operation);
      if (thrown instanceof TenonError && thrown.code === "not_found" && path !== undefined && isSame(thrown.missingAt, path))
        return { kind: "gone" };
      if (thrown instanceof TenonError && isOfOneParent(thrown, plan)) return { kind: "failed", error: thrown };
      throw thrown;
    }
  }

  #explained(answer: BatchAnswer): ParentAnswer {
    if (answer.kind === "failed" && answer.error.code === "bad_cursor") return { kind: "bad_cursor" };
    if (answer.kind === "again" && answer.error.code === "not_found")
      return { kind: "again", error: this.#scopeMissing(answer.error) };
    return answer;
  }

  #request({ action, size }: SyncPlan, own: Readonly<Record<string, unknown>>, after: string | undefined) {
    const page = pagingOf(action.operation);
    // An action that is called for each record of another entity may lack the parameters of the scope.
    const ofScope = Object.entries(this.#scope.params).filter(([name]) => action.params.includes(name));
    return prepareRequest(action, {
      ...Object.fromEntries(ofScope),
      ...own,
      ...(after === undefined || page === undefined ? {} : { [page.cursor]: after }),
      ...(size === undefined ? {} : { [size.param]: size.value }),
      ...(this.#fields === undefined ? {} : { fields: this.#fields }),
    });
  }

  /** The error for an answer without data that does not say that only one parent is gone. Nothing may be removed then. */
  #scopeMissing({ missingAt = [] }: TenonError): TenonError {
    const { title } = this.#instance.connector;
    const at = missingAt.length === 0 ? "" : ` at "${missingAt.join(".")}" of its answer`;
    return new TenonError(
      "not_found",
      `${title} had nothing${at} while ${this.#entity} of ${this.#scope.name} were read for one record after the other. The scope may be gone, or the token may no longer see it. Nothing was removed.`,
    );
  }
}

/**
 * Whether an error may be about the one parent whose children were requested. A REST API answers 404 for that parent alone, while a
 * GraphQL answer says what is missing: that may be the scope.
 */
function isOfOneParent({ code }: TenonError, { action }: SyncPlan): boolean {
  if (code === "not_found") return action.operation.kind === "rest";
  return ["platform_forbidden", "platform_rejected", "platform_failed", "deadline_exceeded"].includes(code);
}

function isSame(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && b.every((key, index) => key === a[index]);
}
