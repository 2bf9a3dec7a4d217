import { expect } from "vitest";
import type { Fault } from "../../../runtime/base/errors.ts";
import type { StorePlan } from "../../../runtime/contract/index.ts";
import { QueryParser, type SearchQuery } from "../../../runtime/search/index.ts";

// An entity with fields of all kinds, and what the parser of searches says of filters and sorts for it.

export const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name", nullable: true },
    bodyText: { type: "string", index: "text", nullable: true },
    state: { type: "string", index: "exact", values: ["open", "closed"] },
    commentsCount: { type: "integer", index: "exact" },
    score: { type: "number", index: "exact", nullable: true },
    isDraft: { type: "boolean", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    sizes: { type: "integer", index: "exact", list: {} },
  },
};
export const names = Object.keys(plan.fields);

export function filterFaults(filter: unknown): readonly Fault[] {
  const parser = new QueryParser("issues", plan.fields);
  parser.filter(filter, ["params", "filter"]);
  return parser.faults;
}

export function sortFaults(sort: unknown): readonly Fault[] {
  const parser = new QueryParser("issues", plan.fields);
  parser.sort(sort, ["params", "sort"]);
  return parser.faults;
}

/** Places and codes, without what is said about them. */
export const brief = (faults: readonly Fault[]) => faults.map(({ pointer, code }) => `${pointer} ${code}`);

/** As a caller's text is read, so that names such as `__proto__` are names. */
export const json = (text: string): unknown => JSON.parse(text);

export function query(filter: unknown, sort: unknown = []): Pick<SearchQuery, "filter" | "sort"> {
  const parser = new QueryParser("issues", plan.fields);
  const condition = parser.filter(filter, []);
  const keys = parser.sort(sort, []);
  expect(parser.faults).toEqual([]);
  return { sort: keys, ...(condition === undefined ? {} : { filter: condition }) };
}

export const deep = (depth: number, innermost: unknown): unknown =>
  depth <= 1 ? innermost : { not: deep(depth - 1, innermost) };
export const some = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
export const leaf = { eq: { isDraft: true } };
