import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { Connector, ScopePlan } from "../../../runtime/contract/index.ts";
import { scheduledScopes } from "../../../runtime/main/schedules/scheduled-scopes.ts";
import { SettingsError } from "../../../runtime/main/settings/settings.ts";

// Two connectors that both have repositories; each has a kind of its own too.

const account: ScopePlan = { params: [], doc: "" };
const repository: ScopePlan = { params: ["owner", "repo"], doc: "", example: "octocat/hello-world" };
const one = (name: string, scopes: Record<string, ScopePlan>): Connector => ({ ...github, name, scopes });
const connectors = [
  one("forge", { repository, account, organization: { params: ["org"], doc: "" } }),
  one("mill-2", { repository, group: { params: ["name"], doc: "" } }),
];

const all = () => true;
const read = (...given: string[]) => Object.fromEntries(scheduledScopes(given, connectors, all).scopes);
const problem = (...given: string[]) => {
  try {
    scheduledScopes(given, connectors, all);
  } catch (thrown) {
    if (thrown instanceof SettingsError) return thrown.message;
    throw thrown;
  }
  return "";
};

describe("scopes of the schedule", () => {
  it("go to the connector that they name", () => {
    expect(read("forge:repository=a/b", "mill-2:repository=c/d", "mill-2:group=g", "forge:account")).toEqual({
      forge: ["repository=a/b", "account"],
      "mill-2": ["repository=c/d", "group=g"],
    });
  });

  it("go without a name to the one connector that has the kind", () => {
    expect(read("organization=o", "group=g", "account")).toEqual({ forge: ["organization=o", "account"], "mill-2": ["group=g"] });
  });

  it("go to the connector that is on where the other one of that kind is off", () => {
    const { scopes, warnings } = scheduledScopes(["repository=a/b"], connectors, ({ name }) => name === "mill-2");
    expect([Object.fromEntries(scopes), warnings]).toEqual([{ forge: [], "mill-2": ["repository=a/b"] }, []]);
  });

  it("of a connector that is off are left out with a warning", () => {
    const { scopes, warnings } = scheduledScopes(["organization=o"], connectors, ({ name }) => name === "mill-2");
    expect(Object.fromEntries(scopes)).toEqual({ forge: [], "mill-2": [] });
    expect(warnings).toEqual(['"organization=o" is not synced: the connector "forge" is off']);
  });

  it("are empty when none are given", () => {
    expect(read()).toEqual({ forge: [], "mill-2": [] });
  });

  it.each([
    ["repository=a/b", 'Several connectors have the kind "repository". Allowed: forge:repository=a/b, mill-2:repository=a/b.'],
    ["frge:repository=a/b", 'There is no connector "frge". Did you mean "forge"? Allowed: forge, mill-2.'],
    [":repository=a/b", 'There is no connector "". Allowed: forge, mill-2.'],
    ["grup=g", 'There is no kind of scope "grup". Did you mean "group"? Allowed: repository, account, organization, group.'],
    ["mill-2:organization=o", 'There is no kind of scope "organization". Allowed: repository, group.'],
    ["mill-2:grup=o", 'There is no kind of scope "grup". Did you mean "group"? Allowed: repository, group.'],
    ["forge:repository=a", "repository takes <owner>/<repo>, such as repository=octocat/hello-world."],
    ["group", "group takes <name>."],
    ["account=x", "account takes no value."],
  ])("like %s are refused", (scope, says) => {
    expect(problem(scope)).toBe(`TENON_SYNC_SCOPES: "${scope}": ${says}`);
  });

  it("are refused together", () => {
    expect(problem("group", "account", "x").split("\n").length).toBe(2);
  });
});
