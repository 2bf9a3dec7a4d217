import { expect, it } from "vitest";
import { fulfils, lookupIn } from "../../../runtime/simulator/described/graphql-filter.ts";
import type { Json } from "../../../runtime/simulator/described/platform-file.ts";

const find = lookupIn({ records: { people: [{ id: "ann", name: "Ann" }] }, serial: 1, done: {}, made: {} });
const record = { id: "book", pages: 100, title: "Joints", lent: null, owner: "ann", tags: [] };

it.each<[Json, boolean]>([
  [{ title: { eq: "Joints" } }, true],
  [{ title: { eq: "joints" } }, false],
  [{ title: { neq: "joints" } }, true],
  [{ title: { neq: "Joints" } }, false],
  [{ title: { in: ["Joints", "Nails"] } }, true],
  [{ title: { in: ["Nails"] } }, false],
  [{ title: { in: "Joints" } }, false],
  [{ title: { nin: ["Nails"] } }, true],
  [{ title: { nin: ["Joints"] } }, false],
  [{ title: { nin: "Nails" } }, false],
  [{ pages: { gt: 99 } }, true],
  [{ pages: { gt: 100 } }, false],
  [{ lent: { gt: -1 } }, false],
  [{ tags: { gt: -1 } }, false],
  [{ pages: { gt: [1] } }, false],
  [{ pages: { gte: 100 } }, true],
  [{ pages: { gte: 101 } }, false],
  [{ lent: { gte: 0 } }, false],
  [{ pages: { gte: [1] } }, false],
  [{ pages: { lt: 101 } }, true],
  [{ pages: { lt: 100 } }, false],
  [{ lent: { lt: 1 } }, false],
  [{ pages: { lt: [101] } }, false],
  [{ pages: { lte: 100 } }, true],
  [{ pages: { lte: 99 } }, false],
  [{ lent: { lte: 0 } }, false],
  [{ pages: { lte: [101] } }, false],
  [{ title: { gt: "Joins", lt: "Nails" } }, true],
  [{ lent: { null: true } }, true],
  [{ absent: { null: true } }, true],
  [{ lent: { null: false } }, false],
  [{ title: { null: false } }, true],
  [{ title: { null: true } }, false],
  [{ title: null }, true],
  [{ title: "Joints" }, true],
  [{ title: "Nails" }, false],
  [{ title: { contains: "oint" } }, true],
  [{ title: { containsIgnoreCase: "jOINT" } }, true],
  [{ owner: { name: { eq: "Ann" } } }, true],
  [{ owner: { name: { eq: "Ben" } } }, false],
  [{ title: { name: { eq: "Ann" } } }, false],
  [{ and: [{ title: { eq: "Joints" } }, { pages: { gt: 100 } }] }, false],
  [{ or: [{ title: { eq: "Joints" } }, { pages: { gt: 100 } }] }, true],
  [null, true],
])("the filter %j of a simulated API in GraphQL is %s", (filter, holds) => {
  expect(fulfils(record, filter, find)).toBe(holds);
});
