import { expect, it } from "vitest";
import { conjuncts } from "../../../../runtime/search/index.ts";
import { sortColumns } from "../../../../runtime/store/postgres/search/order.ts";
import { isSteadySearch } from "../../../../runtime/store/postgres/search/steady-search.ts";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { readQuery } from "../../../support/search-arbitraries.ts";
import { searchPlan } from "../../../support/search-records.ts";

const layout = layoutOf("test", "things", searchPlan);

/** Whether a search is steady: with these conditions, sorted by this field. */
function isSteady(filter: object | undefined, field?: string, byWords = false): boolean {
  const query = readQuery({
    ...(filter === undefined ? {} : { filter }),
    sort: field === undefined ? [] : [{ [field]: "desc" }],
    limit: 1,
  });
  return isSteadySearch({ layout, conditions: conjuncts(query.filter), sort: sortColumns(layout, query.sort), byWords });
}

it.each([
  ["all records", undefined, undefined],
  ["all records in an order", undefined, "createdAt"],
  ["a range in its own order", { gte: { createdAt: "2024-01-01" }, lt: { createdAt: "2025-01-01" } }, "createdAt"],
  ["one value in the order of keys", { eq: { commentsCount: 3 } }, undefined],
  ["one value that has an index with the order", { eq: { state: "open" } }, "createdAt"],
  [
    "one value, and a range of the order",
    { and: [{ eq: { state: "open" } }, { gte: { createdAt: "2024-01-01" } }] },
    "createdAt",
  ],
  ["all but one value", { neq: { state: "open" } }, "createdAt"],
] as const)("the plan of a search for %s does not depend on values", (_, filter, field) => {
  expect(isSteady(filter, field)).toBe(true);
});

it.each([
  ["one value in another order", { eq: { commentsCount: 3 } }, "createdAt"],
  ["a range in the order of keys", { gte: { createdAt: "2024-01-01" } }, undefined],
  ["two values", { eq: { state: "open", commentsCount: 3 } }, undefined],
  ["several values", { in: { state: ["open", "closed"] } }, undefined],
  ["one of two conditions", { or: [{ eq: { state: "open" } }, { eq: { commentsCount: 3 } }] }, undefined],
  ["a value of a list", { eq: { labels: "bug" } }, undefined],
  ["a word, on a walk", { keyword: { body: "map" } }, undefined],
] as const)("the plan of a search for %s does", (_, filter, field) => {
  expect(isSteady(filter, field)).toBe(false);
});

it("the plan of a search for words that are looked up does not depend on them, but may on other conditions", () => {
  const word = { keyword: { body: "map" } };
  expect(isSteady(word, "createdAt", true)).toBe(true);
  expect(isSteady({ and: [word, { gte: { createdAt: "2024-01-01" } }] }, "createdAt", true)).toBe(false);
});
