import type { ActionSpec, PageSpec } from "../load/spec.ts";

/** How an action is paged, its short form written out. */
export function pageOf(spec: ActionSpec, isList: boolean): PageSpec {
  if (spec.page === undefined) return { by: isList ? "single" : "connection" };
  return typeof spec.page === "string" ? { by: spec.page } : spec.page;
}
