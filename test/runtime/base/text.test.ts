import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePointLength, nearest, snakeCase } from "../../../runtime/base/text.ts";
import { anyCharacter } from "../../support/any-character.ts";

describe("the nearest spelling", () => {
  it.each([
    ["isues", "issues"],
    ["pull_request", "pull_requests"],
    ["onwer", "owner"],
    ["per-page", "per_page"],
    ["perPage", "per_page"],
    ["repository_owner", "owner"],
    ["repoOwner", "owner"],
  ])("of %s is %s", (name, expected) => {
    expect(nearest(name, ["issues", "owner", "per_page", "pull_requests"])).toBe(expected);
  });

  it("is not a word of the name where two are", () => {
    expect(nearest("owner_of_all_issues", ["issues", "owner"])).toBeUndefined();
  });

  it("is undefined when no candidate is near", () => {
    expect(nearest("zebra", ["issues", "owner"])).toBeUndefined();
  });
});

describe("lengths and names", () => {
  it("count code points as iteration does", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(codePointLength(text)).toBe([...text].length);
      }),
    );
  });

  it("have one snake_case per name", () => {
    expect(snakeCase("stateReason")).toBe("state_reason");
    expect(snakeCase("url")).toBe("url");
  });
});
