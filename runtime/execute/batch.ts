import type { TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import {
  batchKey,
  batchText,
  documentText,
  type GraphqlGet,
  type GraphqlList,
  isHarmless,
  nestedOuterPage,
  type SyncBatch,
} from "../contract/index.ts";
import type { GraphqlAnswer } from "../platform/call.ts";
import type { GraphqlFault } from "../platform/failure.ts";
import { type BatchPage, type BatchPosition, type BatchSizes, readBatchPage } from "./batch-page.ts";
import { brokenText, type Environment, readState, Warnings, warnOfHidden } from "./environment.ts";
import { notFound } from "./graphql-get.ts";
import type { ConnectorInstance } from "./instance.ts";
import { missingAt, valueAtPath } from "./record-reader.ts";
import type { PlatformRequest } from "./request.ts";
import type { ExecuteContext } from "./result.ts";
import { documentVariables } from "./variables.ts";

/** What a batch reads for one parent: the request that would read it alone, and where to read on. */
export interface BatchAsk extends BatchPosition {
  readonly request: PlatformRequest;
}

/**
 * What a batch found for one parent. `gone`: the parent does not exist any more. `again`: the platform failed for this parent and may
 * succeed later. `failed`: it would fail again.
 */
export type BatchAnswer =
  | BatchPage
  | { readonly kind: "gone" }
  | { readonly kind: "again"; readonly error: TenonError }
  | { readonly kind: "failed"; readonly error: TenonError };

/**
 * Reads for several parents with one call. When the platform finds the call too expensive, it is sent again for half of the parents.
 *
 * @param asks all of one action, with the same fields and all of one kind: first pages, pages behind a cursor, or rests of inner lists
 * @returns the answers for the first asks, in their order: at least one, and fewer than there are asks when the call was made smaller
 * @throws TenonError when the call failed as a whole, `not_found` when what all parents belong to is missing
 */
export async function runBatch(
  instance: ConnectorInstance,
  batch: SyncBatch,
  asks: readonly BatchAsk[],
  context: ExecuteContext,
): Promise<BatchAnswer[]> {
  const [first] = asks;
  if (first === undefined) return [];
  const { operation } = first.request.action;
  if (operation.kind === "rest" || operation.kind === "graphql-write")
    throw new Error(`${first.request.action.name} cannot be batched`);
  const onBrokenText = () => void brokenText(instance, context);
  const call = { ...context, deadline: performance.now() + context.timeout, onBrokenText };
  const env: Environment = { instance, request: first.request, warnings: new Warnings(), call };
  const one = new BatchCall(operation, batch, asks, env);
  return one.answers(await one.send());
}

class BatchCall {
  readonly #operation: GraphqlGet | GraphqlList;
  readonly #batch: SyncBatch;
  readonly #asks: readonly BatchAsk[];
  readonly #env: Environment;
  readonly #inside: boolean;
  /** Response keys from the root to the list of one parent; the key at `alias` stands for `p0`, `p1` … */
  readonly #path: readonly string[];
  readonly #alias: number;
  /** How many keys lead to the parent. */
  readonly #parentDepth: number;
  #count: number;
  #sizes: BatchSizes;

  constructor(operation: GraphqlGet | GraphqlList, batch: SyncBatch, asks: readonly BatchAsk[], env: Environment) {
    this.#operation = operation;
    this.#batch = batch;
    this.#asks = asks;
    this.#env = env;
    const [first] = asks;
    this.#inside = first?.inside !== undefined;
    const nested = operation.kind === "graphql-list" ? operation.nested : undefined;
    this.#path = this.#inside && nested !== undefined ? ["node", nested.inner] : operation.path;
    this.#alias = this.#document.alias;
    this.#parentDepth = operation.kind === "graphql-get" ? this.#path.length : this.#path.length - 1;
    this.#count = asks.length;
    this.#sizes = sizesOf(operation, batch, first ?? {});
  }

  send(): Promise<GraphqlAnswer> {
    const { instance, call, request } = this.#env;
    return instance.client.graphql(
      {
        document: () => documentText(batchText(this.#document, this.#count), this.#operation.record, request.choice),
        variables: () => this.#variables(),
        usable: (data, faults) => this.#isUsable(data, faults),
        shrink: () => this.#shrink(),
      },
      call,
    );
  }

  answers(answer: GraphqlAnswer): BatchAnswer[] {
    const { data } = answer;
    // What stands above the parents belongs to all of them.
    const above = missingAt(data, this.#path.slice(0, this.#alias));
    if (!isObject(valueAtPath(data, this.#path.slice(0, this.#alias)))) throw notFound(above, this.#env);
    warnOfHidden(answer, this.#env);
    const hidden = this.#env.warnings.meta.warnings?.every(isHarmless) === false;
    const state = readState(this.#env);
    const { read } = this.#env.instance.selections.get(
      this.#operation.document,
      this.#operation.record,
      this.#env.request.choice,
    );
    return this.#asks.slice(0, this.#count).map((ask, index) => {
      const path = this.#pathOf(index);
      const faults = this.#faultsOf(index, answer.faults);
      // Without its pageInfo, a list does not say whether it has ended.
      const isUnclear = faults.some((fault) => fault.path[path.length] === "pageInfo");
      const found = isUnclear ? null : valueAtPath(data, path);
      const page = readBatchPage(
        this.#operation,
        found,
        ask,
        this.#sizes,
        read,
        { ...state, params: ask.request.params },
        this.#env,
      );
      if (page === undefined) return this.#missing(missingAt(data, path), faults, answer);
      if (hidden || faults.length === 0) return hidden ? { ...page, whole: false } : page;
      const { judge } = this.#env.instance.client;
      const forbidden = faults.every((fault) => judge.error(fault, answer.headers).code === "platform_forbidden");
      return forbidden ? { ...page, forbidden } : { ...page, whole: false };
    });
  }

  /** Why there is nothing for a parent. */
  #missing(missing: readonly string[], faults: readonly GraphqlFault[], { headers }: GraphqlAnswer): BatchAnswer {
    const { judge } = this.#env.instance.client;
    const [fault] = faults;
    if (fault === undefined || judge.error(fault, headers).code === "not_found") {
      if (missing.length <= this.#parentDepth && (fault?.path.length ?? 0) <= this.#parentDepth) return { kind: "gone" };
      return { kind: "again", error: notFound(missing.with(this.#alias, String(this.#path[this.#alias])), this.#env) };
    }
    const rule = judge.rule(fault);
    const error = judge.error(fault, headers);
    return rule?.retry || rule?.shrink ? { kind: "again", error } : { kind: "failed", error };
  }

  /**
   * An answer is usable when it says of at least one parent what it has, or that it has nothing. An error that belongs to no parent
   * may be about all of them.
   */
  #isUsable(data: unknown, faults: readonly GraphqlFault[]): boolean {
    const around = valueAtPath(data, this.#path.slice(0, this.#alias));
    if (!isObject(around)) return false;
    const { judge } = this.#env.instance.client;
    const asked = this.#asks.slice(0, this.#count).map((_, index) => ({ index, faults: this.#faultsOf(index, faults) }));
    if (asked.reduce((sum, one) => sum + one.faults.length, 0) < faults.length) return false;
    return asked.some((one) => {
      if (isObject(around[batchKey(one.index)])) return true;
      const rules = one.faults.map((fault) => judge.rule(fault));
      return rules.every((rule) => rule !== undefined && rule.retry === undefined && rule.shrink === undefined);
    });
  }

  #faultsOf(index: number, faults: readonly GraphqlFault[]): GraphqlFault[] {
    const start = this.#pathOf(index).slice(0, this.#alias + 1);
    return faults.filter(({ path }) => start.every((key, at) => path[at] === key));
  }

  #pathOf(index: number): string[] {
    return this.#path.with(this.#alias, batchKey(index));
  }

  #variables(): Record<string, unknown> {
    const { own } = this.#document;
    const all = this.#asks.slice(0, this.#count).map(({ request, after, inside }) => ({
      ...(inside === undefined
        ? documentVariables(this.#operation, request.params)
        : { parent: inside.id, inside: inside.after }),
      ...(after === undefined ? {} : { after }),
    }));
    const shared = Object.entries(all[0] ?? {}).filter(([name]) => !own.includes(name));
    const numbered = all.flatMap((one, index) =>
      Object.entries(one).flatMap(([name, value]) => (own.includes(name) ? [[`${name}_${index}`, value] as const] : [])),
    );
    return { ...Object.fromEntries(shared), ...this.#pageVariables(), ...Object.fromEntries(numbered) };
  }

  #pageVariables(): Record<string, number> {
    if (this.#operation.kind === "graphql-get" || this.#operation.page === undefined) return {};
    const { outer, inner } = this.#sizes;
    if (this.#inside) return { size: inner };
    return this.#operation.nested === undefined ? { first: outer } : { first: outer, size: inner };
  }

  /** Halves the number of parents; when there is only one, its pages. */
  #shrink(): boolean {
    if (this.#count > 1) {
      this.#count = Math.ceil(this.#count / 2);
      return true;
    }
    const { outer, inner } = this.#sizes;
    if (this.#operation.kind === "graphql-get" || this.#operation.page === undefined || (outer <= 1 && inner <= 1)) return false;
    this.#sizes = { outer: Math.ceil(outer / 2), inner: Math.ceil(inner / 2) };
    return true;
  }

  get #document() {
    const { document, rest } = this.#batch;
    return this.#inside && rest !== undefined ? rest : document;
  }
}

/** First pages are short, because most parents have few children. The other pages are as long as the platform allows. */
function sizesOf(operation: GraphqlGet | GraphqlList, { first = 1 }: SyncBatch, { after, inside }: BatchPosition): BatchSizes {
  const max = operation.kind === "graphql-list" ? (operation.page?.max ?? 1) : 1;
  const nested = operation.kind === "graphql-list" && operation.nested !== undefined;
  if (inside !== undefined) return { outer: 1, inner: max };
  if (after === undefined) return { outer: first, inner: first };
  return nested ? { outer: nestedOuterPage, inner: first } : { outer: max, inner: 1 };
}
