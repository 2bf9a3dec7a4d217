import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { scheduledScopes } from "../../runtime/main/scheduled-scopes.ts";
import { tiny } from "../support/tiny-connector.ts";

const both = [github, tiny];
const find = (given: readonly string[], on = ["github", "tiny"]) => {
  const { scopes, warnings } = scheduledScopes(both, ({ name }) => on.includes(name), given);
  return { ...Object.fromEntries(scopes), warnings };
};

describe("the scopes of the settings", () => {
  it.each([
    ["of a kind that one connector has", ["repository=a/b"], { github: ["repository=a/b"], tiny: [] }],
    ["with their connector", ["tiny:user=a", "github:user=b"], { github: ["user=b"], tiny: ["user=a"] }],
    ["not given", [], { github: [], tiny: [] }],
  ])("%s go to their connector", (_what, given, expected) => {
    expect(find(given)).toEqual({ ...expected, warnings: [] });
  });

  it("go to the connector that is on where the other one of that kind is off", () => {
    expect(find(["user=a"], ["tiny"])).toEqual({ github: [], tiny: ["user=a"], warnings: [] });
  });

  it("of a connector that is off are left out with a warning", () => {
    const warnings = ['"repository=a/b" is not synced: the connector "github" is off'];
    expect(find(["repository=a/b"], ["tiny"])).toEqual({ github: [], tiny: [], warnings });
  });

  it.each([
    ["user=a", "Several connectors have scopes of this kind, so write github:user=a or tiny:user=a."],
    ["repositry=a/b", 'There is no kind of scope "repositry". Did you mean "repository"?'],
    ["tiny:repository=a/b", 'There is no kind of scope "repository".'],
    ["tni:user=a", 'There is no connector "tni".'],
    ["github:repository=a", "repository takes <owner>/<repo>"],
  ])("%s is refused", (given, message) => {
    expect(() => find([given])).toThrow(message);
  });
});
