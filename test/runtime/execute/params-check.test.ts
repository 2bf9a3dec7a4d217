import { describe, expect, it } from "vitest";
import { connectors } from "../../../generated/index.ts";
import { Faults } from "../../../runtime/base/faults.ts";
import { type Action, actionTraits } from "../../../runtime/contract/index.ts";
import { checkParams } from "../../../runtime/execute/params-check.ts";

const action: Action = {
  name: "things.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: () => true,
  operation: { kind: "rest", method: "GET", path: "/things/{id}", query: [], body: [], record: { name: "Thing", fields: {} } },
};

function faultsOf(id: unknown) {
  const faults = new Faults();
  checkParams(action, { id }, faults);
  return faults.list;
}

describe("a parameter with a whole number that JSON.parse has rounded", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "[1, 9007199254740993]",
    '{"id": 12345678901234567890}',
    "1e400",
    "[-1e999]",
  ])("is refused, because it would name another record: %s", (id) => {
    const message = "id has a whole number beyond 9007199254740991, which is not exact.";
    expect(faultsOf(JSON.parse(id))).toMatchObject([{ pointer: "/params/id", code: "out_of_range", message }]);
  });

  it.each([9007199254740991, -7, 0.5, "9007199254740993"])("is taken where it is exact: %s", (id) => {
    expect(faultsOf(id)).toEqual([]);
  });
});

it("an empty text among the allowed values is in quotes, so that it is seen", () => {
  const errors = [{ instancePath: "/id", keyword: "enum", params: { allowedValues: ["", "OPEN", null] } }];
  const faults = new Faults();
  checkParams({ ...action, validate: Object.assign(() => false, { errors }) }, { id: "open" }, faults);
  expect(faults.list[0]?.message).toBe('id must be one of "", OPEN, null.');
});

describe("a parameter that was given in another form", () => {
  const get = connectors.find(({ name }) => name === "github")?.entities["issues"]?.actions["get"];
  const suggestions = (params: object) => {
    const faults = new Faults();
    if (get !== undefined) checkParams(get, params, faults);
    return faults.list.map(({ pointer, message, suggestion }) => [pointer, message, suggestion]);
  };
  const right = { owner: "octocat", repo: "hello-world", number: 1 };

  it.each(["#1", "1", "octocat/hello-world#1", "https://github.com/octocat/hello-world/issues/1"])(
    "is told apart from the number that it has: %s",
    (number) => {
      expect(suggestions({ ...right, number })).toEqual([["/params/number", "number must be a whole number.", 1]]);
    },
  );

  it.each(["one", "#", "1.5", "v1", "1".repeat(16)])("has no number to suggest: %s", (number) => {
    expect(suggestions({ ...right, number })).toEqual([["/params/number", "number must be a whole number.", undefined]]);
  });

  it.each([
    [{ repo: "octocat/hello-world" }, "/params/repo", "repo", "hello-world"],
    [{ owner: "octocat/hello-world" }, "/params/owner", "owner", "octocat"],
    [{ repo: "https://github.com/octocat/hello-world" }, "/params/repo", "repo", undefined],
  ])("has the owner and the name of a repository in one: %o", (given, pointer, name, meant) => {
    expect(suggestions({ ...right, ...given })).toEqual([[pointer, `${name} must not contain /.`, meant]]);
  });
});
