import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { readScopes } from "../../../runtime/sync/index.ts";
import { knownScopes } from "../../../runtime/sync/scope.ts";

describe("a scope", () => {
  it.each([
    ["repository=../..", '".." in "repository=../.." is not a name'],
    ["repository=octocat/..", '".." in "repository=octocat/.." is not a name'],
    ["repository=./hello-world", '"." in "repository=./hello-world" is not a name'],
    ["organization=...", '"..." in "organization=..." is not a name'],
  ])("may have no part of dots alone: %s", (text, message) => {
    expect(() => readScopes(github, [text])).toThrow(message);
  });

  it("says what its value looks like", () => {
    expect(() => readScopes(github, ["repository=octocat/.."])).toThrow(
      "because it has only dots. repository takes <owner>/<repo>, such as repository=octocat/hello-world.",
    );
    expect(() => readScopes(github, ["account=octocat"])).toThrow("account takes no value.");
  });

  it.each([
    ["repositry=octocat/hello-world", "repository=octocat/hello-world"],
    ["organisation=a=b", "organization=a=b"],
    ["repositry", "repository"],
    ["acount=octocat", "account"],
  ])("of a misspelt kind is suggested with its value, where the kind takes one: %s", (text, suggestion) => {
    expect(() => readScopes(github, [text])).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ pointer: "/scopes/0", suggestion })] }),
    );
  });

  it.each(["repository=octocat/.github", "repository=a.b/c..d"])("may have dots besides other characters: %s", (text) => {
    expect(readScopes(github, [text]).map(({ name }) => name)).toContain(text);
  });

  it.each([
    ["organization=ana@acme.example", { org: "ana@acme.example" }],
    ["organization=a b/c", { org: "a b/c" }],
    ["repository=group%2Fsub/name", { owner: "group/sub", repo: "name" }],
  ])("may have the characters that a platform's names have: %s", (text, params) => {
    expect(readScopes(github, [text]).at(-1)).toMatchObject({ name: text, params });
  });

  it.each(["organization=a\nb", "organization= a", "repository=a/b/c", `organization=${"a".repeat(201)}`])(
    "is refused: %j",
    (text) => {
      expect(() => readScopes(github, [text])).toThrow("takes");
    },
  );

  it("is the same in capitals, but only in those of ASCII, as the stores compare scopes", () => {
    const names = (...given: string[]) =>
      readScopes(github, given).flatMap(({ kind, name }) => (kind === "organization" ? [name] : []));
    expect(names("organization=Tenon-Labs", "organization=tenon-labs")).toEqual(["organization=Tenon-Labs"]);
    // The Kelvin sign and the capital É have small letters too, but the stores do not lower them.
    const others = ["organization=\u212A", "organization=k", "organization=É", "organization=é"];
    expect(names(...others)).toEqual(others);
  });

  it("is found in its first spelling, and each of those that are known is read once", () => {
    let read = 0;
    const scopes = new Proxy(github.scopes, {
      get: (plans, kind) => {
        read++;
        return Reflect.get(plans, kind) as unknown;
      },
    });
    const names = Array.from({ length: 300 }, (_, at) => `repository=Octocat/r${at}`);
    const given = readScopes(
      github,
      names.map((name) => name.toLowerCase()),
    );
    const spelled = given.map(knownScopes({ ...github, scopes }, names)).map(({ name }) => name);
    expect(spelled).toEqual(expect.arrayContaining(names));
    expect(read).toBeLessThan(10 * names.length);
  });
});
