import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { lastTold, upkeepOf } from "../../../runtime/sync/told.ts";

const told = [
  { scope: "repository=octocat/hello-world", at: 5 },
  { scope: "repository=Octocat/Hello-World", at: 7 },
  { scope: "user=*", at: 6 },
  { scope: "user=hubot", at: 3 },
];

describe("the last webhook of a scope", () => {
  it("is found however the platform or the settings spell the scope, and where it may be of any of its kind", () => {
    const last = lastTold(github, told);
    expect(["repository=octocat/hello-world", "repository=OCTOCAT/Hello-World"].map(last)).toEqual([7, 7]);
    expect(["user=hubot", "user=octocat"].map(last)).toEqual([6, 6]);
    expect(["repository=octocat/other", "account", "organization=octocat"].map(last)).toEqual([undefined, undefined, undefined]);
  });

  it("says whether webhooks keep the scope, or its schedule after they have stopped", () => {
    const scopes = ["repository=OctoCat/hello-world", "user=octocat", "account"];
    expect(upkeepOf(github, scopes, { told, since: 7 })).toEqual([
      { scope: "repository=OctoCat/hello-world", at: 7, by: "webhooks" },
      { scope: "user=octocat", at: 6, by: "schedule" },
    ]);
  });
});
