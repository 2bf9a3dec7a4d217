import { expect, it } from "vitest";
import { conjuncts } from "../../../../runtime/search/index.ts";
import { sortColumns } from "../../../../runtime/store/postgres/search/order.ts";
import { wantedFor } from "../../../../runtime/store/postgres/search/wanted-indexes.ts";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { readQuery } from "../../../support/search-arbitraries.ts";
import { searchPlan } from "../../../support/search-records.ts";

const layout = layoutOf("test", "things", searchPlan);

/** The indexes that a search asks for, sorted by a field. */
function wanted(filter: object | undefined, field?: string): string[] {
  const sort = field === undefined ? [] : [{ [field]: "desc" }];
  const query = readQuery({ ...(filter === undefined ? {} : { filter }), sort, limit: 1 });
  const found = wantedFor(layout, conjuncts(query.filter), sortColumns(layout, query.sort));
  return found.flatMap(({ demand }) => demand ?? []);
}

it("few indexes are there without a search that asks for them", () => {
  const always = layout.indexes.flatMap(({ demand, label }) => (demand === undefined ? [label] : []));
  expect(always).toEqual(["places", "newest words", "order of createdAt", "words and lists", "order of createdAt by repository"]);
});

it.each([
  ["all records", undefined, undefined, []],
  ["an order that is always there", undefined, "createdAt", []],
  ["another order", undefined, "commentsCount", ["commentsCount"]],
  ["a value", { eq: { commentsCount: 3 } }, undefined, ["commentsCount"]],
  ["a range", { gt: { commentsCount: 3 }, lt: { commentsCount: 9 } }, undefined, ["commentsCount"]],
  ["a scope, whose pairs begin with it", { eq: { repository: "a" } }, undefined, []],
  ["a value of an enumeration", { eq: { state: "open" } }, undefined, ["state+createdAt"]],
  ["the same in the order of a pair", { eq: { state: "open" } }, "createdAt", ["state+createdAt"]],
  ["the same in another order", { eq: { state: "open" } }, "commentsCount", ["commentsCount", "state+createdAt"]],
  ["the order of an enumeration", undefined, "state", ["state"]],
  ["the beginning of a text", { like: { title: "Fix%" } }, undefined, ["~title"]],
  ["a part of a text", { like: { title: "%fix%" } }, undefined, []],
  ["words", { keyword: { body: "map" }, fuzzy: { title: "map" } }, undefined, []],
  ["either of two", { or: [{ eq: { commentsCount: 3 } }, { eq: { title: "x" } }] }, undefined, ["commentsCount", "title"]],
  ["all but one", { neq: { commentsCount: 3 } }, undefined, []],
] as const)("a search for %s asks for no more than it can use", (_, filter, field, names) => {
  expect(wanted(filter, field).sort()).toEqual(names);
});
