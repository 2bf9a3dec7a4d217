import { describe, expect, it } from "vitest";
import type { FieldPlan } from "../../../runtime/contract/index.ts";
import { compileReader } from "../../../runtime/execute/record-reader.ts";

/** The value of a field that is made of the call's parameters. */
function given(param: NonNullable<FieldPlan["param"]>, params: Readonly<Record<string, unknown>>): unknown {
  const read = compileReader({ name: "Record", fields: { field: { param } } }, null);
  return read({ field: "not this one" }, "data", {
    params,
    restUrl: "https://api.example.test",
    warn: () => undefined,
    count: () => undefined,
  })["field"];
}

const fullName = ["", "owner", "/", "repo", ""];

describe("a field that is a parameter", () => {
  it("has the value of the call's parameter, whatever its type", () => {
    expect(given("number", { number: 7 })).toBe(7);
    expect(given("path", { path: "" })).toBe("");
  });

  it("is null when the call has none", () => {
    expect(given("org", { username: "octocat" })).toBeNull();
    expect(given("milestone", { milestone: null })).toBeNull();
  });
});

describe("a field that is made of several parameters", () => {
  it("is a text with their values, taken as they are", () => {
    expect(given(fullName, { owner: "octocat", repo: "hello-world" })).toBe("octocat/hello-world");
    expect(given(["no. ", "number", " of ", "owner", ""], { owner: "{repo}", number: 0 })).toBe("no. 0 of {repo}");
  });

  it("is null when one of them is missing", () => {
    expect(given(fullName, { owner: "octocat" })).toBeNull();
    expect(given(fullName, { owner: "octocat", repo: null })).toBeNull();
  });
});
