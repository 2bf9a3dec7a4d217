import { expect, it } from "vitest";
import { pointsOf } from "../../../runtime/platform/points.ts";

it("a list whose size is not given counts as one of one element", () => {
  const document = "query ($n: Int) { a(first: $n) { b(first: 3) { c(last: 9) { d } } } }";
  const points = (variables: object) => pointsOf(document, { ...variables }, { connection: 1, least: 0 });
  // One request for `a`, one for `b` of each `a`, and one for `c` of each `b`.
  expect([points({}), points({ n: 2 })]).toEqual([1 + 1 + 3, 1 + 2 + 6]);
});
