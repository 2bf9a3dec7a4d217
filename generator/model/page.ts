import type { Paging } from "../../runtime/contract/index.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import type { OperationModel, ParamModel } from "./types.ts";

/** How lists are paged. These names and numbers are the same for every connector. */
export const paging = {
  /** Parameter that says how many records are wanted, unless `page.size` names another. */
  sizeParam: "per_page",
  /** Parameter that takes the `end_cursor` of the previous response. */
  cursorParam: "after",
  /** The most records that one request to the platform may ask for. */
  largestPage: 100,
} as const;

/** GraphQL variables that paging adds to a document, with their types. */
export const pageVariables: Readonly<Record<string, string>> = { first: "Int!", after: "String", size: "Int!" };

/**
 * How an action is paged. The short form, which is only a word, is written out. Without `page`, a list of GraphQL that takes a cursor is a
 * connection, and any other list comes whole.
 */
export function pageOf(spec: ActionSpec, isList: boolean): PageSpec {
  if (spec.page === undefined) return { by: isList && !takesCursor(spec) ? "single" : "connection" };
  return typeof spec.page === "string" ? { by: spec.page } : spec.page;
}

/** Whether a list comes whole because its spec does not say how it is paged. */
export function isBare(spec: ActionSpec, isList: boolean): boolean {
  return isList && spec.page === undefined && !takesCursor(spec);
}

function takesCursor({ graphql, params }: ActionSpec): boolean {
  return graphql !== undefined && Object.hasOwn(params ?? {}, paging.cursorParam);
}

/** The paging of an action, as the runtime needs it. */
export function pagingOf(page: PageSpec): Paging {
  return { size: sizeParamOf(page), cursor: paging.cursorParam, max: paging.largestPage };
}

/** Name of the parameter that says how many records are wanted. */
export function sizeParamOf(page: PageSpec): string {
  return page.size ?? paging.sizeParam;
}

/** The parameter that says how many records one request reads, and the most that it may say; undefined where nothing is paged. */
export function largestRequest(
  operation: OperationModel,
  params: readonly ParamModel[],
): { readonly param: string; readonly value: number } | undefined {
  const page = operation.kind === "graphql-list" ? operation.page : operation.kind === "rest" ? operation.list?.page : undefined;
  const param = params.find((one) => one.name === page?.size);
  if (page === undefined || param === undefined) return undefined;
  return { param: param.name, value: Math.min(param.range?.[1] ?? page.max, page.max) };
}
