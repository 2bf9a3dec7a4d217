import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { Operation } from "../../../runtime/contract/index.ts";
import { parentFilter, parentPath } from "../../../runtime/sync/parents.ts";

const record = { name: "Thing", fields: {} };
const graphql = { document: "", variables: [], record };

describe("the place of a parent in an answer", () => {
  it.each<[string, Operation, readonly string[] | undefined]>([
    ["the key before a list", { ...graphql, kind: "graphql-list", path: ["a", "b", "things"] }, ["a", "b"]],
    ["the key of one record", { ...graphql, kind: "graphql-get", path: ["a", "b"] }, ["a", "b"]],
    [
      "not known where a list has nothing above its parent",
      { ...graphql, kind: "graphql-list", path: ["node", "things"] },
      undefined,
    ],
    ["not known where a record has nothing above it", { ...graphql, kind: "graphql-get", path: ["node"] }, undefined],
    [
      "not known of a REST call, whose 404 names no place",
      { kind: "rest", method: "GET", path: "/a/{b}/things", query: [], body: [], record },
      undefined,
    ],
  ])("is %s", (_title, operation, path) => {
    expect(parentPath(operation)).toEqual(path);
  });

  it("is known for every plan of GitHub that reads something for each parent", () => {
    const plans = Object.values(github.entities).flatMap(({ sync }) => sync.filter(({ each }) => each !== undefined));
    expect(plans.length).toBeGreaterThan(0);
    for (const { action } of plans) expect(parentPath(action.operation)?.length, action.name).toBe(2);
  });
});

it("a parent whose count the platform hides counts as one of none", () => {
  const atMost = (n: number) => parentFilter({ entity: "things", params: {}, atMost: { n } });
  expect([atMost(0)({}), atMost(0)({ n: 1 }), atMost(-1)({})]).toEqual([true, false, false]);
});
