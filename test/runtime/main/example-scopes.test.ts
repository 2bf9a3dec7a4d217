import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { withExampleScopes } from "../../../runtime/main/schedules/example-scopes.ts";
import { readSettings } from "../../../runtime/main/settings/settings.ts";

const scopesOf = (environment: Record<string, string>) =>
  withExampleScopes(readSettings(environment, [github]).settings, [github]).syncScopes.toSorted();

describe("the scopes of a trial", () => {
  it("are the examples of the spec", () => {
    expect(scopesOf({})).toEqual([
      "github:organization=tenon-labs",
      "github:repository=octocat/hello-world",
      "github:user=octocat",
    ]);
  });

  it("are none when a connector has a credential, and those that are set", () => {
    expect(scopesOf({ GITHUB_TOKEN: "ghp_0123456789" })).toEqual([]);
    expect(scopesOf({ TENON_SYNC_SCOPES: "user=octocat" })).toEqual(["user=octocat"]);
  });
});
